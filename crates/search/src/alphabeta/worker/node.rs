//! The search of a position inside the tree, step by step.

use tesuji_shogi::{Move, Position};

use super::{PLY, Worker};
use crate::alphabeta::transposition::Known;
use crate::evaluator::Evaluator;
use crate::mate::{self, Verdict};
use crate::prior::Prior;
use crate::score::{Bound, MAX_PLY, from_table, is_mate, mate_in, mated_in, to_table};

/// What is asked of a position.
#[derive(Clone, Copy)]
pub(crate) struct Question {
    pub alpha: i32,
    pub beta: i32,
    /// In quarters of a ply.
    pub depth: i32,
    pub ply: usize,
    /// May the side to move pass?
    pub may_pass: bool,
    /// Is some move likely to reach beta?
    pub expects_cut: bool,
    /// A move that is not to be searched, to see what the others are worth.
    pub without: Option<Move>,
}

impl Question {
    /// The score of the root at a depth in plies, between two bounds.
    pub fn root(plies: u32, alpha: i32, beta: i32) -> Self {
        let depth = plies as i32 * PLY;
        Self { alpha, beta, depth, ply: 0, may_pass: false, expects_cut: false, without: None }
    }

    /// Does the position after the next move stay below `beta` for the other side, at this depth?
    pub(super) fn refute(&self, beta: i32, depth: i32) -> Self {
        Self {
            alpha: -beta,
            beta: 1 - beta,
            depth,
            ply: self.ply + 1,
            may_pass: true,
            expects_cut: !self.expects_cut,
            without: None,
        }
    }

    /// Is the exact score wanted, rather than whether it reaches beta?
    pub(super) fn is_exact(&self) -> bool {
        self.beta - self.alpha > 1
    }

    pub(super) fn plies(&self) -> i32 {
        self.depth / PLY
    }
}

/// What is found out about a position before its moves are searched.
pub(super) struct Facts {
    pub known: Option<Known>,
    /// The move of the table, if it is legal.
    pub table_move: Option<Move>,
    pub in_check: bool,
    /// The evaluation as it stands.
    pub raw_eval: i32,
    /// The evaluation, mended by what the table knows.
    pub eval: i32,
    /// Is the side to move better off than two plies ago?
    pub improving: bool,
    /// Would passing be answered by mate?
    pub mate_threat: bool,
}

