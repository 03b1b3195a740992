//! Checks given, and checks to come.

use tesuji_shogi::{Bitboard, Color, Piece, PieceKind, Position, Square, attacks};

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
        6 | 7 => view.survey().sides[member - 6].drop_checks.into(),
        _ => count(view.survey().sides[member - 8].move_checks),
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
        _ => view.survey().sides[member - 8].move_checks,
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

/// From where each kind would give a check that is not simply taken.
pub(super) struct CheckSquares {
    color: Color,
    by_kind: [Bitboard; PieceKind::COUNT],
    free: Bitboard,
    zone: Bitboard,
}

impl CheckSquares {
    /// For the pieces of `color`.
    pub(super) fn new(view: &View<'_>, color: Color) -> Self {
        let position = view.position();
        let mut by_kind = [Bitboard::EMPTY; PieceKind::COUNT];
        if let Some(king) = position.king(!color) {
            let safe = safe(view, color);
            // A piece gives check from where one of its kind on the king's square would attack.
            for kind in PieceKind::ALL {
                if kind != PieceKind::King {
                    let from = attacks::of(Piece::new(!color, kind), king, position.occupied());
                    by_kind[kind.index()] = from & safe;
                }
            }
        }
        let zone = Bitboard::promotion_zone(color);
        Self { color, by_kind, free: !position.of_color(color), zone }
    }

    /// For each kind in hand, where it could be dropped. A pawn drop may be forbidden on its file,
    /// or be mate, which is not allowed: pawns are left out.
    pub(super) fn drops(&self, position: &Position) -> impl Iterator<Item = Bitboard> {
        let empty = !position.occupied();
        let held = position.hand(self.color).iter().map(|(kind, _)| kind);
        held.filter(|&kind| kind != PieceKind::Pawn)
            .map(move |kind| self.by_kind[kind.index()] & empty)
    }

    /// Those that a piece on `square` reaches, of the squares that it attacks, promoting if it can.
    pub(super) fn reached(&self, kind: PieceKind, square: Square, attacked: Bitboard) -> Bitboard {
        let targets = attacked & self.free;
        let plain = targets & self.by_kind[kind.index()];
        match kind.promoted() {
            Some(promoted) => {
                let promoting =
                    if self.zone.contains(square) { targets } else { targets & self.zone };
                plain | (promoting & self.by_kind[promoted.index()])
            }
            None => plain,
        }
    }
}

fn all_drop_checks(view: &View<'_>, color: Color) -> Bitboard {
    let checks = CheckSquares::new(view, color);
    checks.drops(view.position()).fold(Bitboard::EMPTY, |all, squares| all | squares)
}
