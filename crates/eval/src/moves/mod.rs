//! Move prediction (a policy): how likely a master plays a move, by the features of the move.
//!
//! A [`MoveContext`] holds what all moves of a position share. Each move has some sixty features of
//! the groups that [`Group`] names, and one for each other piece beside which it moves. Its score,
//! a logit in units of [`UNITS`], is the sum of their weights and of the output of a small
//! [`Network`] over them and the board: e to the power of the difference of two scores is how much
//! more often one of the moves is played.

mod context;
mod exposure;
mod features;
mod groups;
mod network;
mod pairs;
mod rows;

use tesuji_shogi::Move;

pub(crate) use context::attacker_class;
pub use context::{BOARD_INPUTS, MoveContext, Past};
pub use groups::{ACTORS, Group, feature_set_id};
pub use network::{HALF_WIDTH, Network, ROW_UNITS, Row, WIDTH};

use pairs::PairSums;
use rows::Numbers;

use crate::numbers::{Kind, Notes, NumberFile, NumbersError};

/// Units of a score in one of the log-odds (a logit).
pub const UNITS: i32 = 1024;

/// The weights of the features of moves, and the network.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveModel {
    weights: Vec<i16>,
    network: Network,
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
        count: MoveModel::NUMBERS,
    }
}

impl MoveModel {
    /// Numbers of a model.
    pub const NUMBERS: usize = Group::FEATURES + Network::NUMBERS;

    /// The model with these numbers: the weights in the order of [`Group::ALL`], in [`UNITS`], and
    /// the rows of the network, in [`ROW_UNITS`]: those of features, those of pieces, and how much
    /// the first half of a row counts.
    pub fn new(numbers: &[i16]) -> Result<Self, NumbersError> {
        let wrong = || NumbersError::Count { found: numbers.len(), expected: Self::NUMBERS };
        let (weights, network) = numbers.split_at_checked(Group::FEATURES).ok_or_else(wrong)?;
        let network = Network::new(network).ok_or_else(wrong)?;
        let (run, result) = (Notes::new(), Notes::new());
        Ok(Self { weights: weights.to_vec(), network, run, result })
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
        Ok(Self { run, result, ..Self::new(&numbers)? })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        kind().write(&NumberFile {
            numbers: self.numbers().collect(),
            run: self.run.clone(),
            result: self.result.clone(),
            values: None,
        })
    }

    /// All numbers, in the order of [`MoveModel::new`].
    pub fn numbers(&self) -> impl Iterator<Item = i16> + '_ {
        self.weights.iter().copied().chain(self.network.numbers())
    }

    /// What scores the moves of a position.
    pub fn judge<'a>(&'a self, context: &'a MoveContext<'a>) -> MoveJudge<'a> {
        let pairs = PairSums::new(&self.weights, context);
        MoveJudge { model: self, context, pairs, board: self.network.board(context) }
    }
}

/// A model and the context of a position, to score its moves.
pub struct MoveJudge<'a> {
    model: &'a MoveModel,
    context: &'a MoveContext<'a>,
    pairs: PairSums<'a>,
    /// What the network makes of the board.
    board: Row,
}

impl MoveJudge<'_> {
    /// The score of a legal move, in units.
    #[inline]
    pub fn score(&self, mv: Move) -> i32 {
        let MoveModel { weights, network, .. } = self.model;
        let Some(info) = self.context.info(mv) else { return 0 };
        let (mut score, mut rows) = (self.pairs.score(&info), Numbers::new());
        self.context.for_each_other_feature(&info, &mut |feature| {
            score += i32::from(weights[feature]);
            if let Some(row) = feature.checked_sub(Group::FIRST_OF_NETWORK) {
                rows.push(row);
            }
        });
        let row = network.features(&rows);
        let of_network =
            network.score(&row, &self.board) / i64::from(ROW_UNITS * ROW_UNITS / UNITS);
        score + of_network as i32
    }
}

#[cfg(test)]
mod tests;
