//! Files that are there whole or not at all.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirEntry, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tempfile::{TempDir, TempPath};

use crate::compression::FileWriter;

/// A file under a temporary name in the folder of its target, which takes the target's place only
/// when it is complete and on the disk. Dropped before that it vanishes; a process that is killed
/// leaves a hidden file that ends in `.partial`, and the target as it was. The next one that writes
/// the same target clears it away. What is written to a name that ends in `.zst` is compressed.
pub struct AtomicFile {
    place: Place,
    target: PathBuf,
}

enum Place {
    /// The path deletes the file when it is dropped.
    Temporary(FileWriter, TempPath),
    /// The target is a device or a pipe, which nothing should replace.
    Direct(FileWriter),
}

impl AtomicFile {
    /// Starts to write a file. Its folder must exist.
    pub fn create(path: &Path) -> io::Result<Self> {
        // A symbolic link stays, what it points to is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        let place = match fs::metadata(&target) {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
            }
            Ok(found) if !found.is_file() => Place::Direct(FileWriter::new(
                OpenOptions::new().write(true).open(&target)?,
                &target,
            )?),
            _ => {
                let make = |builder: &tempfile::Builder<'_, '_>, folder: &Path| {
                    builder.tempfile_in(folder)
                };
                let (file, path) = temporary_name(&target, 0o666, make)?.into_parts();
                hold(&file);
                Place::Temporary(FileWriter::new(file, &target)?, path)
            }
        };
        Ok(Self { place, target })
    }

    /// Puts the finished file in its place.
    pub fn commit(self) -> io::Result<()> {
        self.finish()?.commit()
    }

    /// Writes everything to the disk. What can fail has then been done, the change of name aside:
    /// several files are finished first and then committed together.
    pub fn finish(self) -> io::Result<FinishedFile> {
        match self.place {
            Place::Direct(writer) => {
                writer.into_file()?;
                Ok(FinishedFile(None))
            }
            Place::Temporary(writer, path) => {
                let file = writer.into_file()?;
                file.sync_all()?;
                Ok(FinishedFile(Some((path, self.target))))
            }
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Temporary(writer, _) => writer.write(bytes),
            Place::Direct(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            Place::Temporary(writer, _) => writer.flush(),
            Place::Direct(writer) => writer.flush(),
        }
    }
}

/// A file that is complete but has not taken its place yet.
#[must_use = "without a commit the file vanishes"]
pub struct FinishedFile(Option<(TempPath, PathBuf)>);

impl FinishedFile {
    /// Puts the file in its place.
    pub fn commit(self) -> io::Result<()> {
        let Some((path, target)) = self.0 else { return Ok(()) };
        path.persist(&target).map_err(|failed| failed.error)?;
        sync_folder(folder_of(&target))
    }
}

/// A folder of files that appears with all of them at once, where nothing or an empty folder was.
pub struct AtomicFolder {
    temporary: TempDir,
    target: PathBuf,
    /// The folder, held so that nobody takes it for a leftover.
    _held: Option<File>,
}

impl AtomicFolder {
    /// Starts a folder. The folder that it is in must exist.
    pub fn create(path: &Path) -> io::Result<Self> {
        if fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(io::Error::new(
                io::ErrorKind::DirectoryNotEmpty,
                "the folder is not empty",
            ));
        }
        // Components drop the slash at the end, with which the path would have no name.
        let target: PathBuf = path.components().collect();
        let temporary =
            temporary_name(&target, 0o777, |builder, folder| builder.tempdir_in(folder))?;
        let held = File::open(temporary.path()).ok();
        held.iter().for_each(hold);
        Ok(Self { temporary, target, _held: held })
    }

    /// Writes a file into the folder.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create_new(self.temporary.path().join(name))?;
        file.write_all(bytes)
    }

    /// Puts the folder in its place. The files are brought to the disk only now, many at a time:
    /// one by one it takes several times as long on a busy disk.
    pub fn commit(self) -> io::Result<()> {
        sync_files(self.temporary.path())?;
        sync_folder(self.temporary.path())?;
        if self.target.is_dir() {
            fs::remove_dir(&self.target)?;
        }
        fs::rename(self.temporary.path(), &self.target)?;
        // It has another name now, so that there is nothing left to delete.
        let _ = self.temporary.keep();
        sync_folder(folder_of(&self.target))
    }
}

/// Writes a whole file at once.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    file.commit()
}

