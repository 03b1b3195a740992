//! What counts for more as the game goes on: products with the progress of the game.

use tesuji_shogi::{Bitboard, Color, PieceKind};

use super::class::CLASSES;
use super::exchange::HALF_PAWN;
use super::family;
use super::survey::{ENEMY, OWN, count};
use crate::{Feature, Group, View};

/// Progress is counted up to this.
const LATEST: i32 = 10;
/// Products are kept in this unit, so that their weights are of the size of others.
const UNIT: i32 = 5;

const MEMBERS: [(&str, &str); 16] = [
    (
        "LATE_LOSS",
        "What your opponent's best capture gains, in half pawns, times the progress of the game.",
    ),
    (
        "LATE_WIN",
        "What your best capture would gain, in half pawns, times the progress of the game.",
    ),
    ("LATE_ASSAULT", "Your attacks around the enemy king, times the progress of the game."),
    ("LATE_PRESSURE", "Enemy attacks around your king, times the progress of the game."),
    ("LATE_GUARD", "Your attacks around your own king, times the progress of the game."),
    ("LATE_ATTACKS", "All attacks of your pieces, times the progress of the game."),
    (
        "LATE_ADVANCE",
        "Ranks that your golds and silvers have advanced, times the progress of the game.",
    ),
    ("LATE_HELD_PAWN", "Pawns in your hand, times the progress of the game."),
    (
        "LATE_HELD_SMALL",
        "Lances, knights, silvers and golds in your hand, times the progress of the game.",
    ),
    ("LATE_HELD_LARGE", "Bishops and rooks in your hand, times the progress of the game."),
    (
        "LATE_NEAR_ENEMY_KING",
        "Your pieces within two steps of the enemy king, times the progress of the game.",
    ),
    (
        "LATE_NEAR_OWN_KING",
        "Your pieces within two steps of your king, times the progress of the game.",
    ),
    ("LATE_CHECK", "A check, times the progress of the game."),
    ("LATE_ESCAPES_OWN", "Squares where your king could go, times the progress of the game."),
    (
        "LATE_ESCAPES_ENEMY",
        "Squares where the enemy king could go, times the progress of the game.",
    ),
    ("LATE_KING_FILE", "Files between your king and the middle, times the progress of the game."),
];

pub(super) fn features() -> impl Iterator<Item = Feature> {
    family(Group::Phase, 8, &MEMBERS, value, |view, member| match member {
        2 | 10 | 14 => view.king_zone(view.opponent()),
        3 | 4 | 11 | 13 | 15 => view.king_zone(view.player()),
        _ => Bitboard::EMPTY,
    })
}

/// How far the game has come, 0 to 10: pieces other than pawns in either hand, and pieces that
/// stand in the other's camp or are promoted.
pub(super) fn progress(view: &View<'_>) -> i32 {
    let position = view.position();
    let mut progress = 0;
    for color in Color::ALL {
        let hand = position.hand(color);
        progress += i32::from(hand.total()) - i32::from(hand.count(PieceKind::Pawn));
    }
    let invaders = (view.own() & view.enemy_camp()) | (view.enemy() & view.own_camp());
    (progress + invaders.count() as i32).min(LATEST)
}

fn value(view: &View<'_>, member: usize) -> i32 {
    let survey = view.survey();
    let [own, enemy] = &survey.sides;
    let sum = |numbers: &[i16]| numbers.iter().map(|&n| i32::from(n)).sum::<i32>();
    let held = |kinds: &[PieceKind]| {
        let hand = view.position().hand(view.player());
        kinds.iter().map(|&kind| i32::from(hand.count(kind))).sum::<i32>()
    };
    let number = match member {
        0 => survey.exchanges.largest_losses[0] / HALF_PAWN,
        1 => survey.exchanges.largest_wins[0] / HALF_PAWN,
        2 => sum(&own.assault),
        3 => sum(&enemy.assault),
        4 => sum(&own.guard[..CLASSES]),
        5 => view.counts().sum(view.player(), Bitboard::FULL) as i32,
        6 => {
            let advance = |class: usize| {
                (0..9)
                    .map(|rank| (8 - rank as i32) * i32::from(own.ranks[class][rank]))
                    .sum::<i32>()
            };
            advance(3) + advance(4)
        }
        7 => held(&[PieceKind::Pawn]),
        8 => held(&[PieceKind::Lance, PieceKind::Knight, PieceKind::Silver, PieceKind::Gold]),
        9 => held(&[PieceKind::Bishop, PieceKind::Rook]),
        10 => count(own.near_other_king).into(),
        11 => count(own.near_own_king).into(),
        12 => i32::from(view.position().in_check()),
        13 => super::king::escapes(view, OWN),
        14 => super::king::escapes(view, ENEMY),
        _ => view.own_king().map_or(0, |king| i32::from(king.file().abs_diff(5))),
    };
    number * survey.progress / UNIT
}
