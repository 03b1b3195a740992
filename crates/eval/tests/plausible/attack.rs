//! Goals and threats, the slow way.

use tesuji_shogi::{PieceKind, Square};

use crate::oracle::{Made, Oracle, Size};

impl Oracle<'_> {
    /// The enemy has a piece less.
    pub fn captures(&self, made: &Made) -> bool {
        made.after.of(self.them).count() < self.before.of(self.them).count()
    }

    pub fn gives_check(&self, made: &Made) -> bool {
        made.after.king(self.them).is_some_and(|king| made.after.is_attacked(self.us, king))
    }

    pub fn attacks_king(&self, made: &Made) -> bool {
        let Some(king) = self.before.king(self.them) else { return false };
        let is_near = |square: Square| square.distance(king) <= 2;
        let bears = made.new.iter().any(|square| square.distance(king) <= 1);
        let comes_near = is_near(made.to) && !made.from.is_some_and(is_near);
        (bears || comes_near) && (!made.is_offered() || made.size() == Size::General)
    }

    pub fn attacks_material(&self, made: &Made) -> bool {
        let idle =
            made.is_offered() && (made.size() > Size::General || made.drops_more_than(Size::Small));
        let prey = |square: &Square| {
            made.after.kind_of(self.them, *square).is_some()
                && self.is_worth_attacking(*square, made.standing)
        };
        !idle && made.new.iter().any(prey)
    }

    /// An own piece that did not move attacks what it did not attack before.
    pub fn discovers(&self, made: &Made) -> bool {
        made.after.of(self.us).filter(|seen| seen.square != made.to).any(|seen| {
            let old = self.before.attacks_from(seen.square);
            seen.attacks.iter().filter(|square| !old.contains(square)).any(|&square| {
                let kind = made.after.kind_of(self.them, square);
                kind == Some(PieceKind::King)
                    || (kind.is_some() && self.is_worth_attacking(square, seen.piece.kind()))
            })
        })
    }

    pub fn threatens_promotion(&self, made: &Made) -> bool {
        let idle = made.mv.is_drop() && matches!(made.size(), Size::Small | Size::General);
        if idle || made.is_offered() || !made.standing.can_promote() {
            return false;
        }
        made.new.iter().any(|&square| {
            let promotes = Self::is_in_zone(self.us, made.to) || Self::is_in_zone(self.us, square);
            promotes
                && self.before.kind_of(self.us, square).is_none()
                && self.before.count(self.us, square) + 1 > self.before.count(self.them, square)
        })
    }
}
