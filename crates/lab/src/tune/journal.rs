//! What the journal of a run knows: what organisms needed for problems, and games.

use anyhow::Result;
use serde::Deserialize;
use tesuji_run::RunFolder;

use super::solving;
use crate::pairings;

/// A line of the journal.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Solved(solving::Entry),
    Played(pairings::Entry),
}

/// Reads the journal.
pub fn read(folder: &RunFolder) -> Result<(Vec<solving::Entry>, Vec<pairings::Entry>)> {
    let (mut solved, mut played) = (Vec::new(), Vec::new());
    for line in folder.entries()? {
        match line? {
            Line::Solved(entry) => solved.push(entry),
            Line::Played(entry) => played.push(entry),
        }
    }
    Ok((solved, played))
}
