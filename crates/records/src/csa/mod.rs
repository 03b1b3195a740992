//! The standard record format of the Computer Shogi Association (CSA), versions 2 to 3.0.
//!
//! ```text
//! V2.2
//! N+Black player
//! N-White player
//! $EVENT:A tournament
//! PI
//! +
//! +7776FU
//! T12
//! '*a comment on the move
//! -3334FU
//! %TORYO
//! ```
//!
//! The format has no variations: only the main line is written. `docs/formats/csa.md` tells what
//! else is kept and what is lost.

pub(crate) mod names;
mod reader;
mod setup;
#[cfg(test)]
mod tests;
mod writer;

pub use writer::write;

use crate::{GameRecord, Header, ParseError, ParseErrorKind};

/// The first line of a version 3 file, up to the name of the encoding.
const ENCODING: &str = "'CSA encoding=";

/// Comments that name the encoding: version 3, and Kifu for Windows.
const ENCODINGS: [&str; 2] = ["CSA encoding=", "encoding="];

/// The comment with which the server of floodgate says how a game ended.
const SUMMARY: &str = "summary:";

/// The headers that all formats know and their names here; the first name is the one written.
/// Players have statements of their own.
const HEADERS: [(&str, &str); 8] = [
    (Header::EVENT, "EVENT"),
    (Header::SITE, "SITE"),
    (Header::STARTED, "START_TIME"),
    (Header::STARTED, "START"),
    (Header::ENDED, "END_TIME"),
    (Header::TIME_LIMIT, "TIME_LIMIT"),
    (Header::TIME_LIMIT, "TIME"),
    (Header::OPENING, "OPENING"),
];

/// Reads the one game of a text.
pub fn read(text: &str) -> Result<GameRecord, ParseError> {
    let mut games = split_games(text).into_iter();
    let Some(game) = games.next() else {
        return Err(ParseErrorKind::Truncated { expected: "a game" }.at(1));
    };
    if let Some((number, line)) = games.next().and_then(|second| second.into_iter().next()) {
        let expected = "the end of the text after one game";
        return Err(ParseErrorKind::Unexpected { expected, found: line.into() }.at(number));
    }
    reader::read_game(game.into_iter())
}

/// Reads all games of a text. A game that cannot be read does not keep the others from being read;
/// the lines of all errors are those of the whole text.
pub fn read_all(text: &str) -> Vec<Result<GameRecord, ParseError>> {
    split_games(text).into_iter().map(|game| reader::read_game(game.into_iter())).collect()
}

/// Does this line stand between two games?
pub fn is_separator(line: &str) -> bool {
    line.trim() == "/"
}

/// The lines of each game with their numbers. Blank lines, and parts that have nothing but
/// comments, are no games.
fn split_games(text: &str) -> Vec<Vec<(usize, &str)>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).collect();
    lines
        .split(|(_, line)| is_separator(line))
        .map(|game| {
            game.iter().copied().filter(|(_, line)| !line.trim().is_empty()).collect::<Vec<_>>()
        })
        .filter(|game| game.iter().any(|(_, line)| !line.trim_start().starts_with('\'')))
        .collect()
}
