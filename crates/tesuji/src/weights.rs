//! Evaluations on the command line: by name, or from a file.

use std::fs;

use anyhow::{Context, Result, bail};
use tesuji_eval::{Model, Predictor, Weights};

/// The weights that a command takes if none are named.
pub const DEFAULT: &str = "evolved";

/// Anything that predicts moves, by name or from a file.
pub fn load_predictor(name: &str) -> Result<Predictor> {
    if let Some(predictor) = Predictor::named(name) {
        return Ok(predictor);
    }
    Predictor::parse(&read(name, Predictor::names())?).with_context(|| name.to_owned())
}

/// An evaluation by name, or from a file.
pub fn load_model(name: &str) -> Result<Model> {
    if let Some(model) = Model::named(name) {
        return Ok(model);
    }
    match Predictor::parse(&read(name, Model::names())?).with_context(|| name.to_owned())? {
        Predictor::Evaluation(model) => Ok(model),
        Predictor::Positions(_) => {
            bail!("{name}: a model that compares the moves of a position, which evaluates none")
        }
        Predictor::Moves(_) => bail!("{name}: a model of moves, which evaluates no positions"),
    }
}

fn read(name: &str, known: impl Iterator<Item = &'static str>) -> Result<Vec<u8>> {
    fs::read(name).with_context(|| {
        let known = known.collect::<Vec<_>>().join(", ");
        format!("{name}: neither a file that can be read nor one of {known}")
    })
}

/// Weights of named features by name, or from a file.
pub fn load(name: &str) -> Result<Weights> {
    match load_model(name)? {
        Model::Features(weights) => Ok(weights),
        Model::Tables(_) => bail!("{name}: piece tables, expected weights of named features"),
    }
}
