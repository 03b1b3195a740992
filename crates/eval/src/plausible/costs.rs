//! What speaks for a move or against it whoever produced it: the costs. Each is looked up by the mover
//! and a few bits of its origin or its target; no attack is worked out for a cost.

use tesuji_shogi::{Bitboard, Color, PieceKind, Square};

use super::groups::{ACTORS, CODES, DISTANCES, EXCHANGES, Group, NEAR, PATTERNS};
use super::rules::{few, is_saved};
use super::{Scene, Step, patterns};
use crate::moves::attacker_class;

/// Where ranges of exchange values begin. Taking counts twice, once on the board and once in hand.
const EXCHANGE_STEPS: [i32; EXCHANGES - 1] =
    [-1500, -1000, -700, -400, -200, -50, 51, 201, 401, 701, 1001, 1501];

/// Where the lowest range of patterns ends: whatever lies below is equally unlikely.
const FIRST_PATTERN: i32 = -7 * patterns::UNITS;

/// Ranges in one of the log-odds.
const PATTERN_RANGES: i32 = 3;

/// The range of a pattern's value.
#[inline(always)]
pub(super) fn pattern_range(value: i32) -> usize {
    let range = 1 + (value - FIRST_PATTERN) * PATTERN_RANGES / patterns::UNITS;
    range.clamp(0, PATTERNS as i32 - 1) as usize
}

impl Scene<'_> {
    /// Calls `visit` for all costs.
    #[inline(always)]
    pub(super) fn costs(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        let (actor, check) = (step.actor, usize::from(step.gives_check));
        let bin = EXCHANGE_STEPS.iter().filter(|&&begin| step.exchange >= begin).count();
        visit(Group::Exchange, (bin * ACTORS + actor) * 2 + check);
        if !self.losses.is_empty() {
            let takes = usize::from(step.taken.is_some());
            let left = self.losses.iter().filter(|loss| !is_saved(loss, step));
            let most = left.map(|loss| attacker_class(loss.kind) + 1).max().unwrap_or(0);
            visit(Group::LeftHanging, most * 4 + check * 2 + takes);
        }
        let deserted = step.before.without(step.reach) & (self.tied | self.balanced);
        let ranks = deserted.into_iter().filter_map(|square| self.position.piece_on(square));
        if let Some(most) = ranks.map(|piece| attacker_class(piece.kind())).max() {
            visit(Group::Deserted, most);
        }
        if let Some(pattern) = step.pattern {
            let by = usize::from(self.is_tense) * ACTORS + actor;
            visit(Group::Pattern, by * PATTERNS + pattern_range(pattern));
        }
        visit(Group::Phase, self.phase * ACTORS + actor);
        self.place(step, visit);
        self.reach(step, visit);
        self.history(step, visit);
    }

    /// Where the piece stands and where it goes.
    #[inline(always)]
    fn place(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        let Step { actor, to, .. } = *step;
        let (ours, theirs) = (self.ours, self.theirs);
        let is_in = |set: Bitboard, square| usize::from(set.contains(square));
        let support = match step.from {
            Some(from) => {
                let attacked = is_in(theirs, from) * 2 + is_in(ours, from);
                let state = attacked * 2 + is_in(self.last_reach, from);
                visit(Group::Origin, (step.kind.index() * 8 + state) * 2 + step.safe());
                self.ours_twice
            }
            None => {
                let held = self.position.hand(self.us).count(step.kind).clamp(1, 4);
                visit(Group::Held, step.kind.index() * 4 + usize::from(held) - 1);
                ours
            }
        };
        let against = is_in(theirs, to) + is_in(self.theirs_twice, to);
        visit(Group::Target, (actor * 3 + against) * 2 + is_in(support, to));
        let seen = to.seen_by(self.us);
        visit(Group::EnemyKing, actor * DISTANCES + offset(self.kings.enemy, seen));
        visit(Group::Ahead, actor * CODES + self.code_ahead(seen));
    }

    /// What stands on the square ahead of one, as a player sees it.
    #[inline(always)]
    fn code_ahead(&self, seen: Square) -> usize {
        let Some(ahead) = Square::new(seen.file(), seen.rank() - 1) else { return CODES - 1 };
        let Some(piece) = self.position.piece_on(ahead.seen_by(self.us)) else { return CODES - 2 };
        usize::from(piece.color() != self.us) * PieceKind::COUNT + piece.kind().index()
    }

    /// How much the piece attacks and protects from its target.
    #[inline(always)]
    fn reach(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        let Step { actor, reach, .. } = *step;
        visit(Group::EnemyZone, actor * 6 + few(reach & self.enemy_zone, 5));
        let touched = few(reach & self.enemy, 3) * 4 + few(reach & self.own, 3);
        visit(Group::Touched, actor * 16 + touched);
    }

    /// How far a square lies from another, as the side to move sees them: up to four files and ranks;
    /// whatever lies farther is the last number.
    #[inline(always)]
    fn near(&self, from: Square, to: Square) -> usize {
        let files = usize::from(to.file().abs_diff(from.file()));
        let ahead = match self.us {
            Color::Black => to.rank() + 8 - from.rank(),
            Color::White => from.rank() + 8 - to.rank(),
        };
        let ranks = usize::from(ahead);
        if files > 4 || !(4..=12).contains(&ranks) { NEAR - 1 } else { files * 9 + ranks - 4 }
    }

    /// What the move has to do with the last one and with the own last one.
    #[inline(always)]
    fn history(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        let [theirs, ours] = self.past_kinds;
        if let Some(last) = self.past.last {
            let by = theirs * ACTORS + step.actor;
            visit(Group::Reply, by * NEAR + self.near(last.to(), step.to));
        }
        if let Some(before) = self.past.before {
            let place = if step.from == Some(before.to()) {
                NEAR + usize::from(before.from() == Some(step.to))
            } else {
                self.near(before.to(), step.to)
            };
            let by = ours * ACTORS + step.actor;
            visit(Group::Continuation, by * (NEAR + 2) + place);
        }
    }
}

/// How far a square lies from another: files either way, and ranks.
#[inline(always)]
fn offset(from: Square, to: Square) -> usize {
    let files = usize::from(to.file().abs_diff(from.file()));
    files * 17 + usize::from(to.rank() + 8 - from.rank())
}
