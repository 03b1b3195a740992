//! The small neural network beside the weights: what features of a move mean together, and what
//! they mean on this board.
//!
//! The features of a move add up to a row of numbers, and so does all that stands on the board. In
//! the first half of the rows the sum of both counts where it is positive; in the second half the
//! numbers of the move count as much as those of the board, where these are positive.

use super::context::{BOARD_INPUTS, MoveContext};
use super::groups::Group;
use super::rows::{self, Line, Numbers};

/// Numbers in a row.
pub const WIDTH: usize = 32;
/// Where the second half of a row begins.
pub const HALF_WIDTH: usize = WIDTH / 2;
/// Units of 1 in a row.
pub const ROW_UNITS: i32 = 256;

/// A row of the network.
pub type Row = [i16; WIDTH];

/// The rows of the features of moves and of the pieces, and how much the first half counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    features: Vec<Line>,
    pieces: Vec<Line>,
    output: [i16; HALF_WIDTH],
}

impl Network {
    /// Features that have a row.
    pub const FEATURES: usize = Group::FEATURES - Group::FIRST_OF_NETWORK;
    /// Numbers of a network.
    pub const NUMBERS: usize = (Self::FEATURES + BOARD_INPUTS) * WIDTH + HALF_WIDTH;

    /// The network with these numbers: rows of features, rows of pieces, how much they count.
    pub(super) fn new(numbers: &[i16]) -> Option<Self> {
        let (rows, rest) = numbers.as_chunks();
        let (features, pieces) = rows.split_at_checked(Self::FEATURES)?;
        let is_whole = pieces.len() == BOARD_INPUTS;
        let output = rest.try_into().ok().filter(|_| is_whole)?;
        let lines = |rows: &[Row]| rows.iter().copied().map(Line).collect();
        Some(Self { features: lines(features), pieces: lines(pieces), output })
    }

    /// All numbers in their order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = i16> + '_ {
        let rows = self.features.iter().chain(&self.pieces).flat_map(|line| &line.0);
        rows.chain(&self.output).copied()
    }

    /// The sum of all that stands on the board or is in hand.
    pub(super) fn board(&self, context: &MoveContext<'_>) -> Row {
        let mut pieces = Numbers::new();
        context.for_each_piece(|piece| pieces.push(piece));
        rows::sum(&self.pieces, &pieces)
    }

    /// The sum of the rows of some features, each counted from [`Group::FIRST_OF_NETWORK`].
    #[inline]
    pub(super) fn features(&self, features: &Numbers) -> Row {
        rows::sum(&self.features, features)
    }

    /// What the network makes of the sums of a move and of a board, in units of 1 / ROW_UNITS².
    #[inline(always)]
    pub(super) fn score(&self, mv: &Row, board: &Row) -> i64 {
        let mut score = 0;
        for i in 0..HALF_WIDTH {
            let both = i64::from(mv[i]) + i64::from(board[i]);
            score += both.max(0) * i64::from(self.output[i]);
        }
        for i in HALF_WIDTH..WIDTH {
            score += i64::from(mv[i]) * i64::from(board[i]).max(0);
        }
        score
    }
}
