//! Evaluations of every kind by name or from a file.

use thiserror::Error;

use crate::{Notes, PhaseTables, PieceTables, TablesError, Weights, WeightsError};

/// An evaluation that was learned.
#[derive(Clone, Debug)]
pub enum Model {
    /// A weighted sum of named features.
    Features(Weights),
    /// King-relative piece tables.
    Tables(PieceTables),
    /// Tables of the opening and of the endgame.
    Phase(PhaseTables),
}

/// A file is not that of an evaluation.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ModelError {
    /// A file of weights with a mistake, or of something else.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// A file of tables with a mistake.
    #[error(transparent)]
    Tables(#[from] TablesError),
}

impl Model {
    /// The names that [`Model::named`] knows: those of weights and of tables.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Weights::NAMES.into_iter().chain(PieceTables::NAMES).chain(PhaseTables::NAMES)
    }

    /// An evaluation that comes with the program.
    pub fn named(name: &str) -> Option<Self> {
        let tables = || PieceTables::named(name).map(Self::Tables);
        let phase = || PhaseTables::named(name).map(Self::Phase);
        Weights::named(name).map(Self::Features).or_else(tables).or_else(phase)
    }

    /// How good it was found to be, as its file notes it.
    pub const fn result(&self) -> &Notes {
        match self {
            Self::Features(weights) => &weights.result,
            Self::Tables(tables) => &tables.result,
            Self::Phase(tables) => &tables.result,
        }
    }

    /// Reads a file of weights or of tables.
    pub fn parse(bytes: &[u8]) -> Result<Self, ModelError> {
        if PieceTables::is_file(bytes) {
            return Ok(Self::Tables(PieceTables::parse(bytes)?));
        }
        if PhaseTables::is_file(bytes) {
            return Ok(Self::Phase(PhaseTables::parse(bytes)?));
        }
        let text = str::from_utf8(bytes).map_err(|_| WeightsError::Text("not text".into()))?;
        Ok(Self::Features(Weights::parse(text)?))
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Features(weights) => weights.to_text().into_bytes(),
            Self::Tables(tables) => tables.to_bytes(),
            Self::Phase(tables) => tables.to_bytes(),
        }
    }

    /// What it is, for people.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Features(_) => "weights of named features",
            Self::Tables(_) => "piece tables",
            Self::Phase(_) => "phase tables",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_every_file_is_known() {
        for name in Model::names() {
            let model = Model::named(name).unwrap();
            let read = Model::parse(&model.to_bytes()).unwrap();
            assert_eq!(read.kind(), model.kind(), "{name}");
        }
        assert!(Model::named("nothing").is_none());
        let error = Model::parse(b"\xff\xfe").unwrap_err().to_string();
        assert!(error.contains("not a weights file"), "{error}");
    }
}
