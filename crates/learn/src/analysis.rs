//! Errors and ablation: where weights miss the master's move, and what each feature does.

use rayon::prelude::*;
use serde::Serialize;
use tesuji_eval::FeatureSet;

use crate::dataset::Labelled;
use crate::fitness::best;
use crate::{Dataset, Scorer};

/// A position in which another move scores better than the master's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Miss {
    /// The number of the position.
    pub position: usize,
    /// The number of the chosen move among the legal ones.
    pub chosen: usize,
    /// The number of the master's move.
    pub master: usize,
    /// How much better the chosen move scores.
    pub margin: i64,
    /// What each feature adds to that: its number and a part of the margin, the largest first.
    /// Those that speak for the master's move are negative.
    pub parts: Vec<(usize, i64)>,
}

impl Miss {
    fn new(number: usize, position: &Labelled<'_>, effective: &[i32]) -> Option<Self> {
        let master = position.master()?;
        let chosen = best(position, effective).filter(|&chosen| chosen != master)?;
        let differences = position.differences(chosen, effective.len());
        let mut parts: Vec<(usize, i64)> = (differences.iter().zip(effective).enumerate())
            .map(|(feature, (&value, &weight))| (feature, i64::from(value) * i64::from(weight)))
            .filter(|&(_, part)| part != 0)
            .collect();
        parts.sort_by_key(|&(_, part)| std::cmp::Reverse(part));
        let margin = parts.iter().map(|(_, part)| part).sum();
        Some(Self { position: number, chosen, master, margin, parts })
    }

    /// The feature that speaks most for the chosen move; `None` if no feature tells the two apart.
    pub fn decided_by(&self) -> Option<usize> {
        self.parts.first().filter(|(_, part)| *part > 0).map(|&(feature, _)| feature)
    }
}

/// All positions that weights miss, in order. Positions with an illegal move are none of them.
///
/// # Panics
/// If there are not as many weights as features.
pub fn misses(data: &Dataset, weights: &[i32]) -> Vec<Miss> {
    let effective = data.set().effective_weights(weights);
    let number = |i| Miss::new(i, &data.position(i), &effective);
    (0..data.len()).into_par_iter().filter_map(number).collect()
}

/// What happens without some features, all other weights as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct KnockOut {
    /// Positions that are no longer solved.
    pub lost: u32,
    /// Positions that are solved now.
    pub gained: u32,
}

impl KnockOut {
    /// By how much the number of solved positions changes.
    pub fn change(self) -> f64 {
        f64::from(self.gained) - f64::from(self.lost)
    }

    /// The standard error of the change: each position that changes is a toss of a coin.
    pub fn error(self) -> f64 {
        f64::from(self.gained + self.lost).sqrt()
    }

    /// Compares what is solved with and without something.
    pub fn between(with: &[bool], without: &[bool]) -> Self {
        let count = |now: bool| {
            with.iter().zip(without).filter(|&(&a, &b)| a != b && b == now).count() as u32
        };
        Self { lost: count(false), gained: count(true) }
    }
}

/// What each list of features is worth to these weights. All lists are tried together, so that the
/// data is gone through once.
///
/// # Panics
/// If there are not as many weights as features.
pub fn knock_out(data: &Dataset, weights: &[i32], lists: &[Vec<usize>]) -> Vec<KnockOut> {
    let without = lists.iter().map(|list| silenced(data.set(), weights, list));
    let organisms: Vec<Vec<i32>> = std::iter::once(weights.to_vec()).chain(without).collect();
    let changes = Scorer::new(data).changes(&organisms).into_iter().skip(1);
    changes.map(|(lost, gained)| KnockOut { lost, gained }).collect()
}

/// The weights with which these features have no effect and all others the same as before.
fn silenced(set: &FeatureSet, weights: &[i32], features: &[usize]) -> Vec<i32> {
    let mut effective = set.effective_weights(weights);
    features.iter().for_each(|&feature| effective[feature] = 0);
    let base = |i: usize| set.features()[i].linked_to.and_then(|base| set.index_of(base));
    // What a feature is linked to is not linked itself.
    (0..set.len()).map(|i| effective[i] - base(i).map_or(0, |base| effective[base])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Prediction, testing};
    use tesuji_math::Random;

    fn weights(data: &Dataset) -> Vec<i32> {
        let mut random = Random::new(5);
        (0..data.set().len()).map(|_| random.below(200) as i32).collect()
    }

    #[test]
    fn misses_are_what_is_not_solved_and_their_parts_are_the_margin() {
        let data = testing::dataset(150);
        let weights = weights(&data);
        let misses = misses(&data, &weights);
        let all = Prediction::new(&data, &weights);
        assert_eq!(misses.len() + all.correct, data.len());
        let effective = data.set().effective_weights(&weights);
        for miss in &misses {
            let scores = data.position(miss.position).scores(&effective);
            assert_eq!(miss.margin, scores[miss.chosen] - scores[miss.master]);
            assert!(miss.margin >= 0 && scores.iter().all(|&score| score <= scores[miss.chosen]));
            assert!(miss.margin == 0 || miss.decided_by().is_some());
        }
    }

    #[test]
    fn a_silenced_feature_has_no_effect_and_the_others_keep_theirs() {
        let data = testing::dataset(20);
        let set = data.set();
        let weights = weights(&data);
        let before = set.effective_weights(&weights);
        // A base that others are linked to, one that is linked, and one that is neither.
        for name in ["PAWN_VALUE", "PAWN_IN_HAND_BONUS", "ROOK_MOBILITY"] {
            let feature = set.index_of(name).unwrap();
            let after = set.effective_weights(&silenced(set, &weights, &[feature]));
            for i in 0..set.len() {
                assert_eq!(after[i], if i == feature { 0 } else { before[i] }, "{name} {i}");
            }
        }
    }

    #[test]
    fn knocking_out_everything_leaves_the_first_move() {
        let data = testing::dataset(100);
        let weights = weights(&data);
        let all: Vec<usize> = (0..data.set().len()).collect();
        let out = knock_out(&data, &weights, &[all, Vec::new()]);
        let solved = Prediction::new(&data, &weights).correct as f64;
        let first = Prediction::new(&data, &[0; 74]).correct as f64;
        assert_eq!(solved + out[0].change(), first);
        assert_eq!(out[1], KnockOut::default());
        assert_eq!(KnockOut { lost: 9, gained: 7 }.error(), 4.0);
    }

    #[test]
    fn lists_tried_together_are_worth_what_each_is_alone() {
        let data = testing::dataset(200);
        let weights = weights(&data);
        let lists: Vec<Vec<usize>> = (0..data.set().len()).map(|i| vec![i, (i + 5) % 74]).collect();
        let mut scorer = Scorer::new(&data);
        let with = scorer.solved(&weights);
        let out = knock_out(&data, &weights, &lists);
        assert!(out.iter().any(|out| out.lost > 0) && out.iter().any(|out| out.gained > 0));
        for (list, out) in lists.iter().zip(out) {
            let without = scorer.solved(&silenced(data.set(), &weights, list));
            assert_eq!(out, KnockOut::between(&with, &without));
        }
    }
}
