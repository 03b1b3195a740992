//! Parameter files of models and tables: a header in TOML that people can read, a line `---`, and
//! the numbers.
//!
//! Most numbers are zero or small. They are written as alternating counts of zeros and of other
//! numbers, followed by those numbers, all with seven bits a byte.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tesuji_shogi::PieceKind;
use thiserror::Error;

/// What a file of numbers must be.
pub(crate) struct Kind {
    /// What the file calls itself.
    pub format: &'static str,
    /// What it is for people: `piece tables`.
    pub name: &'static str,
    pub feature_set: &'static str,
    pub feature_set_id: String,
    pub units: i32,
    /// How many numbers there are.
    pub count: usize,
}

/// A file of numbers cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum NumbersError {
    /// The header cannot be read.
    #[error("not a file of {name}: {why}")]
    Header { name: &'static str, why: String },
    /// Another kind of file, or one of a later program.
    #[error("expected format {expected:?} version {VERSION}, found {format:?} version {version}")]
    Format { expected: &'static str, format: String, version: u32 },
    /// Numbers of other features.
    #[error("the {name} are for the feature set {file}, this program has {program}")]
    OtherSet { name: &'static str, file: String, program: String },
    /// Other units than those of this program.
    #[error("the numbers are in units of 1/{found}, expected 1/{expected}")]
    Units { found: i32, expected: i32 },
    /// The bytes after the header are not those that were written.
    #[error("the numbers are damaged: their SHA-256 is not that of the header")]
    Damaged,
    /// The numbers are not in order.
    #[error("the numbers cannot be read")]
    Encoding,
    /// There are too many or too few.
    #[error("{found} numbers, expected {expected}")]
    Count { found: usize, expected: usize },
}

/// Notes in the header: what made the numbers, or how good they were found to be.
pub type Notes = BTreeMap<String, toml::Value>;

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
    run: Notes,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    result: Notes,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<Values>,
}

/// Piece values: what pieces are worth on average.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Values {
    pub board: [i32; PieceKind::COUNT],
    pub hand: [i32; 7],
}

/// What a file of numbers holds.
pub(crate) struct NumberFile {
    pub numbers: Vec<i16>,
    pub run: Notes,
    pub result: Notes,
    pub values: Option<Values>,
}

impl Kind {
    /// Is this the beginning of such a file?
    pub fn begins(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(format!("format = {:?}", self.format).as_bytes())
    }

    /// Reads a file.
    pub fn read(&self, bytes: &[u8]) -> Result<NumberFile, NumbersError> {
        let header_error =
            |why: &str| NumbersError::Header { name: self.name, why: why.to_owned() };
        let end = bytes.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
        let end = end.ok_or_else(|| header_error("no line --- after a header"))?;
        let text =
            str::from_utf8(&bytes[..end]).map_err(|_| header_error("the header is not text"))?;
        let header: Header =
            toml::from_str(text).map_err(|error| header_error(error.message().trim()))?;
        let body = &bytes[end + SEPARATOR.len()..];
        self.check(&header, body)?;
        let Header { run, result, values, .. } = header;
        Ok(NumberFile { numbers: self.decode(body)?, run, result, values })
    }

    /// The piece values of a file that must have them.
    pub fn values(&self, file: &NumberFile) -> Result<Values, NumbersError> {
        let why = || "missing field `values`".to_owned();
        file.values.ok_or_else(|| NumbersError::Header { name: self.name, why: why() })
    }

    /// The bytes of a file.
    pub fn write(&self, file: &NumberFile) -> Vec<u8> {
        let body = encode(&file.numbers);
        let header = Header {
            format: self.format.into(),
            version: VERSION,
            feature_set: self.feature_set.into(),
            feature_set_id: self.feature_set_id.clone(),
            units: self.units,
            sha256: hash(&body),
            run: file.run.clone(),
            result: file.result.clone(),
            values: file.values,
        };
        let text = toml::to_string(&header).expect("names and numbers can be written");
        [text.trim_end().as_bytes(), SEPARATOR, &body].concat()
    }

    fn check(&self, header: &Header, body: &[u8]) -> Result<(), NumbersError> {
        if (&*header.format, header.version) != (self.format, VERSION) {
            let (format, version) = (header.format.clone(), header.version);
            return Err(NumbersError::Format { expected: self.format, format, version });
        }
        if header.feature_set_id != self.feature_set_id {
            return Err(NumbersError::OtherSet {
                name: self.name,
                file: header.feature_set_id.clone(),
                program: self.feature_set_id.clone(),
            });
        }
        if header.units != self.units {
            return Err(NumbersError::Units { found: header.units, expected: self.units });
        }
        if header.sha256 != hash(body) {
            return Err(NumbersError::Damaged);
        }
        Ok(())
    }

    fn decode(&self, mut bytes: &[u8]) -> Result<Vec<i16>, NumbersError> {
        let expected = self.count;
        let mut numbers: Vec<i16> = Vec::with_capacity(expected);
        while !bytes.is_empty() {
            let zeros = read_number(&mut bytes)? as usize;
            let others = read_number(&mut bytes)? as usize;
            let found = numbers.len().saturating_add(zeros).saturating_add(others);
            if found > expected {
                return Err(NumbersError::Count { found, expected });
            }
            numbers.resize(numbers.len() + zeros, 0);
            for _ in 0..others {
                let read = read_number(&mut bytes)?;
                let bits = u16::try_from(read).map_err(|_| NumbersError::Encoding)?;
                numbers.push((bits >> 1) as i16 ^ -((bits & 1) as i16));
            }
        }
        match numbers.len() {
            found if found == expected => Ok(numbers),
            found => Err(NumbersError::Count { found, expected }),
        }
    }
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

fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Result<u32, NumbersError> {
    let mut number = 0;
    for shift in [0, 7, 14, 21] {
        let (&byte, rest) = bytes.split_first().ok_or(NumbersError::Encoding)?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(NumbersError::Encoding)
}
