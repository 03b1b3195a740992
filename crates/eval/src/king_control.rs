//! King control as the thesis would have it next: a wider zone, and attacks that are safe.

use tesuji_shogi::{Bitboard, Color, attacks};

use crate::{Feature, Group, Measure, View};

const fn king(name: &'static str, sentence: &'static str, measure: Measure) -> Feature {
    Feature { name, group: Group::King, bits: 6, linked_to: None, sentence, measure }
}

/// Penalties carry their own minus sign, as everywhere.
pub(crate) const FEATURES: [Feature; 5] = [
    king(
        "ENEMY_KING_ATTACKS_WIDE",
        "Each of your attacks on a square within two of the enemy king.",
        Measure::Number {
            value: |view| attacks_on(view, view.player(), wide(view, view.opponent())),
            squares: |view| wide(view, view.opponent()) & view.counts().attacked(view.player()),
        },
    ),
    king(
        "PLAYER_KING_THREAT_WIDE_PENALTY",
        "Each enemy attack on a square within two of your king counts against you.",
        Measure::Number {
            value: |view| -attacks_on(view, view.opponent(), wide(view, view.player())),
            squares: |view| wide(view, view.player()) & view.counts().attacked(view.opponent()),
        },
    ),
    king(
        "PLAYER_KING_DEFENDERS_WIDE",
        "Each of your own attacks on a square within two of your king.",
        Measure::Number {
            value: |view| attacks_on(view, view.player(), wide(view, view.player())),
            squares: |view| wide(view, view.player()) & view.counts().attacked(view.player()),
        },
    ),
    king(
        "ENEMY_KING_ATTACKS_WIDE_SAFE",
        "Attacks within two squares of the enemy king by pieces of yours that are protected.",
        Measure::Number {
            value: |view| safe_attacks(view, view.player()),
            squares: |view| wide(view, view.opponent()) & view.counts().attacked(view.player()),
        },
    ),
    king(
        "PLAYER_KING_THREAT_WIDE_SAFE_PENALTY",
        "Attacks within two squares of your king by protected pieces count against you.",
        Measure::Number {
            value: |view| -safe_attacks(view, view.opponent()),
            squares: |view| wide(view, view.player()) & view.counts().attacked(view.opponent()),
        },
    ),
];

/// The squares within two of the king of `color`.
fn wide(view: &View<'_>, color: Color) -> Bitboard {
    let zone = view.king_zone(color);
    zone.into_iter().fold(zone, |wide, square| wide | attacks::king(square))
}

fn attacks_on(view: &View<'_>, color: Color, zone: Bitboard) -> i32 {
    view.counts().sum(color, zone) as i32
}

/// Attacks of `color` on squares within two of the other king, by protected pieces.
fn safe_attacks(view: &View<'_>, color: Color) -> i32 {
    let position = view.position();
    let zone = wide(view, !color);
    let protected = position.of_color(color) & view.counts().attacked(color);
    let attacked = |from| {
        let piece = position.piece_on(from)?;
        Some((attacks::of(piece, from, position.occupied()) & zone).count() as i32)
    };
    protected.into_iter().filter_map(attacked).sum()
}

#[cfg(test)]
mod tests {
    use crate::testing::assert_values;

    #[test]
    fn values_on_small_boards() {
        assert_values(&[
            // The gold on 5d attacks 4c, 5c and 6c, two squares before the king, and 5e not; its own
            // square 5d, 4d and 6d are three away.
            ("4k4/9/9/4G4/9/9/9/9/4K4 w - 1", "ENEMY_KING_ATTACKS_WIDE", 3),
            ("4k4/9/9/4G4/9/9/9/9/4K4 w - 1", "ENEMY_KING_ATTACKS_WIDE_SAFE", 0),
            ("4k4/9/9/4G4/4P4/9/9/9/4K4 w - 1", "ENEMY_KING_ATTACKS_WIDE_SAFE", 3),
            ("4k4/9/9/9/9/4g4/9/9/4K4 b - 1", "PLAYER_KING_THREAT_WIDE_PENALTY", -3),
            ("4k4/9/9/9/4p4/4g4/9/9/4K4 b - 1", "PLAYER_KING_THREAT_WIDE_SAFE_PENALTY", -3),
            ("4k4/9/9/9/9/9/9/9/4K4 b - 1", "PLAYER_KING_DEFENDERS_WIDE", 5),
        ]);
    }
}
