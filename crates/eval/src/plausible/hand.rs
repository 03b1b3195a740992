//! Merits set by hand, in hundredths of a pawn.

use tesuji_shogi::{ExchangeValues, PieceKind};

use super::groups::{ACTORS, Group, LIKELY_PATTERNS, MAP_GAINS, RANKS};

const KINDS: usize = PieceKind::COUNT;

/// What losing or winning in an exchange counts: the middle of each range, as the mover's gain.
const EXCHANGES: [i32; 13] = [-1600, -1200, -850, -550, -300, -125, 0, 0, 0, 0, 0, 0, 0];

/// What a piece is worth to a player, in hundredths of a pawn.
fn worth(kind: usize) -> i32 {
    let kind = PieceKind::from_index(kind).expect("a kind");
    if kind == PieceKind::King { 1500 } else { ExchangeValues::default().capture(kind) / 2 }
}

/// What a feature of a group is worth.
pub(super) fn value(group: Group, index: usize) -> i16 {
    let index = index as i32;
    let (kinds, ranks) = (KINDS as i32, RANKS as i32);
    let kind = |number: i32| worth((number % kinds) as usize);
    let value = match group {
        // The hand counts as well as the board.
        Group::Capture => {
            let taken = index / (4 * ranks);
            let again = index / (2 * ranks) % 2;
            100 + kind(taken) + 200 * again
        }
        Group::Promote => 150,
        Group::Check => 100 + 60 * (index / 2 % 4),
        Group::AttackKing => 20 + 30 * (index / 2 % 5),
        Group::AttackMaterial => 30 + kind(index / 4 % kinds) / 8,
        Group::DiscoveredAttack => 50 + kind(index / 2) / 8,
        Group::ThreatenPromotion => 80,
        Group::AnswerCheck => 200,
        Group::DefendKing => 15 * (1 + index % 4),
        Group::DefendMaterial => 40 + kind(index / (4 * ranks * 2)) / 3,
        Group::DefendDiscovered => 20 + kind(index / 4) / 20,
        Group::DefendPromotion => 60,
        Group::DefendPin => 40,
        Group::EaseTie => 30,
        Group::GuardUndefended => 25,
        Group::DefendExchange => 40,
        Group::CoverOwnCamp => 10 * (1 + index % 4),
        Group::Develop => develop(index as usize),
        Group::Pin => 40 + kind(index) / 20,
        Group::CoverEnemyCamp => 10 * (1 + index % 4),
        Group::AvoidDevelopment => 15,
        Group::Exchange => EXCHANGES[(index / (2 * ACTORS as i32)) as usize] / 2,
        Group::LeftHanging => -40 * (index / 4),
        Group::Deserted => -30 - 20 * index,
        Group::Level => -60,
        _ => 0,
    };
    value as i16
}

/// What development is worth.
fn develop(index: usize) -> i32 {
    let Some(index) = index.checked_sub(1) else { return 150 };
    let maps = 2 * KINDS * MAP_GAINS;
    if index < maps {
        return 20 + 10 * (index % MAP_GAINS) as i32;
    }
    15 * ((index - maps) % LIKELY_PATTERNS) as i32
}