/// Makes something temporary beside the target, with the rights that anything new has: temporary
/// files are private by default, but these are to stay.
fn temporary_name<T>(
    target: &Path,
    rights: u32,
    make: impl FnOnce(&tempfile::Builder<'_, '_>, &Path) -> io::Result<T>,
) -> io::Result<T> {
    let folder = folder_of(target);
    if !folder.is_dir() {
        let message = format!("there is no folder {}", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    let mut prefix = OsString::from(".");
    prefix.push(target.file_name().ok_or(io::ErrorKind::InvalidInput)?);
    prefix.push(".");
    remove_leftovers(folder, &prefix);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(rights));
    // The error itself would name the temporary file, which says nothing to whoever reads it.
    make(&builder, folder).map_err(|error| error.kind().into())
}

/// What temporary names end in.
const SUFFIX: &str = ".partial";

/// How many random characters are before that.
const RANDOM_CHARACTERS: usize = 6;

/// How long nothing may have changed in a leftover. It covers the moment between making a file and
/// holding it.
const LEFTOVER_AGE: Duration = Duration::from_secs(60);

/// Locks something temporary for as long as it is open, which is at most as long as the process
/// lives. A file system without locks keeps its leftovers.
fn hold(file: &File) {
    let _ = file.try_lock();
}

/// Deletes what killed processes left of the same target: temporary names that nobody holds.
/// What cannot be deleted is no obstacle.
fn remove_leftovers(folder: &Path, prefix: &OsStr) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if is_temporary_name(&entry.file_name(), prefix) && is_abandoned(&entry) {
            let path = entry.path();
            let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
    }
}

fn is_temporary_name(name: &OsStr, prefix: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let random = name
        .strip_prefix(prefix.as_encoded_bytes())
        .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
    random.is_some_and(|random| {
        random.len() == RANDOM_CHARACTERS && random.iter().all(u8::is_ascii_alphanumeric)
    })
}

fn is_abandoned(entry: &DirEntry) -> bool {
    let age = entry
        .metadata()
        .ok()
        .filter(|found| found.is_file() || found.is_dir())
        .and_then(|found| found.modified().ok()?.elapsed().ok());
    age.is_some_and(|age| age >= LEFTOVER_AGE)
        && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
}

/// Brings the files of a folder to the disk, with enough threads that it can take them together.
fn sync_files(folder: &Path) -> io::Result<()> {
    const THREADS: usize = 16;
    let files = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<PathBuf>>>()?;
    // Windows only syncs what it may write to.
    let sync = |path: &PathBuf| OpenOptions::new().write(true).open(path)?.sync_all();
    let share = files.len().div_ceil(THREADS).max(1);
    thread::scope(|scope| {
        let threads: Vec<_> = files
            .chunks(share)
            .map(|files| scope.spawn(move || files.iter().try_for_each(sync)))
            .collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread failed")))
        })
    })
}

/// Is this the name of a file that is not complete?
pub(crate) fn is_unfinished(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with('.') && name.ends_with(SUFFIX)
}

/// Removes what a process that was killed left half written.
pub(crate) fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_unfinished(&entry.file_name()) && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The folder that a path is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Makes a change of names last through a power cut. Only Unix can open a folder for that.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn nothing_is_seen_before_the_commit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.tsv");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        let finished = file.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        finished.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["games.tsv"]);
    }

    #[test]
    fn a_dropped_file_vanishes() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = AtomicFile::create(&folder.path().join("games.tsv")).unwrap();
        file.write_all(b"half").unwrap();
        assert_eq!(names(folder.path()).len(), 1);
        drop(file);
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn a_folder_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let refused = AtomicFile::create(folder.path()).err().unwrap();
        assert_eq!(refused.kind(), io::ErrorKind::IsADirectory);
    }

    #[test]
    fn a_folder_appears_with_all_its_files() {
        let parent = tempfile::tempdir().unwrap();
        let target = parent.path().join("games");
        for dropped in [true, false] {
            let mut folder = AtomicFolder::create(&target.join("")).unwrap();
            folder.write("1.kif", b"one").unwrap();
            folder.write("2.kif", b"two").unwrap();
            assert!(!target.exists());
            if dropped {
                drop(folder);
                assert_eq!(names(parent.path()), [""; 0]);
            } else {
                folder.commit().unwrap();
            }
        }
        assert_eq!(names(parent.path()), ["games"]);
        assert_eq!(fs::read_to_string(target.join("2.kif")).unwrap(), "two");
        let refused = AtomicFolder::create(&target).err().unwrap();
        assert_eq!(refused.kind(), io::ErrorKind::DirectoryNotEmpty);
    }

    /// Leftovers of the same target go, if they are old and nobody writes them.
    #[test]
    fn leftovers_are_cleared_away() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("games.tsv");
        let place = |name: &str| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - 2 * LEFTOVER_AGE).unwrap();
            file
        };
        place(".games.tsv.aB3dE6.partial");
        let kept = [".games.tsv.aB3dE7.partial", ".games.tsv.partial", ".other.tsv.aB3dE6.partial"];
        let held = place(kept[0]);
        held.try_lock().unwrap();
        kept[1..].iter().for_each(|name| drop(place(name)));
        File::create(folder.path().join(".games.tsv.aB3dE8.partial")).unwrap();
        write(&target, b"new").unwrap();
        let mut left = names(folder.path());
        left.sort();
        let fresh = ".games.tsv.aB3dE8.partial";
        assert_eq!(left, [kept[0], fresh, kept[1], kept[2], "games.tsv"]);
    }

    #[test]
    fn errors_name_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let refused = write(&folder.path().join("missing/games.tsv"), b"").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::NotFound);
        assert!(refused.to_string().starts_with("there is no folder"), "{refused}");
        let target = folder.path().join("n".repeat(250));
        let refused = write(&target, b"").unwrap_err();
        assert!(!refused.to_string().contains("partial"), "{refused}");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        write(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_its_target_changes() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
    }
}
