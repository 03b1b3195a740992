//! Regression of results on what is known of positions: least squares, or maximum likelihood of a
//! logistic curve by Newton's method (equations 3 and 4 of the paper). Errors take the positions of
//! a game as one observation.

use anyhow::{Result, bail};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tesuji_math::linear::Matrix;

/// How coefficients are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Least squares: the result is taken for a linear function.
    Ls,
    /// Maximum likelihood: the chance to win is a logistic curve of a linear function.
    Mlm,
}

/// The positions of a game as rows of numbers, and what Black got, from 0 to 1.
pub struct Rows {
    pub cells: Vec<f64>,
    pub points: f64,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Estimate {
    pub coefficients: Vec<f64>,
    /// The covariance of the coefficients, games as clusters.
    covariance: Matrix,
}

impl Estimate {
    /// A coefficient divided by another, and the standard error of that (by the delta method).
    pub fn ratio(&self, place: usize, by: usize) -> (f64, f64) {
        let unit = self.coefficients[by];
        let ratio = self.coefficients[place] / unit;
        let [own, both, other] = [
            self.covariance.row(place)[place],
            self.covariance.row(place)[by],
            self.covariance.row(by)[by],
        ];
        let variance = (own - 2.0 * ratio * both + ratio * ratio * other) / (unit * unit);
        (ratio, variance.max(0.0).sqrt())
    }
}

/// Sums over positions, with the coefficients as they are.
struct Sums {
    gradient: Vec<f64>,
    information: Matrix,
    /// The gradients of single games, squared.
    games: Matrix,
}

impl Sums {
    fn zero(width: usize) -> Self {
        let [information, games] = [Matrix::zero(width), Matrix::zero(width)];
        Self { gradient: vec![0.0; width], information, games }
    }

    fn of_game(method: Method, coefficients: &[f64], game: &Rows) -> Self {
        let mut sums = Self::zero(coefficients.len());
        for row in game.cells.chunks_exact(coefficients.len()) {
            let linear: f64 = row.iter().zip(coefficients).map(|(x, c)| x * c).sum();
            let (expected, weight) = match method {
                Method::Ls => (linear, 1.0),
                Method::Mlm => {
                    let chance = 1.0 / (1.0 + (-linear).exp());
                    (chance, chance * (1.0 - chance))
                }
            };
            let off = game.points - expected;
            sums.gradient.iter_mut().zip(row).for_each(|(sum, x)| *sum += off * x);
            sums.information.add_square(row, weight);
        }
        sums.games.add_square(&sums.gradient, 1.0);
        sums
    }

    fn add(&mut self, other: &Self) {
        self.gradient.iter_mut().zip(&other.gradient).for_each(|(sum, more)| *sum += more);
        self.information.add(&other.information, 1.0);
        self.games.add(&other.games, 1.0);
    }
}

/// Games whose sums are made at once; they are added up in their order, so that the number of
/// threads changes nothing.
const AT_ONCE: usize = 256;
/// Steps of Newton's method, which wants some six.
const STEPS: usize = 50;

/// Finds the coefficients of `width` columns.
pub fn estimate(method: Method, width: usize, games: &[Rows]) -> Result<Estimate> {
    let mut coefficients = vec![0.0; width];
    for _ in 0..STEPS {
        let sums = sum(method, &coefficients, games);
        let Some(information) = sums.information.cholesky() else {
            bail!("the games do not decide the weights: a term is the same everywhere");
        };
        let step = information.solve(&sums.gradient);
        coefficients.iter_mut().zip(&step).for_each(|(coefficient, step)| *coefficient += step);
        let size = |vector: &[f64]| vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size(&step) <= 1e-9 * size(&coefficients).max(1e-9) {
            let inverse = information.inverse();
            let covariance = inverse.product(&sums.games).product(&inverse);
            return Ok(Estimate { coefficients, covariance });
        }
    }
    bail!("the weights do not settle in {STEPS} steps");
}

fn sum(method: Method, coefficients: &[f64], games: &[Rows]) -> Sums {
    let mut sums = Sums::zero(coefficients.len());
    for some in games.chunks(AT_ONCE) {
        let of_game = |game: &Rows| Sums::of_game(method, coefficients, game);
        let parts: Vec<Sums> = some.par_iter().map(of_game).collect();
        parts.iter().for_each(|part| sums.add(part));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_math::Random;

    impl Estimate {
        fn error(&self, place: usize) -> f64 {
            self.covariance.row(place)[place].sqrt()
        }
    }

    /// Games whose results follow a logistic curve of two numbers.
    fn games(count: usize, each: usize) -> Vec<Rows> {
        let mut random = Random::new(3);
        let mut uniform = move || random.below(2001) as f64 / 1000.0 - 1.0;
        let mut results = Random::new(4);
        (0..count)
            .map(|_| {
                let (a, b) = (uniform(), uniform());
                let chance = 1.0 / (1.0 + (-(0.2 + 1.5 * a - 0.7 * b)).exp());
                let points = f64::from(u8::from(results.chance(chance)));
                Rows { cells: [1.0, a, b].repeat(each), points }
            })
            .collect()
    }

    #[test]
    fn a_logistic_curve_is_found_again() {
        let found = estimate(Method::Mlm, 3, &games(20_000, 1)).unwrap();
        for (place, expected) in [0.2, 1.5, -0.7].into_iter().enumerate() {
            let off = (found.coefficients[place] - expected) / found.error(place);
            assert!(off.abs() < 3.0 && found.error(place) < 0.05, "{found:?}");
        }
        let (ratio, error) = found.ratio(2, 1);
        assert!(((ratio + 0.7 / 1.5) / error).abs() < 3.0 && error < 0.03, "{ratio} {error}");
    }

    #[test]
    fn positions_of_a_game_are_one_observation() {
        let [once, often] = [1, 10].map(|each| {
            let found = estimate(Method::Mlm, 3, &games(2_000, each)).unwrap();
            (found.coefficients.clone(), found.error(1))
        });
        assert!((once.0[1] - often.0[1]).abs() < 1e-6);
        assert!((once.1 - often.1).abs() < 1e-6, "{} {}", once.1, often.1);
    }

    #[test]
    fn least_squares_is_exact_where_results_are_linear() {
        let rows = |a: f64| Rows { cells: vec![1.0, a], points: 0.5 + 0.25 * a };
        let found = estimate(Method::Ls, 2, &[-1.0, 0.0, 1.0, 2.0].map(rows)).unwrap();
        assert!((found.coefficients[0] - 0.5).abs() < 1e-12);
        assert!((found.coefficients[1] - 0.25).abs() < 1e-12);
        assert!(found.error(1) < 1e-9);
        let same = [Rows { cells: vec![1.0, 1.0], points: 1.0 }];
        assert!(estimate(Method::Ls, 2, &same).is_err(), "a column that says nothing");
    }
}
