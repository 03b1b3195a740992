//! How well two groups of scores are told apart: the area under the curve, with its error.

use serde::{Deserialize, Serialize};
use tesuji_math::Random;

/// How often games are drawn again.
const DRAWS: usize = 1000;

/// The chance that a score of the one group is above one of the other, equal ones half: 0.5 where
/// scores say nothing, 1 where they say all.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Auc {
    /// The area.
    pub value: f64,
    /// Its standard error, by games drawn again.
    pub error: f64,
}

/// A score, the game that it belongs to and whether that is one of the player's.
struct Score {
    value: f64,
    game: usize,
    own: bool,
}

impl Auc {
    /// Of all scores of games.
    pub fn of_moves(player: &[Vec<f64>], others: &[Vec<f64>], seed: u64) -> Self {
        let mut scores = Vec::new();
        for (games, own) in [(player, true), (others, false)] {
            for (game, values) in games.iter().enumerate() {
                scores.extend(values.iter().map(|&value| Score { value, game, own }));
            }
        }
        Self::of(scores, [player.len(), others.len()], seed)
    }

    /// Of whole games, each with the sum of its scores.
    pub fn of_games(player: &[Vec<f64>], others: &[Vec<f64>], seed: u64) -> Self {
        let sums = |games: &[Vec<f64>]| -> Vec<Vec<f64>> {
            games.iter().map(|scores| vec![scores.iter().sum()]).collect()
        };
        Self::of_moves(&sums(player), &sums(others), seed)
    }

    fn of(mut scores: Vec<Score>, games: [usize; 2], seed: u64) -> Self {
        scores.sort_by(|a, b| a.value.total_cmp(&b.value));
        let value = area(&scores, [&vec![1; games[0]], &vec![1; games[1]]]);
        let mut random = Random::stream(seed, 7);
        let draws: Vec<f64> = (0..DRAWS)
            .map(|_| {
                let [own, others] = games.map(|count| {
                    let mut times = vec![0_u32; count];
                    (0..count).for_each(|_| times[random.below(count)] += 1);
                    times
                });
                area(&scores, [&own, &others])
            })
            .collect();
        Self { value, error: tesuji_math::stats::Group::of(&draws).variance.sqrt() }
    }
}

/// The area, with each game counted so many times; scores are sorted.
fn area(scores: &[Score], times: [&Vec<u32>; 2]) -> f64 {
    let (mut below, mut won, mut all) = (0.0, 0.0, 0.0);
    for same in scores.chunk_by(|a, b| a.value == b.value) {
        let (mut own, mut others) = (0.0, 0.0);
        for score in same {
            if score.own {
                own += f64::from(times[0][score.game]);
            } else {
                others += f64::from(times[1][score.game]);
            }
        }
        won += own * (below + others / 2.0);
        below += others;
        all += own;
    }
    if all * below > 0.0 { won / (all * below) } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas() {
        let one = |values: &[f64]| values.iter().map(|&value| vec![value]).collect::<Vec<_>>();
        let area = |a: &[f64], b: &[f64]| Auc::of_moves(&one(a), &one(b), 1).value;
        assert_eq!(area(&[2.0, 3.0], &[0.0, 1.0]), 1.0);
        assert_eq!(area(&[0.0, 1.0], &[2.0, 3.0]), 0.0);
        assert_eq!(area(&[1.0, 1.0], &[1.0, 1.0, 1.0]), 0.5);
        assert_eq!(area(&[1.0, 3.0], &[2.0, 0.0]), 0.75);
        assert_eq!(area(&[], &[1.0]), 0.5);
    }

    /// The error of scores that say nothing is that of Mann and Whitney's test.
    #[test]
    fn errors() {
        let mut random = Random::new(4);
        let mut games =
            |count: usize| -> Vec<Vec<f64>> { (0..count).map(|_| vec![random.unit()]).collect() };
        let auc = Auc::of_games(&games(200), &games(300), 1);
        let expected = (501.0_f64 / (12.0 * 200.0 * 300.0)).sqrt();
        assert!((auc.error / expected - 1.0).abs() < 0.15, "{} {expected}", auc.error);
        assert!((auc.value - 0.5).abs() < 4.0 * expected);
    }
}
