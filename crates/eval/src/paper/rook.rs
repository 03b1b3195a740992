//! Rooks and their files.

use tesuji_shogi::{Bitboard, Square};

use crate::{Feature, Group, Measure, View};

const fn rook(name: &'static str, sentence: &'static str, squares: Squares) -> Feature {
    let measure = Measure::Count(squares);
    Feature { name, group: Group::Rook, bits: 6, linked_to: None, sentence, measure }
}

type Squares = fn(&View<'_>) -> Bitboard;

pub(super) const FEATURES: [Feature; 6] = [
    rook("ROOK_ENEMY_CAMP", "Your rooks and dragons in the enemy camp.", |view| {
        view.own_rooks() & view.enemy_camp()
    }),
    rook("ROOK_ATTACK_KING_FILE", "Your rooks and dragons on the enemy king's file.", |view| {
        on_file(view, view.enemy_king().map(Square::file))
    }),
    rook(
        "ROOK_ATTACK_KING_ADJ_FILE",
        "Your rooks and dragons on a file next to the enemy king's.",
        rooks_beside_king,
    ),
    rook(
        "ROOK_ATTACK_KING_ADJ_FILE_9821",
        "Your rooks and dragons on a file next to an enemy king near the edge.",
        rooks_beside_edge_king,
    ),
    rook("ROOK_OPEN_FILE", "Your rooks and dragons with a file to themselves.", |view| {
        rooks_with(view, |others, _| others.is_empty())
    }),
    rook(
        "ROOK_SEMI_OPEN_FILE",
        "Your rooks and dragons whose file holds one other piece, an enemy's.",
        |view| rooks_with(view, |others, enemy| others.count() == 1 && others.intersects(enemy)),
    ),
];

/// The same as the thesis's program has it: only the file on the side of the middle counts.
pub(super) const INNER_FILE: Feature = rook(
    "ROOK_ATTACK_KING_ADJ_FILE_9821_INNER",
    "Your rooks and dragons beside an enemy king near the edge, on the side of the middle.",
    rooks_inside_edge_king,
);

/// The rooks on a file; none for a file off the board.
fn on_file(view: &View<'_>, file: Option<u8>) -> Bitboard {
    match file {
        Some(file @ 1..=9) => view.own_rooks() & Bitboard::file(file),
        _ => Bitboard::EMPTY,
    }
}

fn rooks_beside_king(view: &View<'_>) -> Bitboard {
    let file = view.enemy_king().map(Square::file);
    on_file(view, file.map(|file| file - 1)) | on_file(view, file.map(|file| file + 1))
}

fn rooks_beside_edge_king(view: &View<'_>) -> Bitboard {
    match view.enemy_king().map(Square::file) {
        Some(1 | 2 | 8 | 9) => rooks_beside_king(view),
        _ => Bitboard::EMPTY,
    }
}

fn rooks_inside_edge_king(view: &View<'_>) -> Bitboard {
    let inside = match view.enemy_king().map(Square::file) {
        Some(file @ (8 | 9)) => Some(file - 1),
        Some(file @ (1 | 2)) => Some(file + 1),
        _ => None,
    };
    on_file(view, inside)
}

/// The rooks for which the other pieces on their file are as wanted.
fn rooks_with(view: &View<'_>, wanted: fn(Bitboard, Bitboard) -> bool) -> Bitboard {
    let occupied = view.position().occupied();
    let fits = |square: &Square| {
        let others = (occupied & Bitboard::file(square.file())).without(Bitboard::of(*square));
        wanted(others, view.enemy())
    };
    view.own_rooks().into_iter().filter(fits).collect()
}
