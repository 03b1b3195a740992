//! Games out of files and standard input, one after the other.
//!
//! [`RawGames`] cuts a file into games without understanding them, which is cheap and must be done
//! in order; [`RawGame::read`] does the rest and may run in parallel. Only the games that are under
//! way are in memory, however large the file.

mod error;
mod input;

use std::io::BufRead;
use std::sync::Arc;

pub use error::{RecordError, RecordErrorKind};
pub use input::{Input, OpenInput};

use crate::tsv::Columns;
use crate::{Format, GameRecord, ParseError, csa, encoding, jkf, ki2, kif, usi};

/// The longest game text that is taken for one. It bounds the memory that a file of nonsense can
/// ask for.
pub const MAX_GAME_BYTES: usize = 16 << 20;

/// Something from a file, with the place where it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located<T> {
    /// The name of the file, `-` for standard input.
    pub file: Arc<str>,
    /// The line, counted from 1.
    pub line: usize,
    /// What stands there.
    pub value: T,
}

/// The text of one game, not yet read.
pub type RawGame = Located<RawText>;

/// The bytes of a game's text and what is needed to read them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawText {
    bytes: Vec<u8>,
    layout: Layout,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Layout {
    Text(Format),
    Row(Arc<Columns>),
}

impl RawGame {
    /// Reads the game and replays its moves.
    pub fn read(&self) -> Result<GameRecord, RecordError> {
        // Readers count lines within the game, and the game may start further down.
        let error = |wrong: ParseError| {
            let line = self.line + wrong.line.max(1) - 1;
            RecordError::new(&self.file, line, wrong.kind.into())
        };
        let text = encoding::decode(&self.value.bytes).map_err(error)?;
        let read = match &self.value.layout {
            Layout::Row(columns) => {
                return columns.read_game(&text).map_err(|kind| error(kind.at(1)));
            }
            Layout::Text(Format::Kif) => kif::read,
            Layout::Text(Format::Ki2) => ki2::read,
            Layout::Text(Format::Csa) => csa::read,
            Layout::Text(Format::Jkf) => jkf::read,
            Layout::Text(Format::Usi) => usi::read,
            Layout::Text(format @ (Format::Tsv | Format::Psv | Format::Hcpe)) => {
                let kind = RecordErrorKind::NoGames(*format);
                return Err(RecordError::new(&self.file, self.line, kind));
            }
        };
        read(&text).map_err(error)
    }

    /// How many bytes the text has.
    pub fn len(&self) -> usize {
        self.value.bytes.len()
    }

    /// Is there no text at all?
    pub fn is_empty(&self) -> bool {
        self.value.bytes.is_empty()
    }
}

/// The texts of the games of one file.
pub struct RawGames<R> {
    file: Arc<str>,
    reader: R,
    format: Format,
    columns: Option<Arc<Columns>>,
    /// How many lines have been read.
    line: usize,
    finished: bool,
}

impl<R: BufRead> RawGames<R> {
    /// The games that a reader holds in a format; `file` is its name in errors.
    pub fn new(file: &str, format: Format, reader: R) -> Self {
        Self { file: file.into(), reader, format, columns: None, line: 0, finished: false }
    }

    /// Reads what is left, for whoever listens to the reader.
    pub(crate) fn drain(mut self) -> Result<(), RecordError> {
        match std::io::copy(&mut self.reader, &mut std::io::sink()) {
            Ok(_) => Ok(()),
            Err(wrong) => Err(self.error(self.line + 1, wrong.into())),
        }
    }

    fn error(&mut self, line: usize, kind: RecordErrorKind) -> RecordError {
        // Whatever goes wrong while cutting leaves no place to go on from.
        self.finished = true;
        RecordError::new(&self.file, line, kind)
    }

    fn raw(&self, line: usize, bytes: Vec<u8>, layout: Layout) -> RawGame {
        Located { file: self.file.clone(), line, value: RawText { bytes, layout } }
    }

    /// Appends the next line with its end to `bytes`; false at the end of the file.
    fn append_line(&mut self, bytes: &mut Vec<u8>) -> Result<bool, RecordError> {
        let room = (MAX_GAME_BYTES + 1).saturating_sub(bytes.len());
        let mut limited = std::io::Read::take(&mut self.reader, room as u64);
        match limited.read_until(b'\n', bytes) {
            Err(wrong) => Err(self.error(self.line + 1, wrong.into())),
            Ok(0) if room > 0 => Ok(false),
            Ok(_) if bytes.len() > MAX_GAME_BYTES => {
                Err(self.error(self.line + 1, RecordErrorKind::TooLong))
            }
            Ok(_) => {
                self.line += 1;
                Ok(true)
            }
        }
    }

