//! Improvement and prevention, the slow way.

use tesuji_shogi::{PieceKind, Square};

use crate::board::Seen;
use crate::oracle::{Made, Oracle, Size};

impl Oracle<'_> {
    pub fn defends_pin(&self, made: &Made) -> bool {
        if made.is_given_away() {
            return false;
        }
        let lines = self.before.lines(self.them, self.us);
        lines.filter(|line| self.hides_more(line)).any(|line| {
            let pinned = line.first.square;
            made.from != Some(pinned) && Self::answers(&line, made, Some(pinned))
        })
    }

    /// Own pieces, neither the king nor the moved one, that the move newly protects.
    fn guarded<'a>(&'a self, made: &'a Made) -> impl Iterator<Item = &'a Seen> {
        let stays = |seen: &&Seen| made.from != Some(seen.square);
        let own = self.before.but_king(self.us).filter(stays);
        own.filter(|seen| !made.is_given_away() && made.new.contains(&seen.square))
    }

    pub fn eases_tie(&self, made: &Made) -> bool {
        self.guarded(made).any(|own| {
            self.before.is_attacked(self.them, own.square)
                && self.before.count(self.us, own.square) == 1
        })
    }

    pub fn guards_undefended(&self, made: &Made) -> bool {
        !made.mv.is_drop()
            && self.guarded(made).any(|own| !self.before.is_attacked(self.us, own.square))
    }

    pub fn defends_exchange(&self, made: &Made) -> bool {
        self.guarded(made).any(|own| {
            let attackers = self.before.count(self.them, own.square);
            attackers > 0 && attackers == self.before.count(self.us, own.square)
        })
    }

    pub fn covers_own_camp(&self, made: &Made) -> bool {
        let open = |square: &&Square| {
            Self::is_in_zone(self.them, **square) && !self.before.is_attacked(self.us, **square)
        };
        !made.mv.is_drop() && made.new.iter().any(|square| open(&square))
    }

    pub fn develops(&self, made: &Made) -> bool {
        if made.is_given_away() {
            return false;
        }
        if self.plans.book_has(made.mv) {
            return true;
        }
        let quiet = made.standing == made.kind && !self.captures(made);
        let nears =
            made.from.is_some_and(|from| self.plans.nears(self.us, made.kind, from, made.to));
        // In logarithms of odds: -5/2 for moves, -3/2 for drops.
        let least = if made.mv.is_drop() { -1.5 } else { -2.5 };
        quiet && (nears || self.plans.pattern(self.us, made.kind, made.from, made.to) >= least)
    }

    pub fn pins(&self, made: &Made) -> bool {
        if made.is_given_away() {
            return false;
        }
        made.after.lines_from(made.to).iter().any(|line| {
            let [first, second] = [line.first, line.second];
            let enemies = [first, second].iter().all(|one| one.piece.color() == self.them);
            enemies
                && first.piece.kind() != PieceKind::King
                && made.new.contains(&first.square)
                && (second.piece.kind() == PieceKind::King
                    || self.is_worth_attacking(second.square, made.standing))
        })
    }

    fn bears_on(&self, made: &Made, is_meant: impl Fn(&Square) -> bool) -> bool {
        !made.is_given_away() && !made.drops_more_than(Size::Pawn) && made.new.iter().any(is_meant)
    }

    pub fn covers_enemy_camp(&self, made: &Made) -> bool {
        self.bears_on(made, |square| Self::is_in_zone(self.us, *square))
    }

    pub fn avoids_development(&self, made: &Made) -> bool {
        let takes = self.wanted.contains(&made.to)
            && !made.is_given_away()
            && !made.drops_more_than(Size::Pawn);
        takes || self.bears_on(made, |square| self.wanted.contains(square))
    }
}
