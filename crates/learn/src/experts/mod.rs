//! Mixture of experts: three evaluators, one for each kind of move, and an arbiter (the gate).
//!
//! What makes a good drop is not what makes a good promotion. Each expert is trained on the
//! positions in which the master's move was of its kind, among the moves of that kind alone, so
//! that it never learns to compare them with others. That is left to an [`Arbiter`].

mod arbiter;
mod panel;

pub use arbiter::Arbiter;
use panel::Panel;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tesuji_eval::FeatureSet;

use crate::prediction::{Choice, Prediction};
use crate::validation::{Fold, folds, measure_folds};
use crate::{Dataset, MoveClass};

/// Folds in which experts give opinions on positions that they have not seen, for the arbiter.
const FOLDS: usize = 5;

/// An evaluator for each kind of move, with an arbiter. Arrays go by [`MoveClass::index`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Experts {
    /// The feature set's identity.
    features: String,
    /// The weights of each expert.
    weights: [Vec<i32>; 3],
    arbiter: Arbiter,
}

impl Experts {
    /// Trains experts and arbiter. `learn` finds weights for positions, by whatever means.
    ///
    /// The arbiter learns from experts that were trained without the positions on which they are
    /// heard: what they say of positions that they know by heart would be trusted too much.
    pub fn train(data: &Dataset, seed: u64, mut learn: impl FnMut(&Dataset) -> Vec<i32>) -> Self {
        let mut specialists = |data: &Dataset| MoveClass::ALL.map(|class| learn(&data.only(class)));
        let mut cases = Vec::new();
        for (train, heard) in folds(data, FOLDS, seed) {
            let train = data.select(&train);
            let weights = specialists(&train);
            cases.extend(Panel::measured(&train, &weights).cases(&data.select(&heard)));
        }
        let weights = specialists(data);
        let arbiter = Arbiter::fit(&cases, Panel::measured(data, &weights).scales);
        Self::new(data.set(), weights, arbiter)
    }

    /// Experts that were trained elsewhere. Each has the weights of all features, a linked one's
    /// without its base's.
    pub fn new(set: &FeatureSet, weights: [Vec<i32>; 3], arbiter: Arbiter) -> Self {
        Self { features: set.id(), weights, arbiter }
    }

    /// The identity of the feature set.
    pub fn features(&self) -> &str {
        &self.features
    }

    /// The weights of the expert for a kind of move.
    pub fn weights(&self, class: MoveClass) -> &[i32] {
        &self.weights[class.index()]
    }

    /// The arbiter.
    pub fn arbiter(&self) -> &Arbiter {
        &self.arbiter
    }

    /// Do they belong to this feature set, and are they whole? What was read from a file need not
    /// be.
    pub fn fits(&self, set: &FeatureSet) -> bool {
        self.features == set.id() && self.weights.iter().all(|weights| weights.len() == set.len())
    }

    /// What is chosen in each position.
    ///
    /// # Panics
    /// If the feature set is another one.
    pub fn choices(&self, data: &Dataset) -> Vec<Choice> {
        let panel = Panel::new(data.set(), &self.weights, self.arbiter.scales);
        let shards: Vec<Vec<Choice>> = (0..data.shards())
            .into_par_iter()
            .map(|shard| {
                let choose =
                    |position| Choice::new(&position, &panel.values(&position, &self.arbiter));
                data.shard(shard).map(choose).collect()
            })
            .collect();
        shards.concat()
    }

    /// How well they predict.
    ///
    /// # Panics
    /// If the feature set is another one.
    pub fn predict(&self, data: &Dataset) -> Prediction {
        Prediction::of(data, &self.choices(data))
    }
}

/// Trains experts on all folds but one and tries them on that one, for each fold in turn: the twin
/// of [`crate::validation::cross_validate`], with the same folds.
pub fn cross_validate(
    data: &Dataset,
    count: usize,
    seed: u64,
    mut learn: impl FnMut(&Dataset) -> Vec<i32>,
) -> Vec<Fold> {
    measure_folds(data, count, seed, |train| {
        let experts = Experts::train(train, seed, &mut learn);
        move |data: &Dataset| experts.predict(data).correct as u32
    })
}

#[cfg(test)]
mod tests;
