//! `HuffmanCodedPosAndEval` of Apery and dlshogi: training positions of 38 bytes each.
//!
//! | bytes | content |
//! |---|---|
//! | 0–31 | the position, see below |
//! | 32–33 | score, `i16`, from the view of the side to move |
//! | 34–35 | move, `u16`, see [`move_to_u16`]; 0 is none |
//! | 36 | result, `u8`: 0 a draw, 1 Black won, 2 White won |
//! | 37 | padding, written as 0, not looked at when read |
//!
//! Numbers have their lowest byte first. `docs/formats/hcpe.md` has the bits of the position. The
//! format knows nothing of games and move numbers: [`Sample::game`] and [`Sample::ply`] are 0 in
//! what is read, and not written.

use std::io::{Read, Write};

use tesuji_shogi::{Color, Move, Origin, Outcome, PieceKind, Position, Square};

use crate::packed::{Alphabet, Codec, HEAD_SIZE, PACKED_SIZE, PackedReader, PackedWriter, Packing};
use crate::{ParseErrorKind, Sample, WriteError};

/// How many bytes a record has.
pub const SIZE: usize = 38;

/// Reads a file record by record.
pub type Reader<R> = PackedReader<R, SIZE>;

/// Writes records one behind the other.
pub type Writer<W> = PackedWriter<W, SIZE>;

/// The codes are those of pawn, lance, knight, silver, bishop, rook, gold.
static PACKING: Packing = Packing {
    name: "HCPE",
    codec: Codec::new(&Alphabet {
        board: [0b01, 0b0011, 0b0111, 0b1011, 0b01_1111, 0b11_1111, 0b0_1111],
        hand: [0b0, 0b001, 0b011, 0b101, 0b01_1111, 0b11_1111, 0b0111],
        boxed: [0b010, 0b0_1001, 0b0_1011, 0b0_1101, 0b000_1111, 0b010_1111, 0b1_1101],
        owner_last: false,
    }),
    move_to_u16,
    move_from_u16,
};

const PROMOTION: u16 = 1 << 14;
const UNUSED: u16 = 1 << 15;
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
    const UNKNOWN_PLY: u16 = 0;
    let [head @ .., result, _padding] = bytes;
    let sample = PACKING.read_head(head, UNKNOWN_PLY)?;
    Ok(Sample { outcome: outcome(*result)?, ..sample })
}

/// Writes one record. It must have a score and a result, and both kings must be on the board.
pub fn encode(sample: &Sample) -> Result<[u8; SIZE], WriteError> {
    let result = match sample.outcome {
        Outcome::Draw => 0,
        Outcome::Win(Color::Black) => 1,
        Outcome::Win(Color::White) => 2,
        Outcome::Unknown => return Err(PACKING.unsupported("a game without a result")),
    };
    let mut bytes = [0; SIZE];
    bytes[..HEAD_SIZE].copy_from_slice(&PACKING.write_head(sample)?);
    bytes[36] = result;
    Ok(bytes)
}

/// The position alone: `HuffmanCodedPos`.
pub fn pack(position: &Position) -> Result<[u8; PACKED_SIZE], WriteError> {
    PACKING.pack(position)
}

/// Reads a position alone; `ply` is the number of its next move.
pub fn unpack(bytes: &[u8; PACKED_SIZE], ply: u16) -> Result<Position, ParseErrorKind> {
    PACKING.codec.unpack(bytes, ply)
}

/// A move as Apery writes it in 16 bits: the target square in bits 0–6, the origin in bits 7–13,
/// bit 14 for a promotion. The origin of a drop is 81 for a pawn, 82 lance, 83 knight, 84 silver,
/// 85 bishop, 86 rook, 87 gold.
pub const fn move_to_u16(mv: Move) -> u16 {
    let origin = match mv.origin() {
        Origin::Board(from) => from.index(),
        Origin::Hand(kind) => Square::COUNT + kind.index(),
    };
    let promotion = if mv.is_promotion() { PROMOTION } else { 0 };
    mv.to().index() as u16 | (origin as u16) << ORIGIN_SHIFT | promotion
}

/// The move with these 16 bits, if they are a move. The values with equal origin and target are
/// not: 0 is no move.
pub fn move_from_u16(bits: u16) -> Option<Move> {
    let to = Square::from_index(usize::from(bits & 0x7f))?;
    let origin = usize::from(bits >> ORIGIN_SHIFT & 0x7f);
    let promotion = bits & PROMOTION != 0;
    if bits & UNUSED != 0 {
        return None;
    }
    match Square::from_index(origin) {
        Some(from) if from == to => None,
        Some(from) if promotion => Some(Move::promotion(from, to)),
        Some(from) => Some(Move::normal(from, to)),
        None if promotion => None,
        None => Move::drop(*PieceKind::HAND.get(origin - Square::COUNT)?, to),
    }
}

fn outcome(result: u8) -> Result<Outcome, ParseErrorKind> {
    match result {
        0 => Ok(Outcome::Draw),
        1 => Ok(Outcome::Win(Color::Black)),
        2 => Ok(Outcome::Win(Color::White)),
        _ => Err(ParseErrorKind::Unexpected {
            expected: "a result of 0, 1 or 2",
            found: result.to_string(),
        }),
    }
}

#[cfg(test)]
mod tests;
