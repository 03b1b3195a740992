//! The search of a position inside the tree, step by step.

use tesuji_shogi::{Bitboard, Color, Move, PieceKind, Position};

use super::{Node, PLY, Worker};
use crate::evaluator::Evaluator;
use crate::history::piece_to;
use crate::mate;
use crate::picker::Picker;
use crate::score::{
    INFINITE, MATE_IN_MAX, MAX_PLY, from_table, is_mate, mate_in, mated_in, to_table,
};
use crate::table::{Bound, Known};

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
}

impl Question {
    /// Is the exact score wanted, rather than whether it reaches beta?
    fn is_exact(&self) -> bool {
        self.beta - self.alpha > 1
    }

    fn plies(&self) -> i32 {
        self.depth / PLY
    }
}

/// What is found out about a position before its moves are searched.
struct Facts {
    known: Option<Known>,
    in_check: bool,
    /// The evaluation as it stands.
    raw_eval: i32,
    /// The evaluation, mended by what the table knows.
    eval: i32,
    /// Is the side to move better off than two plies ago?
    improving: bool,
    /// Would passing be answered by mate?
    mate_threat: bool,
}

impl<E: Evaluator> Worker<'_, E> {
    /// The score of a position. Step by step: what the rules and the table know, a mate in one, what
    /// can be cut without searching a move, and then the moves.
    pub(crate) fn search(&mut self, node: &Node<E::State>, mut ask: Question) -> i32 {
        if ask.depth < PLY {
            let checks = self.shared.params.quiescence_checks;
            return self.quiescence(node, ask.alpha, ask.beta, ask.ply, checks);
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
            if let Some(score) = self.outcome_by_rules(&node.position, ask.ply) {
                return score;
            }
            if ask.ply >= MAX_PLY {
                return self.evaluate(node);
            }
            // No line from here is better than a mate that was found already.
            ask.alpha = ask.alpha.max(mated_in(ask.ply));
            ask.beta = ask.beta.min(mate_in(ask.ply + 1));
            if ask.alpha >= ask.beta {
                return ask.alpha;
            }
        }
        let known = self.shared.table.probe(node.position.key());
        if let Some(score) = self.table_cut(known, &ask, is_root) {
            return score;
        }
        let in_check = node.position.in_check();
        if !is_root
            && !in_check
            && known.is_none()
            && self.shared.params.mate_plies != 0
            && self.has_mate_in_one(&node.position)
        {
            return mate_in(ask.ply + 1);
        }
        let mut facts = self.facts(node, known, &ask);
        if !is_root
            && !in_check
            && let Some(score) = self.cut_before_moves(node, &ask, &mut facts)
        {
            return score;
        }
        if self.stopped {
            return 0;
        }
        if self.shared.params.internal_reduction != 0
            && facts.known.is_none_or(|known| known.mv.is_none())
            && ask.depth >= 5 * PLY
        {
            ask.depth -= PLY;
        }
        self.search_moves(node, ask, &facts)
    }

    /// Is there a move that mates at once?
    pub(super) fn has_mate_in_one(&self, position: &Position) -> bool {
        mate::mate_in_one(position).is_some()
    }

    /// The score that the table gives, if it is good enough.
    fn table_cut(&self, known: Option<Known>, ask: &Question, is_root: bool) -> Option<i32> {
        let known = known?;
        if is_root || ask.is_exact() || known.depth < ask.depth / PLY * PLY {
            return None;
        }
        let score = from_table(known.score, ask.ply);
        known.bound.decides(score, ask.alpha, ask.beta).then_some(score)
    }

    fn facts(&mut self, node: &Node<E::State>, known: Option<Known>, ask: &Question) -> Facts {
        let in_check = node.position.in_check();
        let raw_eval = match known {
            _ if in_check => 0,
            Some(known) => known.eval,
            None => self.evaluate(node),
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
        Facts { known, in_check, raw_eval, eval, improving, mate_threat: false }
    }

    /// Cuts that need no move: razoring, futility, the null move, multi-cut.
    fn cut_before_moves(
        &mut self,
        node: &Node<E::State>,
        ask: &Question,
        facts: &mut Facts,
    ) -> Option<i32> {
        if ask.is_exact() {
            return None;
        }
        self.razoring(node, ask, facts)
            .or_else(|| self.futility(ask, facts))
            .or_else(|| self.null_move(node, ask, facts))
            .or_else(|| self.multi_cut(node, ask, facts))
    }

    /// Far below alpha at low depth, only captures can help.
    fn razoring(&mut self, node: &Node<E::State>, ask: &Question, facts: &Facts) -> Option<i32> {
        let params = self.shared.params;
        let plies = ask.plies();
        if plies > params.razor_depth || facts.eval + params.razor_margin * plies >= ask.alpha {
            return None;
        }
        let checks = params.quiescence_checks;
        let score = self.quiescence(node, ask.alpha, ask.alpha + 1, ask.ply, checks);
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
    fn null_move(
        &mut self,
        node: &Node<E::State>,
        ask: &Question,
        facts: &mut Facts,
    ) -> Option<i32> {
        let params = self.shared.params;
        if params.null_move == 0 || !ask.may_pass || facts.eval < ask.beta || is_mate(ask.beta) {
            return None;
        }
        let position = node.position.after_pass()?;
        let mut reduction = params.null_reduction;
        if params.null_adaptive != 0 {
            reduction += ask.plies() / params.null_adaptive_depth.max(1);
            reduction += ((facts.eval - ask.beta) / 250).min(3);
        }
        let next = Node { state: node.state, position };
        self.frames[ask.ply].piece = None;
        self.frames[ask.ply].capture = None;
        self.keys.push_pass(&next.position);
        let deeper = Question {
            alpha: -ask.beta,
            beta: 1 - ask.beta,
            depth: ask.depth - (1 + reduction) * PLY,
            ply: ask.ply + 1,
            may_pass: false,
        };
        let score = -self.search(&next, deeper);
        self.keys.pop();
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

    /// If several of the first moves reach beta in a shallow search, one of them will in a deep one.
    fn multi_cut(&mut self, node: &Node<E::State>, ask: &Question, facts: &Facts) -> Option<i32> {
        let params = self.shared.params;
        if params.multi_cut == 0 || ask.plies() < params.multi_cut_depth || is_mate(ask.beta) {
            return None;
        }
        let table_move = self.table_move(node, facts);
        let killers = self.killers(ask.ply);
        let position = &node.position;
        let mut picker = Picker::all(&self.moves, position, table_move, killers, ask.plies());
        let context = self.context(ask.ply);
        let (mut tried, mut cuts) = (0, 0);
        while tried < params.multi_cut_moves
            && let Some(mv) = self.next_move(&mut picker, position, context)
        {
            tried += 1;
            let next = self.play(node, mv, ask.ply);
            let shallow = Question {
                alpha: -ask.beta,
                beta: 1 - ask.beta,
                depth: ask.depth - (1 + params.multi_cut_reduction) * PLY,
                ply: ask.ply + 1,
                may_pass: true,
            };
            let score = -self.search(&next, shallow);
            self.keys.pop();
            cuts += i32::from(score >= ask.beta);
            if self.stopped || cuts >= params.multi_cut_cuts {
                break;
            }
        }
        picker.finish(&mut self.moves);
        (self.stopped || cuts >= params.multi_cut_cuts.max(1)).then_some(ask.beta)
    }

    fn table_move(&self, node: &Node<E::State>, facts: &Facts) -> Option<Move> {
        let mv = facts.known.and_then(|known| known.mv)?;
        node.position.is_legal(mv).then_some(mv)
    }

    fn killers(&self, ply: usize) -> [Option<Move>; 3] {
        let [first, second] = self.frames[ply].killers;
        let before = ply.checked_sub(1).and_then(|ply| self.frames[ply].piece);
        [first, second, self.history.counter(before)]
    }

    /// Searches the moves, the most promising first.
    fn search_moves(&mut self, node: &Node<E::State>, ask: Question, facts: &Facts) -> i32 {
        let Question { beta, ply, .. } = ask;
        let mut alpha = ask.alpha;
        let position = &node.position;
        let table_move = self.table_move(node, facts);
        self.frames[ply + 1].killers = [None; 2];
        let only_reply = facts.in_check && position.count_legal_moves() == 1;
        let killers = self.killers(ply);
        let mut picker = Picker::all(&self.moves, position, table_move, killers, ask.plies());
        let context = self.context(ply);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let mut tried: Vec<Move> = Vec::new();
        while let Some(mv) = self.next_move(&mut picker, position, context) {
            if ply == 0 && self.is_excluded(mv) {
                continue;
            }
            number += 1;
            let now = Question { alpha, ..ask };
            let quiet = position.piece_on(mv.to()).is_none();
            let gives_check = position.gives_check(mv);
            let history = self.earned(position, mv, &context);
            if best > -MATE_IN_MAX
                && ply > 0
                && self.leave_out(node, &now, facts, mv, number, gives_check, history)
            {
                continue;
            }
            let extension = self.extension(node, &now, facts, mv, gives_check, only_reply);
            let next = self.play(node, mv, ply);
            let score =
                self.search_one(&next, &now, facts, number, extension, quiet, gives_check, history);
            self.keys.pop();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    self.update_line(mv, ply);
                    alpha = score;
                    if ply == 0 {
                        self.root_score = Some(score);
                    }
                    if score >= beta {
                        self.reward(position, mv, &tried, &context, &ask);
                        break;
                    }
                }
            }
            if tried.len() < 64 {
                tried.push(mv);
            }
        }
        picker.finish(&mut self.moves);
        if self.stopped {
            return 0;
        }
        if number == 0 {
            // No move at all is a loss in shogi, in check or not.
            return if ply == 0 { alpha } else { mated_in(ply) };
        }
        self.remember(node, &ask, facts, best, best_move);
        best
    }

    /// Is this a root move that is not wanted?
    fn is_excluded(&self, mv: Move) -> bool {
        let wanted = &self.shared.limits.moves;
        self.excluded.contains(&mv) || (!wanted.is_empty() && !wanted.contains(&mv))
    }

    /// What a move has earned before.
    fn earned(&self, position: &Position, mv: Move, context: &[Option<u16>; 2]) -> i32 {
        let piece = piece_to(position, mv);
        match position.piece_on(mv.to()) {
            Some(taken) => self.history.capture(piece, taken.kind()),
            None => self.history.quiet(position.side_to_move(), mv, piece, context),
        }
    }

    /// Is a move not worth a search at this depth?
    #[allow(clippy::too_many_arguments)]
    fn leave_out(
        &self,
        node: &Node<E::State>,
        ask: &Question,
        facts: &Facts,
        mv: Move,
        number: i32,
        gives_check: bool,
        history: i32,
    ) -> bool {
        let params = self.shared.params;
        let plies = ask.plies();
        let quiet = node.position.piece_on(mv.to()).is_none();
        if quiet && !gives_check && !facts.in_check && !mv.is_promotion() {
            let enough = params.late_moves_base + plies * plies;
            let enough = if facts.improving { enough * 2 } else { enough };
            if params.late_moves != 0 && plies <= params.late_moves_depth && number > enough {
                return true;
            }
            let margin = params.move_futility_base
                + params.move_futility_ply * plies
                + history.clamp(-8000, 8000) / 100;
            if plies <= params.move_futility_depth && facts.eval + margin <= ask.alpha {
                return true;
            }
        }
        if plies > params.exchange_depth || facts.in_check {
            return false;
        }
        let loss =
            if quiet { params.exchange_margin * plies } else { 2 * params.exchange_margin * plies };
        !node.position.exchange_at_least(mv, -loss, self.values())
    }

    /// Quarters of a ply by which a move is searched deeper.
    fn extension(
        &self,
        node: &Node<E::State>,
        ask: &Question,
        facts: &Facts,
        mv: Move,
        gives_check: bool,
        only_reply: bool,
    ) -> i32 {
        let params = self.shared.params;
        let position = &node.position;
        let mut extension = 0;
        if gives_check
            && params.check_extension > 0
            && position.exchange_at_least(mv, 0, self.values())
        {
            extension += params.check_extension;
        }
        if only_reply {
            extension += params.one_reply_extension;
        }
        let before = ask.ply.checked_sub(1).and_then(|ply| self.frames[ply].capture);
        if before == Some(mv.to().index() as u8) {
            extension += params.recapture_extension;
        }
        if facts.mate_threat {
            extension += params.mate_threat_extension;
        }
        if params.promotion_extension > 0 && threatens_promotion(position, mv) {
            extension += params.promotion_extension;
        }
        // A line is not extended to more than twice its depth.
        let extended = ask.ply.checked_sub(1).map_or(0, |ply| self.frames[ply].extended);
        if extended > ask.depth + ask.ply as i32 * PLY / 2 {
            return 0;
        }
        extension.min(PLY)
    }

    /// Searches one move: the first with the whole window, others first with none, late ones less
    /// deeply.
    #[allow(clippy::too_many_arguments)]
    fn search_one(
        &mut self,
        next: &Node<E::State>,
        ask: &Question,
        facts: &Facts,
        number: i32,
        extension: i32,
        quiet: bool,
        gives_check: bool,
        history: i32,
    ) -> i32 {
        let before = ask.ply.checked_sub(1).map_or(0, |ply| self.frames[ply].extended);
        self.frames[ask.ply].extended = before + extension;
        let depth = ask.depth - PLY + extension;
        let whole = Question {
            alpha: -ask.beta,
            beta: -ask.alpha,
            depth,
            ply: ask.ply + 1,
            may_pass: true,
        };
        if number == 1 {
            return -self.search(next, whole);
        }
        let narrow = Question { alpha: -ask.alpha - 1, ..whole };
        let reduction = self.reduction(ask, facts, number, quiet, gives_check, history);
        if reduction > 0 {
            let shallow = Question { depth: (depth - reduction).max(PLY), ..narrow };
            let score = -self.search(next, shallow);
            if score <= ask.alpha || self.stopped {
                return score;
            }
        }
        let score = -self.search(next, narrow);
        if score > ask.alpha && score < ask.beta && ask.is_exact() && !self.stopped {
            return -self.search(next, whole);
        }
        score
    }

    /// Quarters of a ply by which a late move is searched less deeply at first.
    fn reduction(
        &self,
        ask: &Question,
        facts: &Facts,
        number: i32,
        quiet: bool,
        gives_check: bool,
        history: i32,
    ) -> i32 {
        let params = self.shared.params;
        if params.reductions == 0 || ask.depth < 3 * PLY || number < 3 || (!quiet && number < 8) {
            return 0;
        }
        let plies = ask.plies().clamp(0, 63) as usize;
        let mut reduction = self.reductions[plies * 64 + number.clamp(0, 63) as usize];
        reduction -= history * PLY / params.reduction_history.max(1);
        if ask.is_exact() {
            reduction -= PLY;
        }
        if !facts.improving {
            reduction += PLY / 2;
        }
        if gives_check || facts.in_check {
            reduction -= PLY;
        }
        reduction.clamp(0, ask.depth)
    }

    /// Remembers a move that cut off, and that those before it did not.
    fn reward(
        &mut self,
        position: &Position,
        mv: Move,
        tried: &[Move],
        context: &[Option<u16>; 2],
        ask: &Question,
    ) {
        let plies = ask.plies();
        let bonus = (plies * plies * 16 + plies * 64).min(1800);
        let side = position.side_to_move();
        if position.piece_on(mv.to()).is_none() {
            let killers = &mut self.frames[ask.ply].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
            self.history.set_counter(context[0], mv);
            let piece = piece_to(position, mv);
            self.history.reward_quiet(side, mv, piece, context, bonus);
        } else {
            self.reward_capture(position, mv, bonus);
        }
        for &other in tried {
            if position.piece_on(other.to()).is_some() {
                self.reward_capture(position, other, -bonus);
            } else if position.piece_on(mv.to()).is_none() {
                let piece = piece_to(position, other);
                self.history.reward_quiet(side, other, piece, context, -bonus);
            }
        }
    }

    fn reward_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        if let Some(taken) = position.piece_on(mv.to()) {
            self.history.reward_capture(piece_to(position, mv), taken.kind(), bonus);
        }
    }

    fn remember(
        &self,
        node: &Node<E::State>,
        ask: &Question,
        facts: &Facts,
        best: i32,
        mv: Option<Move>,
    ) {
        if ask.ply == 0 && !self.excluded.is_empty() {
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
        self.shared.table.store(node.position.key(), known);
    }
}

/// Does a move bring a pawn, lance or knight to where it can promote next, on a square that the
/// enemy does not attack?
fn threatens_promotion(position: &Position, mv: Move) -> bool {
    let Some(from) = mv.from() else { return false };
    let Some(piece) = position.piece_on(from) else { return false };
    let small = matches!(piece.kind(), PieceKind::Pawn | PieceKind::Lance | PieceKind::Knight);
    if !small || mv.is_promotion() {
        return false;
    }
    let side = position.side_to_move();
    let rank = mv.to().rank();
    // The rank before the promotion zone.
    let near = match side {
        Color::Black => rank == 4,
        Color::White => rank == 6,
    };
    let zone = Bitboard::promotion_zone(side);
    near && !zone.contains(mv.to()) && !position.is_attacked(mv.to(), !side)
}
