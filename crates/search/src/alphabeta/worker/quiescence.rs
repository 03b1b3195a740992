//! Quiescence search at the end of every line: captures, promotions and checks until nothing is in
//! the air.

use tesuji_shogi::{Move, Position};

use super::Worker;
use crate::alphabeta::picker::Picker;
use crate::alphabeta::transposition::TtEntry;
use crate::evaluator::Evaluator;
use crate::prior::{MoveWeights, Prior};
use crate::score::{Bound, EVAL_LIMIT, MAX_PLY, from_table, is_mate, mate_in, mated_in, to_table};

impl<E: Evaluator, P: Prior> Worker<'_, E, P> {
    /// The score of a position once captures, promotions and, for `checks` plies, checks are played
    /// out.
    pub(super) fn quiescence(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        checks: i32,
    ) -> i32 {
        self.enter(ply);
        self.lines[ply].clear();
        if self.stopped {
            return 0;
        }
        if let Some(score) = self.outcome_by_rules(position, ply) {
            return score;
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY {
            return self.evaluate(position);
        }
        let key = self.shared.key(position);
        let known = self.shared.table.probe(key);
        if let Some(known) = known {
            let score = from_table(known.score, ply);
            if beta - alpha == 1 && known.bound.decides(score, alpha, beta) {
                return score;
            }
        }
        let first_alpha = alpha;
        let mut best = mated_in(ply);
        let mut eval = 0;
        if !in_check {
            eval = known.map_or_else(|| self.evaluate(position), |known| known.eval);
            best = eval;
            // A score of the table is better than the evaluation where it points the same way.
            if let Some(known) = known {
                let score = from_table(known.score, ply);
                if known.bound.mends(score, best) && !is_mate(score) {
                    best = score;
                }
            }
            if best >= beta {
                return best;
            }
            if self.shared.params.mate_in_one != 0 && self.has_mate_in_one(position) {
                return mate_in(ply + 1);
            }
            alpha = alpha.max(best);
        }
        let table_move = known.and_then(|known| known.mv).filter(|&mv| {
            position.is_legal(mv)
                && (in_check || position.piece_on(mv.to()).is_some() || mv.is_promotion())
        });
        let mut picker = Picker::tactical(&self.moves, position, table_move, checks > 0);
        let context = self.context(ply);
        let mut best_move = None;
        let futile = best.saturating_add(self.shared.params.delta_margin);
        while let Some(mv) = self.next_move(&mut picker, position, context, &MoveWeights::none()) {
            if !in_check && self.is_futile(position, mv, futile, alpha) {
                continue;
            }
            let next = self.play(position, mv, ply);
            let score = -self.quiescence(&next, -beta, -alpha, ply + 1, checks - 1);
            self.undo();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    self.update_line(mv, ply);
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        picker.finish(&mut self.moves);
        if self.stopped {
            return 0;
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha && beta - first_alpha > 1 {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = to_table(best, ply);
        self.shared.table.store(key, TtEntry { mv: best_move, score, eval, depth: 0, bound });
        best
    }

    /// Delta pruning and SEE: does a capture stay below alpha even with what it takes, or does a
    /// move lose an exchange?
    fn is_futile(&self, position: &Position, mv: Move, futile: i32, alpha: i32) -> bool {
        let taken = position.piece_on(mv.to());
        let gain = taken.map_or(0, |taken| self.values().capture(taken.kind()));
        let gain = gain + if mv.is_promotion() { self.promotion_gain(position, mv) } else { 0 };
        // A check that takes nothing is not played for what it gains.
        if gain > 0 && futile + gain <= alpha {
            return true;
        }
        !position.exchange_at_least(mv, 0, self.values())
    }

    fn promotion_gain(&self, position: &Position, mv: Move) -> i32 {
        let piece = mv.from().and_then(|from| position.piece_on(from));
        piece.map_or(0, |piece| self.values().promotion(piece.kind()))
    }

    /// The static evaluation of the position that the line has come to.
    pub(super) fn evaluate(&mut self, position: &Position) -> i32 {
        let score = self.states.score(self.shared.evaluator, position);
        (score + self.guides.score(position)).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }
}
