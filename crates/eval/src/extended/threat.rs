//! Pieces that can be taken: by their protection, by what attacks them, and by what taking gains.

use tesuji_shogi::Bitboard;

use super::class::by_class;
use super::exchange::HALF_PAWN;
use super::survey::{ENEMY, OWN};
use super::{Squares, counted, family};
use crate::{Feature, Group, View};

type Members = [(&'static str, &'static str); 10];

const HANGING_OWN: Members =
    by_class!("HANGING_OWN", "Your ", " that can be taken and are not protected.");
const UNDERCUT_OWN: Members =
    by_class!("UNDERCUT_OWN", "Your protected ", " that a cheaper piece can take.");
const ATTACKED_OWN: Members =
    by_class!("ATTACKED_OWN", "Your protected ", " that no cheaper piece can take, but another.");
const LOOSE_OWN: Members = by_class!("LOOSE_OWN", "Your ", " that nothing attacks or protects.");
const HANGING_ENEMY: Members =
    by_class!("HANGING_ENEMY", "Enemy ", " that you attack and nothing protects.");
const UNDERCUT_ENEMY: Members =
    by_class!("UNDERCUT_ENEMY", "Protected enemy ", " that you attack with a cheaper piece.");
const ATTACKED_ENEMY: Members =
    by_class!("ATTACKED_ENEMY", "Protected enemy ", " that you attack, with no cheaper piece.");
const LOST: Members = by_class!("LOST", "Your ", " that your opponent takes with a gain.");
const WON: Members = by_class!("WON", "Enemy ", " that you would take with a gain.");

const EXCHANGES: [(&str, &str); 6] = [
    ("LARGEST_LOSS", "What your opponent's best capture gains, in half pawns."),
    ("SECOND_LOSS", "What your opponent's second best capture gains, in half pawns."),
    ("LARGEST_WIN", "What your best capture would gain, in half pawns."),
    ("SECOND_WIN", "What your second best capture would gain, in half pawns."),
    ("ANY_LOSS", "Whether any capture gains your opponent something."),
    ("ANY_WIN", "Whether any capture would gain you something."),
];

pub(super) fn features() -> impl Iterator<Item = Feature> {
    let by_protection = counted(Group::Threat, 10, &HANGING_OWN, |view, class| {
        let [own, enemy] = &view.survey().sides;
        (own.pieces[class] & enemy.attacked).without(own.attacked)
    })
    .chain(undercut(&UNDERCUT_OWN, |view, class| {
        let [own, enemy] = &view.survey().sides;
        own.pieces[class] & own.attacked & enemy.attacked_by_cheaper[class]
    }))
    .chain(counted(Group::Threat, 10, &ATTACKED_OWN, |view, class| {
        let [own, enemy] = &view.survey().sides;
        (own.pieces[class] & own.attacked & enemy.attacked)
            .without(enemy.attacked_by_cheaper[class])
    }))
    .chain(counted(Group::Threat, 10, &LOOSE_OWN, |view, class| {
        let [own, enemy] = &view.survey().sides;
        own.pieces[class].without(own.attacked | enemy.attacked)
    }))
    .chain(counted(Group::Threat, 10, &HANGING_ENEMY, |view, class| {
        let [own, enemy] = &view.survey().sides;
        (enemy.pieces[class] & own.attacked).without(enemy.attacked)
    }))
    .chain(undercut(&UNDERCUT_ENEMY, |view, class| {
        let [own, enemy] = &view.survey().sides;
        enemy.pieces[class] & enemy.attacked & own.attacked_by_cheaper[class]
    }))
    .chain(counted(Group::Threat, 10, &ATTACKED_ENEMY, |view, class| {
        let [own, enemy] = &view.survey().sides;
        (enemy.pieces[class] & enemy.attacked & own.attacked)
            .without(own.attacked_by_cheaper[class])
    }));
    let by_gain = counted(Group::Threat, 10, &LOST, |view, class| {
        view.survey().sides[OWN].pieces[class] & view.survey().exchanges.losses
    })
    .chain(counted(Group::Threat, 10, &WON, |view, class| {
        view.survey().sides[ENEMY].pieces[class] & view.survey().exchanges.wins
    }));
    by_protection.chain(by_gain).chain(family(
        Group::Threat,
        10,
        &EXCHANGES,
        exchange_value,
        exchange_squares,
    ))
}

/// The family without its first member: nothing is cheaper than a pawn.
fn undercut(members: &'static Members, squares: Squares) -> impl Iterator<Item = Feature> {
    counted(Group::Threat, 10, members, squares).skip(1)
}

fn exchange_value(view: &View<'_>, member: usize) -> i32 {
    let exchanges = &view.survey().exchanges;
    match member {
        0 | 1 => exchanges.largest_losses[member] / HALF_PAWN,
        2 | 3 => exchanges.largest_wins[member - 2] / HALF_PAWN,
        4 => (!exchanges.losses.is_empty()).into(),
        _ => (!exchanges.wins.is_empty()).into(),
    }
}

fn exchange_squares(view: &View<'_>, member: usize) -> Bitboard {
    let exchanges = &view.survey().exchanges;
    if matches!(member, 0 | 1 | 4) { exchanges.losses } else { exchanges.wins }
}
