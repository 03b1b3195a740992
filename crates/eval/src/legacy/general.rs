//! Pieces in hand, mobility, the king's surroundings and castles, as the program saw them.

use tesuji_shogi::{Bitboard, PieceKind, attacks};

use super::Difference;
use crate::castles::CountedCastles;
use crate::{Measure, View};

/// The program read the counts of pieces in hand from the wrong places: silvers for lances, lances
/// for silvers, rooks for golds, kings for rooks.
pub(super) const DIFFERENCES: [Difference; 8] = [
    Difference {
        name: "LANCE_IN_HAND_BONUS",
        sentence: "Silvers in hand, taken for lances: yours minus your opponent's.",
        measure: hand::<3>(),
    },
    Difference {
        name: "SILVER_IN_HAND_BONUS",
        sentence: "Lances in hand, taken for silvers: yours minus your opponent's.",
        measure: hand::<1>(),
    },
    Difference {
        name: "ROOK_IN_HAND_BONUS",
        sentence: "Always 0: kings in hand were counted.",
        measure: hand::<7>(),
    },
    Difference {
        name: "GOLD_IN_HAND_BONUS",
        sentence: "Rooks in hand, taken for golds: yours minus your opponent's.",
        measure: hand::<5>(),
    },
    Difference {
        name: "BISHOP_MOBILITY",
        sentence: "Safe squares that your bishops and horses can move to.",
        measure: Measure::Number {
            value: |view| count_of_moves(view, view.own_bishops()),
            squares: |view| union_of_moves(view, view.own_bishops()),
        },
    },
    Difference {
        name: "ROOK_MOBILITY",
        sentence: "Safe squares that your rooks and dragons can move to.",
        measure: Measure::Number {
            value: |view| count_of_moves(view, view.own_rooks()),
            squares: |view| union_of_moves(view, view.own_rooks()),
        },
    },
    Difference {
        name: "PLAYER_KING_ESCAPE_ROUTES",
        sentence: "Empty squares next to your king, attacked or not.",
        measure: Measure::Count(|view| {
            let neighbours = view.own_king().map_or(Bitboard::EMPTY, attacks::king);
            neighbours.without(view.position().occupied())
        }),
    },
    Difference {
        name: "CASTLE_FORMATION",
        sentence: "Pieces in the place that one of the program's 43 castles gives them.",
        measure: Measure::Castle(CountedCastles::thesis),
    },
];

/// Pieces of the kind with number `KIND` in hand.
const fn hand<const KIND: usize>() -> Measure {
    Measure::Number { value: hand_balance::<KIND>, squares: |_| Bitboard::EMPTY }
}

fn hand_balance<const KIND: usize>(view: &View<'_>) -> i32 {
    let held = |color| i32::from(view.position().hand(color).count(PieceKind::ALL[KIND]));
    held(view.player()) - held(view.opponent())
}

fn count_of_moves(view: &View<'_>, pieces: Bitboard) -> i32 {
    safe_moves(view, pieces).map(|moves| moves.count() as i32).sum()
}

fn union_of_moves(view: &View<'_>, pieces: Bitboard) -> Bitboard {
    safe_moves(view, pieces).fold(Bitboard::EMPTY, |all, moves| all | moves)
}

/// For each of the pieces, the squares it can move to that the opponent does not attack.
fn safe_moves<'a>(view: &'a View<'_>, pieces: Bitboard) -> impl Iterator<Item = Bitboard> + 'a {
    let position = view.position();
    let closed = view.own() | view.counts().attacked(view.opponent());
    pieces.into_iter().filter_map(move |square| {
        let piece = position.piece_on(square)?;
        Some(attacks::of(piece, square, position.occupied()).without(closed))
    })
}
