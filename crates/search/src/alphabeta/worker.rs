//! One thread of the search: the tree below a root, in named steps.

mod cuts;
mod moves;
pub(crate) mod node;
mod quiescence;

use node::NodeArgs;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tesuji_eval::formations::Guide;
use tesuji_eval::moves::Past;
use tesuji_shogi::{BoardChange, ExchangeValues, KeyHistory, Move, Position};

use crate::alphabeta::history::{Context, History, PieceTo, piece_to};
use crate::alphabeta::params::AlphaBetaParams;
use crate::alphabeta::picker::{Knowledge, Scored};
use crate::alphabeta::plausible::{Inquiry, Plausibility};
use crate::alphabeta::reductions::Reductions;
use crate::alphabeta::team::Team;
use crate::alphabeta::transposition::Table;
use crate::evaluator::{Evaluator, StateStack};
use crate::guide::GuideStack;
use crate::limits::{Limits, Stopwatch};
use crate::mate::{self, Solver};
use crate::prior::{MoveWeights, Prior};
use crate::rules;
use crate::score::MAX_PLY;
use crate::searcher::{Info, Settings};
use crate::stop::Stop;

/// Depth is counted in quarters of a ply.
pub(crate) const PLY: i32 = 4;
/// Nodes between looks at the clock.
const CLOCK_EVERY: u64 = 512;

/// What all threads of a search share.
pub(crate) struct Shared<'a, E, P> {
    pub evaluator: &'a E,
    pub prior: &'a P,
    pub table: &'a Table,
    /// The maps of what the players build, if they are wanted.
    pub guide: Option<&'a Guide>,
    /// What tells these maps from those of other searches; 0 without maps.
    pub salt: u64,
    /// What moves are for, if they are rated.
    pub plausible: Option<&'a Plausibility>,
    /// The last moves of the game.
    pub past: Past,
    /// The plan for a castle, if plans are wanted: the moves of the side to move at the root, each
    /// with its piece on its square.
    pub plan: &'a [(Move, PieceTo)],
    pub params: &'a AlphaBetaParams,
    pub reductions: &'a Reductions,
    pub history: &'a History,
    pub limits: &'a Limits,
    pub settings: &'a Settings,
    pub watch: Stopwatch,
    /// The caller's stop signal, or that of this search.
    pub stop: Stop<'a>,
    /// Set when this search is over: a limit was reached, or the thread that decides is done.
    pub over: &'a AtomicBool,
    /// What the threads tell each other, if there are several.
    pub team: Option<&'a Team>,
    /// Nodes that the threads have reported.
    pub nodes: AtomicU64,
}

impl<E, P> Shared<'_, E, P> {
    /// The key of a position in the table. Scores hold for the maps that they were found with, so
    /// others do not see them.
    #[inline]
    pub const fn key(&self, position: &Position) -> u64 {
        position.key() ^ self.salt
    }
}

/// What a line remembers of each of its positions.
#[derive(Clone, Copy, Default)]
struct Frame {
    /// The evaluation, if the side to move is not in check.
    eval: Option<i32>,
    /// The move that is being searched, and the same as a piece on a square.
    mv: Option<Move>,
    piece: Option<PieceTo>,
    /// The square of the last capture, for taking back.
    capture: Option<u8>,
    killers: [Option<Move>; 2],
    /// Quarters of a ply that the line was extended by.
    extended: i32,
}

/// One thread of a search.
pub(crate) struct Worker<'a, E: Evaluator, P: Prior> {
    pub shared: &'a Shared<'a, E, P>,
    solver: &'a mut Solver,
    /// The positions of the game and of the line, for repetition.
    keys: KeyHistory,
    /// What the evaluation keeps of the positions of the line.
    pub states: StateStack<E>,
    /// The same for the maps.
    pub guides: GuideStack<'a>,
    frames: Vec<Frame>,
    /// The best line from each ply on.
    lines: Vec<Vec<Move>>,
    moves: Vec<Scored>,
    nodes: u64,
    reported: u64,
    pub seldepth: usize,
    /// Moves of the root that are not to be searched, and the only ones if there are any.
    pub excluded: Vec<Move>,
    /// The best score at the root so far in this search of it.
    pub root_score: Option<i32>,
    stopped: bool,
    /// The depth of this iteration, in plies.
    pub iteration: u32,
}

