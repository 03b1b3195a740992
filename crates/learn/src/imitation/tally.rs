//! Accuracy and cross-entropy of predicted moves.

use serde::{Deserialize, Serialize};
use tesuji_shogi::Move;

use crate::Prediction;
use crate::prediction::Choice;
use crate::tables::Sum;

/// The accuracy of a model, and the sum of its losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveTally {
    /// What was chosen.
    pub prediction: Prediction,
    /// The sum of the cross-entropy losses.
    pub loss: Sum,
}

impl MoveTally {
    /// Counts a position by the scores of its legal moves, which are logarithms of odds. A position
    /// whose move is not legal is not counted: then the answer is `false`.
    pub fn add(&mut self, scores: &[(Move, f32)], played: Move) -> bool {
        let Some(&(_, own)) = scores.iter().find(|&&(mv, _)| mv == played) else {
            return false;
        };
        self.prediction.add(&Choice::by_scores(scores, played), scores.len());
        let own = f64::from(own);
        let odds: f64 = scores.iter().map(|&(_, score)| (f64::from(score) - own).exp()).sum();
        self.loss.add(odds.ln());
        true
    }

    /// Adds another part of the count.
    pub fn merge(&mut self, other: &Self) {
        self.prediction.merge(&other.prediction);
        self.loss.merge(other.loss);
    }

    /// The mean cross-entropy of a position.
    pub fn mean_loss(&self) -> f64 {
        self.loss.get() / self.prediction.of.max(1) as f64
    }
}
