//! The file of piece tables.

use thiserror::Error;

use super::{PieceTables, PieceValues, UNITS, parts};
use crate::numbers::{Kind, NumberFile, NumbersError, Values};

/// Piece tables cannot be read or made.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TablesError {
    /// The file has a mistake.
    #[error(transparent)]
    File(#[from] NumbersError),
    /// A sum of parameters that scores cannot be made of.
    #[error("a cell of the tables is too large")]
    Range,
}

impl From<Values> for PieceValues {
    fn from(Values { board, hand }: Values) -> Self {
        Self { board, hand }
    }
}

impl From<PieceValues> for Values {
    fn from(PieceValues { board, hand }: PieceValues) -> Self {
        Self { board, hand }
    }
}

fn kind() -> Kind {
    Kind {
        format: "tesuji-tables",
        name: "piece tables",
        feature_set: parts::FEATURE_SET,
        feature_set_id: parts::feature_set_id(),
        units: UNITS,
        count: parts::parameter_count(),
    }
}

impl PieceTables {
    /// Is this the beginning of a file of piece tables?
    pub fn is_file(bytes: &[u8]) -> bool {
        kind().begins(bytes)
    }

    /// Tables that come with the program.
    pub fn named(name: &str) -> Option<Self> {
        let bytes: &[u8] = match name {
            "tables" => include_bytes!("../../data/weights/tables.bin"),
            _ => return None,
        };
        Some(Self::parse(bytes).expect("tables that come with the program are for its parts"))
    }

    /// Reads a file of piece tables.
    pub fn parse(bytes: &[u8]) -> Result<Self, TablesError> {
        let kind = kind();
        let file = kind.read(bytes)?;
        let values = kind.values(&file)?.into();
        let NumberFile { numbers, run, result, .. } = file;
        Ok(Self { run, result, ..Self::new(numbers, values)? })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        kind().write(&NumberFile {
            numbers: self.parameters.clone(),
            run: self.run.clone(),
            result: self.result.clone(),
            values: Some(self.values.into()),
        })
    }
}
