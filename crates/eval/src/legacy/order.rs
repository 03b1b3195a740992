//! The order in which the thesis's program looked at moves.

use tesuji_shogi::{Move, Origin, PieceKind, Square};

/// The program's number for a move. Of several moves with the highest score it took the one with
/// the lowest number.
pub fn move_code(mv: Move) -> u32 {
    let (origin, dropped) = match mv.origin() {
        Origin::Board(from) => (from.index(), 0),
        Origin::Hand(kind) => (piece_code(kind), 1),
    };
    let squares = origin * Square::COUNT + mv.to().index();
    squares as u32 * 4 + 2 * u32::from(mv.is_promotion()) + dropped
}

/// The moves in the order in which the program looked at them.
pub fn move_order(moves: &[Move]) -> Vec<Move> {
    let mut moves = moves.to_vec();
    moves.sort_unstable_by_key(|&mv| move_code(mv));
    moves
}

/// The program's number for a kind of piece.
const fn piece_code(kind: PieceKind) -> usize {
    match kind.unpromoted() {
        PieceKind::Pawn => 0,
        PieceKind::Silver => 1,
        PieceKind::Knight => 2,
        PieceKind::Lance => 3,
        PieceKind::Rook => 4,
        PieceKind::Bishop => 5,
        PieceKind::King => 6,
        _ => 7,
    }
}
