//! How far bishops and rooks can go.

use tesuji_shogi::{Bitboard, attacks};

use crate::{Feature, Group, Measure, View};

pub(super) const FEATURES: [Feature; 2] = [
    mobility(
        "BISHOP_MOBILITY",
        "Safe squares that your bishops and horses can move to, minus those of your opponent's.",
        Measure::Balance { value: bishop_balance, squares: bishop_moves },
    ),
    mobility(
        "ROOK_MOBILITY",
        "Safe squares that your rooks and dragons can move to, minus those of your opponent's.",
        Measure::Balance { value: rook_balance, squares: rook_moves },
    ),
];

const fn mobility(name: &'static str, sentence: &'static str, measure: Measure) -> Feature {
    Feature { name, group: Group::Mobility, bits: 10, linked_to: None, sentence, measure }
}

fn bishop_balance(view: &View<'_>) -> i32 {
    safe_moves(view, view.own_bishops()) - safe_moves(&view.turned(), view.turned().own_bishops())
}

fn rook_balance(view: &View<'_>) -> i32 {
    safe_moves(view, view.own_rooks()) - safe_moves(&view.turned(), view.turned().own_rooks())
}

fn bishop_moves(view: &View<'_>) -> Bitboard {
    moves(view, view.own_bishops()).fold(Bitboard::EMPTY, |all, moves| all | moves)
}

fn rook_moves(view: &View<'_>) -> Bitboard {
    moves(view, view.own_rooks()).fold(Bitboard::EMPTY, |all, moves| all | moves)
}

/// The number of moves of these pieces to squares that the opponent does not attack; a square that
/// two of them reach counts twice.
fn safe_moves(view: &View<'_>, pieces: Bitboard) -> i32 {
    moves(view, pieces).map(|moves| moves.count() as i32).sum()
}

fn moves<'a>(view: &'a View<'_>, pieces: Bitboard) -> impl Iterator<Item = Bitboard> + 'a {
    let position = view.position();
    let unsafe_squares = view.own() | view.counts().attacked(view.opponent());
    pieces.into_iter().filter_map(move |square| {
        let piece = position.piece_on(square)?;
        Some(attacks::of(piece, square, position.occupied()).without(unsafe_squares))
    })
}
