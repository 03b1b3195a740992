//! Files, folders and standard input.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{RawGames, RecordError, RecordErrorKind};
use tesuji_run::compression;

use crate::Format;

/// How much of a file is looked at to find out its format.
const DETECTION_BYTES: u64 = 4096;

/// Where games come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// Standard input, written `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// An open input.
pub type OpenInput = BufReader<Box<dyn Read + Send>>;

impl Input {
    /// The inputs that paths on the command line mean: `-` is standard input, and a folder stands
    /// for the files in it and its subfolders that have the extension of a format, in the order of
    /// their names.
    pub fn from_paths(paths: &[PathBuf]) -> Result<Vec<Self>, RecordError> {
        let mut inputs = Vec::with_capacity(paths.len());
        for path in paths {
            if path == Path::new("-") {
                inputs.push(Self::Stdin);
            } else {
                add_files(path, &mut inputs).map_err(|error| {
                    RecordError::new(&name_of(path), 0, RecordErrorKind::from(error))
                })?;
            }
        }
        Ok(inputs)
    }

    /// The name in messages.
    pub fn name(&self) -> Arc<str> {
        match self {
            Self::Stdin => "-".into(),
            Self::File(path) => name_of(path),
        }
    }

    /// How many bytes there are to read, if that is known.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::Stdin => None,
            Self::File(path) => {
                fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|m| m.len())
            }
        }
    }

    /// Opens the input, compressed or not. `tap` may wrap the bytes on their way, for example to
    /// count them.
    pub fn open_tapped(
        &self,
        format: Option<Format>,
        tap: impl FnOnce(Box<dyn Read + Send>) -> Box<dyn Read + Send>,
    ) -> Result<(Format, OpenInput), RecordError> {
        let error = |kind| RecordError::new(&self.name(), 0, kind);
        let bytes: Box<dyn Read + Send> = match self {
            Self::Stdin => Box::new(io::stdin()),
            Self::File(path) => Box::new(File::open(path).map_err(|wrong| error(wrong.into()))?),
        };
        let mut bytes = compression::unpacked(tap(bytes)).map_err(|wrong| error(wrong.into()))?;
        let named = match self {
            Self::Stdin => None,
            Self::File(path) => Format::of_path(path),
        };
        if let Some(format) = format.or(named) {
            return Ok((format, BufReader::with_capacity(1 << 16, bytes)));
        }
        let mut start = Vec::new();
        let looked_at = bytes.by_ref().take(DETECTION_BYTES).read_to_end(&mut start);
        looked_at.map_err(|wrong| error(wrong.into()))?;
        let format =
            Format::of_content(&start).ok_or_else(|| error(RecordErrorKind::UnknownFormat))?;
        let bytes: Box<dyn Read + Send> = Box::new(io::Cursor::new(start).chain(bytes));
        Ok((format, BufReader::with_capacity(1 << 16, bytes)))
    }

    /// Opens the input and finds out its format, unless that is given.
    pub fn open(&self, format: Option<Format>) -> Result<(Format, OpenInput), RecordError> {
        self.open_tapped(format, |bytes| bytes)
    }

    /// Opens the input as a file of games.
    pub fn open_games(&self, format: Option<Format>) -> Result<RawGames<OpenInput>, RecordError> {
        let (format, bytes) = self.open(format)?;
        Ok(RawGames::new(&self.name(), format, bytes))
    }
}

fn name_of(path: &Path) -> Arc<str> {
    path.display().to_string().into()
}

/// Manifests lie beside the collections that they describe, and end in `.json` like some games.
fn is_manifest(path: &Path) -> bool {
    path.to_string_lossy().ends_with(crate::collection::MANIFEST_SUFFIX)
}

fn add_files(path: &Path, inputs: &mut Vec<Input>) -> io::Result<()> {
    if !fs::metadata(path)?.is_dir() {
        inputs.push(Input::File(path.into()));
        return Ok(());
    }
    let mut entries = fs::read_dir(path)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<PathBuf>>>()?;
    entries.sort();
    for entry in entries {
        if fs::metadata(&entry)?.is_dir() {
            add_files(&entry, inputs)?;
        } else if Format::of_path(&entry).is_some() && !is_manifest(&entry) {
            inputs.push(Input::File(entry));
        }
    }
    Ok(())
}
