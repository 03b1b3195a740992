//! What stands on the squares around the player's king, square by square.

use tesuji_shogi::{Bitboard, Color, Square};

use super::counted;
use super::survey::OWN;
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
    let Some(square) = view.own_king().and_then(|king| place(view.player(), king, member % 11))
    else {
        return Bitboard::EMPTY;
    };
    let pieces = &view.survey().sides[OWN].pieces;
    let set = match member / 11 {
        0 => pieces[0],
        1 => pieces[3],
        2 => pieces[4] | pieces[7],
        _ => pieces[1] | pieces[2] | pieces[5] | pieces[6] | pieces[8] | pieces[9],
    };
    set & Bitboard::of(square)
}

fn place(player: Color, king: Square, place: usize) -> Option<Square> {
    let (left, forward) = PLACES[place];
    match player {
        Color::Black => king.offset(left, -forward),
        Color::White => king.offset(-left, forward),
    }
}
