//! The folder of a run: what was asked, what happened step by step, what came out.

mod journal;
mod manifest;
mod reader;
#[cfg(test)]
mod tests;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::atomic;
use journal::Journal;

pub use journal::Entries;
pub use manifest::{Input, Manifest, RunTime};
pub use reader::{Follower, News, RunReader};

pub(crate) const MANIFEST: &str = "manifest.json";
const JOURNAL: &str = "journal.jsonl";
const LOCK: &str = "run.lock";
const REPORT: &str = "report.html";

/// Why a run folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The machine refused to read or write.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the machine said.
        error: io::Error,
    },
    /// A new run would go where something is already.
    #[error("{}: exists already", .0.display())]
    Exists(PathBuf),
    /// Another process works in the folder.
    #[error("{}: another process is working in this run folder", .0.display())]
    Locked(PathBuf),
    /// There is no manifest.
    #[error("{}: not a run folder, it has no {MANIFEST}", .0.display())]
    NotARun(PathBuf),
    /// A file is not what it should be.
    #[error("{}{}: {problem}", path.display(), line.map(|n| format!(", line {n}")).unwrap_or_default())]
    Content {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1, where there is one.
        line: Option<usize>,
        /// What was found and what was expected.
        problem: String,
    },
    /// A name that cannot be the name of a run or of a file in it.
    #[error("{name:?}: {expected}")]
    Name {
        /// The name.
        name: String,
        /// What was expected.
        expected: &'static str,
    },
}

impl RunError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::Io { path: path.to_owned(), error }
    }

    pub(crate) fn content(path: &Path, line: Option<usize>, problem: impl ToString) -> Self {
        Self::Content { path: path.to_owned(), line, problem: problem.to_string() }
    }
}

/// The folder of one run, held by this process alone until it is dropped or the process ends.
///
/// ```no_run
/// use tesuji_run::{Manifest, RunFolder, RunTime};
/// # fn main() -> Result<(), tesuji_run::RunError> {
/// let manifest = Manifest::new("evolve", "3f9a2c", RunTime::from_unix(1_770_000_000));
/// let run = RunFolder::create("runs".as_ref(), manifest)?;
/// run.append(&("generation", 1, 412))?;
/// run.write_json("result.json", &412)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    manifest: Manifest,
    journal: Journal,
    /// Held locked; the system lets go of it when the process ends, however it ends.
    _lock: File,
}

impl RunFolder {
    /// Makes `<base>/<time>-<command>-<short id>/`, and `base` where it is missing.
    pub fn create(base: &Path, manifest: Manifest) -> Result<Self, RunError> {
        let path = base.join(manifest.folder_name()?);
        Self::create_at(&path, manifest)
    }

