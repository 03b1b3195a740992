//! Attack and defence around the two kings.

use tesuji_shogi::{Bitboard, attacks};

use crate::{Feature, Group, Measure, View};

const fn king(name: &'static str, bits: u8, sentence: &'static str, measure: Measure) -> Feature {
    Feature { name, group: Group::King, bits, linked_to: None, sentence, measure }
}

pub(super) const THREAT_PENALTY: Feature = king(
    "PLAYER_KING_THREAT_PENALTY",
    10,
    "Each enemy attack on your king's square and the squares around it counts against you.",
    Measure::Number {
        value: |view| -(view.counts().sum(view.opponent(), own_zone(view)) as i32),
        squares: |view| own_zone(view) & view.counts().attacked(view.opponent()),
    },
);

pub(super) const DEFENDERS: Feature = king(
    "PLAYER_KING_DEFENDERS",
    6,
    "Each of your own attacks on your king's square and the squares around it.",
    Measure::Number {
        value: |view| view.counts().sum(view.player(), own_zone(view)) as i32,
        squares: |view| own_zone(view) & view.counts().attacked(view.player()),
    },
);

pub(super) const ESCAPE_ROUTES: Feature = king(
    "PLAYER_KING_ESCAPE_ROUTES",
    6,
    "Squares next to your king that are neither yours nor attacked.",
    Measure::Count(escape_routes),
);

pub(super) const ENEMY_KING_ATTACKS: Feature = king(
    "ENEMY_KING_ATTACKS",
    10,
    "Each of your attacks on the enemy king's square and the squares around it.",
    Measure::Number {
        value: |view| view.counts().sum(view.player(), enemy_zone(view)) as i32,
        squares: |view| enemy_zone(view) & view.counts().attacked(view.player()),
    },
);

fn own_zone(view: &View<'_>) -> Bitboard {
    view.king_zone(view.player())
}

fn enemy_zone(view: &View<'_>) -> Bitboard {
    view.king_zone(view.opponent())
}

fn escape_routes(view: &View<'_>) -> Bitboard {
    let neighbours = view.own_king().map_or(Bitboard::EMPTY, attacks::king);
    neighbours.without(view.own() | view.counts().attacked(view.opponent()))
}