impl<'a, E: Evaluator, P: Prior> Worker<'a, E, P> {
    /// A thread that searches below a root; `keys` has the positions of the game up to it.
    pub(crate) fn new(
        shared: &'a Shared<'a, E, P>,
        solver: &'a mut Solver,
        keys: KeyHistory,
        root: &Position,
    ) -> Self {
        let mut states = StateStack::new(MAX_PLY + 2);
        states.init(shared.evaluator, root);
        let mut guides = GuideStack::new(shared.guide, MAX_PLY + 2);
        guides.init(root);
        Self {
            shared,
            solver,
            keys,
            states,
            guides,
            frames: vec![Frame::default(); MAX_PLY + 4],
            lines: vec![Vec::new(); MAX_PLY + 2],
            moves: Vec::with_capacity(4096),
            nodes: 0,
            reported: 0,
            seldepth: 0,
            excluded: Vec::new(),
            root_score: None,
            stopped: false,
            iteration: 0,
        }
    }

    /// The best line that the last search found.
    pub(crate) fn pv(&self) -> &[Move] {
        &self.lines[0]
    }

    /// Was the search stopped, so that its last result means nothing?
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// What another thread found that has finished this iteration, or a deeper one, first.
    pub(crate) fn overtaken(&mut self) -> Option<Info> {
        let found = self.shared.team?.found().filter(|found| found.depth >= self.iteration)?;
        self.stopped = self.shared.stop.is_set();
        (!self.stopped).then_some(found)
    }

    /// A mate of the side to move at the root with its proof, if the mate solver finds one at a
    /// fraction of the cost of the search so far.
    pub(crate) fn mate_line(&mut self, position: &Position) -> Option<Vec<Move>> {
        /// Nodes of the search for each node of the solver.
        const SHARE: u64 = 8;
        if self.shared.params.mate_nodes == 0 {
            return None;
        }
        let time = self.shared.limits.hard_time;
        let limits = mate::Limits {
            nodes: self.affordable(self.nodes / SHARE),
            time: time.map(|time| time.saturating_sub(self.shared.watch.elapsed())),
            max_ply: MAX_PLY as u16,
            ..mate::Limits::default()
        };
        let solution = self.solver.solve(position, &limits, self.shared.stop.silent());
        self.nodes += solution.nodes;
        match solution.outcome {
            mate::Outcome::Mate(mate) => Some(mate.line),
            mate::Outcome::NoMate | mate::Outcome::Unknown | mate::Outcome::Flawed(_) => None,
        }
    }

    /// Adds the nodes of this thread to those that are known.
    pub(crate) fn report_nodes(&mut self) {
        let new = self.nodes - self.reported;
        let before = self.shared.nodes.fetch_add(new, Ordering::Relaxed);
        self.shared.stop.tell_nodes(before + new);
        self.reported = self.nodes;
    }

