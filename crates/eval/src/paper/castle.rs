//! Castles.

use tesuji_shogi::Bitboard;

use crate::castles::{self, Castles};
use crate::{Feature, Group, Measure};

pub(super) const FORMATION: Feature = Feature {
    name: "CASTLE_FORMATION",
    group: Group::Castle,
    bits: 6,
    linked_to: None,
    sentence: "Pieces in the place that the castle around your king gives them.",
    measure: Measure::Number {
        value: |view| Castles::common().best_fit(view).map_or(0, |fit| fit.count as i32),
        squares: |view| {
            Castles::common()
                .best_fit(view)
                .map_or(Bitboard::EMPTY, |fit: castles::Fit| fit.squares)
        },
    },
};
