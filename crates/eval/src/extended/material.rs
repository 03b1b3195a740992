//! Pieces on the board and in hand. The first piece of a kind in hand is worth more than the next.

use tesuji_shogi::{Bitboard, PieceKind};

use super::class::by_hand;
use super::family;
use crate::{Feature, Group, View};

const BOARD: [(&str, &str); 13] = [
    ("BOARD_PAWN", "Pawns on the board: yours minus your opponent's."),
    ("BOARD_LANCE", "Lances on the board: yours minus your opponent's."),
    ("BOARD_KNIGHT", "Knights on the board: yours minus your opponent's."),
    ("BOARD_SILVER", "Silvers on the board: yours minus your opponent's."),
    ("BOARD_BISHOP", "Bishops on the board: yours minus your opponent's."),
    ("BOARD_ROOK", "Rooks on the board: yours minus your opponent's."),
    ("BOARD_GOLD", "Golds on the board: yours minus your opponent's."),
    ("BOARD_PROMOTED_PAWN", "Tokins on the board: yours minus your opponent's."),
    ("BOARD_PROMOTED_LANCE", "Promoted lances on the board: yours minus your opponent's."),
    ("BOARD_PROMOTED_KNIGHT", "Promoted knights on the board: yours minus your opponent's."),
    ("BOARD_PROMOTED_SILVER", "Promoted silvers on the board: yours minus your opponent's."),
    ("BOARD_HORSE", "Horses on the board: yours minus your opponent's."),
    ("BOARD_DRAGON", "Dragons on the board: yours minus your opponent's."),
];

pub(super) fn features() -> impl Iterator<Item = Feature> {
    let board = family(Group::Material, 10, &BOARD, board_balance, |view, member| {
        view.position().of_kind(board_kind(member))
    });
    let hand = |members, value| family(Group::Material, 10, members, value, |_, _| Bitboard::EMPTY);
    const HELD: [(&str, &str); 7] = by_hand!("HELD", "Each ", " that you hold in hand.");
    const FIRST: [(&str, &str); 7] =
        by_hand!("FIRST_HELD", "Whether you hold a ", " in hand at all.");
    board.chain(hand(&HELD, held)).chain(hand(&FIRST, |view, member| held(view, member).min(1)))
}

/// The kind of a board member; the king is left out.
const fn board_kind(member: usize) -> PieceKind {
    PieceKind::ALL[if member < PieceKind::King.index() { member } else { member + 1 }]
}

fn board_balance(view: &View<'_>, member: usize) -> i32 {
    let pieces = view.position().of_kind(board_kind(member));
    (pieces & view.own()).count() as i32 - (pieces & view.enemy()).count() as i32
}

fn held(view: &View<'_>, member: usize) -> i32 {
    view.position().hand(view.player()).count(PieceKind::HAND[member]).into()
}
