//! The moves of a position, searched one after the other.

use std::collections::VecDeque;

use tesuji_shogi::{Bitboard, CheckSquares, Color, Move, PieceKind, Position};

use super::node::{Facts, Question};
use super::{PLY, Worker};
use crate::alphabeta::history::{Context, piece_to};
use crate::alphabeta::picker::Picker;
use crate::alphabeta::team::{Mark, Team};
use crate::evaluator::Evaluator;
use crate::prior::{MoveWeights, Prior};
use crate::score::{Bound, INFINITE, MATE_IN_MAX, from_table, is_mate, mated_in};

/// A move with what is known of it before it is searched.
struct Candidate {
    mv: Move,
    /// The first one has number 1.
    number: i32,
    /// Does it take nothing?
    quiet: bool,
    gives_check: bool,
    /// What it has earned before.
    history: i32,
}

/// The moves of a position in the order in which they are searched.
struct Order {
    picker: Picker,
    /// Moves so far.
    count: i32,
    /// Moves that another thread was searching.
    postponed: VecDeque<Turn>,
}

/// A move whose turn it is.
#[derive(Clone, Copy)]
struct Turn {
    mv: Move,
    number: i32,
    /// Was it postponed?
    again: bool,
}

/// What other threads are doing with a move.
enum Meeting {
    /// Nothing.
    Alone,
    /// One is searching it.
    Busy,
    /// One has found meanwhile what the position is worth.
    Cut(i32),
}

/// What the search without the move of the table says of it.
enum Singular {
    /// It is searched by so many quarters of a ply deeper.
    Extend(i32),
    /// Others reach beta as well, with this score.
    Cut(i32),
    /// Nothing.
    Unknown,
}

/// The moves that were searched, as many as are worth remembering.
#[derive(Default)]
struct Tried {
    moves: [Option<Move>; Self::MOST],
    count: usize,
}

impl Tried {
    const MOST: usize = 32;

