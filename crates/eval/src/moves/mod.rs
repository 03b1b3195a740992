//! How likely a master plays a move: a sum of weights of what the move is and does.
//!
//! A [`Scene`] holds what all moves of a position share. Each move has some fifty features of the
//! groups that [`Group`] names, and its score is the sum of their weights: e to the power of the
//! difference of two scores, in units of [`UNITS`], is how much more often one of the moves is played.

mod features;
mod groups;
mod scene;

use tesuji_shogi::Move;

pub use groups::{ACTORS, Group, feature_set_id};
pub use scene::{Past, Scene};

use crate::numbers::{Kind, Notes, NumberFile, NumbersError};

/// Units of a score in the logarithm of odds.
pub const UNITS: i32 = 1024;

/// The weights of the features of moves.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveModel {
    weights: Vec<i16>,
    /// What made them: the command, the seed, the data, as the file says it.
    pub run: Notes,
    /// How good they were found to be.
    pub result: Notes,
}

fn kind() -> Kind {
    Kind {
        format: "tesuji-moves",
        name: "weights of moves",
        feature_set: "move",
        feature_set_id: feature_set_id(),
        units: UNITS,
        count: Group::FEATURES,
    }
}

impl MoveModel {
    /// The model with these weights, in the order of [`Group::ALL`].
    pub fn new(weights: Vec<i16>) -> Result<Self, NumbersError> {
        match weights.len() {
            Group::FEATURES => Ok(Self { weights, run: Notes::new(), result: Notes::new() }),
            found => Err(NumbersError::Count { found, expected: Group::FEATURES }),
        }
    }

    /// The model that comes with the program.
    pub fn shipped() -> Self {
        Self::parse(include_bytes!("../../data/weights/move.bin"))
            .expect("the model that comes with the program is for its features")
    }

    /// Is this the beginning of a file of such a model?
    pub fn is_file(bytes: &[u8]) -> bool {
        kind().begins(bytes)
    }

    /// Reads a file.
    pub fn parse(bytes: &[u8]) -> Result<Self, NumbersError> {
        let NumberFile { numbers, run, result, .. } = kind().read(bytes)?;
        Ok(Self { weights: numbers, run, result })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        kind().write(&NumberFile {
            numbers: self.weights.clone(),
            run: self.run.clone(),
            result: self.result.clone(),
            values: None,
        })
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
