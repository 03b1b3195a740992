//! The search of a position inside the tree, step by step.

use tesuji_shogi::{Move, Position};

use super::{PLY, Worker};
use crate::alphabeta::transposition::TtEntry;
use crate::evaluator::Evaluator;
use crate::mate::{self, Verdict};
use crate::prior::Prior;
use crate::score::{Bound, MAX_PLY, from_table, is_mate, mate_in, mated_in, to_table};

/// The arguments of a node: window, depth, and what kind of node it is thought to be.
#[derive(Clone, Copy)]
pub(crate) struct NodeArgs {
    pub alpha: i32,
    pub beta: i32,
    /// In quarters of a ply.
    pub depth: i32,
    pub ply: usize,
    /// May the null move be tried?
    pub null_move_allowed: bool,
    /// Is this a cut node: is some move likely to reach beta?
    pub cut_node: bool,
    /// The excluded move of a singular search, to see what the others are worth.
    pub excluded_move: Option<Move>,
}

impl NodeArgs {
    /// The score of the root at a depth in plies, between two bounds.
    pub fn root(plies: u32, alpha: i32, beta: i32) -> Self {
        let depth = plies as i32 * PLY;
        Self {
            alpha,
            beta,
            depth,
            ply: 0,
            null_move_allowed: false,
            cut_node: false,
            excluded_move: None,
        }
    }

    /// The null window for a child: does the position after the next move stay below `beta` for the
    /// other side, at this depth?
    pub(super) fn refute(&self, beta: i32, depth: i32) -> Self {
        Self {
            alpha: -beta,
            beta: 1 - beta,
            depth,
            ply: self.ply + 1,
            null_move_allowed: true,
            cut_node: !self.cut_node,
            excluded_move: None,
        }
    }

    /// Is this a PV node: is the exact score wanted, rather than whether it reaches beta?
    pub(super) fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }

    pub(super) fn plies(&self) -> i32 {
        self.depth / PLY
    }
}

/// What is found out about a node before its moves are searched.
pub(super) struct NodeInfo {
    pub known: Option<TtEntry>,
    /// The move of the table, if it is legal.
    pub table_move: Option<Move>,
    pub in_check: bool,
    /// The static evaluation.
    pub raw_eval: i32,
    /// The evaluation, mended by what the table knows.
    pub eval: i32,
    /// Is the side to move better off than two plies ago?
    pub improving: bool,
    /// Would passing be answered by mate?
    pub mate_threat: bool,
}

