//! The moves of a position, searched one after the other.

use std::collections::VecDeque;

use tesuji_shogi::{Bitboard, CheckSquares, Color, Move, PieceKind, Position};

use super::node::{NodeArgs, NodeInfo};
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
    /// Its merit, if it is a quiet move that was rated.
    merit: Option<i16>,
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
    merit: Option<i16>,
    /// Was it postponed?
    again: bool,
}

/// What to do with a move that other threads may be searching (ABDADA).
enum Abdada {
    /// Nobody is: search it.
    Search,
    /// One is: search it after the others.
    Defer,
    /// One has found meanwhile what the position is worth.
    Cut(i32),
}

/// What the singular search, without the move of the table, says of it.
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
    /// The killer moves of a ply, and the counter-move. The next move of the plan comes before them.
    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 3] {
        let [first, second] = self.frames[ply].killers;
        if let Some(planned) = self.planned_move(ply) {
            return [Some(planned), first, second];
        }
        let before = ply.checked_sub(1).and_then(|ply| self.frames[ply].piece);
        [first, second, self.shared.history.counter(before)]
    }

    /// Searches the moves, the most promising first.
    pub(super) fn search_moves(
        &mut self,
        position: &Position,
        args: NodeArgs,
        node: &NodeInfo,
    ) -> i32 {
        let NodeArgs { beta, ply, .. } = args;
        let mut alpha = args.alpha;
        self.frames[ply + 1].killers = [None; 2];
        let only_reply = node.in_check && position.count_legal_moves() == 1;
        let killers = self.killers(ply);
        let picker = Picker::all(&self.moves, position, node.table_move, killers, args.plies())
            .rated(self.inquiry(&args));
        let mut order = Order { picker, count: 0, postponed: VecDeque::new() };
        let context = self.context(ply);
        let weights = MoveWeights::new(self.shared.prior, position);
        let checks = CheckSquares::new(position);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut tried = Tried::default();
        while let Some(turn) = self.next_turn(&mut order, position, &args, context, &weights) {
            let Turn { mv, number, merit, .. } = turn;
            // Of root moves that end alike the planned one is the best, whenever it is searched.
            let ties = ply == 0 && best_move.is_some() && self.planned_move(0) == Some(mv);
            let now = NodeArgs { alpha: alpha - i32::from(ties), ..args };
            let candidate = Candidate {
                mv,
                number,
                quiet: position.piece_on(mv.to()).is_none(),
                gives_check: checks.is_some_and(|checks| checks.gives_check(position, mv)),
                history: self.earned(position, mv, &context, &weights),
                merit,
            };
            if best > -MATE_IN_MAX && ply > 0 && self.is_pruned(position, &now, node, &candidate) {
                continue;
            }
            let mark = Mark::new(position.key(), args.excluded_move, mv);
            match self.abdada(position, &args, &turn, mark) {
                Abdada::Search => {}
                Abdada::Defer => {
                    order.postponed.push_back(Turn { again: true, ..turn });
                    continue;
                }
                Abdada::Cut(score) => {
                    order.picker.finish(&mut self.moves);
                    return score;
                }
            }
            self.team(&args).inspect(|team| team.begin(mark));
            let extension = match self.singular(position, &now, node, mv) {
                Singular::Cut(score) => {
                    self.team(&args).inspect(|team| team.end(mark));
                    best = score;
                    break;
                }
                Singular::Extend(extension) => extension,
                Singular::Unknown => self.extension(position, &now, node, &candidate, only_reply),
            };
            let next = self.play(position, mv, ply);
            let score = self.search_one(&next, &now, node, &candidate, extension);
            self.undo();
            self.team(&args).inspect(|team| team.end(mark));
            if self.stopped {
                break;
            }
            if score > best || (ties && score == best) {
                best = score;
                if score > now.alpha {
                    best_move = Some(mv);
                    self.update_line(mv, ply);
                    alpha = score;
                    if ply == 0 {
                        self.root_score = Some(score);
                    }
                    if score >= beta {
                        self.reward(position, mv, &tried, &context, &args);
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
            let nothing_else = ply == 0 || args.excluded_move.is_some();
            return if nothing_else { alpha } else { mated_in(ply) };
        }
        self.remember(position, &args, node, best, best_move);
        best
    }

    /// The move whose turn it is: those that other threads were searching come last.
    fn next_turn(
        &mut self,
        order: &mut Order,
        position: &Position,
        args: &NodeArgs,
        context: Context,
        weights: &MoveWeights<'_, P>,
    ) -> Option<Turn> {
        while let Some(mv) = self.next_move(&mut order.picker, position, context, weights) {
            if args.excluded_move != Some(mv) && (args.ply > 0 || !self.is_excluded(mv)) {
                order.count += 1;
                let merit = order.picker.merit();
                return Some(Turn { mv, number: order.count, merit, again: false });
            }
        }
        order.postponed.pop_front()
    }

    /// The other threads, where it pays to look out for them.
    fn team(&self, args: &NodeArgs) -> Option<&Team> {
        const DEPTH: i32 = 2;
        self.shared.team.filter(|_| args.plies() >= DEPTH)
    }

    /// ABDADA: what other threads do, or have done, in this position. The first move is searched by
    /// all who come: what it is worth decides how the others are searched.
    fn abdada(&self, position: &Position, args: &NodeArgs, turn: &Turn, mark: Mark) -> Abdada {
        let Some(team) = self.team(args).filter(|_| turn.number > 1) else { return Abdada::Search };
        if let Some(score) =
            self.table_cut(self.shared.table.probe(self.shared.key(position)), args)
        {
            return Abdada::Cut(score);
        }
        if team.is_busy_with(mark) && !turn.again { Abdada::Defer } else { Abdada::Search }
    }

    /// Singular extension: is the move of the table the only good one? It is if all others stay
    /// well below it in a shallower search.
    fn singular(
        &mut self,
        position: &Position,
        args: &NodeArgs,
        node: &NodeInfo,
        mv: Move,
    ) -> Singular {
        let params = self.shared.params;
        let Some(known) = node.known else { return Singular::Unknown };
        let score = from_table(known.score, args.ply);
        if params.singular == 0
            || args.ply == 0
            || args.excluded_move.is_some()
            || node.table_move != Some(mv)
            || args.plies() < params.singular_depth
            || known.depth < args.depth - 3 * PLY
            || !matches!(known.bound, Bound::Lower | Bound::Exact)
            || is_mate(score)
            || self.is_far_extended(args)
        {
            return Singular::Unknown;
        }
        let beta = score - params.singular_margin * args.plies();
        let others = NodeArgs {
            alpha: beta - 1,
            beta,
            depth: (args.depth - PLY) / 2,
            excluded_move: Some(mv),
            null_move_allowed: false,
            ..*args
        };
        let frame = self.frames[args.ply];
        let reached = self.search(position, others);
        self.frames[args.ply] = frame;
        self.lines[args.ply].clear();
        if reached < beta {
            Singular::Extend(params.singular_extension)
        } else if beta >= args.beta {
            // Others reach beta as well: one of all these moves will.
            Singular::Cut(beta)
        } else if score >= args.beta {
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

    /// The history score of a move, and what the prior says of a quiet one.
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

    /// Is a move pruned at this depth? Late move pruning (LMP), futility pruning and pruning by
    /// static exchange evaluation (SEE).
    fn is_pruned(
        &self,
        position: &Position,
        args: &NodeArgs,
        node: &NodeInfo,
        candidate: &Candidate,
    ) -> bool {
        let Candidate { mv, number, quiet, gives_check, history, .. } = *candidate;
        let params = self.shared.params;
        let plies = args.plies();
        let kept = || params.castle_moves != 0 && self.raises_castle(position, mv);
        if quiet && !gives_check && !node.in_check && !mv.is_promotion() && !kept() {
            let enough = params.lmp_base + plies * plies;
            let enough = if node.improving { enough * 2 } else { enough };
            if params.lmp != 0 && plies <= params.lmp_depth && number > enough {
                return true;
            }
            let margin = params.futility_pruning_base
                + params.futility_pruning_ply * plies
                + history.clamp(-8000, 8000) / 100;
            if plies <= params.futility_pruning_depth && node.eval + margin <= args.alpha {
                return true;
            }
        }
        if plies > params.see_depth || node.in_check {
            return false;
        }
        let loss = if quiet { params.see_margin * plies } else { 2 * params.see_margin * plies };
        !position.exchange_at_least(mv, -loss, self.values())
    }

    /// Does a move bring the moved piece nearer to its place in a castle or an assault?
    fn raises_castle(&self, position: &Position, mv: Move) -> bool {
        self.shared.guide.is_some_and(|guide| guide.raises(position, mv))
    }

    /// Was the line extended so much that it is enough?
    fn is_far_extended(&self, args: &NodeArgs) -> bool {
        let extended = args.ply.checked_sub(1).map_or(0, |ply| self.frames[ply].extended);
        extended > args.depth + args.ply as i32 * PLY / 2
    }

    /// Extensions: quarters of a ply by which a move is searched deeper.
    fn extension(
        &self,
        position: &Position,
        args: &NodeArgs,
        node: &NodeInfo,
        candidate: &Candidate,
        only_reply: bool,
    ) -> i32 {
        if self.is_far_extended(args) {
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
        if !candidate.quiet {
            extension += params.capture_extension;
        }
        let before = args.ply.checked_sub(1).and_then(|ply| self.frames[ply].capture);
        if before == Some(mv.to().index() as u8) {
            extension += params.recapture_extension;
        }
        if node.mate_threat {
            extension += params.mate_threat_extension;
        }
        if params.promotion_extension > 0 && threatens_promotion(position, mv) {
            extension += params.promotion_extension;
        }
        extension.min(PLY)
    }

    /// Principal variation search of one move: the first with the whole window, others first with
    /// the null window, late ones less deeply (LMR).
    fn search_one(
        &mut self,
        next: &Position,
        args: &NodeArgs,
        node: &NodeInfo,
        candidate: &Candidate,
        extension: i32,
    ) -> i32 {
        let before = args.ply.checked_sub(1).map_or(0, |ply| self.frames[ply].extended);
        self.frames[args.ply].extended = before + extension.max(0);
        let depth = args.depth - PLY + extension;
        let narrow = args.refute(args.alpha + 1, depth);
        let whole = NodeArgs { alpha: -args.beta, cut_node: false, ..narrow };
        if candidate.number == 1 {
            let first = if args.is_pv() { whole } else { narrow };
            return -self.search(next, first);
        }
        let reduction = self.reduction(args, node, candidate);
        if reduction > 0 {
            let depth = (depth - reduction).max(PLY);
            let score = -self.search(next, NodeArgs { depth, cut_node: true, ..narrow });
            if score <= args.alpha || self.stopped {
                return score;
            }
        }
        let score = -self.search(next, narrow);
        if score > args.alpha && score < args.beta && args.is_pv() && !self.stopped {
            return -self.search(next, whole);
        }
        score
    }

    /// Late move reduction (LMR): quarters of a ply by which a late move is searched less deeply at
    /// first.
    fn reduction(&self, args: &NodeArgs, node: &NodeInfo, candidate: &Candidate) -> i32 {
        let params = self.shared.params;
        let Candidate { number, quiet, gives_check, history, merit, .. } = *candidate;
        if params.lmr == 0 || args.depth < 3 * PLY || number < 3 || (!quiet && number < 8) {
            return 0;
        }
        let mut reduction = self.shared.reductions.get(args.plies() as usize, number as usize);
        reduction -= history * PLY / params.lmr_history.max(1);
        if let Some(merit) = merit {
            let above = (i32::from(merit) - params.plausible_even).clamp(-500, 500);
            reduction -= above * params.plausible_reduction * PLY / (100 * 100);
        }
        if args.is_pv() {
            reduction -= PLY;
        }
        if args.cut_node {
            reduction += params.lmr_cut_node;
        }
        if !node.improving {
            reduction += PLY / 2;
        }
        if gives_check || node.in_check {
            reduction -= PLY;
        }
        reduction.clamp(0, args.depth)
    }

    /// Updates killers, counter-moves and histories: a move cut off, and those before it did not.
    fn reward(
        &mut self,
        position: &Position,
        mv: Move,
        tried: &Tried,
        context: &Context,
        args: &NodeArgs,
    ) {
        let plies = args.plies();
        let bonus = (plies * plies * 16 + plies * 64).min(1800);
        let side = position.side_to_move();
        if position.piece_on(mv.to()).is_none() {
            let killers = &mut self.frames[args.ply].killers;
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
