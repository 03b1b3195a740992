//! A run folder read without its lock, while somebody else may be working in it.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::{JOURNAL, Manifest, RunError, RunFolder, read_file};

/// A run to look at. It takes no lock and changes nothing, so that it never stands in the way of
/// the process that works in the folder.
#[derive(Clone, PartialEq, Debug)]
pub struct RunReader {
    path: PathBuf,
    manifest: Manifest,
}

impl RunReader {
    /// Looks at the run in this folder.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        Ok(Self { path: path.to_owned(), manifest: Manifest::read(path)? })
    }

    /// The runs in a folder such as `runs/`, the oldest first. What is no run is passed over.
    pub fn all_in(base: &Path) -> Result<Vec<Self>, RunError> {
        let entries = fs::read_dir(base).map_err(RunError::io(base))?;
        let mut paths = Vec::new();
        for entry in entries {
            let path = entry.map_err(RunError::io(base))?.path();
            if RunFolder::is_at(&path) {
                paths.push(path);
            }
        }
        paths.sort();
        Ok(paths.iter().filter_map(|path| Self::open(path).ok()).collect())
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the run was asked to do.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Reads a file of the folder as it is now; `None` if there is none yet.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, RunError> {
        read_file(&self.path.join(name))
    }

    /// Reads a JSON file of the folder as it is now; `None` if there is none yet.
    pub fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, RunError> {
        let Some(bytes) = self.read(name)? else { return Ok(None) };
        let path = self.path.join(name);
        serde_json::from_slice(&bytes).map(Some).map_err(|e| RunError::content(&path, None, e))
    }

    /// Follows the journal from its first line.
    pub fn follow<T: DeserializeOwned>(&self) -> Follower<T> {
        Follower {
            path: self.path.join(JOURNAL),
            offset: 0,
            number: 0,
            last: Vec::new(),
            entry: PhantomData,
        }
    }
}

/// Follows a journal that grows.
#[derive(Debug)]
pub struct Follower<T> {
    path: PathBuf,
    /// The bytes of the lines that were given out.
    offset: u64,
    /// How many lines those were.
    number: usize,
    /// The last of them: if it is not there any more, the journal was cut.
    last: Vec<u8>,
    entry: PhantomData<fn() -> T>,
}

/// What is new in a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct News<T> {
    /// The entries since the last look.
    pub entries: Vec<T>,
    /// Lines that were given out before have been taken back, as happens when a disk was full or
    /// a machine lost its power. The entries are those of the whole journal again.
    pub restarted: bool,
}

impl<T: DeserializeOwned> Follower<T> {
    /// The entries that have come since the last look; a line that is still being written waits for
    /// the next. A journal that is not there yet has none.
    pub fn poll(&mut self) -> Result<News<T>, RunError> {
        let restarted = !self.is_same().map_err(RunError::io(&self.path))?;
        if restarted {
            (self.offset, self.number) = (0, 0);
            self.last.clear();
        }
        let bytes = self.new_bytes().map_err(RunError::io(&self.path))?;
        let mut entries = Vec::new();
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').peekable();
        while let Some(line) = lines.next().filter(|line| line.ends_with(b"\n")) {
            let entry = match serde_json::from_slice(line) {
                Ok(entry) => entry,
                // The last line may be torn, and is then cut off by whoever goes on.
                Err(error)
                    if error.classify() != serde_json::error::Category::Data
                        && lines.peek().is_none() =>
                {
                    break;
                }
                Err(error) => {
                    return Err(RunError::content(&self.path, Some(self.number + 1), error));
                }
            };
            entries.push(entry);
            self.number += 1;
            self.offset += line.len() as u64;
            self.last = line.to_vec();
        }
        Ok(News { entries, restarted })
    }

    /// Is the last line that was given out still where it was?
    fn is_same(&self) -> io::Result<bool> {
        if self.last.is_empty() {
            return Ok(true);
        }
        let start = self.offset - self.last.len() as u64;
        Ok(self.bytes(start, Some(self.last.len() as u64))? == self.last)
    }

