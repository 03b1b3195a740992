//! Bradley–Terry ratings: the maximum-likelihood strengths of players who met in pairs, on the Elo
//! scale.
//!
//! A player rated r Elo points above another is expected to score 1 / (1 + 10^(−r/400)) of the
//! points; a draw is half a win. [`fit`] finds the maximum by Newton's method: the gradient of the
//! log-likelihood, and its Hessian solved by conjugate gradients, since only players who met share
//! an entry. A prior is given as drawn games among the results. Some players may keep a known
//! rating; for those without any, [`ratings`] ties the mean to zero.

use crate::stats::Z95;

/// Elo points for a factor of e in the odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// A head-to-head score: the games between two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeadToHead {
    /// The numbers of the players.
    pub players: [usize; 2],
    /// Points of the first.
    pub points: f64,
    /// Games.
    pub games: f64,
}

/// The rating of one player. The mean of all ratings is zero.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo points.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// Maximum-likelihood ratings of players among whom nobody has a known rating; their mean is zero.
/// `prior` is a number of drawn games added to every pair that met, so that a player who lost every
/// game has a finite rating. `None` where there is no maximum: some players never scored against
/// the others, or never met them.
///
/// The error comes from the inverse of the Hessian, with games taken as independent.
pub fn ratings(players: usize, results: &[HeadToHead], prior: f64) -> Option<Vec<Rating>> {
    let results: Vec<HeadToHead> = results
        .iter()
        .filter(|result| result.games > 0.0)
        .map(|result| HeadToHead {
            points: result.points + prior / 2.0,
            games: result.games + prior,
            ..*result
        })
        .collect();
    if !has_maximum(players, &results) {
        return None;
    }
    // The likelihood knows differences only: the last player is taken as known, and the mean is
    // subtracted afterwards.
    let mut strengths = vec![0.0; players];
    let hessian = fit(&mut strengths, players.saturating_sub(1), &results);
    let mean = strengths.iter().sum::<f64>() / players as f64;
    let variances = hessian.centred_variances(players);
    let rating = |(elo, variance): (f64, f64)| Rating {
        elo: elo - mean,
        error: Z95 * SCALE * variance.max(0.0).sqrt(),
    };
    Some(strengths.into_iter().zip(variances).map(rating).collect())
}

/// Is the likelihood largest at finite ratings? It is where everybody can be reached from everybody
/// else by steps to a player who scored against the one before.
fn has_maximum(players: usize, results: &[HeadToHead]) -> bool {
    let scored_against = |winners: bool| {
        let mut reached = vec![false; players];
        let mut open: Vec<usize> = (0..players.min(1)).collect();
        while let Some(player) = open.pop() {
            if std::mem::replace(&mut reached[player], true) {
                continue;
            }
            for &HeadToHead { players: [first, second], points, games } in results {
                for (one, other, lost) in [(first, second, games - points), (second, first, points)]
                {
                    let (from, to) = if winners { (one, other) } else { (other, one) };
                    if from == player && lost > 0.0 && !reached[to] {
                        open.push(to);
                    }
                }
            }
        }
        reached.into_iter().all(|reached| reached)
    };
    scored_against(true) && scored_against(false)
}

/// Newton's method: moves the first `free` strengths, in Elo points, to the maximum of the
/// likelihood, and gives the Hessian there. The strengths after those are known and stay as they
/// are.
///
/// All strengths move at once. One at a time would take for ever where players hang together like
/// the links of a chain, as those of many generations do.
pub fn fit<'a>(strengths: &mut [f64], free: usize, results: &'a [HeadToHead]) -> Hessian<'a> {
    const MOST_STEPS: usize = 200;
    /// A step that is too small to matter, in Elo points.
    const SMALL: f64 = 1e-7;
    for _ in 0..MOST_STEPS {
        let (gradient, hessian) = gradient_and_hessian(strengths, free, results);
        let step = hessian.solve(&gradient);
        let largest = step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
        // Far from the solution a full step may overshoot.
        let damped = SCALE * 1.0_f64.min(1.0 / largest.max(f64::MIN_POSITIVE));
        for (strength, step) in strengths.iter_mut().zip(&step) {
            *strength += damped * step;
        }
        if SCALE * largest < SMALL {
            break;
        }
    }
    gradient_and_hessian(strengths, free, results).1
}

/// The Hessian of the log-likelihood with its sign turned, which is the Fisher information of the
/// free strengths: a sparse matrix with an entry for every pair of players who met.
pub struct Hessian<'a> {
    results: &'a [HeadToHead],
    /// What each result adds between its players.
    weights: Vec<f64>,
    diagonal: Vec<f64>,
}

