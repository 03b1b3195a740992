//! The tab-separated collection: one game a line, in columns that a `#` line names.
//!
//! See `docs/formats/collection.md`. The column `game` is USI text and must be there, all others
//! may be missing; columns that mean nothing to the program are kept as headers of the record.

use std::borrow::Cow;

use tesuji_shogi::{Color, EndReason, GameResult, Outcome, Position};

use crate::{Ending, GameRecord, Header, ParseErrorKind, usi};

/// The `#` line of the collections that this program writes.
pub const HEADER_LINE: &str = "#date\tevent\tblack\twhite\tresult\treason\tgame";

/// What stands in which column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns(Vec<Column>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Column {
    /// A header of the record, with this key.
    Header(String),
    Result,
    Reason,
    Game,
}

impl Columns {
    /// Reads a `#` line. Only the first word of a column's title counts, so that the rest may
    /// explain it. `None` if no column is named `game`: such a line is a comment.
    pub fn read(line: &str) -> Option<Self> {
        let titles = line.strip_prefix('#')?.split('\t');
        let columns: Vec<Column> = titles.map(Column::titled).collect();
        columns.contains(&Column::Game).then_some(Self(columns))
    }

    /// Reads the game of a line.
    pub fn read_game(&self, row: &str) -> Result<GameRecord, ParseErrorKind> {
        let mut fields = row.split('\t');
        let (mut headers, mut game) = (Vec::new(), None);
        let (mut outcome, mut reason) = ("", "");
        for (column, field) in self.0.iter().zip(&mut fields) {
            match column {
                Column::Header(key) if !field.is_empty() => {
                    headers.push(Header { key: key.clone(), value: field.into() });
                }
                Column::Header(_) => {}
                Column::Result => outcome = field,
                Column::Reason => reason = field,
                Column::Game => game = Some(field),
            }
        }
        if let Some(extra) = fields.next() {
            let expected = "no more fields than the # line names";
            return Err(ParseErrorKind::Unexpected { expected, found: extra.into() });
        }
        let game = game.ok_or(ParseErrorKind::Truncated { expected: "a game column" })?;
        let ending = read_result(outcome.trim(), reason.trim())?;
        let (start, moves) = usi::parse_game(game)?;
        let mut record = GameRecord::new(start);
        record.headers = headers;
        record.main.moves = moves.into_iter().map(Into::into).collect();
        record.main.ending = ending.map(Ending::new);
        Ok(record)
    }
}

impl Column {
    fn titled(title: &str) -> Self {
        match title.split_whitespace().next().unwrap_or("") {
            "game" => Self::Game,
            "result" => Self::Result,
            "reason" => Self::Reason,
            "date" => Self::Header(Header::STARTED.into()),
            other => Self::Header(other.into()),
        }
    }
}

/// Reads the columns `result` and `reason`; nothing is known if both say nothing.
fn read_result(outcome: &str, reason: &str) -> Result<Option<GameResult>, ParseErrorKind> {
    let outcome = match outcome {
        "b" => Outcome::Win(Color::Black),
        "w" => Outcome::Win(Color::White),
        "d" => Outcome::Draw,
        "?" | "" => Outcome::Unknown,
        _ => {
            let expected = "a result b, w, d or ?";
            return Err(ParseErrorKind::Unexpected { expected, found: outcome.into() });
        }
    };
    if reason.is_empty() {
        let known = outcome != Outcome::Unknown;
        return Ok(known.then_some(GameResult { outcome, reason: EndReason::Unknown }));
    }
    match EndReason::from_name(reason) {
        Some(reason) => Ok(Some(GameResult { outcome, reason })),
        None => {
            let expected = "a reason such as resignation";
            Err(ParseErrorKind::Unexpected { expected, found: reason.into() })
        }
    }
}

/// The letter of a result in the column `result`.
pub const fn outcome_letter(outcome: Outcome) -> char {
    match outcome {
        Outcome::Win(Color::Black) => 'b',
        Outcome::Win(Color::White) => 'w',
        Outcome::Draw => 'd',
        Outcome::Unknown => '?',
    }
}

/// Writes a game as a line in the columns of [`HEADER_LINE`], with the newline. Headers of other
/// names, times, comments and variations have no column.
pub fn write_game(game: &GameRecord) -> String {
    write_with_moves(game, &moves_text(game))
}

/// [`write_game`] with the text that [`moves_text`] gave.
pub(crate) fn write_with_moves(game: &GameRecord, moves: &str) -> String {
    let mut row = String::with_capacity(160 + moves.len());
    // A row that starts with # would be a comment.
    row += clean(game.header(Header::STARTED).unwrap_or("")).trim_start_matches('#');
    for key in [Header::EVENT, Header::BLACK, Header::WHITE] {
        row.push('\t');
        row += &clean(game.header(key).unwrap_or(""));
    }
    row.push('\t');
    row.push(outcome_letter(game.outcome()));
    row.push('\t');
    row += reason_name(game.main.ending.as_ref());
    row.push('\t');
    row += &start_text(&game.start);
    row += moves;
    row.push('\n');
    row
}

/// The reason, unless it goes without saying.
fn reason_name(ending: Option<&Ending>) -> &'static str {
    match ending.map(|ending| ending.result) {
        None => "",
        Some(GameResult { outcome, reason: EndReason::Unknown }) if outcome != Outcome::Unknown => {
            ""
        }
        Some(result) => result.reason.name(),
    }
}

fn start_text(start: &Position) -> Cow<'static, str> {
    let sfen = start.to_sfen();
    if sfen == Position::STARTPOS { "startpos".into() } else { format!("sfen {sfen}").into() }
}

/// The text ` moves …`; empty for a game without moves.
pub(crate) fn moves_text(game: &GameRecord) -> String {
    let mut text = String::with_capacity(6 + 6 * game.main.moves.len());
    for mv in game.moves() {
        text += if text.is_empty() { " moves " } else { " " };
        mv.write_to(&mut text);
    }
    text
}

/// The text with spaces for what would break the line or the column.
fn clean(text: &str) -> Cow<'_, str> {
    let breaks = |c: char| c == '\t' || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if text.contains(breaks) { text.replace(breaks, " ").into() } else { text.into() }
}

#[cfg(test)]
mod tests;
