//! Ratings that carry over generations, by the model of Bradley and Terry: those of everyone who ever
//! played, the likeliest with all games. So all generations are on one scale, and no game is
//! forgotten.

/// Elo points for a factor of e in the odds.
pub const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// For a 95 % interval.
const Z95: f64 = 1.96;

/// Games between two.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Result {
    /// Who met, by their places in the list of strengths.
    pub players: [usize; 2],
    /// Points of the first.
    pub points: f64,
    /// Games.
    pub games: f64,
}

/// Moves the first `free` strengths to the likeliest values, in Elo points, and gives half the width of their
/// 95 % intervals, the strengths of opponents taken as known. Strengths after those stay as they are.
///
/// Newton's method for all at once: one after the other they would go on for ever, as those of many
/// generations hang together like the links of a chain.
pub fn rate(strengths: &mut [f64], free: usize, results: &[Result]) -> Vec<f64> {
    const MOST_STEPS: usize = 200;
    /// A step that is too small to matter, in Elo points.
    const SMALL: f64 = 1e-7;
    for _ in 0..MOST_STEPS {
        let (slope, curvature) = slope_and_curvature(strengths, free, results);
        let step = curvature.solve(&slope);
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
    let (_, curvature) = slope_and_curvature(strengths, free, results);
    let error = |curvature: &f64| Z95 * SCALE / curvature.max(f64::MIN_POSITIVE).sqrt();
    curvature.diagonal.iter().map(error).collect()
}

/// How the slope of the likelihood's logarithm changes with the strengths, its sign turned: a matrix with few
/// entries that are not zero.
struct Curvature<'a> {
    results: &'a [Result],
    /// What each result adds between its players.
    weights: Vec<f64>,
    diagonal: Vec<f64>,
}

/// How the logarithm of the likelihood changes with each free strength, and how that changes.
fn slope_and_curvature<'a>(
    strengths: &[f64],
    free: usize,
    results: &'a [Result],
) -> (Vec<f64>, Curvature<'a>) {
    let (mut slope, mut diagonal) = (vec![0.0; free], vec![0.0; free]);
    let mut weights = Vec::with_capacity(results.len());
    for &Result { players: [first, second], points, games } in results {
        let ahead = (strengths[first] - strengths[second]) / SCALE;
        let expected = 1.0 / (1.0 + (-ahead).exp());
        let (excess, weight) = (points - games * expected, games * expected * (1.0 - expected));
        for (player, excess) in [(first, excess), (second, -excess)] {
            if player < free {
                slope[player] += excess;
                diagonal[player] += weight;
            }
        }
        weights.push(weight);
    }
    (slope, Curvature { results, weights, diagonal })
}

impl Curvature<'_> {
    /// The vector that the matrix turns into `wanted`: conjugate gradients, scaled by the diagonal.
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
        for (&Result { players: [first, second], .. }, weight) in
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

    const fn result(first: usize, second: usize, points: f64, games: f64) -> Result {
        Result { players: [first, second], points, games }
    }

    /// 75 of 100 points against one whose rating is known: 400·log10(3) above it.
    #[test]
    fn one_against_a_known_rating() {
        let mut strengths = [0.0, 50.0];
        let errors = rate(&mut strengths, 1, &[result(0, 1, 75.0, 100.0)]);
        assert!((strengths[0] - 50.0 - 400.0 * 3.0_f64.log10()).abs() < 1e-4);
        assert_eq!(strengths[1], 50.0);
        assert!((errors[0] - Z95 * SCALE / 18.75_f64.sqrt()).abs() < 1e-4);
    }

    /// The ratings of three that met each other are those of the arena's test: found there by another
    /// way. Their mean, which nothing here decides, is tied by the last.
    #[test]
    fn three_that_met() {
        let mut strengths = [0.0, 0.0, 72.341_667_304_325];
        let results =
            [result(0, 2, 40.0, 100.0), result(0, 1, 52.0, 90.0), result(1, 2, 14.5, 50.0)];
        rate(&mut strengths, 2, &results);
        assert!((strengths[0] + 5.100_234_034_713).abs() < 1e-4, "{strengths:?}");
        assert!((strengths[1] + 67.241_433_269_612).abs() < 1e-4, "{strengths:?}");
    }

    /// Each is 10 points above the one before, three hundred times.
    #[test]
    fn a_long_chain() {
        const LINKS: usize = 300;
        let share = 1.0 / (1.0 + 10.0_f64.powf(-10.0 / 400.0));
        let results: Vec<Result> = (0..LINKS)
            .map(|link| result(link, (link + LINKS) % (LINKS + 1), 4.0 * share, 4.0))
            .collect();
        let mut strengths = vec![0.0; LINKS + 1];
        rate(&mut strengths, LINKS, &results);
        for (link, strength) in strengths[..LINKS].iter().enumerate() {
            assert!((strength - 10.0 * (link + 1) as f64).abs() < 1e-3, "{link}: {strength}");
        }
    }
}