    /// A file of one game.
    fn next_whole(&mut self) -> Result<Option<RawGame>, RecordError> {
        self.finished = true;
        let mut bytes = Vec::new();
        let mut limited = std::io::Read::take(&mut self.reader, MAX_GAME_BYTES as u64 + 1);
        match std::io::Read::read_to_end(&mut limited, &mut bytes) {
            Err(wrong) => Err(self.error(1, wrong.into())),
            Ok(_) if bytes.len() > MAX_GAME_BYTES => Err(self.error(1, RecordErrorKind::TooLong)),
            Ok(_) => Ok(Some(self.raw(1, bytes, Layout::Text(self.format)))),
        }
    }

    /// One of the games between separator lines.
    fn next_separated(&mut self) -> Result<Option<RawGame>, RecordError> {
        let mut bytes = Vec::new();
        let mut first_line = self.line + 1;
        loop {
            let line_start = bytes.len();
            let more = self.append_line(&mut bytes)?;
            let line = &bytes[line_start..];
            let separates = std::str::from_utf8(line).is_ok_and(csa::is_separator);
            if more && !separates {
                continue;
            }
            bytes.truncate(line_start);
            if !bytes.trim_ascii().is_empty() {
                return Ok(Some(self.raw(first_line, bytes, Layout::Text(self.format))));
            }
            if !more {
                return Ok(None);
            }
            bytes.clear();
            first_line = self.line + 1;
        }
    }

    /// One of the games of a file with a game a line; empty lines and `#` lines are none.
    fn next_line(&mut self) -> Result<Option<RawGame>, RecordError> {
        let mut bytes = Vec::new();
        while self.append_line(&mut bytes)? {
            if self.line == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
                bytes.drain(..3);
            }
            while bytes.last().is_some_and(|&byte| matches!(byte, b'\n' | b'\r')) {
                bytes.pop();
            }
            if bytes.starts_with(b"#") {
                if let Some(columns) = encoding::decode(&bytes).ok().and_then(|l| Columns::read(&l))
                {
                    self.columns = Some(Arc::new(columns));
                }
            } else if !bytes.trim_ascii().is_empty() {
                let layout = match (self.format, &self.columns) {
                    (Format::Tsv, Some(columns)) => Layout::Row(columns.clone()),
                    (Format::Tsv, None) => {
                        return Err(self.error(self.line, RecordErrorKind::NoColumns));
                    }
                    (format, _) => Layout::Text(format),
                };
                return Ok(Some(self.raw(self.line, bytes, layout)));
            }
            bytes.clear();
        }
        Ok(None)
    }
}

impl<R: BufRead> Iterator for RawGames<R> {
    type Item = Result<RawGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let next = match self.format {
            Format::Kif | Format::Ki2 | Format::Jkf => self.next_whole(),
            Format::Csa => self.next_separated(),
            Format::Usi | Format::Tsv => self.next_line(),
            Format::Psv | Format::Hcpe => {
                let format = self.format;
                Err(self.error(1, RecordErrorKind::NoGames(format)))
            }
        };
        next.transpose()
    }
}

/// The games of one file after the other, each read and replayed. A bad game is an error and the
/// next one follows.
pub struct Games {
    inputs: std::vec::IntoIter<Input>,
    format: Option<Format>,
    current: Option<RawGames<OpenInput>>,
}

impl Games {
    /// The games of these inputs; `format` is for all of them, found out for each if `None`.
    pub fn new(inputs: Vec<Input>, format: Option<Format>) -> Self {
        Self { inputs: inputs.into_iter(), format, current: None }
    }

    /// The texts of the games, for whoever reads them in parallel.
    pub fn raw(mut self) -> impl Iterator<Item = Result<RawGame, RecordError>> {
        std::iter::from_fn(move || self.next_raw())
    }

    fn next_raw(&mut self) -> Option<Result<RawGame, RecordError>> {
        loop {
            if let Some(raw) = self.current.as_mut().and_then(Iterator::next) {
                return Some(raw);
            }
            match self.inputs.next()?.open_games(self.format) {
                Ok(games) => self.current = Some(games),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Iterator for Games {
    type Item = Result<Located<GameRecord>, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let raw = match self.next_raw()? {
            Ok(raw) => raw,
            Err(error) => return Some(Err(error)),
        };
        let read = raw.read();
        Some(read.map(|value| Located { file: raw.file, line: raw.line, value }))
    }
}

#[cfg(test)]
mod tests;
