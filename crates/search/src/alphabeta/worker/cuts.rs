//! Cuts before any move is searched: razoring, futility, the null move, multi-cut, probable cuts.

use tesuji_shogi::Position;

use super::node::{Facts, Question};
use super::{PLY, Worker};
use crate::alphabeta::picker::Picker;
use crate::alphabeta::transposition::Known;
use crate::evaluator::Evaluator;
use crate::prior::{MoveWeights, Prior};
use crate::score::{Bound, MATE_IN_MAX, from_table, is_mate, to_table};

impl<E: Evaluator, P: Prior> Worker<'_, E, P> {
    /// The score if a position can be cut without searching all its moves.
    pub(super) fn cut_before_moves(
        &mut self,
        position: &Position,
        ask: &Question,
        facts: &mut Facts,
    ) -> Option<i32> {
        if ask.is_exact() {
            return None;
        }
        self.razoring(position, ask, facts)
            .or_else(|| self.futility(ask, facts))
            .or_else(|| self.null_move(position, ask, facts))
            .or_else(|| self.probable_cut(position, ask, facts))
            .or_else(|| self.multi_cut(position, ask, facts))
    }

    /// Far below alpha at low depth, only captures can help.
    fn razoring(&mut self, position: &Position, ask: &Question, facts: &Facts) -> Option<i32> {
        let params = self.shared.params;
        let plies = ask.plies();
        if plies > params.razor_depth || facts.eval + params.razor_margin * plies >= ask.alpha {
            return None;
        }
        let checks = params.quiescence_checks;
        let score = self.quiescence(position, ask.alpha, ask.alpha + 1, ask.ply, checks);
        (score <= ask.alpha || self.stopped).then_some(score)
    }

    /// Far above beta at low depth, some move will hold it.
    fn futility(&self, ask: &Question, facts: &Facts) -> Option<i32> {
        let params = self.shared.params;
        let plies = ask.plies();
        if plies > params.futility_depth || is_mate(ask.beta) || facts.eval >= MATE_IN_MAX {
            return None;
        }
        let margin = match plies {
            ..=1 => params.futility_margin_1,
            2 => params.futility_margin_2,
            3 => params.futility_margin_3,
            more => params.futility_margin_3 + (more - 3) * params.futility_margin_more,
        };
        let margin = if facts.improving { margin * 3 / 4 } else { margin };
        (facts.eval - margin >= ask.beta).then_some(facts.eval)
    }

    /// If even passing is good enough, so is the best move. If passing is answered by mate, there is
    /// a threat.
    fn null_move(&mut self, position: &Position, ask: &Question, facts: &mut Facts) -> Option<i32> {
        let params = self.shared.params;
        if params.null_move == 0 || !ask.may_pass || facts.eval < ask.beta || is_mate(ask.beta) {
            return None;
        }
        let next = position.after_pass()?;
        let mut reduction = params.null_reduction;
        if params.null_adaptive != 0 {
            reduction += ask.plies() / params.null_adaptive_depth.max(1);
            reduction += ((facts.eval - ask.beta) / 250).min(3);
        }
        self.frames[ask.ply].piece = None;
        self.frames[ask.ply].capture = None;
        self.keys.push_pass(&next);
        self.states.pass(self.shared.evaluator);
        let depth = ask.depth - (1 + reduction) * PLY;
        let deeper = Question { may_pass: false, ..ask.refute(ask.beta, depth) };
        let score = -self.search(&next, deeper);
        self.undo();
        if self.stopped {
            return Some(0);
        }
        facts.mate_threat = score <= -MATE_IN_MAX;
        if score < ask.beta {
            return None;
        }
        // A mate after a pass proves nothing.
        Some(if is_mate(score) { ask.beta } else { score })
    }

    /// If a capture reaches far above beta in a shallow search, it will reach beta in a deep one.
    fn probable_cut(&mut self, position: &Position, ask: &Question, facts: &Facts) -> Option<i32> {
        let params = self.shared.params;
        if params.probable_cut == 0 || ask.plies() < params.probable_cut_depth || is_mate(ask.beta)
        {
            return None;
        }
        let target = ask.beta + params.probable_cut_margin;
        let depth = ask.depth - params.probable_cut_reduction * PLY;
        // The table has looked that deep before and found less.
        let hopeless =
            |known: &Known| known.depth >= depth && from_table(known.score, ask.ply) < target;
        if facts.known.as_ref().is_some_and(hopeless) {
            return None;
        }
        let needed = target - facts.raw_eval;
        let mut picker = Picker::tactical(&self.moves, position, None, false);
        let context = self.context(ask.ply);
        let mut found = None;
        while let Some(mv) = self.next_move(&mut picker, position, context, &MoveWeights::none()) {
            if !position.exchange_at_least(mv, needed, self.values()) {
                continue;
            }
            let next = self.play(position, mv, ask.ply);
            let deeper = ask.refute(target, depth - PLY);
            let mut score = -self.quiescence(&next, deeper.alpha, deeper.beta, deeper.ply, 0);
            if score >= target && deeper.depth >= PLY && !self.stopped {
                score = -self.search(&next, deeper);
            }
            self.undo();
            if self.stopped || score >= target {
                found = Some((mv, score));
                break;
            }
        }
        picker.finish(&mut self.moves);
        let (mv, score) = found?;
        if self.stopped {
            return Some(0);
        }
        let known = Known {
            mv: Some(mv),
            score: to_table(score, ask.ply),
            eval: facts.raw_eval,
            depth,
            bound: Bound::Lower,
        };
        self.shared.table.store(position.key(), known);
        Some(score)
    }

    /// If several of the first moves reach beta in a shallow search, one of them will in a deep one.
    fn multi_cut(&mut self, position: &Position, ask: &Question, facts: &Facts) -> Option<i32> {
        let params = self.shared.params;
        if params.multi_cut == 0 || ask.plies() < params.multi_cut_depth || is_mate(ask.beta) {
            return None;
        }
        let killers = self.killers(ask.ply);
        let mut picker = Picker::all(&self.moves, position, facts.table_move, killers, ask.plies());
        let context = self.context(ask.ply);
        let weights = MoveWeights::new(self.shared.prior, position);
        let (mut tried, mut cuts) = (0, 0);
        while tried < params.multi_cut_moves
            && let Some(mv) = self.next_move(&mut picker, position, context, &weights)
        {
            tried += 1;
            let next = self.play(position, mv, ask.ply);
            let depth = ask.depth - (1 + params.multi_cut_reduction) * PLY;
            let score = -self.search(&next, ask.refute(ask.beta, depth));
            self.undo();
            cuts += i32::from(score >= ask.beta);
            if self.stopped || cuts >= params.multi_cut_cuts {
                break;
            }
        }
        picker.finish(&mut self.moves);
        (self.stopped || cuts >= params.multi_cut_cuts.max(1)).then_some(ask.beta)
    }
}
