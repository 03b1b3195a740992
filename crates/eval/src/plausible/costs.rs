//! What speaks for a move or against it whoever produced it: the costs. Each is looked up by the mover
//! and a few bits of its origin or its target; no attack is worked out for a cost.

use tesuji_shogi::{PieceKind, Square};

use super::groups::{DISTANCES, EXCHANGES, Group, NEAR, PATTERNS, RANKS};
use super::rules::is_saved;
use super::{Scene, Step, patterns};
use crate::moves::attacker_class;

/// Where ranges of exchange values begin. Taking counts twice, once on the board and once in hand.
const EXCHANGE_STEPS: [i32; EXCHANGES - 1] =
    [-1500, -1000, -700, -400, -200, -50, 51, 201, 401, 701, 1001, 1501];

/// The pattern that is just in the lowest range but one: any below is hopeless.
const FIRST_PATTERN: i32 = -7 * patterns::UNITS;

/// The ranges of patterns in one of the log-odds.
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
        visit(Group::Exchange, (bin * super::groups::ACTORS + actor) * 2 + check);
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
        let tense = usize::from(self.is_tense);
        if let Some(pattern) = step.pattern {
            let drop = usize::from(step.from.is_none());
            visit(Group::Pattern, (tense * 2 + drop) * PATTERNS + pattern_range(pattern));
        }
        self.place(step, visit);
        self.history(step, visit);
    }

    /// Where the piece stands and where it goes.
    #[inline(always)]
    fn place(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        let actor = step.actor;
        let (ours, theirs) = (self.counts.attacked(self.us), self.counts.attacked(!self.us));
        let is_in = |set: tesuji_shogi::Bitboard, square| usize::from(set.contains(square));
        if let Some(from) = step.from {
            let state = is_in(theirs, from) * 4 + is_in(ours, from) * 2 + is_in(self.last_reach, from);
            visit(Group::Origin, (step.kind.index() * 8 + state) * 2 + step.safe());
        }
        let twice = self.counts.attacked_twice(!self.us);
        let against = is_in(theirs, step.to) + is_in(twice, step.to);
        let support =
            if step.from.is_some() { self.counts.attacked_twice(self.us) } else { ours };
        visit(Group::Target, (actor * 3 + against) * 2 + is_in(support, step.to));
        let own = offset(self.kings.own, step.to.seen_by(self.us));
        visit(Group::OwnKing, actor * DISTANCES + own);
        let enemy = offset(self.kings.enemy, step.to.seen_by(self.us));
        visit(Group::EnemyKing, actor * DISTANCES + enemy);
        visit(Group::Phase, actor * super::groups::LEVELS + self.level());
    }

    /// What the move has to do with the last one and with the own last one.
    #[inline(always)]
    fn history(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        let actor = step.actor;
        if let Some(last) = self.past.last {
            visit(Group::Reply, actor * NEAR + near(last.to(), step.to));
        }
        if let Some(before) = self.past.before {
            let index = if step.from == Some(before.to()) {
                let back = before.from() == Some(step.to);
                NEAR + usize::from(back)
            } else {
                near(before.to(), step.to)
            };
            visit(Group::Continuation, actor * (NEAR + 2) + index);
        }
    }
}

/// How far a square lies from another: files either way, and ranks.
#[inline(always)]
fn offset(from: Square, to: Square) -> usize {
    let files = usize::from(to.file().abs_diff(from.file()));
    files * 17 + usize::from(to.rank() + 8 - from.rank())
}

/// The same, up to four files and ranks; whatever lies farther is the last number.
#[inline(always)]
fn near(from: Square, to: Square) -> usize {
    let files = usize::from(to.file().abs_diff(from.file()));
    let ranks = usize::from(to.rank() + 8 - from.rank());
    if files > 4 || !(4..=12).contains(&ranks) { NEAR - 1 } else { files * 9 + ranks - 4 }
}
