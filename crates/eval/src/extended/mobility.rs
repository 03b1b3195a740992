//! How far pieces of every class can go, and pieces that are pinned.

use tesuji_shogi::{Bitboard, attacks};

use super::class::{CLASSES, by_class};
use super::survey::OWN;
use super::{counted, family};
use crate::{Feature, Group, View};

const MOBILITY: [[(&str, &str); 10]; 2] = [
    by_class!("MOBILITY_OWN", "Safe squares that your ", " can move to."),
    by_class!("MOBILITY_ENEMY", "Squares safe from you that enemy ", " can move to."),
];

const PINS: [(&str, &str); 4] = [
    ("PINNED_OWN", "Your pieces that shield your king from a rook, bishop or lance."),
    ("PINNED_ENEMY", "Enemy pieces that shield their king from your rook, bishop or lance."),
    ("DISCOVERY_OWN", "Your pieces whose move would uncover a check."),
    ("DISCOVERY_ENEMY", "Enemy pieces whose move would uncover a check."),
];

pub(super) fn features() -> impl Iterator<Item = Feature> {
    family(Group::Mobility, 8, MOBILITY.as_flattened(), mobility, reach).chain(counted(
        Group::Mobility,
        8,
        &PINS,
        pinned,
    ))
}

fn mobility(view: &View<'_>, member: usize) -> i32 {
    view.survey().sides[member / CLASSES].mobility[member % CLASSES].into()
}

/// The squares that the mobility of a class is about.
fn reach(view: &View<'_>, member: usize) -> Bitboard {
    let (side, class) = (member / CLASSES, member % CLASSES);
    let position = view.position();
    let color = if side == OWN { view.player() } else { view.opponent() };
    let safe = !(position.of_color(color) | view.survey().sides[1 - side].attacked);
    let moves = view.survey().sides[side].pieces[class].into_iter().filter_map(|square| {
        Some(attacks::of(position.piece_on(square)?, square, position.occupied()))
    });
    moves.fold(Bitboard::EMPTY, |all, moves| all | moves) & safe
}

fn pinned(view: &View<'_>, member: usize) -> Bitboard {
    let (own_king, enemy_king) = (view.player(), view.opponent());
    match member {
        0 => view.position().blockers(own_king) & view.own(),
        1 => view.position().blockers(enemy_king) & view.enemy(),
        2 => view.position().blockers(enemy_king) & view.own(),
        _ => view.position().blockers(own_king) & view.enemy(),
    }
}