/// The gradient of the log-likelihood by the free strengths, and its Hessian.
fn gradient_and_hessian<'a>(
    strengths: &[f64],
    free: usize,
    results: &'a [HeadToHead],
) -> (Vec<f64>, Hessian<'a>) {
    let (mut gradient, mut diagonal) = (vec![0.0; free], vec![0.0; free]);
    let mut weights = Vec::with_capacity(results.len());
    for &HeadToHead { players: [first, second], points, games } in results {
        let ahead = (strengths[first] - strengths[second]) / SCALE;
        let expected = 1.0 / (1.0 + (-ahead).exp());
        let (excess, weight) = (points - games * expected, games * expected * (1.0 - expected));
        for (player, excess) in [(first, excess), (second, -excess)] {
            if player < free {
                gradient[player] += excess;
                diagonal[player] += weight;
            }
        }
        weights.push(weight);
    }
    (gradient, Hessian { results, weights, diagonal })
}

impl Hessian<'_> {
    /// Half the width of each player's interval of `z` standard errors, in Elo points, with the
    /// strengths of all opponents taken as known.
    pub fn conditional_errors(&self, z: f64) -> Vec<f64> {
        let error = |information: &f64| z * SCALE / information.max(f64::MIN_POSITIVE).sqrt();
        self.diagonal.iter().map(error).collect()
    }

    /// The variance of each player's strength less the mean of all, in units of the odds'
    /// logarithm. Players after the free ones have a strength of zero, exactly.
    fn centred_variances(&self, players: usize) -> Vec<f64> {
        let free = self.diagonal.len();
        // The columns of the inverse, which is the covariance.
        let columns: Vec<Vec<f64>> = (0..free)
            .map(|i| {
                self.solve(&(0..free).map(|k| f64::from(u8::from(k == i))).collect::<Vec<_>>())
            })
            .collect();
        let mean = |column: &Vec<f64>| column.iter().sum::<f64>() / players as f64;
        let means: Vec<f64> = columns.iter().map(mean).collect();
        let of_mean = means.iter().sum::<f64>() / players as f64;
        let known = std::iter::repeat_n(of_mean, players - free);
        let centred = |i: usize| columns[i][i] - 2.0 * means[i] + of_mean;
        (0..free).map(centred).chain(known).collect()
    }

    /// The vector that the matrix turns into `wanted`: conjugate gradients, preconditioned by the
    /// diagonal.
    fn solve(&self, wanted: &[f64]) -> Vec<f64> {
        /// The share of the first error that may be left.
        const LEFT: f64 = 1e-24;
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let scaled = |list: &[f64]| -> Vec<f64> {
            let both = list.iter().zip(&self.diagonal);
            both.map(|(value, diagonal)| value / diagonal.max(f64::MIN_POSITIVE)).collect()
        };
        let mut solution = vec![0.0; wanted.len()];
        let mut missing = wanted.to_vec();
        let mut direction = scaled(&missing);
        let mut error = dot(&missing, &direction);
        let enough = LEFT * error;
        for _ in 0..10 * wanted.len() {
            if error <= enough {
                break;
            }
            let image = self.times(&direction);
            let length = error / dot(&direction, &image);
            for (i, direction) in direction.iter().enumerate() {
                solution[i] += length * direction;
                missing[i] -= length * image[i];
            }
            let next = scaled(&missing);
            let before = std::mem::replace(&mut error, dot(&missing, &next));
            for (direction, next) in direction.iter_mut().zip(next) {
                *direction = next + error / before * *direction;
            }
        }
        solution
    }

    /// The matrix times a vector.
    fn times(&self, vector: &[f64]) -> Vec<f64> {
        let mut product: Vec<f64> =
            vector.iter().zip(&self.diagonal).map(|(value, diagonal)| value * diagonal).collect();
        for (&HeadToHead { players: [first, second], .. }, weight) in
            self.results.iter().zip(&self.weights)
        {
            if first < vector.len() && second < vector.len() {
                product[first] -= weight * vector[second];
                product[second] -= weight * vector[first];
            }
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn pair(first: usize, second: usize, points: f64, games: f64) -> HeadToHead {
        HeadToHead { players: [first, second], points, games }
    }

    /// Two engines: the rating difference is the Elo of the score, 400·log10(75/25) = 190.848…,
    /// half of it on each side; the error of the difference is 1.96·(400/ln 10)/√(100·0.75·0.25).
    #[test]
    fn two_engines_have_the_elo_of_their_score() {
        let found = ratings(2, &[pair(0, 1, 75.0, 100.0)], 0.0).unwrap();
        let difference = 400.0 * 3.0_f64.log10();
        assert!((found[0].elo - difference / 2.0).abs() < 1e-9, "{found:?}");
        assert!((found[1].elo + difference / 2.0).abs() < 1e-9, "{found:?}");
        let error = Z95 * SCALE / 18.75_f64.sqrt() / 2.0;
        assert!((found[0].error - error).abs() < 1e-9, "{found:?}");
    }

    /// Found by another way: Hunter's fixed point γᵢ = wᵢ / Σⱼ nᵢⱼ/(γᵢ + γⱼ), repeated 200,000
    /// times; the errors from the inverse of the information in the coordinates (r₀, r₁) with r₂ =
    /// −r₀ − r₁.
    #[test]
    fn known_ratings_of_three() {
        let results = [pair(0, 1, 60.0, 100.0), pair(0, 2, 35.5, 50.0), pair(1, 2, 52.0, 90.0)];
        let found = ratings(3, &results, 0.0).unwrap();
        let known = [
            (72.341_667_304_325, 39.474_520_502_328),
            (-5.100_234_034_713, 33.633_124_813_035),
            (-67.241_433_269_612, 40.437_455_225_050),
        ];
        for (rating, (elo, error)) in found.iter().zip(known) {
            assert!((rating.elo - elo).abs() < 1e-6, "{found:?}");
            assert!((rating.error - error).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn hopeless_cases_have_no_rating_without_a_prior() {
        let lost = [pair(0, 1, 10.0, 10.0)];
        assert_eq!(ratings(2, &lost, 0.0), None);
        let found = ratings(2, &lost, 1.0).unwrap();
        assert!((found[0].elo - 200.0 * 21.0_f64.log10()).abs() < 1e-6, "{found:?}");
        // Everybody won and lost, if only in a circle; without the last pair somebody never lost.
        let circle = [pair(0, 1, 4.0, 4.0), pair(1, 2, 4.0, 4.0), pair(2, 0, 4.0, 4.0)];
        let level = ratings(3, &circle, 0.0).unwrap();
        assert!(level.iter().all(|rating| rating.elo.abs() < 1e-9), "{level:?}");
        assert_eq!(ratings(3, &circle[..2], 0.0), None);
        // Two groups that never met.
        let apart = [pair(0, 1, 5.0, 10.0), pair(2, 3, 5.0, 10.0)];
        assert_eq!(ratings(4, &apart, 1.0), None);
    }

    /// 75 of 100 points against one whose rating is known: 400·log10(3) above it.
    #[test]
    fn one_against_a_known_rating() {
        let mut strengths = [0.0, 50.0];
        let results = [pair(0, 1, 75.0, 100.0)];
        let errors = fit(&mut strengths, 1, &results).conditional_errors(Z95);
        assert!((strengths[0] - 50.0 - 400.0 * 3.0_f64.log10()).abs() < 1e-4);
        assert_eq!(strengths[1], 50.0);
        assert!((errors[0] - Z95 * SCALE / 18.75_f64.sqrt()).abs() < 1e-4);
    }

    /// The ratings of three that met each other are those of `known_ratings_of_three`, found by
    /// another way. Their mean, which nothing here decides, is tied by the last.
    #[test]
    fn three_that_met() {
        let mut strengths = [0.0, 0.0, 72.341_667_304_325];
        let results = [pair(0, 2, 40.0, 100.0), pair(0, 1, 52.0, 90.0), pair(1, 2, 14.5, 50.0)];
        fit(&mut strengths, 2, &results);
        assert!((strengths[0] + 5.100_234_034_713).abs() < 1e-4, "{strengths:?}");
        assert!((strengths[1] + 67.241_433_269_612).abs() < 1e-4, "{strengths:?}");
    }

    /// Each is 10 points above the one before, three hundred times.
    #[test]
    fn a_long_chain() {
        const LINKS: usize = 300;
        let share = 1.0 / (1.0 + 10.0_f64.powf(-10.0 / 400.0));
        let results: Vec<HeadToHead> = (0..LINKS)
            .map(|link| pair(link, (link + LINKS) % (LINKS + 1), 4.0 * share, 4.0))
            .collect();
        let mut strengths = vec![0.0; LINKS + 1];
        fit(&mut strengths, LINKS, &results);
        for (link, strength) in strengths[..LINKS].iter().enumerate() {
            assert!((strength - 10.0 * (link + 1) as f64).abs() < 1e-3, "{link}: {strength}");
        }
    }
}
