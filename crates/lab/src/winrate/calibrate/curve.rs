//! The curve from scores to chances, by maximum likelihood.
//!
//! The chance is u/2 + (1 − u)·σ(a·v + b) for a value v: two numbers of a logistic curve, and the
//! share u of games that end as if by the toss of a coin. For a given u Fisher's scoring finds the
//! two, and u itself is found by a golden section; standard errors take the positions of a game as
//! one observation.

use anyhow::{Result, bail, ensure};
use rayon::prelude::*;
use tesuji_eval::Calibration;
use tesuji_math::linear::{Matrix, dot};

/// Slope, intercept, upsets.
const WIDTH: usize = 3;
/// Games whose sums are made at once; they are added up in their order, so that the number of
/// threads changes nothing.
const AT_ONCE: usize = 256;
/// Steps of the scoring, which wants about ten.
const STEPS: usize = 100;
/// The numbers of the curve are found when they move by less.
const SETTLED: f64 = 1e-7;
/// How narrow the section of upsets is in the end.
const NARROW: f64 = 1e-4;
/// Values are divided by this, so that all numbers of the curve are near 1.
const UNIT: f64 = 400.0;
/// More upsets than this and the score would say next to nothing.
const MOST_UPSETS: f64 = 0.5;

/// The values of a game as the player to move sees them, and the points of that player.
pub(super) type Game = [(i32, f64)];

/// Finds the curve of these games.
pub(super) fn fit(games: &[&Game]) -> Result<Calibration> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let start = Curve { slope: 1.0, intercept: 0.0, upset: 0.0 };
    let best_with = |upset: f64| Curve { upset, ..start }.settled(games);
    let (mut low, mut high) = (0.0, MOST_UPSETS);
    let [mut left, mut right] =
        [best_with(high - GOLDEN * (high - low))?, best_with(low + GOLDEN * (high - low))?];
    while high - low > NARROW {
        if left.1.likelihood >= right.1.likelihood {
            high = right.0.upset;
            right = left;
            left = best_with(high - GOLDEN * (high - low))?;
        } else {
            low = left.0.upset;
            left = right;
            right = best_with(low + GOLDEN * (high - low))?;
        }
    }
    // The best may be at the very end.
    let ends = [best_with(0.0)?, best_with(MOST_UPSETS)?];
    let found = ends
        .into_iter()
        .fold(left, |best, end| if end.1.likelihood >= best.1.likelihood { end } else { best });
    found.0.calibration(&found.1)
}

#[derive(Clone, Copy, Debug)]
struct Curve {
    slope: f64,
    intercept: f64,
    upset: f64,
}

/// Sums over positions.
struct Sums {
    likelihood: f64,
    gradient: [f64; WIDTH],
    information: Matrix,
    /// The gradients of single games, squared.
    games: Matrix,
}

impl Sums {
    fn zero() -> Self {
        let [information, games] = [Matrix::zero(WIDTH), Matrix::zero(WIDTH)];
        Self { likelihood: 0.0, gradient: [0.0; WIDTH], information, games }
    }

    fn of_game(curve: &Curve, game: &Game) -> Self {
        let mut sums = Self::zero();
        for &(value, points) in game {
            let x = f64::from(value) / UNIT;
            let logistic = 1.0 / (1.0 + (-(curve.slope * x + curve.intercept)).exp());
            let chance = curve.upset / 2.0 + (1.0 - curve.upset) * logistic;
            let chance = chance.clamp(1e-12, 1.0 - 1e-12);
            let inner = (1.0 - curve.upset) * logistic * (1.0 - logistic);
            let slopes = [inner * x, inner, 0.5 - logistic];
            let weight = 1.0 / (chance * (1.0 - chance));
            sums.likelihood += points * chance.ln() + (1.0 - points) * (1.0 - chance).ln();
            let off = weight * (points - chance);
            sums.gradient.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += off * slope);
            sums.information.add_square(&slopes, weight);
        }
        sums.games.add_square(&sums.gradient, 1.0);
        sums
    }

    /// A step of the scoring, for slope and intercept.
    fn step(&self) -> Result<[f64; 2]> {
        let mut information = Matrix::zero(2);
        for place in 0..2 {
            information.row_mut(place).copy_from_slice(&self.information.row(place)[..2]);
        }
        let Some(factors) = information.cholesky() else {
            bail!("the games do not decide the curve of chances: too few, or all scores alike");
        };
        let step = factors.solve(&self.gradient[..2]);
        Ok([step[0], step[1]])
    }

    /// Does a step lead to something no worse, and not far beyond the best?
    fn leads_to(&self, other: &Self, step: [f64; 2]) -> bool {
        let along = |sums: &Self| dot(&sums.gradient[..2], &step);
        other.likelihood >= self.likelihood && along(other) >= -along(self) / 2.0
    }

    fn add(&mut self, other: &Self) {
        self.likelihood += other.likelihood;
        self.gradient.iter_mut().zip(other.gradient).for_each(|(sum, more)| *sum += more);
        self.information.add(&other.information, 1.0);
        self.games.add(&other.games, 1.0);
    }
}

