//! What the packed formats of training positions, [`crate::psv`] and [`crate::hcpe`], share: a
//! position in 256 bits, and files of records that all have the same size.

mod bits;
#[cfg(test)]
pub(crate) mod fixtures;
mod position;
mod stream;

pub(crate) use position::{Alphabet, Codec, PACKED_SIZE};
pub use stream::{PackedReader, PackedWriter};
use tesuji_shogi::{Move, Position};

use crate::ParseErrorKind;

/// Checks the move of a record: 0 is no move, anything else must be a legal one.
pub(crate) fn checked_move(
    raw: u16,
    parsed: Option<Move>,
    position: &Position,
    ply: u16,
) -> Result<Option<Move>, ParseErrorKind> {
    if raw == 0 {
        return Ok(None);
    }
    let ply = usize::from(ply);
    match parsed {
        None => Err(ParseErrorKind::BadMove { ply, text: format!("{raw:#06x}") }),
        Some(mv) if !position.is_legal(mv) => {
            Err(ParseErrorKind::IllegalMove { ply, text: mv.to_string() })
        }
        legal => Ok(legal),
    }
}
