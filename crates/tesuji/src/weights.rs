//! Weights on the command line.

use std::fs;

use anyhow::{Context, Result};
use tesuji_eval::Weights;

/// The weights that a command takes if none are named.
pub const DEFAULT: &str = "evolved";

/// Weights by name, or from a file.
pub fn load(name: &str) -> Result<Weights> {
    if let Some(weights) = Weights::named(name) {
        return Ok(weights);
    }
    let known = Weights::NAMES.join(", ");
    let text = fs::read_to_string(name)
        .with_context(|| format!("{name}: neither a file that can be read nor one of {known}"))?;
    Weights::parse(&text).with_context(|| name.to_owned())
}
