//! The journal: one JSON value a line, only ever added to.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::RunError;
use crate::atomic;

/// The open journal of a run.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    torn_bytes: u64,
    tail: Mutex<Tail>,
}

/// Where the next line goes.
#[derive(Debug)]
struct Tail {
    file: File,
    /// The length of the lines that are safely there.
    length: u64,
}

impl Journal {
    /// Opens or starts a journal, and cuts off a last line that was not finished.
    pub(super) fn open(path: &Path) -> Result<Self, RunError> {
        let is_new = !path.exists();
        let open = || -> io::Result<(File, u64, u64)> {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)?;
            let length = file.metadata()?.len();
            let whole = whole_lines(&mut file, length)?;
            if whole < length {
                file.set_len(whole)?;
            }
            if whole < length || is_new {
                file.sync_all()?;
                atomic::sync_folder(atomic::folder_of(path))?;
            }
            Ok((file, whole, length - whole))
        };
        let (file, length, torn_bytes) = open().map_err(RunError::io(path))?;
        Ok(Self { path: path.to_owned(), torn_bytes, tail: Mutex::new(Tail { file, length }) })
    }

    pub(super) const fn torn_bytes(&self) -> u64 {
        self.torn_bytes
    }

    pub(super) fn append(&self, entries: &[impl Serialize]) -> Result<(), RunError> {
        let mut lines = Vec::new();
        for entry in entries {
            // Compact JSON has no line break inside, so a line is an entry.
            serde_json::to_writer(&mut lines, entry)
                .map_err(|error| RunError::content(&self.path, None, error))?;
            lines.push(b'\n');
        }
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.append(&lines).map_err(RunError::io(&self.path))
    }

    pub(super) fn entries<T>(&self) -> Result<Entries<T>, RunError> {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let file = File::open(&self.path).map_err(RunError::io(&self.path))?;
        let lines = BufReader::new(file.take(tail.length));
        Ok(Entries { path: self.path.clone(), lines, number: 0, entry: PhantomData })
    }
}

impl Tail {
    /// Writes at the end of what is safely there, so that an attempt that failed, for example on a
    /// full disk, leaves nothing in the middle.
    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.length))?;
        let written = self.file.write_all(lines).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // The error that counts is the first one. What could not be cut is overwritten by the
            // next line or cut on the next opening.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += lines.len() as u64;
        Ok(())
    }
}

/// How many bytes at the start are whole lines: the last one ends with a line break and is JSON.
/// A line that is not was never reported as written, since each is on the disk before the next.
fn whole_lines(file: &mut File, length: u64) -> io::Result<u64> {
    let end = last_break(file, length)?;
    if end == 0 {
        return Ok(0);
    }
    let start = last_break(file, end - 1)?;
    file.seek(SeekFrom::Start(start))?;
    let mut line = Vec::new();
    file.take(end - start).read_to_end(&mut line)?;
    let whole = serde_json::from_slice::<IgnoredAny>(&line).is_ok();
    Ok(if whole { end } else { start })
}

/// The place after the last line break before `end`; 0 if there is none.
fn last_break(file: &mut File, end: u64) -> io::Result<u64> {
    const BLOCK: u64 = 1 << 16;
    let mut end = end;
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(start))?;
        let mut block = Vec::new();
        file.take(end - start).read_to_end(&mut block)?;
        if let Some(i) = block.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + i as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// The entries of a journal, one after the other. An entry of another form than expected is an
/// error that names its line.
pub struct Entries<T> {
    path: PathBuf,
    lines: BufReader<io::Take<File>>,
    number: usize,
    entry: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Iterator for Entries<T> {
    type Item = Result<T, RunError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = Vec::new();
        match self.lines.read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) => {
                self.number += 1;
                let parsed = serde_json::from_slice(&line);
                Some(parsed.map_err(|e| RunError::content(&self.path, Some(self.number), e)))
            }
            Err(error) => Some(Err(RunError::io(&self.path)(error))),
        }
    }
}
