//! Simultaneous perturbation: all parameters are moved a little at once, to one side and to the other, and
//! both sides play. Each parameter then goes a step towards the side that won.
//!
//! Steps and perturbations become smaller as Spall has it, but in the measure of each parameter's range.

use serde::Serialize;

use super::SearchGenes;
use crate::Random;

/// How steps and perturbations become smaller.
const STEP_DECAY: f64 = 0.602;
const SPREAD_DECAY: f64 = 0.101;
/// Iterations that are taken to have been before the first, as a share of all.
const SETTLING: f64 = 0.1;
/// The last perturbation, as a share of a parameter's range; it is at least half a unit.
const SPREAD: f64 = 0.05;
/// How far chance alone would carry a parameter in all pairs together, in last perturbations.
const REACH: f64 = 2.0;

/// How much is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spsa {
    /// Steps.
    pub iterations: u32,
    /// Perturbations in a step, each with settings on either side.
    pub pairs: usize,
}

/// Settings on either side of those of a step.
pub type Sides = [Vec<i32>; 2];

/// What a step was like.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Step {
    /// Its number, from 1.
    pub iteration: u32,
    /// The mean of the results: 1 if the first sides won all games.
    pub result: f64,
    /// The settings after it, not rounded.
    pub values: Vec<f64>,
}

impl Spsa {
    /// Goes from `start` to better settings. `play` is asked what came of the sides of each iteration, from -1 if
    /// the second side won all games to 1 if the first one did.
    pub fn run<E>(
        &self,
        genes: &SearchGenes,
        seed: u64,
        start: &[i32],
        mut play: impl FnMut(u32, &[Sides]) -> Result<Vec<f64>, E>,
    ) -> Result<Vec<Step>, E> {
        let ranges: Vec<(f64, f64)> = genes
            .parameters()
            .iter()
            .map(|parameter| (f64::from(parameter.min), f64::from(parameter.max)))
            .collect();
        let mut values: Vec<f64> = start.iter().map(|&value| f64::from(value)).collect();
        let mut random = Random::new(seed);
        let mut steps = Vec::new();
        for iteration in 1..=self.iterations {
            let (gain, spread) = self.gains(iteration);
            let turns: Vec<Vec<f64>> = (0..self.pairs)
                .map(|_| values.iter().map(|_| [1.0, -1.0][random.below(2)]).collect())
                .collect();
            let apart = |range: &(f64, f64)| spread * (SPREAD * (range.1 - range.0)).max(0.5);
            let side = |turns: &[f64], sign: f64| -> Vec<i32> {
                let moved = values.iter().zip(turns).zip(&ranges);
                moved
                    .map(|((value, turn), range)| {
                        let value = value + sign * turn * apart(range);
                        value.clamp(range.0, range.1).round() as i32
                    })
                    .collect()
            };
            let sides: Vec<Sides> =
                turns.iter().map(|turns| [side(turns, 1.0), side(turns, -1.0)]).collect();
            let results = play(iteration, &sides)?;
            for (result, turns) in results.iter().zip(&turns) {
                for ((value, turn), range) in values.iter_mut().zip(turns).zip(&ranges) {
                    *value = (*value + gain * apart(range) * result * turn).clamp(range.0, range.1);
                }
            }
            let result = results.iter().sum::<f64>() / results.len().max(1) as f64;
            steps.push(Step { iteration, result, values: values.clone() });
        }
        Ok(steps)
    }

    /// How much a result of an iteration counts, in perturbations; and how large these are, in last ones.
    fn gains(&self, iteration: u32) -> (f64, f64) {
        let (step, spread) = self.decay(iteration);
        // Steps of all pairs to either side by chance add up as squares do.
        let square = |iteration| {
            let (step, spread) = self.decay(iteration);
            self.pairs as f64 * (step / spread).powi(2)
        };
        let together = (1..=self.iterations).map(square).sum::<f64>().sqrt();
        (REACH / together * step / (spread * spread), spread)
    }

    /// Step and perturbation of an iteration, where the last ones are 1.
    fn decay(&self, iteration: u32) -> (f64, f64) {
        let (all, now) = (f64::from(self.iterations), f64::from(iteration));
        let settling = SETTLING * all;
        let step = ((settling + all) / (settling + now)).powf(STEP_DECAY);
        (step, (all / now).powf(SPREAD_DECAY))
    }
}

/// Settings that were not rounded, as an engine can have them.
pub fn rounded(values: &[f64]) -> Vec<i32> {
    values.iter().map(|value| value.round() as i32).collect()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use tesuji_search::Algorithm;

    use super::*;

    const GOAL: [f64; 3] = [700.0, 20.0, 6.0];

    /// The nearer to the goal, the more likely it wins.
    fn run(seed: u64) -> Vec<Step> {
        let names = ["reverse_futility_margin_1", "multi_cut_moves", "null_reduction"];
        let genes = SearchGenes::new(Algorithm::standard().parameters, names).unwrap();
        let mut random = Random::new(9);
        let away = |values: &[i32]| -> f64 {
            let ranges = genes.parameters().iter().map(|one| f64::from(one.max - one.min));
            let parts = values.iter().zip(GOAL).zip(ranges);
            parts.map(|((&value, goal), range)| ((f64::from(value) - goal) / range).powi(2)).sum()
        };
        let play = |_: u32, sides: &[Sides]| {
            let mut result = |[first, second]: &Sides| {
                let chance = 0.5 + 4.0 * (away(second) - away(first));
                if (random.below(1000) as f64) < 1000.0 * chance { 1.0 } else { -1.0 }
            };
            Ok::<_, Infallible>(sides.iter().map(&mut result).collect())
        };
        let Ok(steps) = Spsa { iterations: 200, pairs: 8 }.run(&genes, seed, &[100, 5, 2], play);
        steps
    }

    #[test]
    fn noisy_games_lead_to_the_goal() {
        let steps = run(1);
        let last = &steps[199].values;
        assert!((last[0] - GOAL[0]).abs() < 200.0, "{last:?}");
        assert!((last[1] - GOAL[1]).abs() < 6.0, "{last:?}");
        assert!((last[2] - GOAL[2]).abs() < 2.0, "{last:?}");
        assert_eq!(run(1), steps);
    }

    #[test]
    fn nobody_who_wins_nothing_moves() {
        let genes =
            SearchGenes::new(Algorithm::standard().parameters, ["null_reduction", "null_move"])
                .unwrap();
        let spsa = Spsa { iterations: 5, pairs: 3 };
        let mut asked = 0;
        let steps = spsa.run(&genes, 1, &[3, 1], |_, sides| {
            asked += sides.len();
            assert!(sides.iter().all(|[first, second]| first != second));
            Ok::<_, Infallible>(vec![0.0; sides.len()])
        });
        let Ok(steps) = steps;
        assert_eq!(asked, 15);
        assert_eq!(rounded(&steps[4].values), [3, 1]);
    }
}
