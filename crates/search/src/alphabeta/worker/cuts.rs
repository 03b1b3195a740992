//! Cuts before any move is searched: razoring, reverse futility pruning, null move pruning,
//! ProbCut, multi-cut.

use tesuji_shogi::Position;

use super::node::{NodeArgs, NodeInfo};
use super::{PLY, Worker};
use crate::alphabeta::picker::Picker;
use crate::alphabeta::transposition::TtEntry;
use crate::evaluator::Evaluator;
use crate::prior::{MoveWeights, Prior};
use crate::score::{Bound, MATE_IN_MAX, from_table, is_mate, to_table};

impl<E: Evaluator, P: Prior> Worker<'_, E, P> {
    /// The score if a position can be cut without searching all its moves.
    pub(super) fn cut_before_moves(
        &mut self,
        position: &Position,
        args: &NodeArgs,
        node: &mut NodeInfo,
    ) -> Option<i32> {
        if args.is_pv() {
            return None;
        }
        self.razoring(position, args, node)
            .or_else(|| self.reverse_futility(args, node))
            .or_else(|| self.null_move(position, args, node))
            .or_else(|| self.probcut(position, args, node))
            .or_else(|| self.multi_cut(position, args, node))
    }

    /// Razoring: far below alpha at low depth, only captures can help.
    fn razoring(&mut self, position: &Position, args: &NodeArgs, node: &NodeInfo) -> Option<i32> {
        let params = self.shared.params;
        let plies = args.plies();
        if plies > params.razor_depth || node.eval + params.razor_margin * plies >= args.alpha {
            return None;
        }
        let checks = params.quiescence_checks;
        let score = self.quiescence(position, args.alpha, args.alpha + 1, args.ply, checks);
        (score <= args.alpha || self.stopped).then_some(score)
    }

    /// Reverse futility pruning: far above beta at low depth, some move will hold it.
    fn reverse_futility(&self, args: &NodeArgs, node: &NodeInfo) -> Option<i32> {
        let params = self.shared.params;
        let plies = args.plies();
        if plies > params.reverse_futility_depth || is_mate(args.beta) || node.eval >= MATE_IN_MAX {
            return None;
        }
        let margin = match plies {
            ..=1 => params.reverse_futility_margin_1,
            2 => params.reverse_futility_margin_2,
            3 => params.reverse_futility_margin_3,
            more => {
                params.reverse_futility_margin_3 + (more - 3) * params.reverse_futility_margin_more
            }
        };
        let margin = if node.improving { margin * 3 / 4 } else { margin };
        (node.eval - margin >= args.beta).then_some(node.eval)
    }

    /// Null move pruning: if even passing is good enough, so is the best move. If passing is
    /// answered by mate, there is a threat.
    fn null_move(
        &mut self,
        position: &Position,
        args: &NodeArgs,
        node: &mut NodeInfo,
    ) -> Option<i32> {
        let params = self.shared.params;
        if params.null_move == 0
            || !args.null_move_allowed
            || node.eval < args.beta
            || is_mate(args.beta)
        {
            return None;
        }
        let next = position.after_pass()?;
        let mut reduction = params.null_reduction;
        if params.null_adaptive != 0 {
            reduction += args.plies() / params.null_adaptive_depth.max(1);
            reduction += ((node.eval - args.beta) / 250).min(3);
        }
        (self.frames[args.ply].mv, self.frames[args.ply].piece) = (None, None);
        self.frames[args.ply].capture = None;
        self.keys.push_pass(&next);
        self.states.pass(self.shared.evaluator);
        self.guides.pass();
        let depth = args.depth - (1 + reduction) * PLY;
        let deeper = NodeArgs { null_move_allowed: false, ..args.refute(args.beta, depth) };
        let score = -self.search(&next, deeper);
        self.undo();
        if self.stopped {
            return Some(0);
        }
        node.mate_threat = score <= -MATE_IN_MAX;
        if score < args.beta {
            return None;
        }
        // A mate after a pass proves nothing.
        Some(if is_mate(score) { args.beta } else { score })
    }

    /// ProbCut: if a capture reaches far above beta in a shallow search, it will reach beta in a
    /// deep one.
    fn probcut(&mut self, position: &Position, args: &NodeArgs, node: &NodeInfo) -> Option<i32> {
        let params = self.shared.params;
        if params.probcut == 0 || args.plies() < params.probcut_depth || is_mate(args.beta) {
            return None;
        }
        let target = args.beta + params.probcut_margin;
        let depth = args.depth - params.probcut_reduction * PLY;
        // The table has looked that deep before and found less.
        let hopeless =
            |known: &TtEntry| known.depth >= depth && from_table(known.score, args.ply) < target;
        if node.known.as_ref().is_some_and(hopeless) {
            return None;
        }
        let needed = target - node.raw_eval;
        let mut picker = Picker::tactical(&self.moves, position, None, false);
        let context = self.context(args.ply);
        let mut found = None;
        while let Some(mv) = self.next_move(&mut picker, position, context, &MoveWeights::none()) {
            if !position.exchange_at_least(mv, needed, self.values()) {
                continue;
            }
            let next = self.play(position, mv, args.ply);
            let deeper = args.refute(target, depth - PLY);
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
        let known = TtEntry {
            mv: Some(mv),
            score: to_table(score, args.ply),
            eval: node.raw_eval,
            depth,
            bound: Bound::Lower,
        };
        self.shared.table.store(self.shared.key(position), known);
        Some(score)
    }

    /// Multi-cut: if several of the first moves reach beta in a shallow search, one of them will in
    /// a deep one.
    fn multi_cut(&mut self, position: &Position, args: &NodeArgs, node: &NodeInfo) -> Option<i32> {
        let params = self.shared.params;
        if params.multi_cut == 0 || args.plies() < params.multi_cut_depth || is_mate(args.beta) {
            return None;
        }
        let killers = self.killers(args.ply);
        let mut picker = Picker::all(&self.moves, position, node.table_move, killers, args.plies())
            .rated(self.inquiry(args));
        let context = self.context(args.ply);
        let weights = MoveWeights::new(self.shared.prior, position);
        let (mut tried, mut cuts) = (0, 0);
        while tried < params.multi_cut_moves
            && let Some(mv) = self.next_move(&mut picker, position, context, &weights)
        {
            tried += 1;
            let next = self.play(position, mv, args.ply);
            let depth = args.depth - (1 + params.multi_cut_reduction) * PLY;
            let score = -self.search(&next, args.refute(args.beta, depth));
            self.undo();
            cuts += i32::from(score >= args.beta);
            if self.stopped || cuts >= params.multi_cut_cuts {
                break;
            }
        }
        picker.finish(&mut self.moves);
        (self.stopped || cuts >= params.multi_cut_cuts.max(1)).then_some(args.beta)
    }
}
