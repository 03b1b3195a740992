//! Pawn-drop mate (uchifuzume): the rule against mating with a dropped pawn.

use crate::{Bitboard, Color, PieceKind, Position, Square, attacks};

impl Position {
    /// The one square of `targets` on which a dropped pawn of `us` would be mate, if there is one.
    ///
    /// It can only be the square before the enemy king, and it is mate if the king cannot take the
    /// pawn, no other piece can take it without exposing the king, and the king has nowhere to go.
    #[inline(always)]
    pub(crate) fn pawn_drop_mate_among(&self, us: Color, targets: Bitboard) -> Option<Square> {
        let them = !us;
        let king = self.king(them)?;
        let head = (attacks::pawn(them, king) & targets).first()?;
        let mate = self.pawn_is_protected(us, head) && self.pawn_drop_mates(us, king, head);
        mate.then_some(head)
    }

    /// Could the king not simply take the pawn?
    #[inline(always)]
    fn pawn_is_protected(&self, us: Color, head: Square) -> bool {
        !self.attackers(head, us, self.occupied()).is_empty()
    }

    fn pawn_drop_mates(&self, us: Color, king: Square, head: Square) -> bool {
        !self.can_take_pawn(!us, king, head) && !self.king_can_flee(us, king, head)
    }

    /// Can a piece of `them` other than the king take the pawn on `head`?
    fn can_take_pawn(&self, them: Color, king: Square, head: Square) -> bool {
        let occupied = self.occupied() | Bitboard::of(head);
        let kings = self.of(them, PieceKind::King);
        let takers = self.attackers(head, them, occupied).without(kings);
        let pinned = self.pinned(them);
        takers
            .into_iter()
            .any(|taker| !pinned.contains(taker) || attacks::line(king, taker).contains(head))
    }

    /// Has the king on `king` a square to go to, once the pawn of `us` is on `head`?
    fn king_can_flee(&self, us: Color, king: Square, head: Square) -> bool {
        let own = self.of_color(!us);
        let occupied = (self.occupied() | Bitboard::of(head)) ^ Bitboard::of(king);
        let squares = attacks::king(king).without(own | Bitboard::of(head));
        squares.into_iter().any(|square| self.attackers(square, us, occupied).is_empty())
    }
}
