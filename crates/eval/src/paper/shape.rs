//! Good and bad shapes of a few pieces.

use tesuji_shogi::{Bitboard, PieceKind, attacks};

use crate::{Feature, Group, Measure, View};

const fn shape(name: &'static str, sentence: &'static str, measure: Measure) -> Feature {
    Feature { name, group: Group::Shape, bits: 6, linked_to: None, sentence, measure }
}

pub(super) const BISHOP_HEADS: [Feature; 2] = [
    shape(
        "BISHOP_HEAD_PROTECTED",
        "Your bishops whose weak square, the one in front, you protect.",
        Measure::Count(protected_bishop_heads),
    ),
    shape(
        "BISHOP_HEAD_ATTACK",
        "Enemy bishops whose weak square, the one in front, you attack.",
        Measure::Count(attacked_bishop_heads),
    ),
];

pub(super) const SHAPES: [Feature; 8] = [
    shape(
        "GOLD_AHEAD_SILVER_PENALTY",
        "A gold right in front of a silver gets in its way.",
        Measure::Penalty(golds_ahead_of_silvers),
    ),
    shape(
        "GOLD_ADJACENT_ROOK_PENALTY",
        "A gold right beside a rook hems it in.",
        Measure::Number {
            value: |view| -(rook_gold_pairs(view) as i32),
            squares: golds_beside_rooks,
        },
    ),
    shape(
        "BOXED_IN_BISHOP_PENALTY",
        "Own pieces on the diagonal squares next to your bishop shut it in.",
        Measure::Number { value: |view| -(boxed_corners(view) as i32), squares: boxing_pieces },
    ),
    shape(
        "PIECE_AHEAD_OF_PAWN_PENALTY",
        "A pawn with an own piece in front cannot move; a silver there is welcome.",
        Measure::Penalty(blocked_pawns),
    ),
    shape(
        "RECLINING_SILVER",
        "A silver that sits on a pawn with another pawn beside it, ready to advance.",
        Measure::Count(reclining_silvers),
    ),
    shape(
        "CLAIMED_FILES",
        "A pawn on the middle rank that is backed up from behind on its file.",
        Measure::Count(claimed_files),
    ),
    shape(
        "ADJACENT_SILVERS",
        "Two silvers side by side cover each other's gaps.",
        Measure::Number {
            value: |view| i32::from(!side_by_side(view, PieceKind::Silver).is_empty()),
            squares: |view| side_by_side(view, PieceKind::Silver),
        },
    ),
    shape(
        "ADJACENT_GOLDS",
        "Two golds side by side make a wall.",
        Measure::Number {
            value: |view| i32::from(!side_by_side(view, PieceKind::Gold).is_empty()),
            squares: |view| side_by_side(view, PieceKind::Gold),
        },
    ),
];

fn protected_bishop_heads(view: &View<'_>) -> Bitboard {
    view.forward(view.own_kind(PieceKind::Bishop)) & view.counts().attacked(view.player())
}

fn attacked_bishop_heads(view: &View<'_>) -> Bitboard {
    view.back(view.enemy_kind(PieceKind::Bishop)) & view.counts().attacked(view.player())
}

/// The golds, and what moves like one, that stand right in front of a silver of their own.
fn golds_ahead_of_silvers(view: &View<'_>) -> Bitboard {
    view.forward(view.own_kind(PieceKind::Silver)) & view.position().golds() & view.own()
}

/// The squares up, down, left and right of each square of the set.
fn orthogonal(set: Bitboard) -> [Bitboard; 4] {
    [set.shifted(0, -1), set.shifted(0, 1), set.shifted(-1, 0), set.shifted(1, 0)]
}

/// The diagonal neighbours of each square of the set.
fn diagonal(set: Bitboard) -> [Bitboard; 4] {
    [set.shifted(-1, -1), set.shifted(1, -1), set.shifted(-1, 1), set.shifted(1, 1)]
}

fn rook_gold_pairs(view: &View<'_>) -> u32 {
    let golds = view.own_kind(PieceKind::Gold);
    orthogonal(view.own_rooks()).into_iter().map(|step| (step & golds).count()).sum()
}

fn golds_beside_rooks(view: &View<'_>) -> Bitboard {
    let golds = view.own_kind(PieceKind::Gold);
    orthogonal(view.own_rooks()).into_iter().fold(Bitboard::EMPTY, |all, step| all | (step & golds))
}

fn boxed_corners(view: &View<'_>) -> u32 {
    diagonal(view.own_bishops()).into_iter().map(|step| (step & view.own()).count()).sum()
}

fn boxing_pieces(view: &View<'_>) -> Bitboard {
    let corners = diagonal(view.own_bishops());
    corners.into_iter().fold(Bitboard::EMPTY, |all, step| all | (step & view.own()))
}

/// The pieces other than silvers right in front of own pawns.
fn blocked_pawns(view: &View<'_>) -> Bitboard {
    let heads = view.forward(view.own_kind(PieceKind::Pawn)) & view.own();
    heads.without(view.own_kind(PieceKind::Silver))
}

fn reclining_silvers(view: &View<'_>) -> Bitboard {
    let pawns = view.own_kind(PieceKind::Pawn);
    let beside = pawns.shifted(-1, 0) | pawns.shifted(1, 0);
    view.own_kind(PieceKind::Silver) & view.forward(pawns) & beside
}

/// The pawns on rank e that a piece behind them on their file protects: a lance, rook or dragon at
/// any distance, or a piece right behind that steps forward.
fn claimed_files(view: &View<'_>) -> Bitboard {
    let position = view.position();
    let pawns = view.own_kind(PieceKind::Pawn) & Bitboard::rank(5);
    let backed = pawns.into_iter().filter(|&pawn| {
        let behind = attacks::lance_ray(view.opponent(), pawn);
        let attackers = position.attackers(pawn, view.player(), position.occupied());
        attackers.intersects(behind)
    });
    backed.collect()
}

/// The pieces of a kind that have one of the same kind beside them on their rank.
fn side_by_side(view: &View<'_>, kind: PieceKind) -> Bitboard {
    let pieces = view.own_kind(kind);
    pieces & (pieces.shifted(-1, 0) | pieces.shifted(1, 0))
}
