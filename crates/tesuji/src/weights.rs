//! Evaluations on the command line: by name, or from a file.

use std::fs;

use anyhow::{Context, Result, bail};
use tesuji_eval::{Model, Weights};

/// The weights that a command takes if none are named.
pub const DEFAULT: &str = "evolved";

/// An evaluation by name, or from a file.
pub fn load_model(name: &str) -> Result<Model> {
    if let Some(model) = Model::named(name) {
        return Ok(model);
    }
    let known = Model::names().collect::<Vec<_>>().join(", ");
    let bytes = fs::read(name)
        .with_context(|| format!("{name}: neither a file that can be read nor one of {known}"))?;
    Model::parse(&bytes).with_context(|| name.to_owned())
}

/// Weights of named features by name, or from a file.
pub fn load(name: &str) -> Result<Weights> {
    match load_model(name)? {
        Model::Features(weights) => Ok(weights),
        Model::Tables(_) => bail!("{name}: piece tables, expected weights of named features"),
    }
}
