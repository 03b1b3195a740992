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
    #[error("ply {ply}: illegal move {}", quoted(text))]
    IllegalMove { ply: usize, text: String },
    /// Text where a move was expected, but none could be read from it.
    #[error("ply {ply}: cannot read a move from {}", quoted(text))]
    BadMove { ply: usize, text: String },
    /// A move text that fits several legal moves.
    #[error("ply {ply}: {} fits more than one move", quoted(text))]
    AmbiguousMove { ply: usize, text: String },
    /// A position, such as the start of a game, cannot be read or is impossible.
    #[error("position: {}", shortened(.0))]
    BadPosition(String),
    /// Something else is not as the format wants it.
    #[error("expected {expected}, found {}", quoted(found))]
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

/// How much of a text an error shows.
const MOST_QUOTED: usize = 200;

/// The text as an error quotes it: on one line, and not more of it than helps.
fn quoted(text: &str) -> String {
    let start: String = text.chars().take(MOST_QUOTED).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    format!("{start:?}{more}")
}

/// A message that may have a text in it.
fn shortened(text: &str) -> String {
    let start: String = text.chars().take(MOST_QUOTED).collect();
    if start.len() < text.len() { start + "…" } else { start }
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
    #[error("{format} cannot hold {}", shortened(what))]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_quoted_in_part() {
        let text = "歩\u{1b}".repeat(5000);
        for kind in [
            ParseErrorKind::BadMove { ply: 1, text: text.clone() },
            ParseErrorKind::Unexpected { expected: "a header", found: text.clone() },
            ParseErrorKind::BadPosition(text.clone()),
        ] {
            let shown = kind.to_string();
            assert_eq!(shown.matches('歩').count(), 100, "{shown}");
            assert!(shown.ends_with('…'), "{shown}");
        }
        let short = ParseErrorKind::BadMove { ply: 1, text: "a\"b".into() };
        assert_eq!(short.to_string(), r#"ply 1: cannot read a move from "a\"b""#);
    }
}
