//! Tables of positions as text: one row a line, fields separated by tabs, columns with names.
//!
//! Samples, problems with known answers and mates are all such tables; this reads their lines.

use std::io::BufRead;

use tesuji_shogi::Position;

use crate::{ParseError, ParseErrorKind};

/// A table that is read row by row.
///
/// Its first line may name the columns behind a `#`. Empty lines and other lines with `#` in front
/// are no rows. After an error of the input itself there is no next row.
pub struct Table<R> {
    input: R,
    names: Vec<String>,
    line: usize,
    buffer: Vec<u8>,
    ended: bool,
}

impl<R: BufRead> Table<R> {
    /// Reads from the start of a file or any other input. Where no line names the columns, they
    /// have the names of `header`.
    pub fn new(input: R, header: &str) -> Self {
        Self { input, names: column_names(header), line: 0, buffer: Vec::new(), ended: false }
    }

    /// Does the table have a column with this name, as far as it has been read?
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// The next row; an error names its line, and reading goes on behind it.
    pub fn next_row(&mut self) -> Option<Result<Row<'_>, ParseError>> {
        while !self.ended {
            match self.next_line() {
                Ok(false) => self.ended = true,
                Err(kind) => {
                    self.ended = true;
                    return Some(Err(kind.at(self.line)));
                }
                Ok(true) => match self.is_row() {
                    Ok(false) => {}
                    Ok(true) => break,
                    Err(kind) => return Some(Err(kind.at(self.line))),
                },
            }
        }
        if self.ended {
            return None;
        }
        let text = str::from_utf8(&self.buffer).unwrap_or_default();
        Some(Ok(Row { line: self.line, text: trimmed(text), names: &self.names }))
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

    /// Is the line in the buffer a row? The line with the names of the columns is none.
    fn is_row(&mut self) -> Result<bool, ParseErrorKind> {
        let line = str::from_utf8(&self.buffer).map_err(|_| ParseErrorKind::Encoding)?;
        let line = trimmed(line);
        if !line.starts_with('#') {
            return Ok(!line.trim().is_empty());
        }
        let names = column_names(line);
        if self.line == 1 && names.iter().any(|name| name == SFEN) {
            self.names = names;
        }
        Ok(false)
    }
}

/// The column of the positions.
pub const SFEN: &str = "sfen";

/// The names of the columns in a first line, which begins with `#`.
pub fn column_names(line: &str) -> Vec<String> {
    let line = trimmed(line).trim_start_matches('#');
    line.split('\t').map(|name| name.trim().to_owned()).collect()
}

fn trimmed(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').trim_end_matches(['\n', '\r'])
}

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Its line, counted from 1.
    pub line: usize,
    text: &'a str,
    names: &'a [String],
}

impl<'a> Row<'a> {
    /// The field in the first column that has one of these names. An empty field and `-` are none.
    pub fn field(&self, names: &[&str]) -> Option<&'a str> {
        let fields = self.names.iter().zip(self.text.split('\t'));
        let (_, text) = { fields }.find(|(name, _)| names.contains(&name.as_str()))?;
        let text = text.trim();
        (!text.is_empty() && text != "-").then_some(text)
    }

    /// The position of the row.
    pub fn position(&self) -> Result<Position, ParseErrorKind> {
        let sfen =
            self.field(&[SFEN]).ok_or(ParseErrorKind::Truncated { expected: "a position" })?;
        Position::from_sfen(sfen).map_err(|error| ParseErrorKind::BadPosition(error.to_string()))
    }
}
