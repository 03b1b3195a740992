//! Distances that are not linear: what a step costs depends on how near the king is.
//!
//! `NEAR_…` has a weight for each kind of piece, as the thesis's distances have, and counts a piece
//! the more the nearer it stands (60 over the distance). `AT_…` knows no kinds: a weight for each
//! distance is any function of distance, with eight weights for each king.

use tesuji_shogi::{Bitboard, Square};

use crate::dropped::{KINDS, Members, by_kind};
use crate::paper::distance_between;
use crate::{Feature, Group, Measure, View};

const NEAR_OWN: Members<13> = by_kind!("NEAR_FRIENDLY", "How near your ", " are to your king.");
const NEAR_ENEMY: Members<13> = by_kind!("NEAR_ENEMY", "How near your ", " are to the enemy king.");
const AT_OWN: Members<8> = [
    ("AT_1_FRIENDLY", "Your pieces next to your king."),
    ("AT_2_FRIENDLY", "Your pieces two squares from your king."),
    ("AT_3_FRIENDLY", "Your pieces three squares from your king."),
    ("AT_4_FRIENDLY", "Your pieces four squares from your king."),
    ("AT_5_FRIENDLY", "Your pieces five squares from your king."),
    ("AT_6_FRIENDLY", "Your pieces six squares from your king."),
    ("AT_7_FRIENDLY", "Your pieces seven squares from your king."),
    ("AT_8_FRIENDLY", "Your pieces eight squares or more from your king."),
];
const AT_ENEMY: Members<8> = [
    ("AT_1_ENEMY", "Your pieces next to the enemy king."),
    ("AT_2_ENEMY", "Your pieces two squares from the enemy king."),
    ("AT_3_ENEMY", "Your pieces three squares from the enemy king."),
    ("AT_4_ENEMY", "Your pieces four squares from the enemy king."),
    ("AT_5_ENEMY", "Your pieces five squares from the enemy king."),
    ("AT_6_ENEMY", "Your pieces six squares from the enemy king."),
    ("AT_7_ENEMY", "Your pieces seven squares from the enemy king."),
    ("AT_8_ENEMY", "Your pieces eight squares or more from the enemy king."),
];

/// All of them; no weights are linked.
pub(crate) fn features() -> Vec<Feature> {
    let mut features = Vec::with_capacity(42);
    let mut add = |members: &[(&'static str, &'static str)], measure: fn(usize) -> Measure| {
        for (member, &(name, sentence)) in members.iter().enumerate() {
            let (group, measure) = (Group::Distance, measure(member));
            features.push(Feature { name, group, bits: 6, linked_to: None, sentence, measure });
        }
    };
    add(&NEAR_OWN, |member| Measure::Member {
        value: |view, kind| near(view.own_kind(KINDS[kind]), view.own_king()),
        squares: |view, kind| view.own_kind(KINDS[kind]),
        member,
        penalty: false,
    });
    add(&NEAR_ENEMY, |member| Measure::Member {
        value: |view, kind| near(view.own_kind(KINDS[kind]), view.enemy_king()),
        squares: |view, kind| view.own_kind(KINDS[kind]),
        member,
        penalty: false,
    });
    add(&AT_OWN, |member| Measure::CountOf {
        squares: |view, steps| at(view, view.own_king(), steps),
        member,
        penalty: false,
    });
    add(&AT_ENEMY, |member| Measure::CountOf {
        squares: |view, steps| at(view, view.enemy_king(), steps),
        member,
        penalty: false,
    });
    features
}

/// Sixty over the distance, summed over the pieces.
fn near(pieces: Bitboard, king: Option<Square>) -> i32 {
    let Some(king) = king else { return 0 };
    pieces.into_iter().map(|square| 60 / distance_between(square, king).max(1)).sum()
}

/// The player's pieces, his king not among them, at a distance of one more than `steps`; the last
/// holds all that are farther.
fn at(view: &View<'_>, king: Option<Square>, steps: usize) -> Bitboard {
    let Some(king) = king else { return Bitboard::EMPTY };
    let own_king = view.own_king();
    let pieces = view.own().into_iter().filter(|&square| Some(square) != own_king);
    pieces
        .filter(|&square| distance_between(square, king).clamp(1, 8) as usize == steps + 1)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_values;

    #[test]
    fn values_on_small_boards() {
        assert_values(&[
            // Two squares from the enemy king, six from ours.
            ("4k4/9/4G4/9/9/9/9/9/4K4 w - 1", "NEAR_ENEMY_GOLD", 30),
            ("4k4/9/4G4/9/9/9/9/9/4K4 w - 1", "NEAR_FRIENDLY_GOLD", 10),
            ("4k4/9/4G4/9/9/9/9/9/4K4 w - 1", "AT_2_ENEMY", 1),
            ("4k4/9/4G4/9/9/9/9/9/4K4 w - 1", "AT_6_FRIENDLY", 1),
            ("4k4/9/4G4/9/9/9/9/9/4K4 w - 1", "AT_8_ENEMY", 0),
        ]);
        assert_eq!(features().len(), 42);
    }
}
