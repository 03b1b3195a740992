//! The thesis's learner on the moves of a player and on those of others: weights bred on either are
//! tried on moves of both that were held out.

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tesuji_learn::ga::{Parameters, Run};
use tesuji_learn::{Dataset, Scorer};
use tesuji_math::Random;
use tesuji_math::stats::Group;

use super::fit::{Learner, Subject};

/// What came of one part of the games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bred {
    /// Weights bred on the player's moves, and on as many of others.
    pub weights: [Vec<i32>; 2],
    /// Held-out positions of the player, and of others.
    pub positions: [usize; 2],
    /// How many of these the weights solve: first by whose weights they are, then by whose moves.
    pub solved: [[u32; 2]; 2],
}

impl Learner<'_> {
    /// Breeds weights on all games but a part, and tries them on that part.
    pub fn breed(&self, subject: &Subject, fold: usize, seed: u64) -> Result<Bred> {
        let mut random = Random::stream(seed, 2000 + fold as u64);
        let [own, own_test] = self.parts(&subject.own, fold).map(|part| self.positions(&part));
        let [mut others, others_test] = self.parts(&subject.others, fold);
        random.shuffle(&mut others);
        let mut others = self.positions(&others);
        others.truncate(own.len());
        let run = Random::derived_seed(seed, 3000 + fold as u64);
        let weights = [bred(&self.data.select(&own), run)?, bred(&self.data.select(&others), run)?];
        let tests = [own_test, others_test].map(|positions| self.data.select(&positions));
        let [of_player, of_others] =
            tests.each_ref().map(|test| Scorer::new(test).correct(&weights));
        Ok(Bred {
            positions: tests.map(|test| test.len()),
            solved: [0, 1].map(|whose| [of_player[whose], of_others[whose]]),
            weights,
        })
    }
}

/// The best organism of a run with the thesis's settings.
fn bred(data: &Dataset, seed: u64) -> Result<Vec<i32>> {
    let mut run = Run::new(Parameters::default(), data.set(), seed, &[])?;
    let mut scorer = Scorer::new(data);
    while !run.is_over() {
        run.step(&mut scorer, None)?;
    }
    let best = run.best().context("a run has a best organism")?;
    Ok(run.parameters().gene_map(data.set())?.weights(&best.genome))
}

/// A number and its standard error over the parts of the games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spread {
    /// The mean.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let group = Group::of(&values.collect::<Vec<_>>());
        Self { value: group.mean, error: (group.variance / group.count.max(1) as f64).sqrt() }
    }
}

/// What bred weights say of a player.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BredStyle {
    /// The share of held-out moves that weights tell: first by whose weights they are, then by
    /// whose moves; the player's first.
    pub told: [[f64; 2]; 2],
    /// By how much the player's own weights are ahead on the player's moves, less what they are
    /// ahead on others' moves: a run that went well is ahead on both.
    pub gain: Spread,
    /// For each feature the share of all that the weights move: the player's, the others', and the
    /// difference.
    pub shares: Vec<([f64; 2], Spread)>,
}

impl BredStyle {
    pub(super) fn new(data: &Dataset, parts: &[Bred]) -> Self {
        let told = |whose: usize, moves: usize| {
            let solved: u32 = parts.iter().map(|part| part.solved[whose][moves]).sum();
            let positions: usize = parts.iter().map(|part| part.positions[moves]).sum();
            f64::from(solved) / positions.max(1) as f64
        };
        let shares: Vec<[Vec<f64>; 2]> =
            parts.iter().map(|part| part.weights.each_ref().map(|of| shares(data, of))).collect();
        let of_feature = |place: usize| {
            let mean =
                |whose: usize| Spread::of(shares.iter().map(|both| both[whose][place])).value;
            let differences = shares.iter().map(|both| both[0][place] - both[1][place]);
            ([mean(0), mean(1)], Spread::of(differences))
        };
        Self {
            told: [[told(0, 0), told(0, 1)], [told(1, 0), told(1, 1)]],
            gain: gain(parts),
            shares: (0..data.set().len()).map(of_feature).collect(),
        }
    }
}

/// How far the player's own weights are ahead on the player's moves beyond what they are on others'.
fn gain(parts: &[Bred]) -> Spread {
    Spread::of(parts.iter().map(|part| {
        let share = |whose: usize, moves: usize| {
            f64::from(part.solved[whose][moves]) / part.positions[moves].max(1) as f64
        };
        share(0, 0) - share(1, 0) - (share(0, 1) - share(1, 1))
    }))
}

/// How much of what weights move is due to each feature: bred weights have no scale of their own.
fn shares(data: &Dataset, weights: &[i32]) -> Vec<f64> {
    let effective = data.set().effective_weights(weights);
    let moved: Vec<f64> = effective
        .iter()
        .zip(data.columns())
        .map(|(&weight, column)| f64::from(weight) * column.spread())
        .collect();
    let all: f64 = moved.iter().map(|moved| moved.abs()).sum();
    moved.into_iter().map(|moved| moved / all.max(1e-9)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_is_ahead_everywhere_shows_no_style() {
        let part = |solved: [[u32; 2]; 2]| Bred {
            weights: [Vec::new(), Vec::new()],
            positions: [100, 200],
            solved,
        };
        let lucky = [part([[30, 60], [20, 40]]), part([[25, 50], [25, 50]])];
        assert!(gain(&lucky).value.abs() < 1e-12, "{:?}", gain(&lucky));
        let own = [part([[30, 40], [20, 60]]), part([[31, 40], [19, 60]])];
        let found = gain(&own);
        assert!((found.value - 0.21).abs() < 1e-12 && (found.error - 0.01).abs() < 1e-12);
    }
}
