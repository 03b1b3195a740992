//! Results of long work that are kept in a file, so that it is done once.

use std::fs;
use std::path::Path;

use crate::atomic;
use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a file holds, or what `make` makes, which the file holds from then on. Its folder is made if it
/// is not there.
pub fn or_made<T: Serialize + DeserializeOwned>(
    path: &Path,
    make: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let name = || path.display().to_string();
    if path.exists() {
        let text = fs::read(path).with_context(name)?;
        return serde_json::from_slice(&text).with_context(name);
    }
    let made = make()?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(name)?;
    }
    atomic::write(path, &serde_json::to_vec_pretty(&made)?).with_context(name)?;
    Ok(made)
}
