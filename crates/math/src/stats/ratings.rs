//! Ratings of several engines at once, by the model of Bradley and Terry: an engine that is rated r
//! Elo points above another is expected to get 1 / (1 + 10^(−r/400)) of the points. A draw is half a win.

use super::{Z95, score_of_elo};

/// What two engines did against each other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Meeting {
    /// The number of one engine.
    pub first: usize,
    /// The number of the other.
    pub second: usize,
    /// Points of the first.
    pub points: f64,
    /// Games.
    pub games: f64,
}

/// The rating of one engine. The mean of all ratings is zero.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo points.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// Elo points for a factor of e in the odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The likeliest ratings. `prior` is a number of drawn games that are added to every meeting, so that
/// an engine which lost all its games has a finite rating. `None` if there is no such rating, or if
/// the meetings do not connect all engines.
///
/// The error is that of the likelihood's curvature, with games taken as independent.
pub fn ratings(engines: usize, meetings: &[Meeting], prior: f64) -> Option<Vec<Rating>> {
    let meetings: Vec<Meeting> = meetings
        .iter()
        .filter(|meeting| meeting.games > 0.0)
        .map(|meeting| Meeting {
            points: meeting.points + prior / 2.0,
            games: meeting.games + prior,
            ..*meeting
        })
        .collect();
    let mut strength = vec![0.0; engines];
    for _ in 0..MOST_STEPS {
        let (slope, curvature) = slope_and_curvature(&strength, &meetings);
        let step = solve(&curvature, &slope)?;
        let largest = step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
        // Far from the solution a full step may overshoot.
        let damped = 1.0_f64.min(1.0 / largest.max(f64::MIN_POSITIVE));
        for (strength, step) in strength.iter_mut().zip(&step) {
            *strength += damped * step;
        }
        if largest < 1e-12 {
            return finished(&strength, &curvature);
        }
    }
    None
}

/// Newton's method needs a handful of steps, unless there is no solution.
const MOST_STEPS: usize = 1000;

/// How the logarithm of the likelihood changes with each strength, and how that changes (its sign
/// turned). The mean of all strengths, on which nothing depends, is tied to zero.
fn slope_and_curvature(strength: &[f64], meetings: &[Meeting]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = strength.len();
    let mut slope = vec![0.0; count];
    let mut curvature = vec![vec![1.0 / count as f64; count]; count];
    for &Meeting { first, second, points, games } in meetings {
        let expected = score_of_elo(SCALE * (strength[first] - strength[second]));
        let excess = points - games * expected;
        let weight = games * expected * (1.0 - expected);
        slope[first] += excess;
        slope[second] -= excess;
        curvature[first][first] += weight;
        curvature[second][second] += weight;
        curvature[first][second] -= weight;
        curvature[second][first] -= weight;
    }
    (slope, curvature)
}

fn finished(strength: &[f64], curvature: &[Vec<f64>]) -> Option<Vec<Rating>> {
    let count = strength.len();
    let mean = strength.iter().sum::<f64>() / count as f64;
    let rating = |i: usize| {
        let unit: Vec<f64> = (0..count).map(|k| f64::from(u8::from(k == i))).collect();
        // What tied the mean to zero is no knowledge of the engine.
        let variance = solve(curvature, &unit)?[i] - 1.0 / count as f64;
        let error = Z95 * SCALE * variance.max(0.0).sqrt();
        Some(Rating { elo: SCALE * (strength[i] - mean), error })
    };
    (0..count).map(rating).collect()
}

/// Solves a system of linear equations by elimination with pivots; `None` if it has no single
/// solution.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let count = right.len();
    let mut rows: Vec<Vec<f64>> = matrix
        .iter()
        .zip(right)
        .map(|(row, &value)| row.iter().copied().chain([value]).collect())
        .collect();
    for column in 0..count {
        let size = |&row: &usize| rows[row][column].abs();
        let pivot = (column..count).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if rows[pivot][column].abs() < 1e-12 {
            return None;
        }
        rows.swap(column, pivot);
        let pivot_row = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != column) {
            let factor = row[column] / pivot_row[column];
            for (value, pivot) in row.iter_mut().zip(&pivot_row) {
                *value -= factor * pivot;
            }
        }
    }
    Some((0..count).map(|i| rows[i][count] / rows[i][i]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting(first: usize, second: usize, points: f64, games: f64) -> Meeting {
        Meeting { first, second, points, games }
    }

    /// Two engines: the rating difference is the Elo of the score, 400·log10(75/25) = 190.848…, half of
    /// it on each side; the error of the difference is 1.96·(400/ln 10)/√(100·0.75·0.25).
    #[test]
    fn two_engines_have_the_elo_of_their_score() {
        let found = ratings(2, &[meeting(0, 1, 75.0, 100.0)], 0.0).unwrap();
        let difference = 400.0 * 3.0_f64.log10();
        assert!((found[0].elo - difference / 2.0).abs() < 1e-9, "{found:?}");
        assert!((found[1].elo + difference / 2.0).abs() < 1e-9, "{found:?}");
        let error = Z95 * SCALE / 18.75_f64.sqrt() / 2.0;
        assert!((found[0].error - error).abs() < 1e-9, "{found:?}");
    }

    /// Found by another way: Hunter's fixed point γᵢ = wᵢ / Σⱼ nᵢⱼ/(γᵢ + γⱼ), repeated 200,000 times; the
    /// errors from the inverse of the information in the coordinates (r₀, r₁) with r₂ = −r₀ − r₁.
    #[test]
    fn known_ratings_of_three() {
        let meetings =
            [meeting(0, 1, 60.0, 100.0), meeting(0, 2, 35.5, 50.0), meeting(1, 2, 52.0, 90.0)];
        let found = ratings(3, &meetings, 0.0).unwrap();
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
        let lost = [meeting(0, 1, 10.0, 10.0)];
        assert_eq!(ratings(2, &lost, 0.0), None);
        let found = ratings(2, &lost, 1.0).unwrap();
        assert!((found[0].elo - 200.0 * 21.0_f64.log10()).abs() < 1e-6, "{found:?}");
        // Two groups that never met.
        let apart = [meeting(0, 1, 5.0, 10.0), meeting(2, 3, 5.0, 10.0)];
        assert_eq!(ratings(4, &apart, 1.0), None);
    }
}
