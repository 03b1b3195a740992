//! The illegal move that lost a game, where a record has it.

use tesuji_shogi::{Color, EndReason, GameResult, Outcome};

use crate::ParseError;

/// A move that the rules do not allow. The record is good if what follows says that this move ended
/// the game; otherwise the move is the error.
pub(super) struct Foul {
    /// The error that the move is.
    pub(super) error: ParseError,
    /// The move, as the text has it.
    pub(super) text: String,
    /// Who played it.
    pub(super) mover: Color,
    /// What the record says of it.
    pub(super) comments: Vec<String>,
}

impl Foul {
    /// What the game ends with.
    pub(super) fn result(&self) -> GameResult {
        GameResult::win(!self.mover, EndReason::IllegalMove)
    }

    /// Does this word in place of the next move say that the foul ended the game?
    pub(super) fn explains_word(word: &str) -> bool {
        matches!(word, "反則勝ち" | "反則勝" | "反則負け" | "反則手")
    }

    /// Does this result of a closing line say it?
    pub(super) fn explains(&self, closing: Option<GameResult>) -> bool {
        closing.is_some_and(|result| {
            result.reason == EndReason::IllegalMove && result.outcome == Outcome::Win(!self.mover)
        })
    }
}
