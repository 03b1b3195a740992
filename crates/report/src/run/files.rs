//! Files of a run that are there whole or not at all.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// The end of the name of a file that is not complete.
const UNFINISHED: &str = ".partial";

/// Writes a file beside its place and then renames it.
pub(super) fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut prefix = OsString::from(".");
    prefix.push(target.file_name().ok_or(io::ErrorKind::InvalidInput)?);
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(UNFINISHED);
    // Temporary files are private by default, but this one is to stay.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder_of(target))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(target).map_err(|failed| failed.error)?;
    sync_folder(folder_of(target))
}

/// Is this the name of a file that is not complete?
pub(super) fn is_unfinished(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with('.') && name.ends_with(UNFINISHED)
}

/// Removes what a process that was killed left half written.
pub(super) fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_unfinished(&entry.file_name()) && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Makes a change of names last through a power cut. Only Unix can open a folder for that.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
