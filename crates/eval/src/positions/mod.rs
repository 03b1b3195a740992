//! Static position model: what a position is worth to the player who has just moved, a sum of many
//! small weights.
//!
//! A position has some thousand features of the groups that [`Group`] names. Nothing but the
//! position counts: not the move that led to it, nor any before. Which move a master plays is told
//! by looking one move ahead: e to the power of the difference of two scores, in units of
//! [`UNITS`], is how much more often one of the moves is played.
//!
//! [`PositionModel::score`] looks at everything and is slow. To compare the moves of a position,
//! [`Comparison`] works out only what each of them changes.

mod cells;
mod differences;
mod groups;
mod perspective;
mod pieces;
mod threats;

use tesuji_shogi::{ExchangeValues, Move, Position};

pub use crate::moves::UNITS;
pub use differences::Comparison;
pub use groups::{Group, feature_set_id};
use perspective::Perspective;

use crate::numbers::{Kind, Notes, NumberFile, NumbersError};

/// The weights of the features of positions.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionModel {
    weights: Vec<i16>,
    /// What made them: the command, the seed, the data, as the file says it.
    pub run: Notes,
    /// How good they were found to be.
    pub result: Notes,
}

fn kind() -> Kind {
    Kind {
        format: "tesuji-positions",
        name: "weights of positions",
        feature_set: "static",
        feature_set_id: feature_set_id(),
        units: UNITS,
        count: Group::FEATURES,
    }
}

impl PositionModel {
    /// The model with these weights, in the order of [`Group::ALL`].
    pub fn new(weights: Vec<i16>) -> Result<Self, NumbersError> {
        match weights.len() {
            Group::FEATURES => Ok(Self { weights, run: Notes::new(), result: Notes::new() }),
            found => Err(NumbersError::Count { found, expected: Group::FEATURES }),
        }
    }

    /// The model that comes with the program.
    pub fn shipped() -> Self {
        Self::parse(include_bytes!("../../data/weights/static.bin"))
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

    /// What a position is worth to the player who has just moved, in units, worked out from all its
    /// features.
    pub fn score(&self, position: &Position) -> i32 {
        let mut score = 0;
        for_each_feature(position, |feature| score += i32::from(self.weights[feature]));
        score
    }

    /// What the position after a legal move is worth to the player who makes it, in units, but for
    /// what it has in common with those after all other moves.
    #[inline]
    pub fn relative_score(&self, comparison: &Comparison<'_>, mv: Move) -> i32 {
        let mut score = 0;
        comparison.for_each_difference(mv, |feature, count| {
            score += count * i32::from(self.weights[feature]);
        });
        score
    }
}

/// Calls `visit` with each feature of a position as the player sees it who has just moved.
pub fn for_each_feature(position: &Position, mut visit: impl FnMut(usize)) {
    let perspective = Perspective::new(position, !position.side_to_move());
    differences::place_features(&perspective, &mut visit);
    perspective.whole_features(&ExchangeValues::default(), &mut visit);
}

#[cfg(test)]
mod tests;
