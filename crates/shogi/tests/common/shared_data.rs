//! The data beside the repository, and tests that cannot do without it. Tests of other crates
//! include this file too.

// Each test program uses its own part of this.
#![allow(dead_code)]

use std::io::{self, Write};
use std::path::PathBuf;
use std::{env, fs, thread};

/// A file of the shared data, or `None` where there is none: then the test says that it is skipped.
pub fn path(name: &str) -> Option<PathBuf> {
    let folder = env::var_os("TESUJI_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = folder.join(name);
    if !path.exists() {
        skipped(&format!("{name} is not there; set TESUJI_DATA to the folder that has it"));
        return None;
    }
    Some(path)
}

/// The text of a file of the shared data, in the same way.
pub fn read(name: &str) -> Option<String> {
    path(name).map(|path| fs::read_to_string(path).expect("the data file can be read"))
}

/// Says that the test of this thread is skipped, and why. It is written past the capture of the
/// test harness, which keeps what `println!` and `eprintln!` say of a test that passes to itself.
pub fn skipped(why: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    let _ = writeln!(io::stderr(), "skipped: {test}: {why}");
}
