//! Control of squares, rank by rank.

use tesuji_shogi::Bitboard;

use super::survey::{ENEMY, OWN};
use super::{counted, family};
use crate::{Feature, Group, View};

const RANKS: [(&str, &str); 9] = [
    (
        "SUPERIOR_RANK_1",
        "Squares of the farthest rank that you attack more often than your opponent.",
    ),
    ("SUPERIOR_RANK_2", "Squares of the second farthest rank that you attack more often."),
    ("SUPERIOR_RANK_3", "Squares of the third farthest rank that you attack more often."),
    ("SUPERIOR_RANK_4", "Squares right before the enemy camp that you attack more often."),
    ("SUPERIOR_RANK_5", "Squares of the middle rank that you attack more often."),
    ("SUPERIOR_RANK_6", "Squares right before your camp that you attack more often."),
    ("SUPERIOR_RANK_7", "Squares of your third rank that you attack more often."),
    ("SUPERIOR_RANK_8", "Squares of your second rank that you attack more often."),
    ("SUPERIOR_RANK_9", "Squares of your back rank that you attack more often."),
];
const INFERIOR: [(&str, &str); 9] = [
    (
        "INFERIOR_RANK_1",
        "Squares of the farthest rank that your opponent attacks more often than you.",
    ),
    (
        "INFERIOR_RANK_2",
        "Squares of the second farthest rank that your opponent attacks more often.",
    ),
    (
        "INFERIOR_RANK_3",
        "Squares of the third farthest rank that your opponent attacks more often.",
    ),
    (
        "INFERIOR_RANK_4",
        "Squares right before the enemy camp that your opponent attacks more often.",
    ),
    ("INFERIOR_RANK_5", "Squares of the middle rank that your opponent attacks more often."),
    ("INFERIOR_RANK_6", "Squares right before your camp that your opponent attacks more often."),
    ("INFERIOR_RANK_7", "Squares of your third rank that your opponent attacks more often."),
    ("INFERIOR_RANK_8", "Squares of your second rank that your opponent attacks more often."),
    ("INFERIOR_RANK_9", "Squares of your back rank that your opponent attacks more often."),
];
const TOTALS: [(&str, &str); 6] = [
    ("ATTACKS_OWN", "All attacks of your pieces."),
    ("ATTACKS_ENEMY", "All attacks of enemy pieces."),
    ("ATTACKS_ENEMY_CAMP", "Your attacks on squares of the enemy camp."),
    ("ATTACKS_OWN_CAMP", "Enemy attacks on squares of your camp."),
    ("ATTACKED_OWN_PIECES", "Your pieces that the opponent attacks."),
    ("PROTECTED_OWN_PIECES", "Your pieces that you protect."),
];

pub(super) fn features() -> impl Iterator<Item = Feature> {
    let ranks = counted(Group::Control, 8, &RANKS, |view, member| {
        rank(view, member) & view.survey().sides[OWN].superior
    });
    let inferior = counted(Group::Control, 8, &INFERIOR, |view, member| {
        rank(view, member) & view.survey().sides[ENEMY].superior
    });
    ranks.chain(inferior).chain(family(Group::Control, 8, &TOTALS, total, total_squares))
}

fn rank(view: &View<'_>, member: usize) -> Bitboard {
    let rank = member as u8 + 1;
    Bitboard::rank(if view.player() == tesuji_shogi::Color::Black { rank } else { 10 - rank })
}

fn total_squares(view: &View<'_>, member: usize) -> Bitboard {
    let [own, enemy] = &view.survey().sides;
    match member {
        0 => own.attacked,
        1 => enemy.attacked,
        2 => own.attacked & view.enemy_camp(),
        3 => enemy.attacked & view.own_camp(),
        4 => view.own() & enemy.attacked,
        _ => view.own() & own.attacked,
    }
}

fn total(view: &View<'_>, member: usize) -> i32 {
    let counts = view.counts();
    let squares = total_squares(view, member);
    let sum = match member {
        0 | 2 => counts.sum(view.player(), squares),
        1 | 3 => counts.sum(view.opponent(), squares),
        _ => squares.count(),
    };
    sum as i32
}
