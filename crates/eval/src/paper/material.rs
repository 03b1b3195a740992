//! Pieces on the board, promoted and in hand: the player's minus the opponent's.

use tesuji_shogi::{Bitboard, PieceKind};

use crate::{Feature, Group, Measure, View};

/// Piece values, then promotion bonuses, then bonuses for pieces in hand.
pub(super) const FEATURES: [Feature; 20] = [
    piece("PAWN_VALUE", "Pawns on the board: yours minus your opponent's.", board::<0>()),
    piece("LANCE_VALUE", "Lances on the board: yours minus your opponent's.", board::<1>()),
    piece("KNIGHT_VALUE", "Knights on the board: yours minus your opponent's.", board::<2>()),
    piece("SILVER_VALUE", "Silvers on the board: yours minus your opponent's.", board::<3>()),
    piece("BISHOP_VALUE", "Bishops on the board: yours minus your opponent's.", board::<4>()),
    piece("ROOK_VALUE", "Rooks on the board: yours minus your opponent's.", board::<5>()),
    piece("GOLD_VALUE", "Golds on the board: yours minus your opponent's.", board::<6>()),
    bonus("PROMOTED_PAWN_BONUS", "PAWN_VALUE", "What a tokin is worth above a pawn.", board::<8>()),
    bonus(
        "PROMOTED_LANCE_BONUS",
        "LANCE_VALUE",
        "What a promoted lance is worth above a lance.",
        board::<9>(),
    ),
    bonus(
        "PROMOTED_KNIGHT_BONUS",
        "KNIGHT_VALUE",
        "What a promoted knight is worth above a knight.",
        board::<10>(),
    ),
    bonus(
        "PROMOTED_SILVER_BONUS",
        "SILVER_VALUE",
        "What a promoted silver is worth above a silver.",
        board::<11>(),
    ),
    bonus(
        "PROMOTED_BISHOP_BONUS",
        "BISHOP_VALUE",
        "What a horse is worth above a bishop.",
        board::<12>(),
    ),
    bonus(
        "PROMOTED_ROOK_BONUS",
        "ROOK_VALUE",
        "What a dragon is worth above a rook.",
        board::<13>(),
    ),
    bonus(
        "PAWN_IN_HAND_BONUS",
        "PAWN_VALUE",
        "What a pawn in hand is worth above one on the board.",
        hand::<0>(),
    ),
    bonus(
        "LANCE_IN_HAND_BONUS",
        "LANCE_VALUE",
        "What a lance in hand is worth above one on the board.",
        hand::<1>(),
    ),
    bonus(
        "KNIGHT_IN_HAND_BONUS",
        "KNIGHT_VALUE",
        "What a knight in hand is worth above one on the board.",
        hand::<2>(),
    ),
    bonus(
        "SILVER_IN_HAND_BONUS",
        "SILVER_VALUE",
        "What a silver in hand is worth above one on the board.",
        hand::<3>(),
    ),
    bonus(
        "BISHOP_IN_HAND_BONUS",
        "BISHOP_VALUE",
        "What a bishop in hand is worth above one on the board.",
        hand::<4>(),
    ),
    bonus(
        "ROOK_IN_HAND_BONUS",
        "ROOK_VALUE",
        "What a rook in hand is worth above one on the board.",
        hand::<5>(),
    ),
    bonus(
        "GOLD_IN_HAND_BONUS",
        "GOLD_VALUE",
        "What a gold in hand is worth above one on the board.",
        hand::<6>(),
    ),
];

const fn piece(name: &'static str, sentence: &'static str, measure: Measure) -> Feature {
    Feature { name, group: Group::Material, bits: 10, linked_to: None, sentence, measure }
}

const fn bonus(
    name: &'static str,
    base: &'static str,
    sentence: &'static str,
    measure: Measure,
) -> Feature {
    Feature { linked_to: Some(base), ..piece(name, sentence, measure) }
}

/// Pieces of the kind with number `KIND` on the board.
const fn board<const KIND: usize>() -> Measure {
    Measure::Balance { value: board_balance::<KIND>, squares: board_squares::<KIND> }
}

/// Pieces of the kind with number `KIND` in hand.
const fn hand<const KIND: usize>() -> Measure {
    Measure::Balance { value: hand_balance::<KIND>, squares: |_| Bitboard::EMPTY }
}

fn board_squares<const KIND: usize>(view: &View<'_>) -> Bitboard {
    view.position().of_kind(PieceKind::ALL[KIND])
}

fn board_balance<const KIND: usize>(view: &View<'_>) -> i32 {
    let pieces = board_squares::<KIND>(view);
    (pieces & view.own()).count() as i32 - (pieces & view.enemy()).count() as i32
}

fn hand_balance<const KIND: usize>(view: &View<'_>) -> i32 {
    let kind = PieceKind::ALL[KIND];
    let held = |color| i32::from(view.position().hand(color).count(kind));
    held(view.player()) - held(view.opponent())
}