    fn values(&self) -> &'a ExchangeValues {
        self.shared.evaluator.exchange_values()
    }

    /// So many nodes, or as many as are left: those of the mate solver count like others.
    fn affordable(&self, nodes: u64) -> u64 {
        let left = self.shared.limits.nodes.map(|limit| limit.saturating_sub(self.all_nodes()));
        left.map_or(nodes, |left| left.min(nodes))
    }

    /// What other threads have reported, and all of this one.
    fn all_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) - self.reported + self.nodes
    }

    /// Counts a node and finds out whether time is up.
    fn enter(&mut self, ply: usize) {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes - self.reported >= CLOCK_EVERY {
            self.report_nodes();
            let limits = self.shared.limits;
            let late = limits.hard_time.is_some_and(|time| self.shared.watch.elapsed() >= time);
            if late {
                self.shared.over.store(true, Ordering::Relaxed);
            }
        }
        if self.shared.limits.nodes.is_some_and(|limit| self.all_nodes() >= limit) {
            self.shared.over.store(true, Ordering::Relaxed);
        }
        self.stopped = self.shared.stop.is_set()
            || self.shared.team.is_some_and(|team| team.finished() >= self.iteration);
    }

    /// The score of a position whose outcome the rules decide, if they do.
    fn outcome_by_rules(&self, position: &Position, ply: usize) -> Option<i32> {
        rules::outcome(&self.keys, position, self.shared.settings, ply)
    }

    /// Makes a move: the position after it. The line has it until [`Worker::undo`].
    fn play(&mut self, before: &Position, mv: Move, ply: usize) -> Position {
        let change = BoardChange::new(before, mv);
        let frame = &mut self.frames[ply];
        frame.mv = Some(mv);
        frame.piece = Some(piece_to(before, mv));
        frame.capture = change.captured.is_some().then_some(mv.to().index() as u8);
        let mut after = *before;
        after.play_unchecked(mv);
        self.shared.table.expect(self.shared.key(&after));
        self.keys.push(&after);
        self.states.push(self.shared.evaluator, before, &change, &after);
        self.guides.push(&change, &after);
        after
    }

    /// Takes the last move or pass of the line back.
    fn undo(&mut self) {
        self.keys.pop();
        self.states.pop();
        self.guides.pop();
    }

    /// The moves that led here, for histories.
    fn context(&self, ply: usize) -> Context {
        let before = |plies: usize| ply.checked_sub(plies).and_then(|ply| self.frames[ply].piece);
        [before(1), before(2)]
    }

    /// What the moves of a position are asked for, if they are rated at this depth.
    fn inquiry(&self, args: &NodeArgs) -> Option<Inquiry> {
        let plausible = self.shared.plausible?;
        let (plies, limits) = (args.plies(), self.shared.limits);
        if !plausible.is_asked(plies) {
            return None;
        }
        // Whoever names moves, or asks for several lines, sees all of them.
        let cuts = args.ply > 0 || (limits.moves.is_empty() && limits.lines <= 1);
        let before = |plies: usize| match args.ply.checked_sub(plies) {
            Some(ply) => self.frames[ply].mv,
            None if plies - args.ply == 1 => self.shared.past.last,
            None => self.shared.past.before,
        };
        let past = Past { last: before(1), before: before(2) };
        Some(Inquiry { past, plies, cuts })
    }

    /// The next move of a picker.
    fn next_move(
        &mut self,
        picker: &mut crate::alphabeta::picker::Picker,
        position: &Position,
        context: Context,
        weights: &MoveWeights<'_, P>,
    ) -> Option<Move> {
        let known = Knowledge {
            weights,
            position,
            history: self.shared.history,
            context,
            values: self.shared.evaluator.exchange_values(),
            use_history: self.shared.params.history != 0,
            plausible: self.shared.plausible,
        };
        picker.next(&mut self.moves, &known)
    }

    /// The next move of the plan, in a line whose own moves have followed it.
    fn planned_move(&self, ply: usize) -> Option<Move> {
        let plan = self.shared.plan;
        if plan.is_empty() || !ply.is_multiple_of(2) {
            return None;
        }
        let (mv, _) = plan.get(ply / 2)?;
        let played = self.frames.iter().step_by(2).map(|frame| frame.piece);
        let mut followed = plan[..ply / 2].iter().zip(played);
        followed.all(|((_, piece), played)| played == Some(*piece)).then_some(*mv)
    }

    /// Puts a move before the line that follows it.
    fn update_line(&mut self, mv: Move, ply: usize) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        let line = &mut head[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&tail[0]);
    }
}
