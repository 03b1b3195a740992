//! Is a move legal? Answered for one move, without generating the others.

use super::CheckSquares;
use crate::moves::Origin;
use crate::{Bitboard, Move, Piece, PieceKind, Position, Square, attacks};

impl Position {
    /// May the side to move play this move? True exactly for the moves of
    /// [`Position::legal_moves`].
    pub fn is_legal(&self, mv: Move) -> bool {
        match mv.origin() {
            Origin::Hand(kind) => self.is_legal_drop(kind, mv.to()),
            Origin::Board(from) => self.is_legal_board_move(from, mv.to(), mv.is_promotion()),
        }
    }

    /// Does this legal move give check?
    pub fn gives_check(&self, mv: Move) -> bool {
        CheckSquares::new(self).is_some_and(|checks| checks.gives_check(self, mv))
    }

    fn is_legal_drop(&self, kind: PieceKind, to: Square) -> bool {
        let us = self.side_to_move();
        if !self.hand(us).has(kind)
            || self.piece_on(to).is_some()
            || Bitboard::far_ranks(us, kind.dead_ranks()).contains(to)
            || !self.blocks_check(to)
        {
            return false;
        }
        if kind != PieceKind::Pawn {
            return true;
        }
        let doubled = self.of(us, PieceKind::Pawn).intersects(Bitboard::file(to.file()));
        !doubled && self.pawn_drop_mate_among(us, Bitboard::of(to)).is_none()
    }

    /// Does a piece that arrives on the empty square `to` end all checks? True without a check.
    fn blocks_check(&self, to: Square) -> bool {
        match (self.king(self.side_to_move()), self.checkers().first()) {
            (Some(king), Some(checker)) => {
                !self.checkers().has_several() && attacks::between(king, checker).contains(to)
            }
            _ => true,
        }
    }

    fn is_legal_board_move(&self, from: Square, to: Square, promotes: bool) -> bool {
        let us = self.side_to_move();
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        if self.of_color(us).contains(to)
            || !attacks::of(piece, from, self.occupied()).contains(to)
            || !promotion_allowed(piece, from, to, promotes)
        {
            return false;
        }
        self.leaves_king_safe(piece, from, to)
    }

    fn leaves_king_safe(&self, piece: Piece, from: Square, to: Square) -> bool {
        let us = self.side_to_move();
        let Some(king) = self.king(us) else { return true };
        if piece.kind() == PieceKind::King {
            let occupied = self.occupied() ^ Bitboard::of(from);
            return self.attackers(to, !us, occupied).is_empty();
        }
        let answers_check = self.checkers() == Bitboard::of(to) || self.blocks_check(to);
        answers_check && (!self.pinned(us).contains(from) || attacks::line(king, from).contains(to))
    }
}

/// May the piece promote if it does, and may it stay as it is if it does not?
fn promotion_allowed(piece: Piece, from: Square, to: Square, promotes: bool) -> bool {
    let color = piece.color();
    if promotes {
        let zone = Bitboard::promotion_zone(color);
        piece.kind().can_promote() && (zone.contains(from) || zone.contains(to))
    } else {
        !Bitboard::far_ranks(color, piece.kind().dead_ranks()).contains(to)
    }
}
