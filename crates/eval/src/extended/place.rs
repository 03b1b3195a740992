//! Where the player's pieces stand: rank, file, and steps from the kings.

use tesuji_shogi::{Bitboard, Square, attacks};

use super::class::{KING, by_class, by_file, by_rank};
use super::family;
use super::survey::OWN;
use crate::{Feature, Group, View};

/// The classes whose ranks and files are looked at. Promoted pieces are few and their places are told
/// well enough by the distance from the kings.
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

const NEAR: [[(&str, &str); 10]; 6] = [
    by_class!("NEXT_TO_OWN_KING", "Your ", " next to your king."),
    by_class!("TWO_FROM_OWN_KING", "Your ", " two steps from your king."),
    by_class!("THREE_FROM_OWN_KING", "Your ", " three steps from your king."),
    by_class!("NEXT_TO_ENEMY_KING", "Your ", " next to the enemy king."),
    by_class!("TWO_FROM_ENEMY_KING", "Your ", " two steps from the enemy king."),
    by_class!("THREE_FROM_ENEMY_KING", "Your ", " three steps from the enemy king."),
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
    let near = family(Group::Distance, 8, NEAR.as_flattened(), near_king, near_king_squares);
    // Ranks on which a pawn, lance or knight cannot stand.
    const DEAD: [&str; 4] = ["PAWN_RANK_1", "LANCE_RANK_1", "KNIGHT_RANK_1", "KNIGHT_RANK_2"];
    ranks.filter(|feature| !DEAD.contains(&feature.name)).chain(files).chain(near)
}

/// The player's pieces of a class on squares that are as wanted, seen from the player's side.
fn own_where(view: &View<'_>, class: usize, wanted: impl Fn(Square) -> bool) -> Bitboard {
    let pieces = view.survey().sides[OWN].pieces[class];
    pieces.into_iter().filter(|square| wanted(square.seen_by(view.player()))).collect()
}

fn near_king(view: &View<'_>, member: usize) -> i32 {
    let own = &view.survey().sides[OWN];
    let (relation, class) = (member / 10, member % 10);
    let near = if relation < 3 { &own.near_own_king } else { &own.near_other_king };
    near[class][relation % 3].into()
}

fn near_king_squares(view: &View<'_>, member: usize) -> Bitboard {
    let (relation, class) = (member / 10, member % 10);
    let king = if relation < 3 { view.own_king() } else { view.enemy_king() };
    let Some(king) = king else { return Bitboard::EMPTY };
    let steps = relation as u8 % 3 + 1;
    let inner = if steps == 1 { Bitboard::of(king) } else { attacks::king_zone(king, steps - 1) };
    let ring = attacks::king_zone(king, steps).without(inner);
    view.survey().sides[OWN].pieces[class] & ring
}
