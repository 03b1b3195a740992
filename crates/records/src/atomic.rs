//! Files that are there whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

/// A file under a temporary name in the folder of its target, which takes the target's place only
/// when it is complete and on the disk. Dropped before that it vanishes; a process that is killed
/// leaves a hidden file that ends in `.partial`, and the target as it was.
pub struct AtomicFile {
    place: Place,
    target: PathBuf,
}

enum Place {
    Temporary(BufWriter<NamedTempFile>),
    /// The target is a device or a pipe, which nothing should replace.
    Direct(BufWriter<File>),
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
            Ok(found) if !found.is_file() => {
                Place::Direct(BufWriter::new(OpenOptions::new().write(true).open(&target)?))
            }
            _ => {
                let make = |builder: &tempfile::Builder<'_, '_>, folder: &Path| {
                    builder.tempfile_in(folder)
                };
                let file = temporary_name(&target, 0o666, make)?;
                Place::Temporary(BufWriter::with_capacity(1 << 16, file))
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
            Place::Direct(mut writer) => {
                writer.flush()?;
                Ok(FinishedFile(None))
            }
            Place::Temporary(writer) => {
                let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                Ok(FinishedFile(Some((file, self.target))))
            }
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Temporary(writer) => writer.write(bytes),
            Place::Direct(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            Place::Temporary(writer) => writer.flush(),
            Place::Direct(writer) => writer.flush(),
        }
    }
}

/// A file that is complete but has not taken its place yet.
#[must_use = "without a commit the file vanishes"]
pub struct FinishedFile(Option<(NamedTempFile, PathBuf)>);

impl FinishedFile {
    /// Puts the file in its place.
    pub fn commit(self) -> io::Result<()> {
        let Some((file, target)) = self.0 else { return Ok(()) };
        file.persist(&target).map_err(|failed| failed.error)?;
        sync_folder(folder_of(&target))
    }
}

/// A folder of files that appears with all of them at once, where nothing or an empty folder was.
pub struct AtomicFolder {
    temporary: TempDir,
    target: PathBuf,
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
        Ok(Self { temporary, target })
    }

    /// Writes a file into the folder.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create_new(self.temporary.path().join(name))?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    /// Puts the folder in its place.
    pub fn commit(self) -> io::Result<()> {
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
    let mut prefix = OsString::from(".");
    prefix.push(target.file_name().ok_or(io::ErrorKind::InvalidInput)?);
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".partial");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(rights));
    make(&builder, folder_of(target))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Makes a change of names last through a power cut. Only Unix can open a folder for that.
fn sync_folder(folder: &Path) -> io::Result<()> {
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
