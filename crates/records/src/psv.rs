//! YaneuraOu's `PackedSfenValue`: training positions of 40 bytes each.
//!
//! | bytes | content |
//! |---|---|
//! | 0–31 | the position, see below |
//! | 32–33 | score, `i16`, from the view of the side to move |
//! | 34–35 | move, `u16`, see [`move_to_u16`]; 0 is none |
//! | 36–37 | number of the next move, `u16` |
//! | 38 | result, `i8`: 1 the side to move won, −1 it lost, 0 a draw |
//! | 39 | padding, written as 0, not looked at when read |
//!
//! Numbers have their lowest byte first. `docs/formats/psv.md` has the bits of the position. The
//! format knows nothing of games: [`Sample::game`] is 0 in what is read, and not written.

use std::io::{Read, Write};

use tesuji_shogi::{Color, Move, Origin, Outcome, PieceKind, Position, Square};

use crate::packed::{Alphabet, Codec, HEAD_SIZE, PACKED_SIZE, PackedReader, PackedWriter, Packing};
use crate::{ParseErrorKind, Sample, WriteError};

/// How many bytes a record has.
pub const SIZE: usize = 40;

/// Reads a file record by record.
pub type Reader<R> = PackedReader<R, SIZE>;

/// Writes records one behind the other.
pub type Writer<W> = PackedWriter<W, SIZE>;

/// The codes are those of pawn, lance, knight, silver, bishop, rook, gold.
static PACKING: Packing = Packing {
    name: "PSV",
    codec: Codec::new(&Alphabet {
        board: [0b01, 0b0011, 0b1011, 0b0111, 0b01_1111, 0b11_1111, 0b0_1111],
        hand: [0b0, 0b001, 0b101, 0b011, 0b0_1111, 0b1_1111, 0b0111],
        boxed: [0b010, 0b0_1001, 0b0_1101, 0b0_1011, 0b010_1111, 0b011_1111, 0b1_1011],
        owner_last: true,
    }),
    move_to_u16,
    move_from_u16,
};

const DROP: u16 = 1 << 14;
const PROMOTION: u16 = 1 << 15;
const ORIGIN_SHIFT: u32 = 7;

/// Reads the records of a file or any other input.
pub fn reader<R: Read>(input: R) -> Reader<R> {
    PackedReader::new(input, decode)
}

/// Writes records to a file or any other output.
pub const fn writer<W: Write>(output: W) -> Writer<W> {
    PackedWriter::new(output, encode)
}

/// Reads one record. Its move, if it has one, is legal.
pub fn decode(bytes: &[u8; SIZE]) -> Result<Sample, ParseErrorKind> {
    let [head @ .., p0, p1, result, _padding] = bytes;
    let sample = PACKING.read_head(head, u16::from_le_bytes([*p0, *p1]))?;
    let side = sample.position.side_to_move();
    Ok(Sample { outcome: outcome(i8::from_le_bytes([*result]), side)?, ..sample })
}

/// Writes one record. It must have a score and a result, and both kings must be on the board.
pub fn encode(sample: &Sample) -> Result<[u8; SIZE], WriteError> {
    let result = match sample.outcome {
        Outcome::Draw => 0,
        Outcome::Win(winner) if winner == sample.position.side_to_move() => 1,
        Outcome::Win(_) => -1_i8,
        Outcome::Unknown => return Err(PACKING.unsupported("a game without a result")),
    };
    let mut bytes = [0; SIZE];
    bytes[..HEAD_SIZE].copy_from_slice(&PACKING.write_head(sample)?);
    bytes[36..38].copy_from_slice(&sample.ply.to_le_bytes());
    bytes[38..39].copy_from_slice(&result.to_le_bytes());
    Ok(bytes)
}

/// The position alone: YaneuraOu's `PackedSfen`.
pub fn pack(position: &Position) -> Result<[u8; PACKED_SIZE], WriteError> {
    PACKING.pack(position)
}

/// Reads a position alone; `ply` is the number of its next move.
pub fn unpack(bytes: &[u8; PACKED_SIZE], ply: u16) -> Result<Position, ParseErrorKind> {
    PACKING.codec.unpack(bytes, ply)
}

/// A move as YaneuraOu writes it in 16 bits: the target square in bits 0–6, the origin in bits
/// 7–13, bit 14 for a drop, bit 15 for a promotion. The origin of a drop is the kind of the piece:
/// pawn 1, lance 2, knight 3, silver 4, bishop 5, rook 6, gold 7.
pub const fn move_to_u16(mv: Move) -> u16 {
    let to = mv.to().index() as u16;
    match mv.origin() {
        Origin::Board(from) => {
            let promotion = if mv.is_promotion() { PROMOTION } else { 0 };
            to | (from.index() as u16) << ORIGIN_SHIFT | promotion
        }
        Origin::Hand(kind) => to | (kind.index() as u16 + 1) << ORIGIN_SHIFT | DROP,
    }
}

/// The move with these 16 bits, if they are a move. The values with equal origin and target are
/// not: YaneuraOu uses them for no move (0), a pass, resignation and declaration.
pub fn move_from_u16(bits: u16) -> Option<Move> {
    let to = Square::from_index(usize::from(bits & 0x7f))?;
    let origin = usize::from(bits >> ORIGIN_SHIFT & 0x7f);
    match (bits & DROP != 0, bits & PROMOTION != 0) {
        (true, true) => None,
        (true, false) => Move::drop(*PieceKind::HAND.get(origin.checked_sub(1)?)?, to),
        (false, promotion) => {
            let from = Square::from_index(origin).filter(|&from| from != to)?;
            Some(if promotion { Move::promotion(from, to) } else { Move::normal(from, to) })
        }
    }
}

fn outcome(result: i8, side: Color) -> Result<Outcome, ParseErrorKind> {
    match result {
        0 => Ok(Outcome::Draw),
        1 => Ok(Outcome::Win(side)),
        -1 => Ok(Outcome::Win(!side)),
        _ => Err(ParseErrorKind::Unexpected {
            expected: "a result of -1, 0 or 1",
            found: result.to_string(),
        }),
    }
}

#[cfg(test)]
mod tests;