impl<E: Evaluator, P: Prior> Worker<'_, E, P> {
    /// The score of a position. Step by step: what the rules and the table know, a mate in one,
    /// what can be cut without searching a move, and then the moves.
    pub(crate) fn search(&mut self, position: &Position, mut args: NodeArgs) -> i32 {
        if args.depth < PLY {
            let checks = self.shared.params.quiescence_checks;
            return self.quiescence(position, args.alpha, args.beta, args.ply, checks);
        }
        let is_root = args.ply == 0;
        if is_root {
            self.root_score = None;
        }
        self.enter(args.ply);
        self.lines[args.ply].clear();
        if self.stopped {
            return 0;
        }
        if !is_root {
            if let Some(score) = self.outcome_by_rules(position, args.ply) {
                return score;
            }
            if args.ply >= MAX_PLY {
                return self.evaluate(position);
            }
            // Mate distance pruning: no line from here is better than a mate that was found
            // already.
            args.alpha = args.alpha.max(mated_in(args.ply));
            args.beta = args.beta.min(mate_in(args.ply + 1));
            if args.alpha >= args.beta {
                return args.alpha;
            }
        }
        let known = self.shared.table.probe(self.shared.key(position));
        if let Some(score) = self.table_cut(known, &args) {
            return score;
        }
        let in_check = position.in_check();
        if !is_root
            && !in_check
            && args.excluded_move.is_none()
            && let Some(score) = self.mate_cut(position, &args, known)
        {
            return score;
        }
        let mut node = self.node_info(position, known, &args);
        if !is_root
            && !in_check
            && args.excluded_move.is_none()
            && let Some(score) = self.cut_before_moves(position, &args, &mut node)
        {
            return score;
        }
        if self.stopped {
            return 0;
        }
        if self.shared.params.iir != 0 && node.table_move.is_none() && args.depth >= 5 * PLY {
            args.depth -= PLY;
        }
        self.search_moves(position, args, &node)
    }

    /// The score if the side to move mates by checks, as far as that is seen at once.
    fn mate_cut(
        &mut self,
        position: &Position,
        args: &NodeArgs,
        known: Option<TtEntry>,
    ) -> Option<i32> {
        let params = self.shared.params;
        if params.mate_in_one != 0 && known.is_none() && self.has_mate_in_one(position) {
            return Some(mate_in(args.ply + 1));
        }
        // Where the table has a move the solver was asked before.
        let plies = args.plies();
        if plies < params.mate_depth
            || params.mate_nodes == 0
            || known.is_some_and(|k| k.depth >= params.mate_depth * PLY)
        {
            return None;
        }
        let limits = mate::Limits {
            nodes: self.affordable((params.mate_nodes * plies) as u64),
            max_ply: (MAX_PLY - args.ply) as u16,
            ..mate::Limits::default()
        };
        let (verdict, nodes) = self.solver.find(position, &limits, self.shared.stop.silent());
        self.nodes += nodes;
        let Verdict::Mate { mv, length } = verdict else { return None };
        let score = mate_in(args.ply + usize::from(length));
        let known = TtEntry {
            mv: Some(mv),
            score: to_table(score, args.ply),
            eval: self.evaluate(position),
            depth: args.depth,
            bound: Bound::Lower,
        };
        self.shared.table.store(self.shared.key(position), known);
        Some(score)
    }

    /// Is there a move that mates at once?
    pub(super) fn has_mate_in_one(&self, position: &Position) -> bool {
        mate::mate_in_one(position).is_some()
    }

    /// The cutoff of the transposition table: its score, if it is good enough.
    pub(super) fn table_cut(&self, known: Option<TtEntry>, args: &NodeArgs) -> Option<i32> {
        let known = known?;
        let shallow = known.depth < args.depth / PLY * PLY;
        if args.ply == 0 || args.is_pv() || shallow || args.excluded_move.is_some() {
            return None;
        }
        let score = from_table(known.score, args.ply);
        known.bound.decides(score, args.alpha, args.beta).then_some(score)
    }

    /// The static evaluation and what else is known before a move is searched.
    fn node_info(
        &mut self,
        position: &Position,
        known: Option<TtEntry>,
        args: &NodeArgs,
    ) -> NodeInfo {
        let in_check = position.in_check();
        let raw_eval = match known {
            _ if in_check => 0,
            Some(known) => known.eval,
            None => self.evaluate(position),
        };
        let mut eval = raw_eval;
        if let Some(known) = known {
            let score = from_table(known.score, args.ply);
            if known.bound.mends(score, eval) && !is_mate(score) {
                eval = score;
            }
        }
        self.frames[args.ply].eval = (!in_check).then_some(raw_eval);
        let before = |plies| args.ply.checked_sub(plies).and_then(|ply| self.frames[ply].eval);
        let improving = !in_check && before(2).or(before(4)).is_none_or(|eval| raw_eval > eval);
        let table_move = known.and_then(|known| known.mv).filter(|&mv| position.is_legal(mv));
        NodeInfo { known, table_move, in_check, raw_eval, eval, improving, mate_threat: false }
    }

    /// Keeps what was found out in the transposition table.
    pub(super) fn remember(
        &self,
        position: &Position,
        args: &NodeArgs,
        node: &NodeInfo,
        best: i32,
        mv: Option<Move>,
    ) {
        if args.excluded_move.is_some() || (args.ply == 0 && !self.excluded.is_empty()) {
            return;
        }
        let bound = if best >= args.beta {
            Bound::Lower
        } else if best > args.alpha && args.is_pv() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = to_table(best, args.ply);
        let known = TtEntry { mv, score, eval: node.raw_eval, depth: args.depth, bound };
        self.shared.table.store(self.shared.key(position), known);
    }
}
