//! Ways into a camp: promotions to come, and squares where a piece could be dropped behind the
//! lines.

use tesuji_shogi::{Bitboard, Color, PieceKind, attacks};

use super::counted;
use crate::{Feature, Group, View};

const PROMOTE: [(&str, &str); 6] = [
    ("PROMOTES_PAWN", "Safe squares where your pawns can promote."),
    ("PROMOTES_LANCE", "Safe squares where your lances can promote."),
    ("PROMOTES_KNIGHT", "Safe squares where your knights can promote."),
    ("PROMOTES_SILVER", "Safe squares where your silvers can promote."),
    ("PROMOTES_BISHOP", "Safe squares where your bishops can promote."),
    ("PROMOTES_ROOK", "Safe squares where your rooks can promote."),
];

const DROPS: [(&str, &str); 8] = [
    ("OPEN_CAMP_OWN", "Empty squares of your camp that you do not protect."),
    ("OPEN_CAMP_ENEMY", "Empty squares of the enemy camp that they do not protect."),
    ("OPEN_TO_ROOK_OWN", "Such squares of your camp, if your opponent holds a rook."),
    ("OPEN_TO_ROOK_ENEMY", "Such squares of the enemy camp, if you hold a rook."),
    ("OPEN_TO_BISHOP_OWN", "Such squares of your camp, if your opponent holds a bishop."),
    ("OPEN_TO_BISHOP_ENEMY", "Such squares of the enemy camp, if you hold a bishop."),
    (
        "MATE_SQUARES_OWN",
        "Empty squares next to your king that the enemy attacks and only the king protects, if they hold a gold or silver.",
    ),
    (
        "MATE_SQUARES_ENEMY",
        "Empty squares next to the enemy king that you attack and only it protects, if you hold a gold or silver.",
    ),
];

pub(super) fn features() -> impl Iterator<Item = Feature> {
    counted(Group::Threat, 8, &PROMOTE, promotions).chain(counted(
        Group::Threat,
        8,
        &DROPS,
        open_squares,
    ))
}

fn promotions(view: &View<'_>, member: usize) -> Bitboard {
    let color = view.player();
    let position = view.position();
    let zone = Bitboard::promotion_zone(color);
    let safe = !(position.of_color(color) | view.counts().attacked(!color));
    let mut squares = Bitboard::EMPTY;
    for square in position.of(color, PieceKind::HAND[member]) {
        let Some(piece) = position.piece_on(square) else { continue };
        let reached = attacks::of(piece, square, position.occupied()) & safe;
        squares |= if zone.contains(square) { reached } else { reached & zone };
    }
    squares
}

fn open_squares(view: &View<'_>, member: usize) -> Bitboard {
    let (color, camp) = if member.is_multiple_of(2) {
        (view.player(), view.own_camp())
    } else {
        (view.opponent(), view.enemy_camp())
    };
    let holds = |kind| view.position().hand(!color).has(kind);
    let open = || camp.without(view.position().occupied() | view.counts().attacked(color));
    match member / 2 {
        0 => open(),
        1 if holds(PieceKind::Rook) => open(),
        2 if holds(PieceKind::Bishop) => open(),
        3 if holds(PieceKind::Gold) || holds(PieceKind::Silver) => mate_squares(view, color),
        _ => Bitboard::EMPTY,
    }
}

fn mate_squares(view: &View<'_>, color: Color) -> Bitboard {
    let near = view.position().king(color).map_or(Bitboard::EMPTY, attacks::king);
    (near & view.counts().attacked(!color))
        .without(view.counts().attacked_twice(color) | view.position().occupied())
}
