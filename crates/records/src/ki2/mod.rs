//! KI2: the record format that people read, `▲７六歩 △３四歩 ▲同銀右`.
//!
//! A move does not say where the piece came from but which of several pieces it is, in the words
//! of books. What is kept, what is lost and what was decided is in `docs/formats/ki2.md`.
//!
//! ```
//! use tesuji_records::ki2;
//!
//! let record = ki2::read("▲７六歩 △３四歩 ▲２二角成 △同銀\nまで4手で後手の勝ち\n").unwrap();
//! assert_eq!(record.moves().last().unwrap().to_string(), "3a2b");
//! assert_eq!(ki2::read(&ki2::write(&record).unwrap()), Ok(record));
//! ```

mod style;
#[cfg(test)]
mod tests;

use crate::{GameRecord, ParseError, WriteError, kakinoki};

/// Reads a record. Bytes are made into text by [`crate::decode`].
pub fn read(text: &str) -> Result<GameRecord, ParseError> {
    kakinoki::read(text, kakinoki::Format::Ki2)
}

/// Writes a record. Times are left out: the format has no place for them.
pub fn write(record: &GameRecord) -> Result<String, WriteError> {
    kakinoki::write(record, style::Running::default())
}
