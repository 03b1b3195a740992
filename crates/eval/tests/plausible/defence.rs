//! Defences, the slow way.

use tesuji_shogi::{PieceKind, Square};

use crate::board::{Line, Seen, Standing};
use crate::oracle::{Made, Oracle, Size};

impl Oracle<'_> {
    pub fn defends_king(&self, made: &Made) -> bool {
        let Some(king) = self.before.king(self.us) else { return false };
        let is_beside = |square: &Square| square.distance(king) <= 1;
        if made.kind == PieceKind::King {
            let mut beside = Square::all().filter(is_beside);
            return beside.any(|square| self.before.is_attacked(self.them, square));
        }
        if made.drops_more_than(Size::General)
            || (made.is_given_away() && made.size() > Size::Small)
        {
            return false;
        }
        let covers = made.new.iter().any(is_beside);
        // An enemy piece attacked a square beside the king, and does so no more.
        let relieves = self.before.of(self.them).any(|enemy| {
            let mut beside = enemy.attacks.iter().filter(|square| is_beside(square));
            beside.any(|square| !self.still_attacks(enemy, square, made))
        });
        covers || relieves
    }

    /// Does an enemy piece attack a square after the move too? A piece that was taken does not.
    fn still_attacks(&self, enemy: &Seen, square: &Square, made: &Made) -> bool {
        made.after.kind_of(self.them, enemy.square).is_some()
            && made.after.attacks_from(enemy.square).contains(square)
    }

    pub fn defends_material(&self, made: &Made) -> bool {
        if made.is_given_away() && made.size() > Size::Small {
            return false;
        }
        self.before.but_king(self.us).any(|own| {
            let lost = self.position.capture_gain(own.square, self.them, &self.values);
            if lost <= 0 {
                return false;
            }
            if made.from == Some(own.square) {
                return made.exchange >= 0;
            }
            let mut attackers =
                self.before.of(self.them).filter(|enemy| enemy.attacks.contains(&own.square));
            made.new.contains(&own.square)
                || attackers.any(|enemy| !self.still_attacks(enemy, &own.square, made))
        })
    }

    pub fn defends_discovered(&self, made: &Made) -> bool {
        if made.is_given_away() || made.drops_more_than(Size::Pawn) {
            return false;
        }
        self.before.lines(self.them, self.them).any(|line| {
            let behind = line.second.square;
            let is_king = line.second.piece.kind() == PieceKind::King;
            let matters = self.hides_more(&line) || !self.before.is_attacked(self.us, behind);
            matters && Self::answers(&line, made, Some(behind).filter(|_| !is_king))
        })
    }

    /// Is the second piece of an enemy slider's line the king, or worth more than the slider?
    pub fn hides_more(&self, line: &Line) -> bool {
        let worth = |standing: Standing| self.values.capture(standing.piece.kind());
        line.second.piece.kind() == PieceKind::King || worth(line.second) > worth(line.slider)
    }

    /// Is a line of an enemy slider answered: does the second piece go elsewhere than towards the
    /// slider, do the three not stand so any more, or is `weak` newly protected?
    pub fn answers(line: &Line, made: &Made, weak: Option<Square>) -> bool {
        if made.from == Some(line.second.square) {
            return !line.between.contains(&made.to);
        }
        !made.after.has_line(line) || weak.is_some_and(|square| made.new.contains(&square))
    }

    pub fn defends_promotion(&self, made: &Made) -> bool {
        if made.is_given_away() || made.drops_more_than(Size::Small) {
            return false;
        }
        self.before.of(self.them).filter(|enemy| enemy.piece.kind().can_promote()).any(|enemy| {
            let is_open = |square: &Square| {
                let promotes = Self::is_in_zone(self.them, enemy.square)
                    || Self::is_in_zone(self.them, *square);
                promotes
                    && self.before.kind_of(self.them, *square).is_none()
                    && self.before.count(self.them, *square) > self.before.count(self.us, *square)
            };
            let mut open = enemy.attacks.iter().filter(|square| is_open(square)).peekable();
            (open.peek().is_some() && made.to == enemy.square)
                || open.any(|square| made.to == *square || made.new.contains(square))
        })
    }
}
