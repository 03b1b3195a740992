//! Help for the tests of the packed formats.

use tesuji_shogi::{Color, Move, Outcome, Position};

use super::{PACKED_SIZE, Packing};
use crate::{Sample, WriteError};

/// The bytes with these bits, in the order in which they are written. What follows a `;` is a
/// remark; anything else but `0` and `1` is there for the reader's eye.
pub(crate) fn bytes_of(bits: &str) -> [u8; PACKED_SIZE] {
    let bits = bits.lines().flat_map(|line| line.split(';').next().unwrap_or_default().chars());
    let bits: Vec<bool> = bits.filter(|c| "01".contains(*c)).map(|c| c == '1').collect();
    assert_eq!(bits.len(), PACKED_SIZE * 8, "a packed position has 256 bits");
    let mut bytes = [0; PACKED_SIZE];
    for (i, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
        bytes[i / 8] |= 1 << (i % 8);
    }
    bytes
}

/// White to move with nearly everything in hand.
pub(crate) const HANDS: &str = "4k4/9/9/9/4+p4/9/9/9/+R3K4 w B2G2S2N2L9Prb2g2s2n2l8p 30";

/// A sample that both formats can hold.
pub(crate) fn start_sample() -> Sample {
    Sample {
        position: Position::startpos(),
        mv: Some("7g7f".parse().unwrap()),
        score: Some(-258),
        outcome: Outcome::Win(Color::White),
        game: 0,
        ply: 1,
    }
}

/// A sample with a missing king, which no packed format can hold.
pub(crate) fn kingless_sample() -> Sample {
    let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
    Sample { position, mv: None, ..start_sample() }
}

/// Three positions in their bits, both ways: the start, [`HANDS`], and the start without White's
/// rook, bishop and left lance.
pub(crate) fn check_positions(packing: &Packing, start: &str, hands: &str, boxed: &str) {
    let handicap = "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    for (bits, sfen) in [(start, Position::STARTPOS), (hands, HANDS), (boxed, handicap)] {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(packing.pack(&position).unwrap(), bytes_of(bits));
        assert_eq!(packing.codec.unpack(&bytes_of(bits), position.ply()).unwrap(), position);
    }
}

/// Every move has bits of its own, and no other bits are a move.
pub(crate) fn check_moves(packing: &Packing) {
    let (to_bits, from_bits) = (packing.move_to_u16, packing.move_from_u16);
    for mv in Move::all() {
        let back = from_bits(to_bits(mv));
        assert_eq!(back, Some(mv).filter(|mv| mv.from() != Some(mv.to())));
    }
    let read = (0..=u16::MAX).filter(|&bits| from_bits(bits).is_some());
    assert_eq!(read.clone().count(), 81 * 80 * 2 + 7 * 81);
    assert!(read.into_iter().all(|bits| to_bits(from_bits(bits).unwrap()) == bits));
}

/// A sample without score, result or king is refused.
pub(crate) fn check_refusals<const SIZE: usize>(
    format: &'static str,
    encode: fn(&Sample) -> Result<[u8; SIZE], WriteError>,
) {
    let refused = |sample: &Sample, what: &str| {
        assert_eq!(encode(sample), Err(WriteError::Unsupported { format, what: what.into() }));
    };
    let sample = start_sample();
    refused(&Sample { score: None, ..sample }, "a position without a score");
    refused(&Sample { outcome: Outcome::Unknown, ..sample }, "a game without a result");
    refused(&kingless_sample(), "a position without both kings");
}
