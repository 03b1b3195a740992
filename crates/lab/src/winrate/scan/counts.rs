//! Conditions counted over all games: each by itself, and how they go together.

use anyhow::Result;
use tesuji_math::linear::{Matrix, dot};

use super::ScanPlan;
use super::base::{BINS, Base, HALF, bin_of, folded};
use super::candidates::Lineup;
use super::marks::{MarkedGame, Marks};
use super::tally::{Part, Residuals, Tally};

/// What was counted of a lineup.
pub struct Counts {
    /// Each candidate, in games with even numbers and in the others, the curve taken for certain.
    tallies: Vec<[Tally; 2]>,
    /// What the curve is off in them.
    curve: [Residuals; 2],
    /// What a shift of each brings in the positions of each other, and the surpluses of single
    /// games, multiplied; without any size where nobody asked for them.
    information: Matrix,
    squares: Matrix,
    games: f64,
}

/// A condition that was counted: in games with even numbers, in the others, and in all.
pub struct Halves {
    pub even: Tally,
    pub odd: Tally,
    pub all: Tally,
}

impl Counts {
    /// The tallies, in the order of the lineup.
    pub fn halves(&self, base: &Base) -> Vec<Halves> {
        let whole = self.curve[0].clone().with(&self.curve[1]);
        let halves = |[even, odd]: &[Tally; 2]| Halves {
            all: even.clone().with(odd).beside(&whole, base),
            even: even.clone().beside(&self.curve[0], base),
            odd: odd.clone().beside(&self.curve[1], base),
        };
        self.tallies.iter().map(halves).collect()
    }

    /// How some of the candidates go together, by their places.
    pub fn overlap(&self, base: &Base, places: &[usize]) -> Overlap {
        let whole = self.curve[0].clone().with(&self.curve[1]);
        let tallies = places
            .iter()
            .map(|&place| self.tallies[place][0].clone().with(&self.tallies[place][1]));
        let tallies: Vec<Tally> = tallies.collect();
        let shares: Vec<Vec<f64>> = tallies
            .iter()
            .map(|tally| (0..HALF).map(|bin| base.share(&tally.bins, bin)).collect())
            .collect();
        let mut overlap = Overlap {
            surplus: Vec::new(),
            information: Matrix::zero(places.len()),
            squares: Matrix::zero(places.len()),
            games: self.games,
        };
        for (a, tally) in tallies.iter().enumerate() {
            overlap.surplus.push(tally.clone().beside(&whole, base).surplus);
            for b in 0..places.len() {
                let known: f64 = (0..HALF)
                    .map(|bin| shares[a][bin] * shares[b][bin] * base.information(bin))
                    .sum();
                overlap.information.row_mut(a)[b] =
                    self.information.row(places[a])[places[b]] - known;
                overlap.squares.row_mut(a)[b] = self.squares.row(places[a])[places[b]]
                    - dot(&shares[b], &tally.residuals)
                    - dot(&shares[a], &tallies[b].residuals)
                    + whole.between(&shares[a], &shares[b]);
            }
        }
        overlap
    }
}

/// Counts a lineup; how candidates go together only if that is wanted.
pub fn count(
    plan: &ScanPlan,
    base: &Base,
    lineup: &Lineup,
    together: bool,
    marks: &mut Marks,
) -> Result<Counts> {
    let mut counts = Counts::new(lineup.len(), together);
    let work = |games: &[MarkedGame]| {
        let mut counts = Counts::new(lineup.len(), together);
        games.iter().for_each(|game| counts.add_game(plan, base, lineup, game));
        counts
    };
    marks.for_each_group(work, |part| counts.merge(&part))?;
    Ok(counts)
}

impl Counts {
    fn new(size: usize, together: bool) -> Self {
        let side = if together { size } else { 0 };
        Self {
            tallies: vec![[Tally::new(), Tally::new()]; size],
            curve: [Residuals::new(), Residuals::new()],
            information: Matrix::zero(side),
            squares: Matrix::zero(side),
            games: 0.0,
        }
    }

    fn add_game(&mut self, plan: &ScanPlan, base: &Base, lineup: &Lineup, game: &MarkedGame) {
        let (half, points) = ((game.number % 2) as usize, game.result as f64 / 2.0);
        let together = self.squares.size() > 0;
        let mut parts = vec![Part::default(); lineup.len()];
        let mut residuals = [0.0; HALF];
        let mut held = Vec::new();
        for (marked, holds) in game.marks() {
            let bin = bin_of(marked.value, plan.bin);
            let chance = base.chance(bin);
            let (far, side) = folded(bin);
            residuals[far] += side * (points - chance);
            lineup.held(holds, &mut held);
            for &(number, sign) in &held {
                parts[number].add(sign, chance);
                let (bin, points) =
                    if sign > 0 { (bin, points) } else { (BINS - 1 - bin, 1.0 - points) };
                let bin = &mut self.tallies[number][half].bins[bin];
                *bin = (bin.0 + 1, bin.1 + points);
            }
            if together {
                let weight = chance * (1.0 - chance);
                for &(a, one) in &held {
                    let row = self.information.row_mut(a);
                    held.iter().for_each(|&(b, other)| row[b] += weight * f64::from(one * other));
                }
            }
        }
        self.curve[half].add_game(&residuals);
        for (tallies, part) in self.tallies.iter_mut().zip(&parts) {
            tallies[half].add_game(part, points, &residuals);
        }
        if together {
            let surplus: Vec<f64> = parts.iter().map(|part| part.surplus(points)).collect();
            self.squares.add_square(&surplus, 1.0);
        }
        self.games += 1.0;
    }

    /// Adds other games.
    fn merge(&mut self, other: &Self) {
        for half in 0..2 {
            self.curve[half].merge(&other.curve[half]);
            for (tallies, more) in self.tallies.iter_mut().zip(&other.tallies) {
                tallies[half].merge(&more[half]);
            }
        }
        self.information.add(&other.information, 1.0);
        self.squares.add(&other.squares, 1.0);
        self.games += other.games;
    }
}

/// How conditions go together, the curve not being taken for certain.
pub struct Overlap {
    /// The surplus of each.
    pub surplus: Vec<f64>,
    /// What a shift of each brings in the positions of each other.
    pub information: Matrix,
    /// The surpluses of single games, multiplied.
    pub squares: Matrix,
    pub games: f64,
}
