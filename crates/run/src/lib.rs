//! Long work that nothing interrupts: the folder of a run with its journal, files that are there
//! whole or not at all, numbered jobs whose results come in order, and a seam for progress.
//!
//! The crate knows nothing of shogi. Whoever does long work is given a [`Context`] and keeps what it
//! finds in a [`RunFolder`]; a kill at any moment loses at most the step under way.

pub mod atomic;
pub mod compression;
mod folder;
pub mod jobs;
pub mod kept;
pub mod plan;
pub mod progress;

pub use folder::{
    Entries, Follower, Input, Manifest, News, RunError, RunFolder, RunReader, RunTime,
};
pub use plan::Plan;
pub use progress::{Context, Observer, Progress, Silent};
