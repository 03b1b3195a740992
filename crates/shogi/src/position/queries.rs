//! Questions about attacks, pins and checks.

use super::Position;
use crate::{Bitboard, Color, PieceKind, Square, attacks};

impl Position {
    /// The pieces of `by` that attack `square` by a single step (horses and dragons by their steps
    /// included; kings not).
    #[inline(always)]
    pub(crate) fn steppers_attacking(&self, square: Square, by: Color) -> Bitboard {
        let kind = |kind: PieceKind| self.by_kind[kind.index()].without(self.promoted);
        let attackers = (attacks::pawn(!by, square) & kind(PieceKind::Pawn))
            | (attacks::knight(!by, square) & kind(PieceKind::Knight))
            | (attacks::silver(!by, square) & kind(PieceKind::Silver))
            | (attacks::gold(!by, square) & self.golds())
            | (attacks::king(square) & self.horses_and_dragons());
        attackers & self.of_color(by)
    }

    /// The sliders of `by` that would attack `square` if nothing stood between.
    #[inline(always)]
    pub(crate) fn snipers(&self, square: Square, by: Color) -> Bitboard {
        let lances = self.by_kind[PieceKind::Lance.index()].without(self.promoted);
        let aligned = (attacks::rook_rays(square) & self.straight_sliders())
            | (attacks::bishop_rays(square) & self.diagonal_sliders())
            | (attacks::lance_ray(!by, square) & lances);
        aligned & self.of_color(by)
    }

    /// The pieces of `by` that attack `square` on a board with these occupied squares.
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let king = attacks::king(square) & self.of(by, PieceKind::King);
        let mut attackers = self.steppers_attacking(square, by) | king;
        for sniper in self.snipers(square, by) {
            if !attacks::between(sniper, square).intersects(occupied) {
                attackers |= Bitboard::of(sniper);
            }
        }
        attackers
    }

    /// Does a piece of `by` attack `square`?
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        !self.attackers(square, by, self.occupied()).is_empty()
    }

    /// The pieces of either side that alone stand between the king of `color` and an enemy slider:
    /// its own pieces are pinned, the enemy's would uncover a check.
    #[inline(always)]
    pub fn blockers(&self, color: Color) -> Bitboard {
        let Some(king) = self.king(color) else { return Bitboard::EMPTY };
        let occupied = self.occupied();
        let mut blockers = Bitboard::EMPTY;
        for sniper in self.snipers(king, !color) {
            let between = attacks::between(sniper, king) & occupied;
            if !between.has_several() {
                blockers |= between;
            }
        }
        blockers
    }

    /// The pieces of `color` that are pinned to their king.
    #[inline(always)]
    pub fn pinned(&self, color: Color) -> Bitboard {
        self.blockers(color) & self.of_color(color)
    }

    /// The squares from which a piece of the side to move and of this kind would give check.
    #[inline]
    pub fn check_squares(&self, kind: PieceKind) -> Bitboard {
        let us = self.side;
        let Some(king) = self.king(!us) else { return Bitboard::EMPTY };
        if kind == PieceKind::King {
            return Bitboard::EMPTY;
        }
        // A piece gives check from where a piece of its kind on the king's square would attack.
        attacks::of(crate::Piece::new(!us, kind), king, self.occupied())
    }

    /// Every square that `color` attacks, own pieces included, with these squares occupied.
    #[inline]
    pub fn attacked_squares(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let own = self.of_color(color);
        let mut attacked = self.stepper_attacks(color);
        for square in own & self.straight_sliders() {
            attacked |= attacks::rook(square, occupied);
        }
        for square in own & self.diagonal_sliders() {
            attacked |= attacks::bishop(square, occupied);
        }
        for square in self.of(color, PieceKind::Lance) {
            attacked |= attacks::lance(color, square, occupied);
        }
        attacked
    }

    /// Every square that `color` attacks by a single step, worked out for all pieces of a kind at
    /// once.
    #[inline(always)]
    pub(crate) fn stepper_attacks(&self, color: Color) -> Bitboard {
        let up = if color == Color::Black { -1 } else { 1 };
        let own = self.of_color(color);
        let plain = own.without(self.promoted);
        let pawns = plain & self.by_kind[PieceKind::Pawn.index()];
        let knights = plain & self.by_kind[PieceKind::Knight.index()];
        let silvers = plain & self.by_kind[PieceKind::Silver.index()];
        let golds = own & self.golds();
        // The king's and the promoted sliders' eight steps; a promoted slider's own four lines
        // include the rest, so that counting them here changes nothing.
        let royal = own & (self.by_kind[PieceKind::King.index()] | self.horses_and_dragons());

        let diagonal_forward = silvers | golds | royal;
        let straight_forward = pawns | diagonal_forward;
        let sideways = golds | royal;
        let straight_back = golds | royal;
        let diagonal_back = silvers | royal;
        straight_forward.shifted(0, up)
            | diagonal_forward.shifted(-1, up)
            | diagonal_forward.shifted(1, up)
            | sideways.shifted(-1, 0)
            | sideways.shifted(1, 0)
            | straight_back.shifted(0, -up)
            | diagonal_back.shifted(-1, -up)
            | diagonal_back.shifted(1, -up)
            | knights.shifted(-1, 2 * up)
            | knights.shifted(1, 2 * up)
    }
}
