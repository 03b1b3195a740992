//! Attack and defence around both kings, by the classes of the pieces that take part.

use tesuji_shogi::{Bitboard, attacks};

use super::class::{CLASSES, by_class};
use super::survey::{ENEMY, OWN, Side};
use super::{counted, family};
use crate::{Feature, Group, View};

const ASSAULT: [(&str, &str); 10] =
    by_class!("ASSAULT", "Attacks of your ", " on the enemy king's square and those around it.");
const PRESSURE: [(&str, &str); 10] =
    by_class!("PRESSURE", "Attacks of enemy ", " on your king's square and those around it.");
const GUARD: [(&str, &str); 10] =
    by_class!("GUARD", "Attacks of your ", " on your king's square and those around it.");
const COVER: [(&str, &str); 10] =
    by_class!("COVER", "Attacks of enemy ", " on their king's square and those around it.");

const ZONES: [(&str, &str); 10] = [
    ("HOLES_OWN", "Squares next to your king that the enemy attacks and only the king protects."),
    ("HOLES_ENEMY", "Squares next to the enemy king that you attack and only it protects."),
    ("ESCAPES_OWN", "Squares next to your king where it could go."),
    ("ESCAPES_ENEMY", "Squares next to the enemy king where it could go."),
    ("OUTNUMBERED_OWN", "Squares around your king that the enemy attacks more often than you."),
    ("OUTNUMBERED_ENEMY", "Squares around the enemy king that you attack more often."),
    (
        "WIDE_OUTNUMBERED_OWN",
        "Squares within two steps of your king that the enemy attacks more often than you.",
    ),
    (
        "WIDE_OUTNUMBERED_ENEMY",
        "Squares within two steps of the enemy king that you attack more often.",
    ),
    ("WALL_OWN", "Squares around your king with a piece of yours."),
    ("WALL_ENEMY", "Squares around the enemy king with an enemy piece."),
];

const TOTALS: [(&str, &str); 5] = [
    ("WIDE_ASSAULT", "Your attacks on squares at most two steps from the enemy king."),
    ("WIDE_PRESSURE", "Enemy attacks on squares at most two steps from your king."),
    (
        "ATTACKERS_SQUARED",
        "The square of the number of your classes of pieces that attack around the king.",
    ),
    ("KINGS_APART", "Steps between the kings."),
    ("ENTERED_KING", "Whether your king stands in the enemy camp."),
];

pub(super) fn features() -> impl Iterator<Item = Feature> {
    family(
        Group::King,
        8,
        &ASSAULT,
        |view, class| side(view, OWN).assault[class].into(),
        zone_of_enemy,
    )
    .chain(family(
        Group::King,
        8,
        &PRESSURE,
        |view, class| side(view, ENEMY).assault[class].into(),
        zone_of_own,
    ))
    .chain(family(
        Group::King,
        8,
        &GUARD,
        |view, class| side(view, OWN).guard[class].into(),
        zone_of_own,
    ))
    .chain(family(
        Group::King,
        8,
        &COVER,
        |view, class| side(view, ENEMY).guard[class].into(),
        zone_of_enemy,
    ))
    .chain(counted(Group::King, 8, &ZONES, zone_squares))
    .chain(family(Group::King, 8, &TOTALS, total, |view, member| {
        if member == 1 { zone_of_own(view, 0) } else { zone_of_enemy(view, 0) }
    }))
}

fn side<'a>(view: &'a View<'_>, side: usize) -> &'a Side {
    &view.survey().sides[side]
}

fn zone_of_own(view: &View<'_>, _: usize) -> Bitboard {
    view.king_zone(view.player())
}

fn zone_of_enemy(view: &View<'_>, _: usize) -> Bitboard {
    view.king_zone(view.opponent())
}

fn zone_squares(view: &View<'_>, member: usize) -> Bitboard {
    // The second of each pair is the first as the opponent sees it.
    let (color, own) =
        if member.is_multiple_of(2) { (view.player(), OWN) } else { (view.opponent(), ENEMY) };
    let Some(king) = view.position().king(color) else { return Bitboard::EMPTY };
    let near = attacks::king(king);
    let pieces = view.position().of_color(color);
    let attacked = side(view, 1 - own).attacked;
    match member / 2 {
        0 => (near & attacked).without(view.counts().attacked_twice(color)),
        1 => near.without(pieces | attacked),
        2 => near & side(view, 1 - own).superior,
        3 => attacks::king_zone(king, 2) & side(view, 1 - own).superior,
        _ => near & pieces,
    }
}

fn total(view: &View<'_>, member: usize) -> i32 {
    match member {
        0 | 1 => side(view, member).wide_assault.iter().map(|&n| i32::from(n)).sum(),
        2 => {
            let n = side(view, OWN).assault[..CLASSES].iter().filter(|&&n| n > 0).count() as i32;
            n * n
        }
        3 => match (view.own_king(), view.enemy_king()) {
            (Some(own), Some(enemy)) => own.distance(enemy).into(),
            _ => 0,
        },
        _ => view.own_king().is_some_and(|king| view.enemy_camp().contains(king)).into(),
    }
}

/// How many squares next to a king it could go to.
pub(super) fn escapes(view: &View<'_>, side: usize) -> i32 {
    zone_squares(view, 2 + side).count() as i32
}
