//! Evaluations and predictors as people name them: by the name of one that comes with the program,
//! or by the path of a file.

use std::{fs, io};

use thiserror::Error;

use crate::plausible::Merits;
use crate::{Model, Predictor, PredictorError, Weights};

/// Nothing could be loaded by a name.
#[derive(Debug, Error)]
pub enum LoadError {
    /// There is no such file, and nothing of this name comes with the program.
    #[error("{name}: neither a file that can be read nor one of {known}: {error}")]
    Unknown {
        /// The name or path.
        name: String,
        /// The names that would do.
        known: String,
        /// Why the file cannot be read.
        error: io::Error,
    },
    /// The file is not what it should be.
    #[error("{name}: {error}")]
    Content {
        /// The path.
        name: String,
        /// What is wrong.
        error: PredictorError,
    },
    /// The file holds something that was learned, but something else.
    #[error("{name}: {found}")]
    Kind {
        /// The path.
        name: String,
        /// What it holds.
        found: String,
    },
}

impl LoadError {
    fn kind(name: &str, found: &str) -> Self {
        Self::Kind { name: name.to_owned(), found: found.to_owned() }
    }
}

impl Predictor {
    /// Anything that predicts moves, by name or from a file.
    pub fn load(name: &str) -> Result<Self, LoadError> {
        Self::named(name).map_or_else(|| read(name, Self::names()), Ok)
    }
}

impl Model {
    /// An evaluation by name, or from a file.
    pub fn load(name: &str) -> Result<Self, LoadError> {
        if let Some(model) = Self::named(name) {
            return Ok(model);
        }
        match read(name, Self::names())? {
            Predictor::Evaluation(model) => Ok(model),
            Predictor::Positions(_) => Err(LoadError::kind(
                name,
                "a model that compares the moves of a position, which evaluates none",
            )),
            Predictor::Moves(_) | Predictor::Merits(_) => {
                Err(LoadError::kind(name, "a model of moves, which evaluates no positions"))
            }
        }
    }
}

impl Merits {
    /// The merits of plausible moves by name, `hand` or `fitted`, or from a file.
    pub fn load(name: &str) -> Result<Self, LoadError> {
        if let Some(merits) = Self::named(name) {
            return Ok(merits);
        }
        match read(name, Self::NAMES.into_iter())? {
            Predictor::Merits(merits) => Ok(merits),
            _ => Err(LoadError::kind(name, "no merits of moves")),
        }
    }
}

impl Weights {
    /// The name of the weights that are meant if none are named.
    pub const DEFAULT: &str = "evolved";

    /// Weights of named features by name, or from a file.
    pub fn load(name: &str) -> Result<Self, LoadError> {
        match Model::load(name)? {
            Model::Features(weights) => Ok(weights),
            other => {
                let found = format!("{}, expected weights of named features", other.kind());
                Err(LoadError::kind(name, &found))
            }
        }
    }
}

fn read(name: &str, known: impl Iterator<Item = &'static str>) -> Result<Predictor, LoadError> {
    let bytes = read_regular(name).map_err(|error| LoadError::Unknown {
        name: name.to_owned(),
        known: known.collect::<Vec<_>>().join(", "),
        error,
    })?;
    Predictor::parse(&bytes).map_err(|error| LoadError::Content { name: name.to_owned(), error })
}

/// The bytes of a regular file: a pipe may never end, nor may a device.
fn read_regular(path: &str) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    fs::read(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_read() {
        // A device without an end, where there is one, and a folder everywhere.
        let folder = std::env::temp_dir().display().to_string();
        for name in ["/dev/zero", &folder] {
            if fs::metadata(name).is_ok() {
                let error = Model::load(name).unwrap_err().to_string();
                assert!(error.ends_with(": it is not a regular file"), "{error}");
            }
        }
    }

    #[test]
    fn names_are_known_and_others_are_files() {
        assert!(Predictor::load("move").is_ok() && Model::load("tables").is_ok());
        assert!(Weights::load("evolved").is_ok());
        let error = Weights::load("tables").unwrap_err().to_string();
        assert_eq!(error, "tables: piece tables, expected weights of named features");
        let error = Model::load("nowhere.toml").unwrap_err().to_string();
        assert!(error.starts_with("nowhere.toml: neither a file that can be read nor one of "));
    }
}
