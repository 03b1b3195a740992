//! Where generated moves go.

use crate::{Bitboard, Color, Move, MoveList, PieceKind, Square};

/// Takes legal moves a set at a time.
pub trait MoveSink {
    /// The piece on `from` may go to each of `plain`, and with promotion to each of `promoting`.
    fn board_moves(&mut self, from: Square, plain: Bitboard, promoting: Bitboard);

    /// Pawns of `color` may step onto each of `plain`, and with promotion onto each of `promoting`.
    fn pawn_moves(&mut self, color: Color, plain: Bitboard, promoting: Bitboard);

    /// A piece of this kind may be dropped onto each of `targets`.
    fn drops(&mut self, kind: PieceKind, targets: Bitboard);
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn board_moves(&mut self, from: Square, plain: Bitboard, promoting: Bitboard) {
        for to in promoting {
            self.push(Move::promotion(from, to));
        }
        for to in plain {
            self.push(Move::normal(from, to));
        }
    }

    #[inline(always)]
    fn pawn_moves(&mut self, color: Color, plain: Bitboard, promoting: Bitboard) {
        for to in promoting {
            self.push(Move::promotion(to.behind(color), to));
        }
        for to in plain {
            self.push(Move::normal(to.behind(color), to));
        }
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceKind, targets: Bitboard) {
        for to in targets {
            self.push(Move::drop_held(kind, to));
        }
    }
}

/// Counts moves.
#[derive(Default)]
pub(super) struct Counter {
    pub count: u32,
}

impl MoveSink for Counter {
    #[inline(always)]
    fn board_moves(&mut self, _from: Square, plain: Bitboard, promoting: Bitboard) {
        self.count += plain.count() + promoting.count();
    }

    #[inline(always)]
    fn pawn_moves(&mut self, _color: Color, plain: Bitboard, promoting: Bitboard) {
        self.count += plain.count() + promoting.count();
    }

    #[inline(always)]
    fn drops(&mut self, _kind: PieceKind, targets: Bitboard) {
        self.count += targets.count();
    }
}