fn sum(curve: &Curve, games: &[&Game]) -> Sums {
    let mut sums = Sums::zero();
    for some in games.chunks(AT_ONCE) {
        let parts: Vec<Sums> = some.par_iter().map(|game| Sums::of_game(curve, game)).collect();
        parts.iter().for_each(|part| sums.add(part));
    }
    sums
}

impl Curve {
    /// The best slope and intercept for these upsets, with the sums there.
    fn settled(self, games: &[&Game]) -> Result<(Self, Sums)> {
        let mut curve = self;
        let mut sums = sum(&curve, games);
        for _ in 0..STEPS {
            let mut step = sums.step()?;
            let size = |[slope, intercept]: [f64; 2]| slope.abs() + intercept.abs();
            // A step that goes too far is halved.
            (curve, sums) = loop {
                let next = curve.moved(step);
                let at_next = sum(&next, games);
                if size(step) <= SETTLED || sums.leads_to(&at_next, step) {
                    break (next, at_next);
                }
                step = step.map(|x| x / 2.0);
            };
            if size(step) <= SETTLED {
                return Ok((curve, sums));
            }
        }
        bail!("the curve of chances does not settle in {STEPS} steps");
    }

    fn moved(&self, [slope, intercept]: [f64; 2]) -> Self {
        Self { slope: self.slope + slope, intercept: self.intercept + intercept, ..*self }
    }

    /// In centipawns, with the interval of the scale.
    fn calibration(&self, sums: &Sums) -> Result<Calibration> {
        ensure!(self.slope > 0.0, "games are lost where it says more");
        let Some(information) = sums.information.cholesky() else {
            bail!("the games do not decide the curve of chances");
        };
        let inverse = information.inverse();
        let covariance = inverse.product(&sums.games).product(&inverse);
        let scale = UNIT / self.slope;
        let error = covariance.row(0)[0].sqrt() * scale / self.slope;
        let measured = Calibration::measured(scale, scale - 1.96 * error, scale + 1.96 * error);
        Ok(measured.with_shape(-self.intercept * scale, self.upset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_math::Random;
    use tesuji_shogi::Score;

    /// Games of one or more equal positions whose results follow a curve.
    fn games(truth: &Calibration, count: usize, each: usize) -> Vec<Vec<(i32, f64)>> {
        let mut random = Random::new(5);
        (0..count)
            .map(|_| {
                let value = random.below(3001) as i32 - 1500;
                let chance = truth.chance(Score::Centipawns(value));
                let points = f64::from(u8::from(random.chance(chance)));
                vec![(value, points); each]
            })
            .collect()
    }

    fn fitted(games: &[Vec<(i32, f64)>]) -> Calibration {
        fit(&games.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_curve_is_found_again() {
        for (scale, even, upset) in [(350.0, 40.0, 0.1), (500.0, -30.0, 0.0), (120.0, 10.0, 0.5)] {
            let truth = Calibration::measured(scale, scale, scale).with_shape(even, upset);
            let found = fitted(&games(&truth, 20_000, 1));
            let error = (found.high - found.low) / 3.92;
            assert!((found.scale - scale).abs() < 3.0 * error && error < 20.0, "{found:?}");
            assert!((found.even - even).abs() < 25.0, "{found:?}");
            assert!((found.upset - upset).abs() < 0.03, "{found:?}");
        }
    }

    /// Positions of a game that are all the same tell no more than one of them.
    #[test]
    fn the_positions_of_a_game_are_one_observation() {
        let truth = Calibration::assumed(400.0).with_shape(20.0, 0.05);
        let [once, often] = [1, 5].map(|each| fitted(&games(&truth, 5_000, each)));
        assert!((once.scale - often.scale).abs() < 1e-3, "{once:?} {often:?}");
        assert!((once.low - often.low).abs() < 1e-3, "{once:?} {often:?}");
    }

    #[test]
    fn scores_that_say_nothing_are_refused() {
        assert!(fit(&[&[(100, 1.0), (100, 0.0)]]).is_err());
        let against: Vec<(i32, f64)> =
            (0..400).map(|place| (place * 10 - 2000, f64::from(u8::from(place < 200)))).collect();
        assert!(fit(&[&against]).is_err());
    }
}
