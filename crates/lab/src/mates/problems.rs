//! Problems out of a file.

use std::fs::File;
use std::io::{BufReader, Read, stdin};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};
use tesuji_records::sample::table::{SFEN, Table};
use tesuji_records::usi;
use tesuji_shogi::Position;

/// A position to solve.
#[derive(Debug)]
pub struct Problem {
    /// The position.
    pub position: Position,
    /// Its line in the file.
    pub line: Option<usize>,
}

/// What to solve, and what could not be read.
#[derive(Debug)]
pub struct Problems {
    /// The problems.
    pub list: Vec<Problem>,
    /// The file; `None` for a position on the command line.
    pub file: Option<Arc<str>>,
    /// A complaint for each bad line.
    pub errors: Vec<String>,
}

impl Problems {
    /// A problem on the command line, where the shell may have split it into words.
    pub fn one(words: &[String]) -> Result<Self> {
        let text = words.join(" ");
        let position = parse(&text).map_err(|error| anyhow!("{text:?}: {error}"))?;
        Ok(Self { list: vec![Problem { position, line: None }], file: None, errors: Vec::new() })
    }

    /// Reads a file of problems. Empty lines and comments behind `#` are passed over.
    pub fn read(path: &Path) -> Result<Self> {
        let name: Arc<str> = path.to_string_lossy().into();
        let bytes: Box<dyn Read> = if path == Path::new("-") {
            Box::new(stdin())
        } else {
            ensure!(!path.is_dir(), "{name}: is a folder, give one of its files");
            Box::new(File::open(path).with_context(|| name.to_string())?)
        };
        let mut problems = Self { list: Vec::new(), file: Some(name.clone()), errors: Vec::new() };
        let mut table = Table::new(BufReader::new(bytes), SFEN);
        while let Some(row) = table.next_row() {
            match row {
                Ok(row) => problems.add(row.line, row.field(&[SFEN]).unwrap_or_default()),
                Err(error) => {
                    problems.errors.push(format!("{name}:{}: {}", error.line, error.kind));
                }
            }
        }
        Ok(problems)
    }

    fn add(&mut self, line: usize, text: &str) {
        match parse(text) {
            Ok(position) => self.list.push(Problem { position, line: Some(line) }),
            Err(error) => {
                let name = self.file.as_deref().unwrap_or_default();
                self.errors.push(format!("{name}:{line}: {error}"));
            }
        }
    }
}

/// Reads a position, with or without moves behind it. Composed problems may have two pawns of one
/// player in a file.
fn parse(text: &str) -> Result<Position> {
    if let Ok(problem) = Position::problem_from_sfen(text) {
        return Ok(problem);
    }
    let (start, moves) = usi::parse_game(text)?;
    Ok(moves.into_iter().fold(start, |position, mv| position.after_unchecked(mv)))
}
