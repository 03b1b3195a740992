//! What is counted for a condition, and what follows from it.

use tesuji_math::linear::{Matrix, dot};
use tesuji_math::stats::student_two_sided;

use super::base::{BINS, Base, HALF};

/// The positions of one game in which a condition holds for one of the players alone, before the
/// result of the game is known.
#[derive(Clone, Copy, Default, Debug)]
pub struct Part {
    pub positions: u32,
    /// Positions in which it holds for Black, less those in which it holds for White.
    pub balance: i32,
    /// What Black is to score in them by the value alone, counted likewise.
    pub expected: f64,
    /// What a shift of one logit would bring.
    pub information: f64,
}

impl Part {
    /// Adds a position in which the condition holds for Black (1) or White (−1), with Black's
    /// chance.
    pub fn add(&mut self, sign: i32, chance: f64) {
        self.positions += 1;
        self.balance += sign;
        self.expected += f64::from(sign) * chance;
        self.information += chance * (1.0 - chance);
    }

    /// What the players who have the condition scored more than the value says, Black having got so
    /// many points.
    pub fn surplus(&self, points: f64) -> f64 {
        points * f64::from(self.balance) - self.expected
    }
}

/// What Black scored more than the curve says, game by game: the curve is known no better than its
/// games allow, which every condition has to bear.
#[derive(Clone, Debug)]
pub struct Residuals {
    /// By folded bin, seen by the player with the better value.
    sums: Vec<f64>,
    /// Those of single games, multiplied.
    squares: Matrix,
}

impl Residuals {
    pub fn new() -> Self {
        Self { sums: vec![0.0; HALF], squares: Matrix::zero(HALF) }
    }

    /// Adds the residuals of a game.
    pub fn add_game(&mut self, game: &[f64]) {
        self.sums.iter_mut().zip(game).for_each(|(sum, more)| *sum += more);
        self.squares.add_square(game, 1.0);
    }

    /// What two conditions share of the error of the curve, by their shares of each bin.
    pub fn between(&self, a: &[f64], b: &[f64]) -> f64 {
        dot(a, &self.squares.times(b))
    }

    /// Adds those of other games.
    pub fn merge(&mut self, other: &Self) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
        self.squares.add(&other.squares, 1.0);
    }

    /// With those of other games.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        self.merge(other);
        self
    }
}

/// The same of many games.
#[derive(Clone, Debug)]
pub struct Tally {
    pub positions: u64,
    /// Games that have one.
    pub games: u64,
    /// What the players who have the condition scored more than the value says.
    pub surplus: f64,
    /// The surpluses of single games, squared.
    pub squares: f64,
    /// The surpluses of single games times their residuals, by folded bin.
    pub residuals: Vec<f64>,
    /// What a shift of one logit would bring.
    pub information: f64,
    /// Positions and points by bin, as the player sees them who has the condition.
    pub bins: Vec<(u32, f64)>,
}

impl Tally {
    /// Nothing yet.
    pub fn new() -> Self {
        Self {
            positions: 0,
            games: 0,
            surplus: 0.0,
            squares: 0.0,
            residuals: vec![0.0; HALF],
            information: 0.0,
            bins: vec![(0, 0.0); BINS],
        }
    }

    /// Adds a game that brought Black so many points, with its residuals by folded bin; its bins
    /// are added apart.
    pub fn add_game(&mut self, part: &Part, points: f64, residuals: &[f64]) {
        if part.positions == 0 {
            return;
        }
        let surplus = part.surplus(points);
        for (sum, residual) in self.residuals.iter_mut().zip(residuals) {
            *sum += surplus * residual;
        }
        self.positions += u64::from(part.positions);
        self.games += 1;
        self.surplus += surplus;
        self.squares += surplus * surplus;
        self.information += part.information;
    }

    /// Adds the games of another one.
    pub fn merge(&mut self, other: &Self) {
        self.positions += other.positions;
        self.games += other.games;
        self.surplus += other.surplus;
        self.squares += other.squares;
        self.information += other.information;
        self.residuals.iter_mut().zip(&other.residuals).for_each(|(sum, more)| *sum += more);
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            *bin = (bin.0 + more.0, bin.1 + more.1);
        }
    }

    /// With the games of another one.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        self.merge(other);
        self
    }

    /// The same where the curve is not taken for certain: a condition that has a share of a bin
    /// also has that share of the error of the curve there.
    #[must_use]
    pub fn beside(mut self, curve: &Residuals, base: &Base) -> Self {
        let shares: Vec<f64> = (0..HALF).map(|bin| base.share(&self.bins, bin)).collect();
        self.surplus -= dot(&shares, &curve.sums);
        self.squares -= 2.0 * dot(&shares, &self.residuals);
        self.squares += curve.between(&shares, &shares);
        self
    }

    /// The surplus in standard errors, games as clusters.
    pub fn z(&self) -> f64 {
        if self.squares > 0.0 { self.surplus / self.squares.sqrt() } else { 0.0 }
    }

    /// How likely chance alone does as much.
    pub fn p(&self) -> f64 {
        if self.games < 2 { 1.0 } else { student_two_sided(self.z(), (self.games - 1) as f64) }
    }

    /// The shift in logits that explains the results best, what a player who has the condition has
    /// more than the value says, and its standard error.
    pub fn shift(&self, base: &Base) -> (f64, f64) {
        let mut shift: f64 = 0.0;
        let mut information = self.information;
        for _ in 0..30 {
            let (mut off, mut weight) = (0.0, 0.0);
            for (bin, &(positions, points)) in self.bins.iter().enumerate() {
                let chance = 1.0 / (1.0 + (-(base.logit(bin) + shift)).exp());
                off += points - f64::from(positions) * chance;
                weight += f64::from(positions) * chance * (1.0 - chance);
            }
            if weight < 1e-9 {
                break;
            }
            information = weight;
            // Steps of at most one logit: where all games went one way there is no end.
            let step = (off / weight).clamp(-1.0, 1.0);
            shift = (shift + step).clamp(-6.0, 6.0);
            if step.abs() < 1e-9 {
                break;
            }
        }
        (shift, self.squares.sqrt() / information.max(1e-9))
    }

    /// How far its curve parts from that of all positions: the mean distance of the logits in bins
    /// that have enough positions.
    pub fn split(&self, base: &Base, min_count: u64) -> Option<f64> {
        let (mut sum, mut positions) = (0.0, 0.0);
        for (bin, &(count, points)) in self.bins.iter().enumerate() {
            if u64::from(count) >= min_count {
                let count = f64::from(count);
                let logit = ((points + 0.5) / (count - points + 0.5)).ln();
                sum += count * (logit - base.logit(bin)).abs();
                positions += count;
            }
        }
        (positions > 0.0).then(|| sum / positions)
    }
}