    /// Makes a run folder with this very path, which must not exist yet, unless as one that was killed
    /// while it was made has left it.
    pub fn create_at(path: &Path, manifest: Manifest) -> Result<Self, RunError> {
        manifest.folder_name()?;
        let parent = atomic::folder_of(path);
        fs::create_dir_all(parent).map_err(RunError::io(parent))?;
        match fs::create_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if !is_begun(path) {
                    return Err(RunError::Exists(path.to_owned()));
                }
            }
            made => made.map_err(RunError::io(path))?,
        }
        let lock = lock(path)?;
        atomic::remove_unfinished(path).map_err(RunError::io(path))?;
        let journal = Journal::open(&path.join(JOURNAL))?;
        // The manifest comes last: a folder that has one has everything.
        manifest.write(path)?;
        atomic::sync_folder(parent).map_err(RunError::io(parent))?;
        Ok(Self { path: path.to_owned(), manifest, journal, _lock: lock })
    }

    /// Is there a run folder with this path?
    pub fn is_at(path: &Path) -> bool {
        path.join(MANIFEST).is_file()
    }

    /// Opens a run to go on with it. A last journal line that was cut short is taken away, and so
    /// are files that were never finished.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        // Looked for first, so that no lock file is left in a folder that is something else.
        Manifest::read(path)?;
        let lock = lock(path)?;
        let manifest = Manifest::read(path)?;
        atomic::remove_unfinished(path).map_err(RunError::io(path))?;
        let journal = Journal::open(&path.join(JOURNAL))?;
        Ok(Self { path: path.to_owned(), manifest, journal, _lock: lock })
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Where the report is, once it is written.
    pub fn report_path(&self) -> PathBuf {
        self.file(REPORT)
    }

    /// What the run was asked to do.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// How many bytes of an unfinished line [`RunFolder::open`] took away; normally 0.
    pub fn torn_bytes(&self) -> u64 {
        self.journal.torn_bytes()
    }

    /// Adds one line to the journal. When this returns the line is on the disk. Several threads
    /// may do it; lines never mix.
    pub fn append(&self, entry: &impl Serialize) -> Result<(), RunError> {
        self.journal.append(std::slice::from_ref(entry))
    }

    /// Adds several lines with a single wait for the disk.
    pub fn append_all(&self, entries: &[impl Serialize]) -> Result<(), RunError> {
        self.journal.append(entries)
    }

    /// The lines of the journal, from the first.
    pub fn entries<T: DeserializeOwned>(&self) -> Result<Entries<T>, RunError> {
        self.journal.entries()
    }

    /// Writes a file into the folder: whoever reads sees the old one or the whole new one.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.own_file(name)?;
        atomic::write(&path, bytes).map_err(RunError::io(&path))
    }

    /// Writes a value as JSON that people can read.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), RunError> {
        let path = self.own_file(name)?;
        let bytes = manifest::pretty(value).map_err(|e| RunError::content(&path, None, e))?;
        atomic::write(&path, &bytes).map_err(RunError::io(&path))
    }

    /// Reads a file of the folder; `None` if there is no such file.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, RunError> {
        read_file(&self.own_file(name)?)
    }

    /// Reads a value that was written with [`RunFolder::write_json`]; `None` if it was not.
    pub fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, RunError> {
        let Some(bytes) = self.read(name)? else { return Ok(None) };
        let parsed = serde_json::from_slice(&bytes);
        parsed.map(Some).map_err(|e| RunError::content(&self.file(name), None, e))
    }

    /// Writes `report.html` and says where it is.
    pub fn write_report(&self, html: &str) -> Result<PathBuf, RunError> {
        self.write(REPORT, html.as_bytes())?;
        Ok(self.report_path())
    }

    /// The path of a result, which must be in the folder itself and not one of the run's own files.
    fn own_file(&self, name: &str) -> Result<PathBuf, RunError> {
        let plain =
            name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'));
        let expected = if name.is_empty() || name.starts_with('.') || !plain {
            "a file of a run has a name of letters, digits, '.', '-' and '_'"
        } else if [MANIFEST, JOURNAL, LOCK].contains(&name) {
            "a result cannot take the name of a file that the run folder keeps itself"
        } else {
            return Ok(self.file(name));
        };
        Err(RunError::Name { name: name.to_owned(), expected })
    }
}

/// Reads a file; `None` if there is none.
fn read_file(path: &Path) -> Result<Option<Vec<u8>>, RunError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(RunError::io(path)(error)),
    }
}

/// Does a folder hold nothing but what comes before its manifest?
fn is_begun(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.into_iter().all(|entry| {
        let Ok(entry) = entry else { return false };
        let name = entry.file_name();
        let empty = || entry.metadata().is_ok_and(|data| data.is_file() && data.len() == 0);
        atomic::is_unfinished(&name) || ((name == LOCK || name == JOURNAL) && empty())
    })
}

/// Takes the folder for this process.
fn lock(folder: &Path) -> Result<File, RunError> {
    let path = folder.join(LOCK);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(RunError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RunError::Locked(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(RunError::io(&path)(error)),
    }
}
