//! What the tests of several modules need.

use std::collections::HashSet;
use std::ops::Range;

use tesuji_shogi::{Color, Piece, Position, Square};

use crate::{View, feature_named};

/// Positions from which tests go on: openings, a middle game, an ending, bare boards, kings in the
/// middle.
pub const POSITIONS: [&str; 6] = [
    Position::STARTPOS,
    "ln1g3nl/1ks1g1r2/1pppppb1p/p5pp1/9/P1PPP1P1P/1P1S1P3/1BKG1S3/LN1G3RL b NPs 35",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "8k/9/8P/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1",
    "4k4/4r4/4p4/4P4/9/4l4/4N4/4G4/4K4 b RB2S2Pb2s3gn 1",
    "lnsg1gsnl/1r2k2b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B2K2R1/LNSG1GSNL w - 4",
];

/// Do features have these values for Black: a position, the name of a feature, its value?
pub fn assert_values(cases: &[(&str, &str, i32)]) {
    for &(sfen, name, expected) in cases {
        let position = Position::from_sfen(sfen).unwrap();
        let feature = feature_named(name).expect(name);
        let value = feature.value(&View::new(&position, Color::Black));
        assert_eq!(value, expected, "{name} in {sfen}");
    }
}

/// A position with its squares changed, and the players exchanged if so wanted.
pub fn changed_position(
    position: &Position,
    exchange: bool,
    change: &impl Fn(Square) -> Square,
) -> Position {
    let turned = |color: Color| if exchange { !color } else { color };
    let pieces = position
        .pieces()
        .map(|(square, piece)| (change(square), Piece::new(turned(piece.color()), piece.kind())));
    let hands = Color::ALL.map(|color| position.hand(turned(color)));
    let side = turned(position.side_to_move());
    Position::from_parts(pieces, hands, side, position.ply()).unwrap()
}

/// Do groups lie one after the other, each with a name of its own, and have all features?
pub fn assert_one_after_the_other(
    groups: impl Iterator<Item = (&'static str, Range<usize>)>,
    features: usize,
) {
    let (mut end, mut names) = (0, HashSet::new());
    for (name, range) in groups {
        assert_eq!(range.start, end, "{name}");
        end = range.end;
        assert!(names.insert(name), "{name} is there twice");
    }
    assert_eq!(end, features);
}
