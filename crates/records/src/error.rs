//! What can go wrong with a record, and where.

use thiserror::Error;

/// A record cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {kind}")]
pub struct ParseError {
    /// The line of the text, counted from 1; the number of the record in a binary file.
    pub line: usize,
    /// What is wrong there.
    pub kind: ParseErrorKind,
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum ParseErrorKind {
    /// A move that the rules do not allow.
    #[error("ply {ply}: illegal move {text:?}")]
    IllegalMove { ply: usize, text: String },
    /// Text where a move was expected, but none could be read from it.
    #[error("ply {ply}: cannot read a move from {text:?}")]
    BadMove { ply: usize, text: String },
    /// A move text that fits several legal moves.
    #[error("ply {ply}: {text:?} fits more than one move")]
    AmbiguousMove { ply: usize, text: String },
    /// A position, such as the start of a game, cannot be read or is impossible.
    #[error("position: {0}")]
    BadPosition(String),
    /// Something else is not as the format wants it.
    #[error("expected {expected}, found {found:?}")]
    Unexpected { expected: &'static str, found: String },
    /// The text ends too early.
    #[error("the record ends too early: expected {expected}")]
    Truncated { expected: &'static str },
    /// The bytes are not text in any encoding that the format is written in.
    #[error("the bytes are neither UTF-8 nor Shift_JIS text")]
    Encoding,
    /// The input itself failed.
    #[error("cannot read on: {0}")]
    Io(String),
}

impl ParseErrorKind {
    /// The error at this line.
    pub fn at(self, line: usize) -> ParseError {
        ParseError { line, kind: self }
    }

    /// The number of the move that is wrong, if it is a move.
    pub const fn ply(&self) -> Option<usize> {
        match self {
            Self::IllegalMove { ply, .. }
            | Self::BadMove { ply, .. }
            | Self::AmbiguousMove { ply, .. } => Some(*ply),
            _ => None,
        }
    }
}

/// A record cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WriteError {
    /// The format has no way to say this.
    #[error("{format} cannot hold {what}")]
    Unsupported {
        /// The name of the format.
        format: &'static str,
        /// What it cannot hold.
        what: String,
    },
    /// The output itself failed.
    #[error("cannot write: {0}")]
    Io(String),
}

impl From<std::io::Error> for WriteError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error.to_string())
    }
}
