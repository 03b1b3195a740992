//! Shapes of a few pieces, as the program saw them. Its "in front" is toward rank a and its
//! "behind" toward rank i, for White too.

use tesuji_shogi::{Bitboard, PieceKind, Square};

use super::Difference;
use crate::{Measure, View};

pub(super) const DIFFERENCES: [Difference; 10] = [
    Difference {
        name: "BISHOP_HEAD_PROTECTED",
        sentence: "Your attacks on the squares above your bishops.",
        measure: Measure::Number {
            value: |view| own_attacks(view, own_bishop_heads(view)),
            squares: own_bishop_heads,
        },
    },
    Difference {
        name: "BISHOP_HEAD_ATTACK",
        sentence: "Your attacks on the squares above enemy bishops.",
        measure: Measure::Number {
            value: |view| own_attacks(view, enemy_bishop_heads(view)),
            squares: enemy_bishop_heads,
        },
    },
    Difference {
        name: "GOLD_AHEAD_SILVER_PENALTY",
        sentence: "Your golds right above one of your silvers.",
        measure: Measure::Penalty(|view| {
            above(view.own_kind(PieceKind::Silver)) & view.own_kind(PieceKind::Gold)
        }),
    },
    Difference {
        name: "BOXED_IN_BISHOP_PENALTY",
        sentence: "Own pieces on the diagonal squares next to your last bishop or horse.",
        measure: Measure::Penalty(boxing_pieces),
    },
    Difference {
        name: "PIECE_AHEAD_OF_PAWN_PENALTY",
        sentence: "Your pieces right above one of your pawns, silvers of either side up excepted.",
        measure: Measure::Penalty(|view| {
            let silvers = view.own_kind(PieceKind::Silver) | view.own_kind(PieceKind::ProSilver);
            (above(view.own_kind(PieceKind::Pawn)) & view.own()).without(silvers)
        }),
    },
    Difference {
        name: "RECLINING_SILVER",
        sentence: "Your silvers with a pawn or tokin of yours right below and another beside.",
        measure: Measure::Count(|view| {
            let pawns = pawns_and_tokins(view);
            let beside = pawns.shifted(-1, 0) | pawns.shifted(1, 0);
            view.own_kind(PieceKind::Silver) & above(pawns) & beside
        }),
    },
    Difference {
        name: "CLAIMED_FILES",
        sentence: "Your pawns and tokins on the middle rank that you protect.",
        measure: Measure::Count(|view| {
            pawns_and_tokins(view) & Bitboard::rank(5) & view.counts().attacked(view.player())
        }),
    },
    Difference {
        name: "ADJACENT_SILVERS",
        sentence: "Silvers beside an own piece, if the number of that piece's square is by chance \
            the number of a silver.",
        measure: Measure::Count(|view| beside_numbered_silver(view, PieceKind::Silver)),
    },
    Difference {
        name: "ADJACENT_GOLDS",
        sentence: "Golds beside an own piece, if the number of that piece's square is by chance \
            the number of a silver.",
        measure: Measure::Count(|view| beside_numbered_silver(view, PieceKind::Gold)),
    },
    Difference {
        name: "ROOK_SEMI_OPEN_FILE",
        sentence: "Your rooks and dragons whose file holds one other piece, if it or a piece on the \
            file of a rook before is an enemy's.",
        measure: Measure::Count(rooks_on_semi_open_files),
    },
];

/// The squares toward rank a.
fn above(set: Bitboard) -> Bitboard {
    set.shifted(0, -1)
}

fn own_bishop_heads(view: &View<'_>) -> Bitboard {
    above(view.own_kind(PieceKind::Bishop))
}

fn enemy_bishop_heads(view: &View<'_>) -> Bitboard {
    above(view.enemy_kind(PieceKind::Bishop))
}

fn own_attacks(view: &View<'_>, squares: Bitboard) -> i32 {
    view.counts().sum(view.player(), squares) as i32
}

/// The program went over bishops and then horses, and only the last of them counted in the end.
fn boxing_pieces(view: &View<'_>) -> Bitboard {
    let horses = view.own_kind(PieceKind::Horse);
    let pieces = if horses.is_empty() { view.own_kind(PieceKind::Bishop) } else { horses };
    if pieces.is_empty() {
        return pieces;
    }
    let last = view.numbering().last(pieces).map_or(Bitboard::EMPTY, Bitboard::of);
    let sides = last.shifted(-1, 0) | last.shifted(1, 0);
    (sides.shifted(0, -1) | sides.shifted(0, 1)) & view.own()
}

fn pawns_and_tokins(view: &View<'_>) -> Bitboard {
    view.own_kind(PieceKind::Pawn) | view.own_kind(PieceKind::ProPawn)
}

/// The pieces of a kind that the program took to have a silver beside them: it looked at the
/// squares to the left and right, but for the piece there it took the one whose number is the
/// square's. A square found so is marked, and a piece on a marked square is passed over.
fn beside_numbered_silver(view: &View<'_>, kind: PieceKind) -> Bitboard {
    let pieces = view.own_kind(kind);
    if pieces.is_empty() {
        return pieces;
    }
    let numbering = view.numbering();
    let found =
        |square: &Square| view.own().contains(*square) && numbering.is_silver(square.index());
    let mut marked = Bitboard::EMPTY;
    let mut counted = Bitboard::EMPTY;
    for square in numbering.in_order(pieces) {
        if marked.contains(square) {
            continue;
        }
        let neighbours = [square.offset(1, 0), square.offset(-1, 0)];
        if let Some(neighbour) = neighbours.into_iter().flatten().find(found) {
            marked |= Bitboard::of(neighbour);
            counted |= Bitboard::of(square);
        }
    }
    counted
}

/// The program noted that a file held an enemy's piece and did not forget it before the next rook.
fn rooks_on_semi_open_files(view: &View<'_>) -> Bitboard {
    let rooks = view.own_rooks();
    if rooks.is_empty() {
        return rooks;
    }
    let numbering = view.numbering();
    let plain = numbering.in_order(view.own_kind(PieceKind::Rook));
    let dragons = numbering.in_order(view.own_kind(PieceKind::Dragon));
    let mut enemy_seen = false;
    let mut counted = Bitboard::EMPTY;
    for rook in plain.chain(dragons) {
        let file = Bitboard::file(rook.file());
        enemy_seen |= file.intersects(view.enemy());
        if enemy_seen && (file & view.position().occupied()).count() == 2 {
            counted |= Bitboard::of(rook);
        }
    }
    counted
}
