//! Pawns and files.

use tesuji_shogi::{Bitboard, PieceKind};

use super::counted;
use crate::{Feature, Group, View};

const MEMBERS: [(&str, &str); 8] = [
    ("FREE_FILES", "Files without a pawn of yours, where you can drop one."),
    ("PAWN_BEFORE_ROOK", "Your pawns on the file ahead of your rook."),
    ("PAWN_BEFORE_LANCE", "Your pawns on the file ahead of your lance."),
    ("PAWNS_FACED", "Your pawns right in front of an enemy pawn."),
    ("PAWN_AT_ENEMY_PIECE", "Enemy pieces right in front of your pawns, which must give way."),
    ("BARE_KNIGHTS", "Your knights with no piece of yours right in front."),
    ("BLOCKED_PAWNS", "Your pawns with an own piece right in front."),
    ("PROTECTED_PAWNS_AHEAD", "Your protected pawns beyond your camp."),
];

pub(super) fn features() -> impl Iterator<Item = Feature> {
    counted(Group::Shape, 8, &MEMBERS, squares)
}

fn squares(view: &View<'_>, member: usize) -> Bitboard {
    let pawns = view.own_kind(PieceKind::Pawn);
    let ahead = view.forward(pawns);
    match member {
        0 => {
            let back = view.back(Bitboard::FULL) ^ Bitboard::FULL;
            // One square of each file that is free: its farthest.
            let taken = pawns
                .into_iter()
                .fold(Bitboard::EMPTY, |all, pawn| all | Bitboard::file(pawn.file()));
            back.without(taken)
        }
        1 => pawns & ahead_of(view, view.own_kind(PieceKind::Rook)),
        2 => pawns & ahead_of(view, view.own_kind(PieceKind::Lance)),
        3 => pawns & view.back(view.enemy_kind(PieceKind::Pawn)),
        4 => (ahead & view.enemy()).without(view.enemy_kind(PieceKind::Pawn)),
        5 => view.own_kind(PieceKind::Knight).without(view.back(view.own())),
        6 => pawns & view.back(view.own()),
        _ => (pawns & view.counts().attacked(view.player())).without(view.own_camp()),
    }
}

fn ahead_of(view: &View<'_>, pieces: Bitboard) -> Bitboard {
    pieces.into_iter().fold(Bitboard::EMPTY, |all, square| {
        all | tesuji_shogi::attacks::lance_ray(view.player(), square)
    })
}
