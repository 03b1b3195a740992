//! Collections of games: many files in, one clean file out, with a manifest that tells what is in
//! it and where it came from.
//!
//! See `docs/formats/collection.md`.

mod import;
mod key;
mod manifest;

pub use import::{ImportError, ImportEvent, ImportPlan, ImportReport, import};
pub use key::{GameKey, Part, Split};
pub use manifest::{FileSummary, MANIFEST_SUFFIX, Manifest, ManifestSplit};
