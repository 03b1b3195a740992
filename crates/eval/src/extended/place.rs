//! Where the player's pieces stand: rank and file.

use tesuji_shogi::{Bitboard, Square};

use super::class::{KING, by_file, by_rank};
use super::family;
use super::survey::OWN;
use crate::{Feature, Group, View};

/// The classes whose ranks and files are looked at. Promoted pieces are few, and what they attack
/// tells more than where they stand.
const PLACED: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, KING];

const RANKS: [[(&str, &str); 9]; PLACED.len()] = [
    by_rank!("PAWN", "pawns"),
    by_rank!("LANCE", "lances"),
    by_rank!("KNIGHT", "knights"),
    by_rank!("SILVER", "silvers"),
    by_rank!("GOLD", "golds"),
    by_rank!("BISHOP", "bishops"),
    by_rank!("ROOK", "rooks"),
    by_rank!("KING", "king"),
];

const FILES: [[(&str, &str); 9]; PLACED.len()] = [
    by_file!("PAWN", "pawns"),
    by_file!("LANCE", "lances"),
    by_file!("KNIGHT", "knights"),
    by_file!("SILVER", "silvers"),
    by_file!("GOLD", "golds"),
    by_file!("BISHOP", "bishops"),
    by_file!("ROOK", "rooks"),
    by_file!("KING", "king"),
];

pub(super) fn features() -> impl Iterator<Item = Feature> {
    let ranks = family(
        Group::Shape,
        8,
        RANKS.as_flattened(),
        |view, member| view.survey().sides[OWN].ranks[PLACED[member / 9]][member % 9].into(),
        |view, member| {
            own_where(view, PLACED[member / 9], |seen| usize::from(seen.rank()) == member % 9 + 1)
        },
    );
    let files = family(
        Group::Shape,
        8,
        FILES.as_flattened(),
        |view, member| view.survey().sides[OWN].files[PLACED[member / 9]][member % 9].into(),
        |view, member| {
            own_where(view, PLACED[member / 9], |seen| usize::from(seen.file()) == member % 9 + 1)
        },
    );
    // Ranks on which a pawn, lance or knight cannot stand.
    const DEAD: [&str; 4] = ["PAWN_RANK_1", "LANCE_RANK_1", "KNIGHT_RANK_1", "KNIGHT_RANK_2"];
    ranks.filter(|feature| !DEAD.contains(&feature.name)).chain(files)
}

/// The player's pieces of a class on squares that are as wanted, seen from the player's side.
fn own_where(view: &View<'_>, class: usize, wanted: impl Fn(Square) -> bool) -> Bitboard {
    let pieces = view.survey().sides[OWN].pieces[class];
    pieces.into_iter().filter(|square| wanted(square.seen_by(view.player()))).collect()
}
