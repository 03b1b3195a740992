//! What stands on the squares around the player's king, square by square.

use tesuji_shogi::{Bitboard, Color};

use super::class::{KING, SMALL_PROMOTED};
use super::counted;
use super::survey::Side;
use crate::{Feature, Group, View};

/// Files to the left and ranks forward, from the king.
const PLACES: [(i8, i8); 11] =
    [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1), (-1, 2), (0, 2), (1, 2)];

macro_rules! by_place {
    ($prefix:literal, $what:literal) => {
        [
            (
                concat!($prefix, "_AHEAD_RIGHT"),
                concat!($what, " diagonally ahead of your king, to its right."),
            ),
            (concat!($prefix, "_AHEAD"), concat!($what, " right ahead of your king.")),
            (
                concat!($prefix, "_AHEAD_LEFT"),
                concat!($what, " diagonally ahead of your king, to its left."),
            ),
            (concat!($prefix, "_RIGHT"), concat!($what, " at your king's right.")),
            (concat!($prefix, "_LEFT"), concat!($what, " at your king's left.")),
            (
                concat!($prefix, "_BEHIND_RIGHT"),
                concat!($what, " diagonally behind your king, to its right."),
            ),
            (concat!($prefix, "_BEHIND"), concat!($what, " right behind your king.")),
            (
                concat!($prefix, "_BEHIND_LEFT"),
                concat!($what, " diagonally behind your king, to its left."),
            ),
            (
                concat!($prefix, "_TWO_AHEAD_RIGHT"),
                concat!($what, " two ranks ahead of your king, one file to its right."),
            ),
            (concat!($prefix, "_TWO_AHEAD"), concat!($what, " two squares ahead of your king.")),
            (
                concat!($prefix, "_TWO_AHEAD_LEFT"),
                concat!($what, " two ranks ahead of your king, one file to its left."),
            ),
        ]
    };
}

const MEMBERS: [[(&str, &str); 11]; 4] = [
    by_place!("SHELTER_PAWN", "A pawn of yours"),
    by_place!("SHELTER_SILVER", "A silver of yours"),
    by_place!("SHELTER_GOLD", "A gold of yours, or a small promoted piece,"),
    by_place!("SHELTER_OTHER", "Another piece of yours"),
];

pub(super) fn features() -> impl Iterator<Item = Feature> {
    counted(Group::King, 8, MEMBERS.as_flattened(), squares)
}

fn squares(view: &View<'_>, member: usize) -> Bitboard {
    let shelter = &view.survey().shelter;
    shelter.pieces[member / 11] & shelter.places[member % 11]
}

/// The places around the player's king, and the pieces that may stand there.
#[derive(Clone, Debug)]
pub(super) struct Shelter {
    /// Each place as a set of one square; empty off the board.
    places: [Bitboard; PLACES.len()],
    /// Pawns, silvers, golds with small promoted pieces, and all others but the king.
    pieces: [Bitboard; 4],
}

impl Shelter {
    pub(super) fn new(view: &View<'_>, own: &Side) -> Self {
        let places = PLACES.map(|(left, forward)| {
            let king = view.own_king();
            let square = king.and_then(|king| match view.player() {
                Color::Black => king.offset(left, -forward),
                Color::White => king.offset(-left, forward),
            });
            square.map_or(Bitboard::EMPTY, Bitboard::of)
        });
        let (pawns, silvers) = (own.pieces[0], own.pieces[3]);
        let golds = own.pieces[4] | own.pieces[SMALL_PROMOTED];
        let others = view.own().without(pawns | silvers | golds | own.pieces[KING]);
        Self { places, pieces: [pawns, silvers, golds, others] }
    }
}
