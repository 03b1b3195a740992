//! What a collection holds and where it came from, as JSON beside it.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Split;

/// What the name of a manifest adds to the name of its collection.
pub const MANIFEST_SUFFIX: &str = ".manifest.json";

/// The manifest of a collection.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// `tesuji-collection`.
    pub format: String,
    /// The version of the manifest and of the files, [`Manifest::VERSION`].
    pub version: u32,
    /// The program and its version.
    pub program: String,
    /// The command that made the collection, word for word.
    pub command: Vec<String>,
    /// Were games that came up before left out?
    pub dedup: bool,
    /// How the games were divided, if they were.
    pub split: Option<ManifestSplit>,
    /// How many games were kept.
    pub games: u64,
    /// How many moves they have.
    pub moves: u64,
    /// How many games had come up before.
    pub duplicates: u64,
    /// How many games could not be read.
    pub rejected: u64,
    /// How many files could not be read, or not to their end.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unreadable: u64,
    /// The files that were read, in order.
    pub inputs: Vec<FileSummary>,
    /// The files that were written.
    pub outputs: Vec<FileSummary>,
}

/// How a collection was divided.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ManifestSplit {
    /// The share of the first part.
    pub train: f64,
    /// The seed.
    pub seed: u64,
}

impl From<Split> for ManifestSplit {
    fn from(split: Split) -> Self {
        Self { train: split.train_share, seed: split.seed }
    }
}

/// A file, what is in it, and its hash.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileSummary {
    /// The path as it was given.
    pub path: String,
    /// SHA-256 of the bytes, in hexadecimal digits.
    pub sha256: String,
    /// How many bytes.
    pub bytes: u64,
    /// How many games, bad ones and duplicates included.
    pub games: u64,
    /// How many moves the readable games have.
    pub moves: u64,
    /// Why the file could not be read, or not to its end. The hash is of what was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Serde hands over a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Manifest {
    /// What `format` says.
    pub const FORMAT: &str = "tesuji-collection";

    /// The version of the format.
    pub const VERSION: u32 = 1;

    /// Where the manifest of a collection is.
    pub fn path_for(collection: &Path) -> PathBuf {
        let mut path = collection.as_os_str().to_owned();
        path.push(MANIFEST_SUFFIX);
        path.into()
    }

    /// The manifest as indented JSON with a final newline.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest has only text keys");
        text.push('\n');
        text
    }
}

/// A running hash and count of bytes.
#[derive(Clone, Default)]
pub(super) struct Meter {
    sha256: Sha256,
    pub(super) bytes: u64,
}

impl Meter {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.sha256.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    pub(super) fn summary(&self, path: String, games: u64, moves: u64) -> FileSummary {
        let digest = self.sha256.clone().finalize();
        let sha256 = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        FileSummary { path, sha256, bytes: self.bytes, games, moves, error: None }
    }
}

/// A meter that can be read while a reader that nobody can reach any more feeds it.
#[derive(Clone, Default)]
pub(super) struct SharedMeter(Arc<Mutex<Meter>>);

impl SharedMeter {
    /// A reader that meters what it reads.
    pub(super) fn tap<R: Read + Send + 'static>(&self, inner: R) -> Box<dyn Read + Send> {
        Box::new(Metered { inner, meter: self.clone() })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Meter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Metered<R> {
    inner: R,
    meter: SharedMeter,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.meter.lock().add(&buffer[..count]);
        Ok(count)
    }
}
