//! Piece-square indices (the `BonaPiece` of other shogi engines): the number of a piece on a
//! square, or of so many pieces of a kind in hand. Pairs of them are features.

use tesuji_shogi::{Color, Piece, PieceKind, Position, Square};

/// Pieces with their side: the viewer's first, then the opponent's.
pub const PIECES: usize = 2 * PieceKind::COUNT;
/// Kinds in hand with their side, and how many of them.
pub const HELD: usize = 2 * 38;
/// All piece-square indices.
pub const PIECE_SQUARES: usize = PIECES * Square::COUNT + HELD;

/// The number of a piece with its side.
#[inline(always)]
pub fn code(piece: Piece, viewer: Color) -> usize {
    piece.kind().index() + if piece.color() == viewer { 0 } else { PieceKind::COUNT }
}

/// A piece on a square, as the viewer sees it.
#[inline(always)]
pub fn placed(code: usize, square: Square) -> usize {
    code * Square::COUNT + square.index()
}

/// So many pieces of a kind in hand, at least one.
#[inline(always)]
pub fn held(is_own: bool, kind: PieceKind, count: u8) -> usize {
    /// Where the counts of each kind begin.
    const STARTS: [usize; 7] = [0, 18, 22, 26, 30, 32, 34];
    let side = if is_own { 0 } else { HELD / 2 };
    PIECES * Square::COUNT + side + STARTS[kind.index()] + usize::from(count) - 1
}

/// Everything in the hands of both players.
pub fn in_hands(position: &Position, viewer: Color) -> impl Iterator<Item = usize> {
    let hands = Color::ALL.map(|color| (color == viewer, position.hand(color)));
    hands
        .into_iter()
        .flat_map(|(is_own, hand)| hand.iter().map(move |(kind, count)| held(is_own, kind, count)))
}
