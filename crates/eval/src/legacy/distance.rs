//! What the program took for the distance between a piece and a king.

use tesuji_shogi::{Bitboard, PieceKind, Square};

use crate::{Measure, View};

pub(super) const SENTENCE: &str = "The last piece of this kind and your king: for each the file \
    minus the rank, squared; a tenth of their sum. It is no distance, and the same for both kings.";

/// The measure of a feature such as `DTK_ENEMY_PAWN`; the program used the player's own king for
/// both.
pub(super) fn measure(name: &str) -> Option<Measure> {
    let kind = name.strip_prefix("DTK_FRIENDLY_").or_else(|| name.strip_prefix("DTK_ENEMY_"))?;
    Some(match kind {
        "PAWN" => of_kind::<0>(),
        "LANCE" => of_kind::<1>(),
        "KNIGHT" => of_kind::<2>(),
        "SILVER" => of_kind::<3>(),
        "BISHOP" => of_kind::<4>(),
        "ROOK" => of_kind::<5>(),
        "GOLD" => of_kind::<6>(),
        "PROMOTED_PAWN" => of_kind::<8>(),
        "PROMOTED_LANCE" => of_kind::<9>(),
        "PROMOTED_KNIGHT" => of_kind::<10>(),
        "PROMOTED_SILVER" => of_kind::<11>(),
        "PROMOTED_BISHOP" => of_kind::<12>(),
        "PROMOTED_ROOK" => of_kind::<13>(),
        _ => return None,
    })
}

const fn of_kind<const KIND: usize>() -> Measure {
    Measure::Number { value: value::<KIND>, squares: squares::<KIND> }
}

fn value<const KIND: usize>(view: &View<'_>) -> i32 {
    match (last::<KIND>(view), view.own_king()) {
        (Some(piece), Some(king)) => (off_diagonal(piece) + off_diagonal(king)) / 10,
        _ => 0,
    }
}

fn squares<const KIND: usize>(view: &View<'_>) -> Bitboard {
    last::<KIND>(view).map_or(Bitboard::EMPTY, Bitboard::of)
}

fn last<const KIND: usize>(view: &View<'_>) -> Option<Square> {
    let pieces = view.own_kind(PieceKind::ALL[KIND]);
    if pieces.is_empty() { None } else { view.numbering().last(pieces) }
}

/// The square of file minus rank.
fn off_diagonal(square: Square) -> i32 {
    (i32::from(square.file()) - i32::from(square.rank())).pow(2)
}
