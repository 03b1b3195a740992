//! The book as a file: the text format `.db` of YaneuraOu, see `docs/formats/book.md`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use tesuji_shogi::{Move, Position};
use thiserror::Error;

use super::{Book, BookMove, Draft, Entry};

/// The first line of a file.
pub const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// The word in place of a move or a reply that nobody knows.
const NOBODY_KNOWS: &str = "none";

/// Faults that are kept of a file; more are counted.
const MOST_FAULTS: usize = 1000;

/// How much of a line a fault quotes.
const MOST_QUOTED: usize = 60;

/// A line that is wrong and was left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there, and what was expected.
    pub problem: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

/// A file that is no book at all.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    Io(PathBuf, io::Error),
    /// A folder, a pipe or a device.
    #[error("{}: not a regular file, expected an opening book", .0.display())]
    NoFile(PathBuf),
    /// Nothing in the file is a position with moves.
    #[error("{path}: no opening book: {why}", path = .0.display(), why = .1)]
    Nothing(PathBuf, String),
}

/// A book that was read, and what was wrong with its file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Loaded {
    /// All that is good.
    pub book: Book,
    /// The first faults, in the order of the lines.
    pub faults: Vec<Fault>,
    /// How many there are in all.
    pub fault_count: usize,
}

impl Loaded {
    /// The faults in a line; `None` if there are none.
    pub fn complaint(&self) -> Option<String> {
        let first = self.faults.first()?;
        Some(match self.fault_count {
            1 => format!("{first}; the rest is used"),
            count => format!("{first}; {count} lines are wrong, the rest is used"),
        })
    }
}

/// Reads a file and tells what is wrong with it, be it everything.
pub fn examine(path: &Path) -> Result<Loaded, BookError> {
    let failed = |error| BookError::Io(path.to_owned(), error);
    // A pipe may never end, nor may a device.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(BookError::NoFile(path.to_owned()));
    }
    Ok(read(&fs::read(path).map_err(failed)?))
}

/// Reads the file of a book. It is an error if not a single position is good.
pub fn load(path: &Path) -> Result<Loaded, BookError> {
    let loaded = examine(path)?;
    if loaded.book.is_empty() {
        let fault = loaded.faults.first().map(ToString::to_string);
        let why = fault.unwrap_or_else(|| "it has no positions".to_owned());
        return Err(BookError::Nothing(path.to_owned(), why));
    }
    Ok(loaded)
}

/// Reads a book. What is wrong is left out and told: a move where it is the move, the position with
/// its moves where it is the position.
pub fn read(bytes: &[u8]) -> Loaded {
    let mut reader = Reader::default();
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        reader.line = number;
        reader.take(&String::from_utf8_lossy(line));
    }
    reader.finish()
}

/// A position whose moves are being read.
struct Open {
    position: Position,
    line: usize,
    /// How many lines of moves there were, good ones or not.
    lines: usize,
    moves: Vec<BookMove>,
}

#[derive(Default)]
struct Reader {
    line: usize,
    draft: Draft,
    open: Option<Open>,
    /// Was there a position at all, be it a wrong one? Moves before that belong to nobody.
    begun: bool,
    faults: Vec<Fault>,
    fault_count: usize,
}

impl Reader {
    fn take(&mut self, line: &str) {
        let line = line.trim_ascii();
        if self.line == 1 && line != HEADER {
            self.fault(1, format!("expected the header {HEADER}, found {}", quoted(line)));
        }
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            return;
        }
        if let Some(sfen) = line.strip_prefix("sfen ") {
            self.close();
            self.begun = true;
            match Position::from_sfen(sfen) {
                Ok(position) => {
                    let (line, moves) = (self.line, Vec::new());
                    self.open = Some(Open { position, line, lines: 0, moves });
                }
                Err(why) => self.fault(self.line, format!("position: {why}")),
            }
        } else if !self.begun {
            // One line tells that this is something else; a thousand would not tell more.
            self.begun = true;
            self.fault(self.line, format!("expected sfen and a position, found {}", quoted(line)));
        } else if let Some(open) = &mut self.open {
            open.lines += 1;
            match read_move(&open.position, line) {
                Ok((known, reply_fault)) => {
                    open.moves.push(known);
                    if let Some(problem) = reply_fault {
                        self.fault(self.line, problem);
                    }
                }
                Err(problem) => self.fault(self.line, problem),
            }
        }
    }

    /// The position that was being read is complete.
    fn close(&mut self) {
        let Some(Open { position, line, lines, moves }) = self.open.take() else { return };
        if lines == 0 {
            self.fault(line, "a position without moves".to_owned());
        }
        let mut placement = String::with_capacity(100);
        position.write_placement(&mut placement);
        self.draft.add(&placement, position.ply(), moves);
    }

    fn fault(&mut self, line: usize, problem: String) {
        self.fault_count += 1;
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(Fault { line, problem });
        }
    }

    fn finish(mut self) -> Loaded {
        self.close();
        self.faults.sort_by_key(|fault| fault.line);
        let Self { draft, faults, fault_count, .. } = self;
        Loaded { book: draft.finish(), faults, fault_count }
    }
}

