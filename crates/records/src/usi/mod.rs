//! USI lines: a start position and the moves from it, one game a line.
//!
//! ```text
//! startpos moves 7g7f 3c3d
//! sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1 moves G*5b
//! ```
//!
//! Read as well: a leading `position` as an engine is told it, an SFEN without the word `sfen`, a
//! position without moves, and the word `resign` in place of a last move. Nothing but the start and
//! the moves is written.

#[cfg(test)]
mod tests;

use tesuji_shogi::{EndReason, GameResult, Move, Position};

use crate::{Ending, GameRecord, MoveRecord, ParseError, ParseErrorKind, WriteError};

/// Reads the one game of a text. Blank lines around it do not matter.
pub fn read(text: &str) -> Result<GameRecord, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut games = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let Some((number, line)) = games.next() else { return Err(NOTHING.at(1)) };
    if let Some((number, line)) = games.next() {
        let expected = "the end of the text after one game";
        return Err(ParseErrorKind::Unexpected { expected, found: line.into() }.at(number));
    }
    // ShogiHome says in this way that the game was resigned.
    let (line, resigned) = match line.trim_ascii_end().strip_suffix(" resign") {
        Some(line) => (line, true),
        None => (line, false),
    };
    let (start, moves) = parse_game(line).map_err(|kind| kind.at(number))?;
    let mut record = GameRecord::new(start);
    record.main.moves = moves.into_iter().map(MoveRecord::from).collect();
    if resigned {
        let loser = record.moves().fold(start, |position, mv| position.after_unchecked(mv));
        let result = GameResult::win(!loser.side_to_move(), EndReason::Resignation);
        record.main.ending = Some(Ending::new(result));
    }
    Ok(record)
}

/// Does the line start like a game? Its moves are not looked at.
pub(crate) fn starts_game(line: &str) -> bool {
    ["startpos", "sfen", "position"].iter().any(|word| strip_word(line, word).is_some())
        || Position::from_sfen(split_at_moves(line).0).is_ok()
}

/// Writes the start and the moves as one line. All else that the record holds is left out.
pub fn write(record: &GameRecord) -> Result<String, WriteError> {
    let mut line = format_game(&record.start, record.moves());
    line.push('\n');
    Ok(line)
}

/// Reads one line: the start position and the moves, each checked against the rules. Plies are
/// counted from 1 within the line, whatever the move number of its SFEN.
pub fn parse_game(text: &str) -> Result<(Position, Vec<Move>), ParseErrorKind> {
    let text = text.trim_ascii();
    let text = strip_word(text, "position").unwrap_or(text);
    if text.is_empty() {
        return Err(NOTHING);
    }
    let (start, moves) = if let Some(rest) = strip_word(text, "startpos") {
        (Position::startpos(), expect_moves(rest)?)
    } else {
        let text = strip_word(text, "sfen").unwrap_or(text);
        let (sfen, moves) = split_at_moves(text);
        let start = Position::from_sfen(sfen)
            .map_err(|error| ParseErrorKind::BadPosition(error.to_string()))?;
        (start, moves)
    };
    let moves = replay(&start, moves.split_ascii_whitespace())?;
    Ok((start, moves))
}

/// Reads moves one after another, each checked against the rules. Plies are counted from 1.
pub fn replay<'a>(
    start: &Position,
    moves: impl Iterator<Item = &'a str>,
) -> Result<Vec<Move>, ParseErrorKind> {
    let mut position = *start;
    // A game has rarely more moves than this; the list seldom grows.
    let mut played = Vec::with_capacity(160);
    for text in moves {
        let ply = played.len() + 1;
        let Ok(mv) = text.parse::<Move>() else {
            return Err(ParseErrorKind::BadMove { ply, text: text.into() });
        };
        if !position.is_legal(mv) {
            return Err(ParseErrorKind::IllegalMove { ply, text: text.into() });
        }
        position.play_unchecked(mv);
        played.push(mv);
    }
    Ok(played)
}

/// The line of a game, without a line break: what [`parse_game`] reads.
pub fn format_game(start: &Position, moves: impl Iterator<Item = Move>) -> String {
    let mut line = String::with_capacity(800);
    if *start == Position::startpos() {
        line.push_str("startpos");
    } else {
        line.push_str("sfen ");
        line.push_str(&start.to_sfen());
    }
    for (i, mv) in moves.enumerate() {
        line.push_str(if i == 0 { " moves " } else { " " });
        mv.write_to(&mut line);
    }
    line
}

/// The error of an empty line.
const NOTHING: ParseErrorKind = ParseErrorKind::Truncated { expected: "startpos or an SFEN" };

/// What follows `word` at the head of the text; `None` if another word stands there.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    if rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_whitespace()) {
        Some(rest.trim_ascii_start())
    } else {
        None
    }
}

/// The moves behind `startpos`: nothing, or the word `moves` and the moves.
fn expect_moves(text: &str) -> Result<&str, ParseErrorKind> {
    if text.is_empty() {
        return Ok(text);
    }
    strip_word(text, "moves").ok_or_else(|| {
        let found = text.split_ascii_whitespace().next().unwrap_or_default().into();
        ParseErrorKind::Unexpected { expected: "moves", found }
    })
}

/// The SFEN before the word `moves`, and the moves behind it.
fn split_at_moves(text: &str) -> (&str, &str) {
    // Neither a board nor a hand can hold the letters of this word.
    match text.find("moves") {
        Some(at) if strip_word(&text[at..], "moves").is_some() => {
            (&text[..at], &text[at + "moves".len()..])
        }
        _ => (text, ""),
    }
}
