//! Which part of the attacker's hand a proof or a disproof needs.
//!
//! A mate stays a mate when the attacker holds more, and a position without a mate stays one when
//! the attacker holds less. So every proof is kept with the least hand that it needs, and every
//! disproof with the most that it allows; one entry then answers for many hands on one board.
//!
//! What the attacker does not hold the defender does, since the pieces on the board are given.
//! A proof in which the defender had nothing of a kind to put between must therefore ask for all
//! pieces of that kind, and a disproof in which the attacker had none to drop may allow none.

use tesuji_shogi::{Color, Hand, Move, PieceKind, Position, attacks};

/// How many pieces of each kind, in the order of [`PieceKind::HAND`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Holding([u8; 7]);

impl From<Hand> for Holding {
    fn from(hand: Hand) -> Self {
        Self(PieceKind::HAND.map(|kind| hand.count(kind)))
    }
}

impl Holding {
    pub const NOTHING: Self = Self([0; 7]);

    /// The hand with these pieces. There are never more than a set has, because every holding is
    /// made of what the two players really have.
    pub fn hand(self) -> Hand {
        Hand::from_counts(self.0).unwrap_or_default()
    }

    /// Everything that the two players hold together.
    pub fn of_both(position: &Position) -> Self {
        let (black, white) = (position.hand(Color::Black), position.hand(Color::White));
        Self(PieceKind::HAND.map(|kind| black.count(kind) + white.count(kind)))
    }

    /// For each kind the greater of the two numbers.
    pub fn most(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].max(other.0[i])))
    }

    /// For each kind the smaller of the two numbers.
    pub fn least(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].min(other.0[i])))
    }

    /// What the attacker held before `mv`, if this is what he held after it.
    pub fn before(mut self, position: &Position, mv: Move) -> Self {
        if let Some(kind) = mv.dropped() {
            self.0[kind.index()] += 1;
        } else if let Some(taken) = position.piece_on(mv.to()) {
            let count = &mut self.0[taken.kind().unpromoted().index()];
            *count = count.saturating_sub(1);
        }
        self
    }

    /// The proof of a checked position asks also for all pieces that the defender lacked to put
    /// between king and checker.
    pub fn without_interpositions(mut self, position: &Position) -> Self {
        let defender = position.side_to_move();
        let (Some(king), Some(checker)) = (position.king(defender), position.checkers().first())
        else {
            return self;
        };
        if position.checkers().has_several() || attacks::between(king, checker).is_empty() {
            return self;
        }
        for kind in PieceKind::HAND {
            if !position.hand(defender).has(kind) {
                self.0[kind.index()] = position.hand(!defender).count(kind);
            }
        }
        self
    }

    /// The disproof of a position holds only while the attacker has none of the kinds that he
    /// lacked and could have dropped with check.
    pub fn without_new_drops(mut self, position: &Position) -> Self {
        let empty = !position.occupied();
        let attacker = position.side_to_move();
        for kind in PieceKind::HAND {
            if !position.hand(attacker).has(kind) && position.check_squares(kind).intersects(empty)
            {
                self.0[kind.index()] = 0;
            }
        }
        self
    }
}
