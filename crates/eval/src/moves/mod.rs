//! How likely a master plays a move: a sum of weights of what the move is and does.
//!
//! A [`Scene`] holds what all moves of a position share. Each move has some fifty features of the
//! groups that [`Group`] names, and its score is the sum of their weights: e to the power of the
//! difference of two scores, in units of [`UNITS`], is how much more often one of the moves is played.

mod features;
mod groups;
mod scene;

use tesuji_shogi::Move;
use thiserror::Error;

pub use groups::{ACTORS, Group, feature_set_id};
pub use scene::{Past, Scene};

/// Units of a score in the logarithm of odds.
pub const UNITS: i32 = 1024;

/// The weights of the features of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveModel {
    weights: Vec<i16>,
}

/// Weights that no model can have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum MoveModelError {
    /// There are too many or too few.
    #[error("{found} weights, expected {}", Group::FEATURES)]
    Count { found: usize },
}

impl MoveModel {
    /// The model with these weights, in the order of [`Group::ALL`].
    pub fn new(weights: Vec<i16>) -> Result<Self, MoveModelError> {
        if weights.len() == Group::FEATURES {
            Ok(Self { weights })
        } else {
            Err(MoveModelError::Count { found: weights.len() })
        }
    }

    /// The weights, in the order of [`Group::ALL`].
    pub fn weights(&self) -> &[i16] {
        &self.weights
    }

    /// The score of a legal move, in units.
    #[inline]
    pub fn score(&self, scene: &Scene<'_>, mv: Move) -> i32 {
        let mut score = 0;
        scene.for_each_feature(mv, |feature| score += i32::from(self.weights[feature]));
        score
    }
}

#[cfg(test)]
mod tests;