    fn new_bytes(&self) -> io::Result<Vec<u8>> {
        self.bytes(self.offset, None)
    }

    /// Bytes of the journal from here on.
    fn bytes(&self, start: u64, length: Option<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        match File::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(bytes),
            file => {
                let mut file = file?;
                file.seek(SeekFrom::Start(start))?;
                file.take(length.unwrap_or(u64::MAX)).read_to_end(&mut bytes)?;
            }
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::RunTime;

    fn folder(base: &Path) -> RunFolder {
        let manifest = Manifest::new("test", "follow", RunTime::from_unix(0));
        RunFolder::create_at(&base.join("run"), manifest).unwrap()
    }

    fn numbers(follower: &mut Follower<u64>) -> Vec<u64> {
        follower.poll().unwrap().entries
    }

    #[test]
    fn a_journal_is_followed_while_it_is_written() {
        let base = tempfile::tempdir().unwrap();
        let run = folder(base.path());
        // The folder is locked by the writer, which is no obstacle.
        let mut follower = RunReader::open(run.path()).unwrap().follow::<u64>();
        let seen = thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0..200 {
                    run.append(&number).unwrap();
                }
            });
            let mut seen = Vec::new();
            while seen.len() < 200 {
                let news = follower.poll().unwrap();
                assert!(!news.restarted);
                seen.extend(news.entries);
                thread::sleep(Duration::from_micros(100));
            }
            seen
        });
        assert!(seen.into_iter().eq(0..200), "every line once, in order");
        assert!(numbers(&mut follower).is_empty());
    }

    #[test]
    fn a_line_that_is_not_finished_waits() {
        let base = tempfile::tempdir().unwrap();
        let run = folder(base.path());
        let mut follower = RunReader::open(run.path()).unwrap().follow::<u64>();
        let mut journal = OpenOptions::new().append(true).open(run.file(JOURNAL)).unwrap();
        journal.write_all(b"1\n23").unwrap();
        assert_eq!(numbers(&mut follower), [1]);
        journal.write_all(b"4\n").unwrap();
        assert_eq!(numbers(&mut follower), [234]);
        journal.write_all(b"\"no number\"\n5\n").unwrap();
        let error = follower.poll().unwrap_err().to_string();
        assert!(error.contains("journal.jsonl, line 3"), "{error}");
    }

    #[test]
    fn lines_that_are_taken_back_are_noticed() {
        let base = tempfile::tempdir().unwrap();
        let run = folder(base.path());
        let mut follower = RunReader::open(run.path()).unwrap().follow::<u64>();
        let path = run.file(JOURNAL);
        fs::write(&path, "1\n2\n3\n").unwrap();
        assert_eq!(numbers(&mut follower), [1, 2, 3]);
        // Cut, and grown again to more than it was.
        fs::write(&path, "1\n2\n4\n5\n").unwrap();
        let news = follower.poll().unwrap();
        assert_eq!((news.entries, news.restarted), (vec![1, 2, 4, 5], true));
        fs::write(&path, "1\n").unwrap();
        assert!(follower.poll().unwrap().restarted);
        assert!(numbers(&mut follower).is_empty());
    }

    #[test]
    fn runs_are_listed_in_their_order() {
        let base = tempfile::tempdir().unwrap();
        for seconds in [50, 7] {
            let manifest = Manifest::new("test", "list", RunTime::from_unix(seconds));
            let run = RunFolder::create(base.path(), manifest).unwrap();
            run.write_json("result.json", &seconds).unwrap();
        }
        fs::create_dir(base.path().join("something")).unwrap();
        let runs = RunReader::all_in(base.path()).unwrap();
        let results: Vec<Option<u64>> =
            runs.iter().map(|run| run.read_json("result.json").unwrap()).collect();
        assert_eq!(results, [Some(7), Some(50)]);
        assert_eq!(runs[0].manifest().command, "test");
        assert_eq!(runs[0].read("nothing").unwrap(), None);
        assert!(matches!(RunReader::open(base.path()), Err(RunError::NotARun(_))));
    }
}
