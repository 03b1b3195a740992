//! Words of a line, and what can be wrong with one.

use tesuji_shogi::{Move, UsiPositionError};
use thiserror::Error;

/// Why a line cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SyntaxError {
    /// No command begins with this word.
    #[error("unknown command {0}")]
    UnknownCommand(String),
    /// The game of `position` is not one.
    #[error("position: {0}")]
    Position(UsiPositionError),
    /// `setoption` has no name where one is expected.
    #[error("setoption: {0}")]
    SetOption(&'static str),
    /// `option` does not declare one.
    #[error("option: {0}")]
    Option(String),
    /// `bestmove` has neither a move nor a word that stands for one.
    #[error("expected a move, resign or win, found {0}")]
    BestMove(String),
    /// `checkmate` has neither moves nor a word that stands for them.
    #[error("checkmate: expected moves, nomate, timeout or notimplemented, found {0}")]
    Checkmate(String),
}

/// The first word of a text, and what follows it.
pub(crate) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

/// The word as an error quotes it.
pub(crate) fn quoted(word: &str) -> String {
    if word.is_empty() { "nothing".to_owned() } else { format!("{word:?}") }
}

/// Reads a move. Some engines write drops as `P@5e`.
pub(crate) fn parse_move(word: &str) -> Option<Move> {
    word.replacen('@', "*", 1).parse().ok()
}
