//! What goes wrong with a game of a file.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::{Format, ParseErrorKind, WriteError};

/// A game of a file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct RecordError {
    /// The name of the file, `-` for standard input.
    pub file: Arc<str>,
    /// The line, counted from 1; 0 if it is the file as a whole.
    pub line: usize,
    /// What is wrong there.
    pub kind: RecordErrorKind,
}

/// What is wrong with a game of a file, or with the file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordErrorKind {
    /// The game cannot be read.
    #[error("{0}")]
    Parse(#[from] ParseErrorKind),
    /// The game cannot be written in another format.
    #[error("{0}")]
    Write(#[from] WriteError),
    /// The file cannot be read: reading failed half way, or it is not there.
    #[error("{0}")]
    Io(String),
    /// Neither the name nor the content of the file tells its format.
    #[error("neither the name nor the content tells the format")]
    UnknownFormat,
    /// A tab-separated collection does not say what its columns are.
    #[error("expected a # line that names the columns, with one named game, before the first game")]
    NoColumns,
    /// The file holds positions.
    #[error("a file in format {0} holds single positions, not games")]
    NoGames(Format),
    /// Much longer than any game.
    #[error("the text of one game is longer than {} MiB", super::MAX_GAME_BYTES >> 20)]
    TooLong,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.kind),
            line => write!(f, "{}:{line}: {}", self.file, self.kind),
        }
    }
}

impl RecordError {
    /// An error at a place.
    pub fn new(file: &Arc<str>, line: usize, kind: RecordErrorKind) -> Self {
        Self { file: file.clone(), line, kind }
    }

    /// The number of the move that is wrong, if it is a move.
    pub const fn ply(&self) -> Option<usize> {
        match &self.kind {
            RecordErrorKind::Parse(kind) => kind.ply(),
            _ => None,
        }
    }

    /// Is one game bad, rather than the file or the machine?
    pub const fn is_bad_game(&self) -> bool {
        match &self.kind {
            RecordErrorKind::Parse(kind) => !matches!(kind, ParseErrorKind::Io(_)),
            RecordErrorKind::Write(kind) => !matches!(kind, WriteError::Io(_)),
            RecordErrorKind::TooLong => true,
            _ => false,
        }
    }
}

impl From<std::io::Error> for RecordErrorKind {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error.to_string())
    }
}
