//! Distances from the player's pieces to both kings.

use tesuji_shogi::{Bitboard, PieceKind, Square};

use crate::{Feature, Group, Measure, View};

const fn to_own<const KIND: usize>(name: &'static str, sentence: &'static str) -> Feature {
    distance(name, sentence, own_distance::<KIND>, own_pieces::<KIND>)
}

const fn to_enemy<const KIND: usize>(name: &'static str, sentence: &'static str) -> Feature {
    distance(name, sentence, enemy_distance::<KIND>, own_pieces::<KIND>)
}

const fn distance(
    name: &'static str,
    sentence: &'static str,
    value: fn(&View<'_>) -> i32,
    squares: fn(&View<'_>) -> Bitboard,
) -> Feature {
    let measure = Measure::Number { value, squares };
    Feature { name, group: Group::Distance, bits: 6, linked_to: None, sentence, measure }
}

pub(super) const FEATURES: [Feature; 26] = [
    to_own::<0>("DTK_FRIENDLY_PAWN", "How far your pawns are from your king."),
    to_enemy::<0>("DTK_ENEMY_PAWN", "How far your pawns are from the enemy king."),
    to_own::<1>("DTK_FRIENDLY_LANCE", "How far your lances are from your king."),
    to_enemy::<1>("DTK_ENEMY_LANCE", "How far your lances are from the enemy king."),
    to_own::<2>("DTK_FRIENDLY_KNIGHT", "How far your knights are from your king."),
    to_enemy::<2>("DTK_ENEMY_KNIGHT", "How far your knights are from the enemy king."),
    to_own::<3>("DTK_FRIENDLY_SILVER", "How far your silvers are from your king."),
    to_enemy::<3>("DTK_ENEMY_SILVER", "How far your silvers are from the enemy king."),
    to_own::<4>("DTK_FRIENDLY_BISHOP", "How far your bishops are from your king."),
    to_enemy::<4>("DTK_ENEMY_BISHOP", "How far your bishops are from the enemy king."),
    to_own::<5>("DTK_FRIENDLY_ROOK", "How far your rooks are from your king."),
    to_enemy::<5>("DTK_ENEMY_ROOK", "How far your rooks are from the enemy king."),
    to_own::<6>("DTK_FRIENDLY_GOLD", "How far your golds are from your king."),
    to_enemy::<6>("DTK_ENEMY_GOLD", "How far your golds are from the enemy king."),
    to_own::<8>("DTK_FRIENDLY_PROMOTED_PAWN", "How far your tokins are from your king."),
    to_enemy::<8>("DTK_ENEMY_PROMOTED_PAWN", "How far your tokins are from the enemy king."),
    to_own::<9>("DTK_FRIENDLY_PROMOTED_LANCE", "How far your promoted lances are from your king."),
    to_enemy::<9>(
        "DTK_ENEMY_PROMOTED_LANCE",
        "How far your promoted lances are from the enemy king.",
    ),
    to_own::<10>(
        "DTK_FRIENDLY_PROMOTED_KNIGHT",
        "How far your promoted knights are from your king.",
    ),
    to_enemy::<10>(
        "DTK_ENEMY_PROMOTED_KNIGHT",
        "How far your promoted knights are from the enemy king.",
    ),
    to_own::<11>(
        "DTK_FRIENDLY_PROMOTED_SILVER",
        "How far your promoted silvers are from your king.",
    ),
    to_enemy::<11>(
        "DTK_ENEMY_PROMOTED_SILVER",
        "How far your promoted silvers are from the enemy king.",
    ),
    to_own::<12>("DTK_FRIENDLY_PROMOTED_BISHOP", "How far your horses are from your king."),
    to_enemy::<12>("DTK_ENEMY_PROMOTED_BISHOP", "How far your horses are from the enemy king."),
    to_own::<13>("DTK_FRIENDLY_PROMOTED_ROOK", "How far your dragons are from your king."),
    to_enemy::<13>("DTK_ENEMY_PROMOTED_ROOK", "How far your dragons are from the enemy king."),
];

fn own_pieces<const KIND: usize>(view: &View<'_>) -> Bitboard {
    view.own_kind(PieceKind::ALL[KIND])
}

fn own_distance<const KIND: usize>(view: &View<'_>) -> i32 {
    sum_of_distances(own_pieces::<KIND>(view), view.own_king())
}

fn enemy_distance<const KIND: usize>(view: &View<'_>) -> i32 {
    sum_of_distances(own_pieces::<KIND>(view), view.enemy_king())
}

/// The distances of these pieces from a king, added; 0 without the king.
pub(crate) fn sum_of_distances(pieces: Bitboard, king: Option<Square>) -> i32 {
    let Some(king) = king else { return 0 };
    pieces.into_iter().map(|square| distance_between(square, king)).sum()
}

/// The straight distance between two squares, rounded to whole squares.
pub(crate) fn distance_between(a: Square, b: Square) -> i32 {
    i32::from(DISTANCES[a.index()][b.index()])
}

/// The straight distance between any two squares, rounded to whole squares.
static DISTANCES: [[u8; Square::COUNT]; Square::COUNT] = {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let mut a = 0;
    while a < Square::COUNT {
        let mut b = 0;
        while b < Square::COUNT {
            let files = (a / 9).abs_diff(b / 9);
            let ranks = (a % 9).abs_diff(b % 9);
            table[a][b] = rounded_root(files * files + ranks * ranks);
            b += 1;
        }
        a += 1;
    }
    table
};

/// The square root, halves rounded up: the largest `r` with `(r - 1/2)² <= n`. Since `n` is whole,
/// that is `r² - r < n` or `n = r = 0`.
const fn rounded_root(n: usize) -> u8 {
    let mut root = 0;
    while (root + 1) * (root + 1) - (root + 1) < n {
        root += 1;
    }
    root as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_rounded_roots() {
        for n in 0..=128_usize {
            assert_eq!(f64::from(rounded_root(n)), (n as f64).sqrt().round(), "{n}");
        }
    }
}
