//! Help for the tests of the packed formats.

use tesuji_shogi::{Color, Outcome, Position};

use super::PACKED_SIZE;
use crate::Sample;

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
