//! What the records of packed formats begin with: 32 bytes of position, two of score, two of move.

use tesuji_shogi::{Move, Outcome, Position};

use super::{Codec, PACKED_SIZE};
use crate::{ParseErrorKind, Sample, WriteError};

/// How many bytes of a record the formats have in common. Numbers have their lowest byte first.
pub(crate) const HEAD_SIZE: usize = PACKED_SIZE + 4;

/// How a packed format writes the head of a record.
pub(crate) struct Packing {
    /// The name of the format in messages.
    pub(crate) name: &'static str,
    /// Positions.
    pub(crate) codec: Codec,
    /// A move in 16 bits; 0 is none.
    pub(crate) move_to_u16: fn(Move) -> u16,
    /// The move with these bits, if they are one.
    pub(crate) move_from_u16: fn(u16) -> Option<Move>,
}

impl Packing {
    /// Writes the head of a record. There must be a score, and both kings on the board.
    pub(crate) fn write_head(&self, sample: &Sample) -> Result<[u8; HEAD_SIZE], WriteError> {
        let score = sample.score.ok_or_else(|| self.unsupported("a position without a score"))?;
        let mut head = [0; HEAD_SIZE];
        head[..32].copy_from_slice(&self.pack(&sample.position)?);
        head[32..34].copy_from_slice(&score.to_le_bytes());
        head[34..].copy_from_slice(&sample.mv.map_or(0, self.move_to_u16).to_le_bytes());
        Ok(head)
    }

    /// Reads the head of a record: all but the result, which stands behind it. The move, if there
    /// is one, is legal.
    pub(crate) fn read_head(
        &self,
        head: &[u8; HEAD_SIZE],
        ply: u16,
    ) -> Result<Sample, ParseErrorKind> {
        let [packed @ .., s0, s1, m0, m1] = head;
        let position = self.codec.unpack(packed, ply)?;
        Ok(Sample {
            position,
            mv: self.read_move(u16::from_le_bytes([*m0, *m1]), &position, ply)?,
            score: Some(i16::from_le_bytes([*s0, *s1])),
            outcome: Outcome::Unknown,
            game: 0,
            ply,
        })
    }

    /// The move of a record: 0 is no move, anything else must be a legal one.
    fn read_move(
        &self,
        raw: u16,
        position: &Position,
        ply: u16,
    ) -> Result<Option<Move>, ParseErrorKind> {
        if raw == 0 {
            return Ok(None);
        }
        let ply = usize::from(ply);
        match (self.move_from_u16)(raw) {
            None => Err(ParseErrorKind::BadMove { ply, text: format!("{raw:#06x}") }),
            Some(mv) if !position.is_legal(mv) => {
                Err(ParseErrorKind::IllegalMove { ply, text: mv.to_string() })
            }
            legal => Ok(legal),
        }
    }

    /// The position alone.
    pub(crate) fn pack(&self, position: &Position) -> Result<[u8; PACKED_SIZE], WriteError> {
        let packed = self.codec.pack(position);
        packed.ok_or_else(|| self.unsupported("a position without both kings"))
    }

    /// The error for what the format cannot hold.
    pub(crate) fn unsupported(&self, what: &str) -> WriteError {
        WriteError::Unsupported { format: self.name, what: what.into() }
    }
}
