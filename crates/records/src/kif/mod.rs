//! KIF: the record format of Kifu for Windows, which nearly every shogi program reads and writes.
//!
//! One line for each move, with the square that the piece came from and the time used. What is
//! kept, what is lost and what was decided is in `docs/formats/kif.md`.
//!
//! ```
//! use tesuji_records::kif;
//!
//! let record = kif::read("手合割：平手\n   1 ７六歩(77)\n   2 投了\nまで1手で先手の勝ち\n").unwrap();
//! assert_eq!(record.main.moves.len(), 1);
//! assert_eq!(kif::read(&kif::write(&record).unwrap()), Ok(record));
//! ```

mod style;
#[cfg(test)]
mod tests;

use crate::{GameRecord, ParseError, WriteError, kakinoki};

/// Reads a record. Bytes are made into text by [`crate::decode`].
pub fn read(text: &str) -> Result<GameRecord, ParseError> {
    kakinoki::read(text, kakinoki::Format::Kif)
}

/// Writes a record. For programs that want Shift_JIS see [`crate::encode_shift_jis`].
pub fn write(record: &GameRecord) -> Result<String, WriteError> {
    kakinoki::write(record, style::Table)
}
