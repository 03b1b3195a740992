//! Merits set by hand, in hundredths of a pawn.
//!
//! Goals come first, a safe check may exceed a pawn that is taken, what improves or prevents is worth
//! less than any goal, and whatever gives material away is negative. What a piece is worth goes into
//! every value in a fixed proportion. The numbers are round ones near a fit of a few hundred values
//! to masters' games, and the level was set by what is kept of such games and what is saved.

use tesuji_shogi::{ExchangeValues, PieceKind};

use super::groups::{ACTORS, DISTANCES, Group, MAP_GAINS, NEAR, PATTERNS, RANKS};

const KINDS: usize = PieceKind::COUNT;
/// The first of the actors that are drops.
const DROPS: usize = KINDS + 6;

/// A move keeps its merit above zero if no more than this speaks against it.
const LEVEL: i32 = 54;

/// What losing or winning on the target counts, from the most that is lost; an even exchange is the
/// seventh.
const EXCHANGES: [i32; 13] = [-120, -110, -90, -50, -20, -10, 0, 20, 30, 40, 80, 85, 115];
/// What is still to be lost after the move: nothing, a pawn, lance or knight, general, bishop, rook.
const LEFT_HANGING: [i32; 7] = [95, 50, 5, -50, -105, -115, -115];
/// Attacking something with a pawn, lance or knight, general, bishop, rook, king.
const ATTACK_BY: [i32; RANKS] = [60, 45, -10, 20, 15, -35];
/// Saving a piece: it goes, is protected, its attacker is taken, the line is closed.
const SAVE: [i32; 4] = [50, 25, 25, 90];
/// Defending the king: by protecting squares that are not attacked, one that is, more; by closing a
/// line, by taking an attacker, by going away.
const DEFEND_KING: [i32; 6] = [10, 75, 85, 85, 90, 40];
/// The target: so many enemies against it (none, one, more), without and with support.
const MOVE_TO: [i32; 6] = [20, 10, 35, -5, -65, -10];
const DROP_TO: [i32; 6] = [10, -20, 20, 35, -80, 50];
/// Drops so far from the enemy king.
const DROP_NEAR_KING: [i32; 9] = [0, 35, 20, 15, 0, -10, -25, -30, -20];
/// Squares beside the enemy king that are attacked.
const ENEMY_ZONE: [i32; 6] = [-10, -15, 0, 10, 40, 35];
/// Moves so far from the last move, and from the own one before; the last is farther than four.
const REPLY: [i32; 6] = [65, 15, 5, -30, -50, -45];
const CONTINUATION: [i32; 6] = [85, 20, -10, -30, -40, -35];
/// Drops, by the pieces in hand: in peace, and while a strong threat is on the board.
const DROP_IN_PHASE: [i32; 16] = [-35, -50, -15, 5, 15, 15, 15, 10, 0, -5, -10, 0, 5, 20, 25, 25];

/// What a piece is worth to a player, in hundredths of a pawn.
fn worth(kind: usize) -> i32 {
    let kind = PieceKind::from_index(kind).expect("a kind");
    if kind == PieceKind::King { 1000 } else { ExchangeValues::default().capture(kind) / 2 }
}

/// What a feature of a group is worth.
pub(super) fn value(group: Group, index: usize) -> i16 {
    let value = match group.generator() {
        Some(_) => reason(group, index),
        None => cost(group, index),
    };
    value as i16
}

/// What a reason for a move is worth.
fn reason(group: Group, index: usize) -> i32 {
    let kind = |number: usize| worth(number % KINDS);
    let bit = |place: usize| (index / place % 2) as i32;
    let few = |count: usize| count as i32;
    match group {
        Group::Capture => {
            130 + kind(index / (4 * RANKS)) / 12 + 30 * bit(2 * RANKS) - 20 * bit(RANKS)
        }
        Group::Promote => 150 - 30 * bit(2) + if index / 4 == KINDS { 40 } else { 0 },
        Group::Check => 40 + 20 * few(index / 2 % 4) + 40 * bit(1),
        Group::AttackKing => 10 + 25 * few((index / 2 % 5).min(2)),
        Group::AttackMaterial => {
            let by = ATTACK_BY[index / (8 * KINDS)];
            kind(index / 4) / 8 - 50 + 30 * bit(1) + by + 25
        }
        Group::DiscoveredAttack => 75,
        Group::ThreatenPromotion => 10 + 15 * bit(2),
        Group::AnswerCheck => [75, 0, 35][index / 2 % 3],
        Group::DefendKing => DEFEND_KING[index / 4 % 6],
        Group::DefendMaterial => {
            kind(index / (8 * RANKS)).min(900) / 10 + SAVE[index / (2 * RANKS) % 4]
        }
        Group::DefendDiscovered | Group::DefendPin => 45,
        Group::DefendPromotion | Group::Pin => 30,
        Group::EaseTie => 20,
        Group::GuardUndefended | Group::AvoidDevelopment => 10,
        Group::DefendExchange | Group::CoverOwnCamp | Group::CoverEnemyCamp => 5,
        Group::Develop => develop(index),
        _ => 0,
    }
}

