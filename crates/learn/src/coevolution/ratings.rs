//! Ratings that carry over generations, by the model of Bradley and Terry: those of everyone who ever
//! played, the likeliest with all games. So all generations are on one scale, and no game is
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

/// Moves strengths to the likeliest values, in Elo points, and gives half the width of their 95 %
/// intervals, the strengths of opponents taken as known. `results` has the games of each organism; strengths
/// after those stay as they are.
pub fn rate(strengths: &mut [f64], results: &[Vec<Result>]) -> Vec<f64> {
    /// One after the other they come near to the solution; this is far more than enough.
    const MOST_SWEEPS: usize = 10_000;
    /// A step that is too small to matter, in Elo points.
    const SMALL: f64 = 1e-6;
    for _ in 0..MOST_SWEEPS {
        let mut largest: f64 = 0.0;
        for (organism, results) in results.iter().enumerate() {
            let (slope, curvature) = slope_and_curvature(strengths, organism, results);
            // Far from the solution a full step may overshoot.
            let step = (SCALE * slope / curvature.max(f64::MIN_POSITIVE)).clamp(-SCALE, SCALE);
            strengths[organism] += step;
            largest = largest.max(step.abs());
        }
        if largest < SMALL {
            break;
        }
    }
    let error = |(organism, results): (usize, &Vec<Result>)| {
        let (_, curvature) = slope_and_curvature(strengths, organism, results);
        Z95 * SCALE / curvature.max(f64::MIN_POSITIVE).sqrt()
    };
    results.iter().enumerate().map(error).collect()
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
        let mut strengths = [0.0, 50.0];
        let errors = rate(&mut strengths, &[vec![result(1, 75.0, 100.0)]]);
        assert!((strengths[0] - 50.0 - 400.0 * 3.0_f64.log10()).abs() < 1e-4);
        assert_eq!(strengths[1], 50.0);
        assert!((errors[0] - Z95 * SCALE / 18.75_f64.sqrt()).abs() < 1e-4);
    }

    /// The ratings of three that met each other are those of the arena's test: found there by another
    /// way. Their mean, which nothing here decides, is tied by the last.
    #[test]
    fn three_that_met() {
        let mut strengths = [0.0, 0.0, 72.341_667_304_325];
        let second = vec![result(2, 40.0, 100.0), result(1, 52.0, 90.0)];
        let third = vec![result(2, 14.5, 50.0), result(0, 38.0, 90.0)];
        rate(&mut strengths, &[second, third]);
        assert!((strengths[0] + 5.100_234_034_713).abs() < 1e-4, "{strengths:?}");
        assert!((strengths[1] + 67.241_433_269_612).abs() < 1e-4, "{strengths:?}");
    }
}
