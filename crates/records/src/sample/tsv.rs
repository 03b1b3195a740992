//! Samples as text: one a line, fields separated by tabs.
//!
//! The writer's columns are `sfen`, `move`, `result`, `game`, `ply` and `score`, and its first line
//! names them behind a `#`. The reader goes by the names in that line, so that it also reads other
//! tables of positions: it takes `usi_move` and `answer` for a move and passes over columns that it
//! does not know. A file without such a line has the writer's columns, as many of them as it needs.
//! `docs/formats/samples.md` has the details.

use std::io::{BufRead, Write};

use tesuji_shogi::{Color, Move, Outcome, Position};

use super::Sample;
use super::table::{self, Row, Table};
use crate::{ParseError, ParseErrorKind, WriteError};

/// The first line of what is written, without its end.
pub const HEADER: &str = "#sfen\tmove\tresult\tgame\tply\tscore";

/// The names that the column of the move may have.
const MOVE: [&str; 3] = ["move", "usi_move", "answer"];

/// Is this the start of a table of samples, with a first line that names a column `sfen`?
pub fn is_table(start: &[u8]) -> bool {
    let first = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let first = str::from_utf8(first).unwrap_or_default().trim_start_matches('\u{feff}');
    first.starts_with('#') && table::column_names(first).iter().any(|name| name == table::SFEN)
}

/// Reads samples line by line.
///
/// A line with an impossible position, an illegal move or anything else that cannot be read gives
/// an error with its number, and reading goes on behind it. Empty lines and lines with `#` in front
/// are no samples. After an error of the input itself there is no next line.
pub struct Reader<R> {
    table: Table<R>,
    illegal_moves: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads from the start of a file or any other input.
    pub fn new(input: R) -> Self {
        Self { table: Table::new(input, HEADER), illegal_moves: false }
    }

    /// Lets moves that are not legal pass: a prediction that can never come true is for whoever
    /// counts to count.
    pub fn with_illegal_moves(self) -> Self {
        Self { illegal_moves: true, ..self }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Sample, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        let legal = !self.illegal_moves;
        let row = self.table.next_row()?;
        Some(row.and_then(|row| parse_sample(&row, legal).map_err(|kind| kind.at(row.line))))
    }
}

fn parse_sample(row: &Row<'_>, legal: bool) -> Result<Sample, ParseErrorKind> {
    let position = row.position()?;
    let ply = match row.field(&["ply"]) {
        Some(text) => number(text, "a move number from 0 to 65535")?,
        None => position.ply(),
    };
    let mv = row.field(&MOVE).map(|text| parse_move(text, &position, ply, legal)).transpose()?;
    Ok(Sample {
        position,
        mv,
        score: row.field(&["score"]).map(parse_score).transpose()?,
        outcome: row.field(&["result"]).map_or(Ok(Outcome::Unknown), parse_outcome)?,
        game: row.field(&["game"]).map_or(Ok(0), |text| number(text, "the number of a game"))?,
        ply,
    })
}

fn parse_move(
    text: &str,
    position: &Position,
    ply: u16,
    legal: bool,
) -> Result<Move, ParseErrorKind> {
    let ply = usize::from(ply);
    let mv: Move = text.parse().map_err(|_| ParseErrorKind::BadMove { ply, text: text.into() })?;
    if !legal || position.is_legal(mv) {
        Ok(mv)
    } else {
        Err(ParseErrorKind::IllegalMove { ply, text: text.into() })
    }
}

fn parse_outcome(text: &str) -> Result<Outcome, ParseErrorKind> {
    match text {
        "b" => Ok(Outcome::Win(Color::Black)),
        "w" => Ok(Outcome::Win(Color::White)),
        "d" => Ok(Outcome::Draw),
        "?" => Ok(Outcome::Unknown),
        _ => Err(ParseErrorKind::Unexpected {
            expected: "a result: b, w, d or ?",
            found: text.into(),
        }),
    }
}

/// Programs with wider numbers write wins that are certain as scores beyond the range: they stay
/// the best there are.
fn parse_score(text: &str) -> Result<i16, ParseErrorKind> {
    let score: i64 = number(text, "a score")?;
    Ok(score.clamp(i16::MIN.into(), i16::MAX.into()) as i16)
}

fn number<T: std::str::FromStr>(text: &str, expected: &'static str) -> Result<T, ParseErrorKind> {
    text.parse().map_err(|_| ParseErrorKind::Unexpected { expected, found: text.into() })
}

/// Writes samples line by line, below [`HEADER`].
pub struct Writer<W> {
    output: W,
}

impl<W: Write> Writer<W> {
    /// Writes the first line. An output such as a file wants a
    /// [`BufWriter`](std::io::BufWriter) around it.
    pub fn new(mut output: W) -> Result<Self, WriteError> {
        writeln!(output, "{HEADER}")?;
        Ok(Self { output })
    }

    /// Writes one sample. No sample is refused; only the output can fail.
    pub fn write(&mut self, sample: &Sample) -> Result<(), WriteError> {
        let Sample { position, mv, score, outcome, game, ply } = sample;
        write!(self.output, "{}\t", position.to_sfen())?;
        match mv {
            Some(mv) => write!(self.output, "{mv}")?,
            None => self.output.write_all(b"-")?,
        }
        let result = match outcome {
            Outcome::Win(color) => color.letter(),
            Outcome::Draw => 'd',
            Outcome::Unknown => '?',
        };
        write!(self.output, "\t{result}\t{game}\t{ply}")?;
        if let Some(score) = score {
            write!(self.output, "\t{score}")?;
        }
        self.output.write_all(b"\n")?;
        Ok(())
    }

    /// Flushes the output and gives it back.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.output.flush()?;
        Ok(self.output)
    }
}

#[cfg(test)]
mod tests;
