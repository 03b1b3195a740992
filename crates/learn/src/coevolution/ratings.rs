//! Ratings that carry over generations, by the model of Bradley and Terry.
//!
//! Who plays no more keeps the rating that it had; those of the living are the likeliest with all
//! the games that they have played. So ratings of all generations are on one scale, and no game is
//! forgotten.

/// Elo points for a factor of e in the odds.
pub const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// For a 95 % interval.
const Z95: f64 = 1.96;

/// Games against one opponent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Result {
    /// Whom the organism met, by its place in the list of strengths.
    pub opponent: usize,
    /// Points of the organism.
    pub points: f64,
    /// Games.
    pub games: f64,
}

/// Moves the strengths of some organisms to the likeliest values, in Elo points, and gives half the
/// width of their 95 % intervals. `results` has the games of each organism in `rated`.
pub fn rate(strengths: &mut [f64], rated: &[usize], results: &[Vec<Result>]) -> Vec<f64> {
    /// One after the other they come near to the solution quickly; this is far more than enough.
    const MOST_SWEEPS: usize = 10_000;
    for _ in 0..MOST_SWEEPS {
        let mut largest: f64 = 0.0;
        for (&organism, results) in rated.iter().zip(results) {
            let (slope, curvature) = slope_and_curvature(strengths, organism, results);
            // Far from the solution a full step may overshoot.
            let step = (SCALE * slope / curvature.max(f64::MIN_POSITIVE)).clamp(-SCALE, SCALE);
            strengths[organism] += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-9 {
            break;
        }
    }
    let error = |(&organism, results): (&usize, &Vec<Result>)| {
        let (_, curvature) = slope_and_curvature(strengths, organism, results);
        Z95 * SCALE / curvature.max(f64::MIN_POSITIVE).sqrt()
    };
    rated.iter().zip(results).map(error).collect()
}

/// How the logarithm of the likelihood changes with a strength, and how that changes, its sign
/// turned.
fn slope_and_curvature(strengths: &[f64], organism: usize, results: &[Result]) -> (f64, f64) {
    let (mut slope, mut curvature) = (0.0, 0.0);
    for &Result { opponent, points, games } in results {
        let ahead = (strengths[organism] - strengths[opponent]) / SCALE;
        let expected = 1.0 / (1.0 + (-ahead).exp());
        slope += points - games * expected;
        curvature += games * expected * (1.0 - expected);
    }
    (slope, curvature)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn result(opponent: usize, points: f64, games: f64) -> Result {
        Result { opponent, points, games }
    }

    /// 75 of 100 points against one whose rating is known: 400·log10(3) above it.
    #[test]
    fn one_against_a_known_rating() {
        let mut strengths = [50.0, 0.0];
        let errors = rate(&mut strengths, &[1], &[vec![result(0, 75.0, 100.0)]]);
        assert!((strengths[1] - 50.0 - 400.0 * 3.0_f64.log10()).abs() < 1e-6);
        assert_eq!(strengths[0], 50.0);
        assert!((errors[0] - Z95 * SCALE / 18.75_f64.sqrt()).abs() < 1e-6);
    }

    /// The ratings of three that met each other are those of the arena's test: found there by another
    /// way. Their mean, which nothing here decides, is tied by the first.
    #[test]
    fn three_that_met() {
        let mut strengths = [72.341_667_304_325, 0.0, 0.0];
        let second = vec![result(0, 40.0, 100.0), result(2, 52.0, 90.0)];
        let third = vec![result(0, 14.5, 50.0), result(1, 38.0, 90.0)];
        rate(&mut strengths, &[1, 2], &[second, third]);
        assert!((strengths[1] + 5.100_234_034_713).abs() < 1e-6, "{strengths:?}");
        assert!((strengths[2] + 67.241_433_269_612).abs() < 1e-6, "{strengths:?}");
    }
}
