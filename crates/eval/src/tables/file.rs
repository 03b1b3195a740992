//! The file of piece tables: a header in TOML that people can read, a line `---`, and the parameters.
//!
//! Most parameters are zero or small. They are written as alternating counts of zeros and of other
//! numbers, followed by those numbers, all with seven bits a byte.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tesuji_shogi::PieceKind;
use thiserror::Error;

use super::{PieceTables, PieceValues, UNITS, parts};

/// Piece tables cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum TablesError {
    /// The header cannot be read.
    #[error("not a file of piece tables: {0}")]
    Header(String),
    /// Another kind of file, or one of a later program.
    #[error("expected format {FORMAT:?} version {VERSION}, found {format:?} version {version}")]
    Format { format: String, version: u32 },
    /// Tables of other parts.
    #[error("the tables are for the feature set {file}, this program has {program}")]
    OtherSet { file: String, program: String },
    /// Other units than those of this program.
    #[error("the numbers are in {found} units for a hundredth of a pawn, expected {UNITS}")]
    Units { found: i32 },
    /// The bytes after the header are not those that were written.
    #[error("the parameters are damaged: their SHA-256 is not that of the header")]
    Damaged,
    /// The parameters are not in order.
    #[error("the parameters cannot be read")]
    Encoding,
    /// The number of parameters is not that of the parts.
    #[error("{found} parameters, expected {expected}")]
    Count { found: usize, expected: usize },
    /// A sum of parameters that scores cannot be made of.
    #[error("a cell of the tables is too large")]
    Range,
}

const FORMAT: &str = "tesuji-tables";
const VERSION: u32 = 1;
/// What ends the header.
const SEPARATOR: &[u8] = b"\n---\n";

/// The header as TOML has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    feature_set: String,
    feature_set_id: String,
    units: i32,
    sha256: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    run: BTreeMap<String, toml::Value>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    result: BTreeMap<String, toml::Value>,
    values: Values,
}

/// What pieces are worth on the average.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Values {
    board: [i32; PieceKind::COUNT],
    hand: [i32; 7],
}

impl PieceTables {
    /// Is this the beginning of a file of piece tables?
    pub fn is_file(bytes: &[u8]) -> bool {
        bytes.starts_with(format!("format = {FORMAT:?}").as_bytes())
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
        let end = bytes.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
        let end = end.ok_or_else(|| TablesError::Header("no line --- after a header".into()))?;
        let text = str::from_utf8(&bytes[..end])
            .map_err(|_| TablesError::Header("the header is not text".into()))?;
        let header: Header = toml::from_str(text)
            .map_err(|error| TablesError::Header(error.message().trim().to_owned()))?;
        let body = &bytes[end + SEPARATOR.len()..];
        check(&header, body)?;
        let parameters = decode(body)?;
        let values = PieceValues { board: header.values.board, hand: header.values.hand };
        let tables = Self::new(parameters, values)?;
        Ok(Self { run: header.run, result: header.result, ..tables })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = encode(&self.parameters);
        let header = Header {
            format: FORMAT.into(),
            version: VERSION,
            feature_set: parts::FEATURE_SET.into(),
            feature_set_id: parts::feature_set_id(),
            units: UNITS,
            sha256: hash(&body),
            run: self.run.clone(),
            result: self.result.clone(),
            values: Values { board: self.values.board, hand: self.values.hand },
        };
        let text = toml::to_string(&header).expect("names and numbers can be written");
        [text.trim_end().as_bytes(), SEPARATOR, &body].concat()
    }
}

fn check(header: &Header, body: &[u8]) -> Result<(), TablesError> {
    if (&*header.format, header.version) != (FORMAT, VERSION) {
        let (format, version) = (header.format.clone(), header.version);
        return Err(TablesError::Format { format, version });
    }
    let program = parts::feature_set_id();
    if header.feature_set_id != program {
        return Err(TablesError::OtherSet { file: header.feature_set_id.clone(), program });
    }
    if header.units != UNITS {
        return Err(TablesError::Units { found: header.units });
    }
    if header.sha256 != hash(body) {
        return Err(TablesError::Damaged);
    }
    Ok(())
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn encode(numbers: &[i16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = numbers;
    while !rest.is_empty() {
        let zeros = rest.iter().take_while(|&&number| number == 0).count();
        let others = rest[zeros..].iter().take_while(|&&number| number != 0).count();
        write_number(&mut bytes, zeros as u32);
        write_number(&mut bytes, others as u32);
        for &number in &rest[zeros..zeros + others] {
            // The sign in the lowest bit, so that small numbers stay small.
            write_number(&mut bytes, u32::from(((number << 1) ^ (number >> 15)) as u16));
        }
        rest = &rest[zeros + others..];
    }
    bytes
}

fn decode(mut bytes: &[u8]) -> Result<Vec<i16>, TablesError> {
    let expected = parts::parameter_count();
    let mut numbers: Vec<i16> = Vec::with_capacity(expected);
    while !bytes.is_empty() {
        let zeros = read_number(&mut bytes)? as usize;
        let others = read_number(&mut bytes)? as usize;
        let found = numbers.len().saturating_add(zeros).saturating_add(others);
        if found > expected {
            return Err(TablesError::Count { found, expected });
        }
        numbers.resize(numbers.len() + zeros, 0);
        for _ in 0..others {
            let read = read_number(&mut bytes)?;
            let bits = u16::try_from(read).map_err(|_| TablesError::Encoding)?;
            numbers.push((bits >> 1) as i16 ^ -((bits & 1) as i16));
        }
    }
    Ok(numbers)
}

fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Result<u32, TablesError> {
    let mut number = 0;
    for shift in [0, 7, 14, 21] {
        let (&byte, rest) = bytes.split_first().ok_or(TablesError::Encoding)?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(TablesError::Encoding)
}
