//! What the tests of several modules need.

use std::collections::HashSet;
use std::ops::Range;

use tesuji_shogi::{Color, Piece, Position, Square};

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
