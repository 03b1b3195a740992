//! What the tests of several modules need.

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
