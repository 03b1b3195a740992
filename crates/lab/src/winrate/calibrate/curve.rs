//! The curve from scores to chances, by maximum likelihood.
//!
//! The chance is u/2 + (1 − u)·σ(a·v + b) for a value v: two numbers of a logistic curve, and the
//! share u of games that end as if by the toss of a coin. Fisher's scoring finds all three; standard
//! errors take the positions of a game as one observation.

use anyhow::{Result, bail, ensure};
use rayon::prelude::*;
use tesuji_eval::Calibration;
use tesuji_math::linear::Matrix;

/// Slope, intercept, upsets.
const WIDTH: usize = 3;
/// Games whose sums are made at once; they are added up in their order, so that the number of
/// threads changes nothing.
const AT_ONCE: usize = 256;
/// Steps of the scoring, which wants about ten.
const STEPS: usize = 200;
/// The numbers of the curve are found when they move by less.
const SETTLED: f64 = 1e-7;
/// Values are divided by this, so that all numbers of the curve are near 1.
const UNIT: f64 = 400.0;
/// More upsets than this and the score would say next to nothing.
const MOST_UPSETS: f64 = 0.9;

/// The values of a game as the player to move sees them, and the points of that player.
pub(super) type Game = [(i32, f64)];

/// Finds the curve of these games.
pub(super) fn fit(games: &[&Game]) -> Result<Calibration> {
    let mut curve = Curve { slope: 1.0, intercept: 0.0, upset: 0.05 };
    let mut sums = sum(&curve, games);
    for _ in 0..STEPS {
        let mut next = curve.step(&sums)?;
        let mut at_next = sum(&next, games);
        // A step that goes too far is halved.
        while at_next.likelihood < sums.likelihood && next.distance(&curve) > SETTLED {
            next = next.middle(&curve);
            at_next = sum(&next, games);
        }
        let moved = next.distance(&curve);
        (curve, sums) = (next, at_next);
        if moved <= SETTLED {
            return curve.calibration(&sums);
        }
    }
    bail!("the curve of chances does not settle in {STEPS} steps");
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
    fn distance(&self, other: &Self) -> f64 {
        let [slope, intercept] = [self.slope - other.slope, self.intercept - other.intercept];
        slope.abs() + intercept.abs() + (self.upset - other.upset).abs()
    }

    fn middle(&self, other: &Self) -> Self {
        let of = |a: f64, b: f64| f64::midpoint(a, b);
        Self {
            slope: of(self.slope, other.slope),
            intercept: of(self.intercept, other.intercept),
            upset: of(self.upset, other.upset),
        }
    }

    /// One step of the scoring. Upsets stay a share: where they would be fewer than none, the other
    /// two numbers are found without them.
    fn step(&self, sums: &Sums) -> Result<Self> {
        let known = |information: &Matrix, gradient: &[f64]| {
            let Some(factors) = information.cholesky() else {
                bail!("the games do not decide the curve of chances: too few, or all scores alike");
            };
            Ok(factors.solve(gradient))
        };
        let step = known(&sums.information, &sums.gradient)?;
        let upset = self.upset + step[2];
        if (0.0..=MOST_UPSETS).contains(&upset) {
            let [slope, intercept] = [self.slope + step[0], self.intercept + step[1]];
            return Ok(Self { slope, intercept, upset });
        }
        let upset = upset.clamp(0.0, MOST_UPSETS);
        let mut information = Matrix::zero(2);
        for (place, row) in [sums.information.row(0), sums.information.row(1)].iter().enumerate() {
            information.row_mut(place).copy_from_slice(&row[..2]);
        }
        let step = known(&information, &sums.gradient[..2])?;
        Ok(Self { slope: self.slope + step[0], intercept: self.intercept + step[1], upset })
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
            let found = fitted(&games(&truth, 40_000, 1));
            let error = (found.high - found.low) / 3.92;
            assert!((found.scale - scale).abs() < 3.0 * error && error < 15.0, "{found:?}");
            assert!((found.even - even).abs() < 25.0, "{found:?}");
            assert!((found.upset - upset).abs() < 0.02, "{found:?}");
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
