//! The data beside the repository.

use std::path::PathBuf;

/// The text of a file of the shared data, or `None` with a message where there is none.
pub fn read(name: &str) -> Option<String> {
    let folder = std::env::var_os("TESUJI_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = folder.join(name);
    if !path.exists() {
        eprintln!("SKIPPED: {} is not there; set TESUJI_DATA", path.display());
        return None;
    }
    Some(std::fs::read_to_string(&path).expect("the data file can be read"))
}