/// What development is worth: the book, a step towards the castle, one towards the assault, a pattern.
fn develop(index: usize) -> i32 {
    let maps = KINDS * MAP_GAINS;
    match index {
        0 => 100,
        _ if index <= maps => 30,
        _ if index <= 2 * maps => 10,
        _ => 15,
    }
}

/// What a cost is.
fn cost(group: Group, index: usize) -> i32 {
    let drops = |actor: usize| actor % ACTORS >= DROPS;
    match group {
        Group::Exchange => EXCHANGES[index / (2 * ACTORS)] + 30 * (index % 2) as i32,
        Group::LeftHanging => LEFT_HANGING[index / 4] + [0, 20, 60, 60][index % 4],
        Group::Deserted => -45,
        // From the least to the most likely, an unlikely one counting against the move.
        Group::Pattern => (28 * (index % PATTERNS) as i32 - 534).clamp(-30, 240),
        Group::Origin => origin(index),
        Group::Target if drops(index / 6) => DROP_TO[index % 6],
        Group::Target => MOVE_TO[index % 6],
        Group::Held => [-15, 25, 25, 0][index % 4],
        Group::EnemyKing => {
            let (files, ranks) = (index % DISTANCES / 17, (index % DISTANCES % 17).abs_diff(8));
            let drop = drops(index / DISTANCES);
            if drop { DROP_NEAR_KING[files.max(ranks)] } else { 0 }
        }
        Group::EnemyZone => ENEMY_ZONE[index % 6],
        Group::Phase => {
            let by = DROP_IN_PHASE[index / ACTORS];
            actor(index % ACTORS) + if drops(index) { by } else { -by }
        }
        Group::Reply => near(&REPLY, index % NEAR),
        Group::Continuation => match index % (NEAR + 2) {
            place if place < NEAR => near(&CONTINUATION, place),
            _ => 20,
        },
        Group::Level => LEVEL,
        _ => 0,
    }
}

/// What moving a piece is worth in itself: lances stay at home, tokins are active.
fn actor(actor: usize) -> i32 {
    match PieceKind::from_index(actor) {
        Some(PieceKind::Lance) => -65,
        Some(PieceKind::ProPawn) => 50,
        Some(PieceKind::Bishop) => -20,
        _ => 0,
    }
}

/// By the distance from a square.
fn near(values: &[i32; 6], place: usize) -> i32 {
    if place == NEAR - 1 { values[5] } else { values[(place / 9).max((place % 9).abs_diff(4))] }
}

/// Leaving a square: by whether the piece was attacked, protected, attacked by the last move, and is
/// safe afterwards.
fn origin(index: usize) -> i32 {
    let bit = |place: usize| index / place % 2 == 1;
    let (attacked, protected, by_last, safe) = (bit(8), bit(4), bit(2), bit(1));
    let small = index / 16 <= PieceKind::Knight.index();
    match (attacked, safe) {
        (false, false) => -45,
        (true, false) => -10,
        (true, true) if by_last => 40,
        (true, true) => -25,
        (false, true) if small && !protected => -40,
        (false, true) if index / 16 == PieceKind::Pawn.index() => 35,
        (false, true) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plausible::Class;

    fn values(group: Group) -> impl Iterator<Item = i16> {
        (0..group.range().len()).map(move |index| value(group, index))
    }

    fn of_class(class: impl Fn(Class) -> bool) -> impl Iterator<Item = i16> {
        let is_of = move |group: &&Group| group.generator().is_some_and(|g| class(g.class()));
        Group::ALL.iter().filter(is_of).flat_map(|&group| values(group))
    }

    #[test]
    fn goals_come_before_improvement_and_prevention() {
        let goal = of_class(|class| class == Class::Goal).min().unwrap();
        let positional = of_class(Class::is_positional).max().unwrap();
        assert!(goal > positional, "{goal} {positional}");
    }

    #[test]
    fn a_check_may_exceed_the_taking_of_a_pawn() {
        let check = values(Group::Check).max().unwrap();
        // Those that take a pawn come first.
        let pawn = values(Group::Capture).take(4 * RANKS).min().unwrap();
        assert!(check > pawn, "{check} {pawn}");
        assert!(check < values(Group::Capture).max().unwrap());
    }

    #[test]
    fn sacrifices_are_negative() {
        for range in 0..6 {
            let first = range * 2 * ACTORS;
            assert!((0..ACTORS).all(|actor| value(Group::Exchange, first + 2 * actor) < 0));
        }
    }
}