/// Reads a line of a move; a reply that is none is left out and told.
fn read_move(position: &Position, line: &str) -> Result<(BookMove, Option<String>), String> {
    let mut fields = line.split_ascii_whitespace();
    let mut next = || fields.next();
    let (Some(mv), Some(reply), Some(score), Some(depth), Some(count), None) =
        (next(), next(), next(), next(), next(), next())
    else {
        let found = quoted(line);
        return Err(format!("expected a move, its reply, score, depth and count, found {found}"));
    };
    let mv = match mv {
        NOBODY_KNOWS => None,
        mv => {
            let wrong = || format!("expected a legal move, found {}", quoted(mv));
            Some(legal(position, mv).ok_or_else(wrong)?)
        }
    };
    let known = BookMove {
        mv,
        reply: None,
        score: number(score, "score")?,
        depth: number(depth, "depth")?,
        count: number(count, "count")?,
    };
    if reply == NOBODY_KNOWS {
        return Ok((known, None));
    }
    let found = mv.and_then(|mv| legal(&position.after_unchecked(mv), reply));
    let fault = found.is_none().then(|| {
        let mv = line.split_ascii_whitespace().next().unwrap_or_default();
        format!("expected a legal reply to {mv}, or {NOBODY_KNOWS}, found {}", quoted(reply))
    });
    Ok((BookMove { reply: found, ..known }, fault))
}

/// Reads a move that is legal.
fn legal(position: &Position, text: &str) -> Option<Move> {
    text.parse().ok().filter(|&mv| position.is_legal(mv))
}

fn number<T: std::str::FromStr>(text: &str, what: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{what}: expected a whole number, found {}", quoted(text)))
}

fn quoted(text: &str) -> String {
    let mut short: String = text.chars().filter(|c| !c.is_control()).take(MOST_QUOTED).collect();
    if text.chars().nth(MOST_QUOTED).is_some() {
        short.push('…');
    }
    format!("{short:?}")
}

/// Writes a book. Positions are in the order of their bytes, in which programs look for them without
/// reading the whole file.
pub fn write(book: &Book, out: &mut impl Write) -> io::Result<()> {
    let mut text = format!("{HEADER}\n");
    for entry in book.entries() {
        if text.len() >= BLOCK {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
        write_entry(entry, &mut text);
    }
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Text that is put together before it is written: a book has a million short pieces.
const BLOCK: usize = 1 << 16;

fn write_entry(entry: Entry<'_>, out: &mut String) {
    out.push_str("sfen ");
    out.push_str(entry.placement);
    write_number(entry.ply.into(), out);
    out.push('\n');
    for known in entry.moves {
        write_move(known.mv, out);
        out.push(' ');
        write_move(known.reply, out);
        write_number(known.score.into(), out);
        write_number(known.depth.into(), out);
        write_number(known.count.into(), out);
        out.push('\n');
    }
}

fn write_move(mv: Option<Move>, out: &mut String) {
    match mv {
        Some(mv) => mv.write_to(out),
        None => out.push_str(NOBODY_KNOWS),
    }
}

/// A number with a space before it.
fn write_number(number: i64, out: &mut String) {
    match u8::try_from(number) {
        // Most numbers of a book have one digit.
        Ok(digit @ 0..=9) => out.extend([' ', (b'0' + digit) as char]),
        _ => out.push_str(&format!(" {number}")),
    }
}
