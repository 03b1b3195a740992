//! Checks given, and checks to come.

use tesuji_shogi::{Bitboard, Color, Piece, PieceKind, attacks};

use super::family;
use crate::{Feature, Group, View};

const MEMBERS: [(&str, &str); 10] = [
    ("CHECK", "Whether your opponent is in check."),
    ("DOUBLE_CHECK", "Whether two pieces give check."),
    ("MATE", "Whether your opponent is mated."),
    ("CHECK_FEW_ANSWERS", "A check that has at most two answers."),
    ("CHECK_SAFE", "A check by a piece that your opponent cannot take with a gain."),
    ("CHECK_NO_ESCAPE", "A check from which the king cannot step away."),
    (
        "DROP_CHECKS_OWN",
        "Kinds and squares with which you could drop a check that is not simply taken.",
    ),
    ("DROP_CHECKS_ENEMY", "Kinds and squares with which your opponent could drop such a check."),
    (
        "MOVE_CHECKS_OWN",
        "Squares from which your pieces on the board could give a check that is not simply taken.",
    ),
    ("MOVE_CHECKS_ENEMY", "Squares from which enemy pieces could give such a check."),
];

pub(super) fn features() -> impl Iterator<Item = Feature> {
    family(Group::King, 10, &MEMBERS, value, squares)
}

fn value(view: &View<'_>, member: usize) -> i32 {
    let position = view.position();
    let check = position.in_check() && position.side_to_move() == view.opponent();
    match member {
        0 => check.into(),
        1 => (check && position.checkers().has_several()).into(),
        2 => (check && position.is_checkmate()).into(),
        3 => (check && position.count_legal_moves() <= 2).into(),
        4 => (check && !view.survey().exchanges.losses.intersects(position.checkers())).into(),
        5 => (check && escapes(view).is_empty()).into(),
        6 => drop_checks(view, view.player()),
        7 => drop_checks(view, view.opponent()),
        8 => count(move_checks(view, view.player())),
        _ => count(move_checks(view, view.opponent())),
    }
}

fn count(squares: Bitboard) -> i32 {
    squares.count() as i32
}

fn squares(view: &View<'_>, member: usize) -> Bitboard {
    match member {
        0..=5 => view.position().checkers(),
        6 => all_drop_checks(view, view.player()),
        7 => all_drop_checks(view, view.opponent()),
        8 => move_checks(view, view.player()),
        _ => move_checks(view, view.opponent()),
    }
}

fn escapes(view: &View<'_>) -> Bitboard {
    let near = view.enemy_king().map_or(Bitboard::EMPTY, attacks::king);
    near.without(view.enemy() | view.counts().attacked(view.player()))
}

/// Squares where a piece of `color` is not simply taken: not attacked at all, or protected and
/// attacked by the king alone.
fn safe(view: &View<'_>, color: Color) -> Bitboard {
    let counts = view.counts();
    let king = view.position().king(!color).map_or(Bitboard::EMPTY, attacks::king);
    let by_king_alone = king.without(counts.attacked_twice(!color)) & counts.attacked(color);
    !counts.attacked(!color) | by_king_alone
}

fn checks_by(view: &View<'_>, color: Color, kind: PieceKind) -> Bitboard {
    let Some(king) = view.position().king(!color) else { return Bitboard::EMPTY };
    let from = attacks::of(Piece::new(!color, kind), king, view.position().occupied());
    from & safe(view, color)
}

fn drops(view: &View<'_>, color: Color) -> impl Iterator<Item = Bitboard> {
    let empty = !view.position().occupied();
    let held = view.position().hand(color).iter().map(|(kind, _)| kind);
    // A pawn drop may be forbidden on its file, or be mate, which is not allowed: left out.
    held.filter(|&kind| kind != PieceKind::Pawn)
        .map(move |kind| checks_by(view, color, kind) & empty)
}

fn drop_checks(view: &View<'_>, color: Color) -> i32 {
    drops(view, color).map(count).sum()
}

fn all_drop_checks(view: &View<'_>, color: Color) -> Bitboard {
    drops(view, color).fold(Bitboard::EMPTY, |all, squares| all | squares)
}

fn move_checks(view: &View<'_>, color: Color) -> Bitboard {
    let position = view.position();
    let free = !position.of_color(color);
    let mut all = Bitboard::EMPTY;
    for square in position.of_color(color) {
        let Some(piece) = position.piece_on(square) else { continue };
        if piece.kind() == PieceKind::King {
            continue;
        }
        let targets = attacks::of(piece, square, position.occupied()) & free;
        let kind = piece.kind();
        let zone = Bitboard::promotion_zone(color);
        let mut found = targets & checks_by(view, color, kind);
        if let Some(promoted) = kind.promoted() {
            let promoting = if zone.contains(square) { targets } else { targets & zone };
            found |= promoting & checks_by(view, color, promoted);
        }
        all |= found;
    }
    all
}
