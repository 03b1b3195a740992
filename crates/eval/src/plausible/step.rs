//! One move of a scene, with what all generators ask of it.

use tesuji_shogi::{Bitboard, Move, Origin, Piece, PieceKind, Square, attacks};

use super::Scene;
use crate::moves::attacker_class;

/// What may be lost on the target before a piece is given away: a pawn, on the board and in hand.
const MOST_LOST: i32 = 200;

/// A legal move.
#[derive(Clone, Copy)]
pub struct Step {
    pub(super) mv: Move,
    /// The mover: its kind, the kind that promotes, or the kind that is dropped.
    pub(super) actor: usize,
    pub(super) kind: PieceKind,
    /// The kind as it stands afterwards.
    pub(super) standing: PieceKind,
    /// The rank of that kind among attackers.
    pub(super) rank: usize,
    pub(super) from: Option<Square>,
    pub(super) to: Square,
    /// The square that it leaves, and the one that it goes to.
    pub(super) left: Bitboard,
    pub(super) target: Bitboard,
    pub(super) taken: Option<PieceKind>,
    /// What the exchange on the target gains.
    pub(super) exchange: i32,
    pub(super) gives_check: bool,
    /// How likely its pattern is; captures and promotions are none.
    pub(super) pattern: Option<i32>,
    /// What the piece attacked before and attacks now.
    pub(super) before: Bitboard,
    pub(super) reach: Bitboard,
    /// What it newly attacks.
    pub(super) gained: Bitboard,
}

/// What the moves of one piece share.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub origin: Origin,
    kind: PieceKind,
    from: Option<Square>,
    left: Bitboard,
    before: Bitboard,
}

impl Step {
    /// Does it lose nothing on its square?
    #[inline(always)]
    pub(super) fn safe(&self) -> usize {
        usize::from(self.exchange >= 0)
    }

    /// Is the piece offered: does the exchange on its square lose more than a pawn?
    #[inline(always)]
    pub(super) const fn is_offered(&self) -> bool {
        self.exchange < -MOST_LOST
    }

    /// Is it a drop of a piece that is given away?
    #[inline(always)]
    pub(super) const fn is_given_away(&self) -> bool {
        self.from.is_none() && self.is_offered()
    }

    /// Is it a drop of a piece that ranks above this?
    #[inline(always)]
    pub(super) const fn drops_above(&self, rank: usize) -> bool {
        self.from.is_none() && self.rank > rank
    }

    /// What the exchange on the target gains.
    pub const fn exchange(&self) -> i32 {
        self.exchange
    }
}

impl Scene<'_> {
    /// What generators ask of a legal move; `None` if nothing stands on its origin.
    #[inline(always)]
    pub fn step(&self, mv: Move) -> Option<Step> {
        Some(self.step_from(&self.start(mv)?, mv))
    }

    /// What the moves of one piece share; `None` if nothing stands on the origin.
    #[inline(always)]
    pub(super) fn start(&self, mv: Move) -> Option<Start> {
        let origin = mv.origin();
        let (kind, from) = match origin {
            Origin::Hand(kind) => (kind, None),
            Origin::Board(from) => (self.position.piece_on(from)?.kind(), Some(from)),
        };
        let before = from.map_or(Bitboard::EMPTY, |from| {
            attacks::of(Piece::new(self.us, kind), from, self.occupied)
        });
        let left = from.map_or(Bitboard::EMPTY, Bitboard::of);
        Some(Start { origin, kind, from, left, before })
    }

    /// What generators ask of a legal move that begins so.
    #[inline(always)]
    pub(super) fn step_from(&self, start: &Start, mv: Move) -> Step {
        let Start { kind, from, left, before, .. } = *start;
        let to = mv.to();
        let promoted = if mv.is_promotion() { kind.promoted() } else { None };
        let standing = promoted.unwrap_or(kind);
        let actor = match (from, promoted) {
            (None, _) => PieceKind::COUNT + 6 + kind.index(),
            (_, Some(_)) => PieceKind::COUNT + kind.index(),
            _ => kind.index(),
        };
        let taken = self.position.piece_on(to).map(Piece::kind);
        let target = Bitboard::of(to);
        let occupied = self.occupied.without(left) | target;
        let reach = attacks::of(Piece::new(self.us, standing), to, occupied);
        let uncovers = |checks: &tesuji_shogi::CheckSquares| {
            checks.of(standing).contains(to)
                || from.is_some_and(|from| checks.uncovered_from(from).contains(to))
        };
        Step {
            mv,
            actor,
            kind,
            standing,
            rank: attacker_class(standing),
            from,
            to,
            left,
            target,
            taken,
            exchange: self.exchange(mv, kind, taken, left),
            gives_check: self.checks.as_ref().is_some_and(uncovers),
            pattern: (taken.is_none() && promoted.is_none())
                .then(|| self.development.pattern(&self.kings, kind, from, to)),
            before,
            reach,
            gained: reach.without(before),
        }
    }

    /// What the exchange on the target gains; at once where the enemy cannot take back.
    #[inline(always)]
    fn exchange(&self, mv: Move, kind: PieceKind, taken: Option<PieceKind>, left: Bitboard) -> i32 {
        let theirs = self.theirs;
        if left.is_empty() {
            return if theirs.contains(mv.to()) { self.exchange_of_drop(kind, mv.to()) } else { 0 };
        }
        if theirs.contains(mv.to()) || self.enemy_lines.intersects(left) {
            return self.position.exchange(mv, self.values);
        }
        let promotion = if mv.is_promotion() { self.values.promotion(kind) } else { 0 };
        taken.map_or(0, |taken| self.values.capture(taken)) + promotion
    }

    /// The same for a drop where the enemy takes: all drops on a square share most of it.
    #[inline(always)]
    fn exchange_of_drop(&self, kind: PieceKind, to: Square) -> i32 {
        let reply = &self.replies[to.index()];
        let gain = reply.get().unwrap_or_else(|| {
            let gain = self.position.reply_to_drop(to, self.values).unwrap_or(i32::MIN / 2);
            reply.set(Some(gain));
            gain
        });
        -(gain + self.values.capture(kind)).max(0)
    }
}

#[cfg(test)]
mod tests {
    use tesuji_shogi::ExchangeValues;

    use super::super::{Development, Lore};
    use super::*;
    use crate::moves::Past;

    #[test]
    fn exchanges_are_those_of_the_rules() {
        let (lore, values) = (Lore::shipped(), ExchangeValues::default());
        let (mut number, mut drops): (u64, usize) = (3, 0);
        for _ in 0..20 {
            let mut position = tesuji_shogi::Position::startpos();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let development = Development::new(&lore, &position, [None; 2]);
                let scene = Scene::new(&position, Past::default(), &development);
                for mv in &moves {
                    let found = scene.step(mv).unwrap().exchange();
                    assert_eq!(
                        found,
                        position.exchange(mv, &values),
                        "{mv} {}",
                        position.to_sfen()
                    );
                    drops += usize::from(found < 0 && mv.from().is_none());
                }
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position = position.after_unchecked(moves[(number >> 33) as usize % moves.len()]);
            }
        }
        assert!(drops > 5_000, "{drops}");
    }
}