impl<E: Evaluator, P: Prior> Worker<'_, E, P> {
    /// The score of a position. Step by step: what the rules and the table know, a mate in one, what
    /// can be cut without searching a move, and then the moves.
    pub(crate) fn search(&mut self, position: &Position, mut ask: Question) -> i32 {
        if ask.depth < PLY {
            let checks = self.shared.params.quiescence_checks;
            return self.quiescence(position, ask.alpha, ask.beta, ask.ply, checks);
        }
        let is_root = ask.ply == 0;
        if is_root {
            self.root_score = None;
        }
        self.enter(ask.ply);
        self.lines[ask.ply].clear();
        if self.stopped {
            return 0;
        }
        if !is_root {
            if let Some(score) = self.outcome_by_rules(position, ask.ply) {
                return score;
            }
            if ask.ply >= MAX_PLY {
                return self.evaluate(position);
            }
            // No line from here is better than a mate that was found already.
            ask.alpha = ask.alpha.max(mated_in(ask.ply));
            ask.beta = ask.beta.min(mate_in(ask.ply + 1));
            if ask.alpha >= ask.beta {
                return ask.alpha;
            }
        }
        let known = self.shared.table.probe(position.key());
        if let Some(score) = self.table_cut(known, &ask) {
            return score;
        }
        let in_check = position.in_check();
        if !is_root
            && !in_check
            && ask.without.is_none()
            && let Some(score) = self.mate_cut(position, &ask, known)
        {
            return score;
        }
        let mut facts = self.facts(position, known, &ask);
        if !is_root
            && !in_check
            && ask.without.is_none()
            && let Some(score) = self.cut_before_moves(position, &ask, &mut facts)
        {
            return score;
        }
        if self.stopped {
            return 0;
        }
        if self.shared.params.internal_reduction != 0
            && facts.table_move.is_none()
            && ask.depth >= 5 * PLY
        {
            ask.depth -= PLY;
        }
        self.search_moves(position, ask, &facts)
    }

    /// The score if the side to move mates by checks, as far as that is seen at once.
    fn mate_cut(
        &mut self,
        position: &Position,
        ask: &Question,
        known: Option<Known>,
    ) -> Option<i32> {
        let params = self.shared.params;
        if params.mate_plies != 0 && known.is_none() && self.has_mate_in_one(position) {
            return Some(mate_in(ask.ply + 1));
        }
        // Where the table has a move the solver was asked before.
        let plies = ask.plies();
        if plies < params.mate_depth
            || params.mate_nodes == 0
            || known.is_some_and(|k| k.depth >= params.mate_depth * PLY)
        {
            return None;
        }
        let limits = mate::Limits {
            nodes: self.affordable((params.mate_nodes * plies) as u64),
            max_ply: (MAX_PLY - ask.ply) as u16,
            ..mate::Limits::default()
        };
        let (verdict, nodes) = self.solver.find(position, &limits, self.shared.stop);
        self.nodes += nodes;
        let Verdict::Mate { mv, length } = verdict else { return None };
        let score = mate_in(ask.ply + usize::from(length));
        let known = Known {
            mv: Some(mv),
            score: to_table(score, ask.ply),
            eval: self.evaluate(position),
            depth: ask.depth,
            bound: Bound::Lower,
        };
        self.shared.table.store(position.key(), known);
        Some(score)
    }

    /// Is there a move that mates at once?
    pub(super) fn has_mate_in_one(&self, position: &Position) -> bool {
        mate::mate_in_one(position).is_some()
    }

    /// The score that the table gives, if it is good enough.
    pub(super) fn table_cut(&self, known: Option<Known>, ask: &Question) -> Option<i32> {
        let known = known?;
        let shallow = known.depth < ask.depth / PLY * PLY;
        if ask.ply == 0 || ask.is_exact() || shallow || ask.without.is_some() {
            return None;
        }
        let score = from_table(known.score, ask.ply);
        known.bound.decides(score, ask.alpha, ask.beta).then_some(score)
    }

    fn facts(&mut self, position: &Position, known: Option<Known>, ask: &Question) -> Facts {
        let in_check = position.in_check();
        let raw_eval = match known {
            _ if in_check => 0,
            Some(known) => known.eval,
            None => self.evaluate(position),
        };
        let mut eval = raw_eval;
        if let Some(known) = known {
            let score = from_table(known.score, ask.ply);
            if known.bound.mends(score, eval) && !is_mate(score) {
                eval = score;
            }
        }
        self.frames[ask.ply].eval = (!in_check).then_some(raw_eval);
        let before = |plies| ask.ply.checked_sub(plies).and_then(|ply| self.frames[ply].eval);
        let improving = !in_check && before(2).or(before(4)).is_none_or(|eval| raw_eval > eval);
        let table_move = known.and_then(|known| known.mv).filter(|&mv| position.is_legal(mv));
        Facts { known, table_move, in_check, raw_eval, eval, improving, mate_threat: false }
    }

    /// Keeps what was found out in the table.
    pub(super) fn remember(
        &self,
        position: &Position,
        ask: &Question,
        facts: &Facts,
        best: i32,
        mv: Option<Move>,
    ) {
        if ask.without.is_some() || (ask.ply == 0 && !self.excluded.is_empty()) {
            return;
        }
        let bound = if best >= ask.beta {
            Bound::Lower
        } else if best > ask.alpha && ask.is_exact() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = to_table(best, ask.ply);
        let known = Known { mv, score, eval: facts.raw_eval, depth: ask.depth, bound };
        self.shared.table.store(position.key(), known);
    }
}
