//! From where the enemy king can be given check.

use crate::{Bitboard, Move, Origin, Piece, PieceKind, Position, Square, attacks};

/// The squares from which pieces of the side to move would give check, worked out once for all
/// moves of a position.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    king: Square,
    /// Our pieces that hide the enemy king from a slider of ours.
    uncovering: Bitboard,
    by_kind: [Bitboard; PieceKind::COUNT],
}

impl CheckSquares {
    /// The squares for the side to move; `None` if the enemy has no king.
    #[inline(always)]
    pub fn new(position: &Position) -> Option<Self> {
        let us = position.side_to_move();
        let king = position.king(!us)?;
        // A piece gives check from where a piece of its kind on the king's square would attack.
        let occupied = position.occupied();
        let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let (step, gold) = (attacks::king(king), attacks::gold(!us, king));
        let mut by_kind = [gold; PieceKind::COUNT];
        by_kind[PieceKind::Pawn.index()] = attacks::pawn(!us, king);
        by_kind[PieceKind::Lance.index()] = rook & attacks::lance_ray(!us, king);
        by_kind[PieceKind::Knight.index()] = attacks::knight(!us, king);
        by_kind[PieceKind::Silver.index()] = attacks::silver(!us, king);
        by_kind[PieceKind::Bishop.index()] = bishop;
        by_kind[PieceKind::Rook.index()] = rook;
        by_kind[PieceKind::King.index()] = Bitboard::EMPTY;
        by_kind[PieceKind::Horse.index()] = bishop | step;
        by_kind[PieceKind::Dragon.index()] = rook | step;
        let uncovering = position.blockers(!us) & position.of_color(us);
        Some(Self { king, uncovering, by_kind })
    }

    /// Where a piece of this kind would give check.
    #[inline(always)]
    pub const fn of(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// Where a piece that leaves this square uncovers a check.
    #[inline(always)]
    pub fn uncovered_from(&self, from: Square) -> Bitboard {
        if self.uncovering.contains(from) {
            !attacks::line(self.king, from)
        } else {
            Bitboard::EMPTY
        }
    }

    /// Does this legal move of the same position give check?
    #[inline]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        let to = mv.to();
        match mv.origin() {
            Origin::Hand(kind) => self.of(kind).contains(to),
            Origin::Board(from) => {
                let Some(kind) = position.piece_on(from).map(Piece::kind) else { return false };
                let arriving = if mv.is_promotion() { kind.promoted() } else { None };
                self.of(arriving.unwrap_or(kind)).contains(to)
                    || self.uncovered_from(from).contains(to)
            }
        }
    }
}
