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
use crate::{ParseError, ParseErrorKind, WriteError};

/// The first line of what is written, without its end.
pub const HEADER: &str = "#sfen\tmove\tresult\tgame\tply\tscore";

/// What a column says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Sfen,
    Move,
    Result,
    Game,
    Ply,
    Score,
    Other,
}

impl Column {
    fn from_name(name: &str) -> Self {
        match name {
            "sfen" => Self::Sfen,
            "move" | "usi_move" | "answer" => Self::Move,
            "result" => Self::Result,
            "game" => Self::Game,
            "ply" => Self::Ply,
            "score" => Self::Score,
            _ => Self::Other,
        }
    }

    /// The columns of a line such as [`HEADER`].
    fn parse_header(line: &str) -> Vec<Self> {
        line.trim_start_matches('#').split('\t').map(|name| Self::from_name(name.trim())).collect()
    }
}

/// Is this the start of a table of samples, with a first line that names a column `sfen`?
pub fn is_table(start: &[u8]) -> bool {
    let first = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let first = str::from_utf8(first).unwrap_or_default().trim_start_matches('\u{feff}');
    first.starts_with('#') && Column::parse_header(first).contains(&Column::Sfen)
}

/// Reads samples line by line.
///
/// A line with an impossible position, an illegal move or anything else that cannot be read gives
/// an error with its number, and reading goes on behind it. Empty lines and lines with `#` in front
/// are no samples. After an error of the input itself there is no next line.
pub struct Reader<R> {
    input: R,
    columns: Vec<Column>,
    line: usize,
    buffer: Vec<u8>,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads from the start of a file or any other input.
    pub fn new(input: R) -> Self {
        let columns = Column::parse_header(HEADER);
        Self { input, columns, line: 0, buffer: Vec::new(), ended: false }
    }

    /// Reads the next line into the buffer; `false` at the end.
    fn next_line(&mut self) -> Result<bool, ParseErrorKind> {
        self.buffer.clear();
        self.line += 1;
        match self.input.read_until(b'\n', &mut self.buffer) {
            Ok(count) => Ok(count > 0),
            Err(error) => Err(ParseErrorKind::Io(error.to_string())),
        }
    }

    /// Reads the line in the buffer; `None` if it is no sample.
    fn parse_line(&mut self) -> Result<Option<Sample>, ParseErrorKind> {
        let line = str::from_utf8(&self.buffer).map_err(|_| ParseErrorKind::Encoding)?;
        let line = line.trim_end_matches(['\n', '\r']);
        if line.starts_with('#') {
            let columns = Column::parse_header(line);
            if self.line == 1 && columns.contains(&Column::Sfen) {
                self.columns = columns;
            }
            return Ok(None);
        }
        if line.trim().is_empty() {
            return Ok(None);
        }
        parse_sample(line, &self.columns).map(Some)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Sample, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            match self.next_line() {
                Ok(true) => {
                    if let Some(sample) = self.parse_line().transpose() {
                        return Some(sample.map_err(|kind| kind.at(self.line)));
                    }
                }
                Ok(false) => self.ended = true,
                Err(kind) => {
                    self.ended = true;
                    return Some(Err(kind.at(self.line)));
                }
            }
        }
        None
    }
}

fn parse_sample(line: &str, columns: &[Column]) -> Result<Sample, ParseErrorKind> {
    let field = |wanted: Column| {
        let (_, text) =
            columns.iter().zip(line.split('\t')).find(|(column, _)| **column == wanted)?;
        let text = text.trim();
        (!text.is_empty() && text != "-").then_some(text)
    };
    let sfen = field(Column::Sfen).ok_or(ParseErrorKind::Truncated { expected: "a position" })?;
    let position = Position::from_sfen(sfen)
        .map_err(|error| ParseErrorKind::BadPosition(error.to_string()))?;
    let ply = match field(Column::Ply) {
        Some(text) => number(text, "a move number from 0 to 65535")?,
        None => position.ply(),
    };
    Ok(Sample {
        position,
        mv: field(Column::Move).map(|text| parse_move(text, &position, ply)).transpose()?,
        score: field(Column::Score).map(parse_score).transpose()?,
        outcome: field(Column::Result).map_or(Ok(Outcome::Unknown), parse_outcome)?,
        game: field(Column::Game).map_or(Ok(0), |text| number(text, "the number of a game"))?,
        ply,
    })
}

fn parse_move(text: &str, position: &Position, ply: u16) -> Result<Move, ParseErrorKind> {
    let ply = usize::from(ply);
    let mv: Move = text.parse().map_err(|_| ParseErrorKind::BadMove { ply, text: text.into() })?;
    if position.is_legal(mv) {
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