    fn push(&mut self, mv: Move) {
        if let Some(place) = self.moves.get_mut(self.count) {
            *place = Some(mv);
            self.count += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().copied().flatten()
    }
}

impl<E: Evaluator, P: Prior> Worker<'_, E, P> {
    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 3] {
        let [first, second] = self.frames[ply].killers;
        let before = ply.checked_sub(1).and_then(|ply| self.frames[ply].piece);
        [first, second, self.shared.history.counter(before)]
    }

    /// Searches the moves, the most promising first.
    pub(super) fn search_moves(
        &mut self,
        position: &Position,
        ask: Question,
        facts: &Facts,
    ) -> i32 {
        let Question { beta, ply, .. } = ask;
        let mut alpha = ask.alpha;
        self.frames[ply + 1].killers = [None; 2];
        let only_reply = facts.in_check && position.count_legal_moves() == 1;
        let killers = self.killers(ply);
        let picker = Picker::all(&self.moves, position, facts.table_move, killers, ask.plies());
        let mut order = Order { picker, count: 0, postponed: VecDeque::new() };
        let context = self.context(ply);
        let weights = MoveWeights::new(self.shared.prior, position);
        let checks = CheckSquares::new(position);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut tried = Tried::default();
        while let Some(turn) = self.next_turn(&mut order, position, &ask, context, &weights) {
            let Turn { mv, number, .. } = turn;
            let now = Question { alpha, ..ask };
            let candidate = Candidate {
                mv,
                number,
                quiet: position.piece_on(mv.to()).is_none(),
                gives_check: checks.is_some_and(|checks| checks.gives_check(position, mv)),
                history: self.earned(position, mv, &context, &weights),
            };
            if best > -MATE_IN_MAX && ply > 0 && self.leave_out(position, &now, facts, &candidate) {
                continue;
            }
            let mark = Mark::new(position.key(), ask.without, mv);
            match self.meet(position, &ask, &turn, mark) {
                Meeting::Alone => {}
                Meeting::Busy => {
                    order.postponed.push_back(Turn { again: true, ..turn });
                    continue;
                }
                Meeting::Cut(score) => {
                    order.picker.finish(&mut self.moves);
                    return score;
                }
            }
            self.team(&ask).inspect(|team| team.begin(mark));
            let extension = match self.singular(position, &now, facts, mv) {
                Singular::Cut(score) => {
                    self.team(&ask).inspect(|team| team.end(mark));
                    best = score;
                    break;
                }
                Singular::Extend(extension) => extension,
                Singular::Unknown => self.extension(position, &now, facts, &candidate, only_reply),
            };
            let next = self.play(position, mv, ply);
            let score = self.search_one(&next, &now, facts, &candidate, extension);
            self.undo();
            self.team(&ask).inspect(|team| team.end(mark));
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
            tried.push(mv);
        }
        order.picker.finish(&mut self.moves);
        if self.stopped {
            return 0;
        }
        if order.count == 0 {
            // No move at all is a loss in shogi, in check or not.
            let nothing_else = ply == 0 || ask.without.is_some();
            return if nothing_else { alpha } else { mated_in(ply) };
        }
        self.remember(position, &ask, facts, best, best_move);
        best
    }

    /// The move whose turn it is: those that other threads were searching come last.
    fn next_turn(
        &mut self,
        order: &mut Order,
        position: &Position,
        ask: &Question,
        context: Context,
        weights: &MoveWeights<'_, P>,
    ) -> Option<Turn> {
        while let Some(mv) = self.next_move(&mut order.picker, position, context, weights) {
            if ask.without != Some(mv) && (ask.ply > 0 || !self.is_excluded(mv)) {
                order.count += 1;
                return Some(Turn { mv, number: order.count, again: false });
            }
        }
        order.postponed.pop_front()
    }

    /// The other threads, where it pays to look out for them.
    fn team(&self, ask: &Question) -> Option<&Team> {
        const DEPTH: i32 = 2;
        self.shared.team.filter(|_| ask.plies() >= DEPTH)
    }

    /// What other threads do, or have done, in this position. The first move is searched by all who
    /// come: what it is worth decides how the others are searched.
    fn meet(&self, position: &Position, ask: &Question, turn: &Turn, mark: Mark) -> Meeting {
        let Some(team) = self.team(ask).filter(|_| turn.number > 1) else { return Meeting::Alone };
        if let Some(score) = self.table_cut(self.shared.table.probe(position.key()), ask) {
            return Meeting::Cut(score);
        }
        if team.is_busy_with(mark) && !turn.again { Meeting::Busy } else { Meeting::Alone }
    }

    /// Is the move of the table the only good one? It is if all others stay well below it in a
    /// shallower search.
    fn singular(
        &mut self,
        position: &Position,
        ask: &Question,
        facts: &Facts,
        mv: Move,
    ) -> Singular {
        let params = self.shared.params;
        let Some(known) = facts.known else { return Singular::Unknown };
        let score = from_table(known.score, ask.ply);
        if params.singular == 0
            || ask.ply == 0
            || ask.without.is_some()
            || facts.table_move != Some(mv)
            || ask.plies() < params.singular_depth
            || known.depth < ask.depth - 3 * PLY
            || !matches!(known.bound, Bound::Lower | Bound::Exact)
            || is_mate(score)
            || self.is_far_extended(ask)
        {
            return Singular::Unknown;
        }
        let beta = score - params.singular_margin * ask.plies();
        let others = Question {
            alpha: beta - 1,
            beta,
            depth: (ask.depth - PLY) / 2,
            without: Some(mv),
            may_pass: false,
            ..*ask
        };
        let frame = self.frames[ask.ply];
        let reached = self.search(position, others);
        self.frames[ask.ply] = frame;
        self.lines[ask.ply].clear();
        if reached < beta {
            Singular::Extend(params.singular_extension)
        } else if beta >= ask.beta {
            // Others reach beta as well: one of all these moves will.
            Singular::Cut(beta)
        } else if score >= ask.beta {
            Singular::Extend(-params.singular_extension)
        } else {
            Singular::Unknown
        }
    }

    /// Is this a root move that is not wanted?
    fn is_excluded(&self, mv: Move) -> bool {
        let wanted = &self.shared.limits.moves;
        self.excluded.contains(&mv) || (!wanted.is_empty() && !wanted.contains(&mv))
    }

    /// What a move has earned before.
    fn earned(
        &self,
        position: &Position,
        mv: Move,
        context: &Context,
        weights: &MoveWeights<'_, P>,
    ) -> i32 {
        let piece = piece_to(position, mv);
        match position.piece_on(mv.to()) {
            Some(taken) => self.shared.history.capture(piece, taken.kind()),
            None => {
                let side = position.side_to_move();
                self.shared.history.quiet(side, mv, piece, context) + weights.of(mv)
            }
        }
    }

    /// Is a move not worth a search at this depth?
    fn leave_out(
        &self,
        position: &Position,
        ask: &Question,
        facts: &Facts,
        candidate: &Candidate,
    ) -> bool {
        let Candidate { mv, number, quiet, gives_check, history } = *candidate;
        let params = self.shared.params;
        let plies = ask.plies();
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
        !position.exchange_at_least(mv, -loss, self.values())
    }

    /// Was the line extended so much that it is enough?
    fn is_far_extended(&self, ask: &Question) -> bool {
        let extended = ask.ply.checked_sub(1).map_or(0, |ply| self.frames[ply].extended);
        extended > ask.depth + ask.ply as i32 * PLY / 2
    }

    /// Quarters of a ply by which a move is searched deeper.
    fn extension(
        &self,
        position: &Position,
        ask: &Question,
        facts: &Facts,
        candidate: &Candidate,
        only_reply: bool,
    ) -> i32 {
        if self.is_far_extended(ask) {
            return 0;
        }
        let mv = candidate.mv;
        let params = self.shared.params;
        let mut extension = 0;
        if candidate.gives_check
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
        extension.min(PLY)
    }

    /// Searches one move: the first with the whole window, others first with none, late ones less
    /// deeply.
    fn search_one(
        &mut self,
        next: &Position,
        ask: &Question,
        facts: &Facts,
        candidate: &Candidate,
        extension: i32,
    ) -> i32 {
        let before = ask.ply.checked_sub(1).map_or(0, |ply| self.frames[ply].extended);
        self.frames[ask.ply].extended = before + extension.max(0);
        let depth = ask.depth - PLY + extension;
        let narrow = ask.refute(ask.alpha + 1, depth);
        let whole = Question { alpha: -ask.beta, expects_cut: false, ..narrow };
        if candidate.number == 1 {
            let first = if ask.is_exact() { whole } else { narrow };
            return -self.search(next, first);
        }
        let reduction = self.reduction(ask, facts, candidate);
        if reduction > 0 {
            let depth = (depth - reduction).max(PLY);
            let score = -self.search(next, Question { depth, expects_cut: true, ..narrow });
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
    fn reduction(&self, ask: &Question, facts: &Facts, candidate: &Candidate) -> i32 {
        let params = self.shared.params;
        let Candidate { number, quiet, gives_check, history, .. } = *candidate;
        if params.reductions == 0 || ask.depth < 3 * PLY || number < 3 || (!quiet && number < 8) {
            return 0;
        }
        let mut reduction = self.shared.reductions.get(ask.plies() as usize, number as usize);
        reduction -= history * PLY / params.reduction_history.max(1);
        if ask.is_exact() {
            reduction -= PLY;
        }
        if ask.expects_cut {
            reduction += params.reduction_cut;
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
        tried: &Tried,
        context: &Context,
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
            self.shared.history.set_counter(context[0], mv);
            let piece = piece_to(position, mv);
            self.shared.history.reward_quiet(side, mv, piece, context, bonus);
        } else {
            self.reward_capture(position, mv, bonus);
        }
        for other in tried.iter() {
            if position.piece_on(other.to()).is_some() {
                self.reward_capture(position, other, -bonus);
            } else if position.piece_on(mv.to()).is_none() {
                let piece = piece_to(position, other);
                self.shared.history.reward_quiet(side, other, piece, context, -bonus);
            }
        }
    }

    fn reward_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        if let Some(taken) = position.piece_on(mv.to()) {
            self.shared.history.reward_capture(piece_to(position, mv), taken.kind(), bonus);
        }
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
