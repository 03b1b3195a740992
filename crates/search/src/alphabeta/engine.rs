//! Iterative deepening with aspiration windows, on one or more threads that share the table
//! (ABDADA).

use std::collections::TryReserveError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use tesuji_eval::formations::{Atlas, Guide};
use tesuji_eval::moves::Past;
use tesuji_shogi::{Game, Move, Position};

use crate::alphabeta::history::{History, PieceTo, piece_to};
use crate::alphabeta::params::AlphaBetaParams;
use crate::alphabeta::plausible::Plausibility;
use crate::alphabeta::reductions::Reductions;
use crate::alphabeta::team::Team;
use crate::alphabeta::transposition::Table;
use crate::alphabeta::worker::node::NodeArgs;
use crate::alphabeta::worker::{Shared, Worker};
use crate::evaluator::Evaluator;
use crate::limits::{Limits, Stopwatch};
use crate::mate::Solver;
use crate::params::{Parameters, Values};
use crate::prior::{NoPrior, Prior};
use crate::score::{Bound, INFINITE, MAX_PLY, is_mate, mate_in};
use crate::searcher::{Info, SearchResult, Searcher, Settings};
use crate::stop::Stop;

/// Alpha-beta with one evaluation, and perhaps a prior over moves.
pub struct AlphaBeta<E, P = NoPrior> {
    evaluator: E,
    prior: P,
    table: Table,
    settings: Settings,
    params: AlphaBetaParams,
    reductions: Reductions,
    history: History,
    solver: Solver,
    /// Those of the threads that help.
    helpers: Vec<Solver>,
    /// Those that come with the program if there are none.
    formations: Option<Arc<Atlas>>,
    /// The castles that were being built in the last search, and the key of its position.
    built: Option<(u64, [Option<usize>; 2])>,
}

impl<E: Evaluator> AlphaBeta<E> {
    /// Alpha-beta with a transposition table of so many mebibytes; 0 for none.
    pub fn new(evaluator: E, mebibytes: usize) -> Self {
        Self::with_prior(evaluator, NoPrior, mebibytes)
    }
}

impl<E: Evaluator, P: Prior> AlphaBeta<E, P> {
    /// The same with a prior over moves.
    pub fn with_prior(evaluator: E, prior: P, mebibytes: usize) -> Self {
        Self {
            evaluator,
            prior,
            table: if mebibytes == 0 { Table::none() } else { Table::new(mebibytes) },
            settings: Settings::default(),
            params: AlphaBetaParams::default(),
            reductions: Reductions::default(),
            history: History::default(),
            solver: new_solver(),
            helpers: Vec::new(),
            formations: None,
            built: None,
        }
    }

    /// The maps of what the players build, if they are wanted; in a game they go on with what they
    /// were building at the last search.
    fn guide(&mut self, atlas: Option<Arc<Atlas>>, game: &Game) -> Option<Guide> {
        let (atlas, wishes) = atlas.zip(self.params.maps())?;
        let built = self.built.filter(|(key, _)| game.positions().any(|one| one.key() == *key));
        let before = built.map_or([None; 2], |(_, castles)| castles);
        let guide = Guide::new(&atlas, game.position(), &wishes, before);
        self.built = Some((game.position().key(), guide.castles()));
        Some(guide)
    }

    /// The parameters, to be set as one likes: here a range binds nobody.
    pub const fn params(&mut self) -> &mut AlphaBetaParams {
        &mut self.params
    }
}

impl<E: Evaluator + Send, P: Prior + Send> Searcher for AlphaBeta<E, P> {
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: Stop<'_>,
        report: &mut dyn FnMut(&Info),
    ) -> SearchResult {
        self.table.next_search();
        self.reductions.update(&self.params);
        let threads = self.settings.threads.max(1);
        self.helpers.truncate(threads - 1);
        while self.helpers.len() < threads - 1
            && let Ok(solver) = Solver::try_new(SOLVER_MEBIBYTES)
        {
            self.helpers.push(solver);
        }
        let team = (threads > 1 && limits.lines <= 1).then(Team::default);
        let over = AtomicBool::new(false);
        let is_planned = self.params.castle_plan != 0;
        let atlas = (self.params.maps().is_some() || is_planned)
            .then(|| self.formations.clone().unwrap_or_else(Atlas::shipped));
        let plan = atlas.as_ref().filter(|_| is_planned);
        let plan = plan.map_or_else(Vec::new, |atlas| {
            with_pieces(game.position(), &atlas.planned_moves(game.position()))
        });
        let guide = self.guide(atlas, game);
        let built = guide.as_ref().map_or([None; 2], Guide::castles);
        let formations = self.formations.clone();
        let plausible = Plausibility::new(&self.params, game.position(), formations, built);
        let moves = game.moves();
        let ago = |moves_ago: usize| Some(moves[moves.len().checked_sub(moves_ago)?]);
        let shared = Shared {
            evaluator: &self.evaluator,
            prior: &self.prior,
            table: &self.table,
            guide: guide.as_ref(),
            salt: guide.as_ref().map_or(0, Guide::identity),
            plausible: plausible.as_ref(),
            past: Past { last: ago(1), before: ago(2) },
            plan: &plan,
            params: &self.params,
            reductions: &self.reductions,
            history: &self.history,
            limits,
            settings: &self.settings,
            watch: Stopwatch::new(),
            stop: stop.or(&over),
            over: &over,
            team: team.as_ref(),
            nodes: AtomicU64::new(0),
        };
        let position = *game.position();
        let keys = game.history();
        thread::scope(|scope| {
            for solver in &mut self.helpers {
                let worker = Worker::new(&shared, solver, keys.clone(), &position);
                // A machine that has no more threads or memory searches with those that it has.
                let helper = move || help(worker, &position);
                let _ = thread::Builder::new().spawn_scoped(scope, helper);
            }
            let worker = Worker::new(&shared, &mut self.solver, keys.clone(), &position);
            let result = lead(worker, &position, report);
            over.store(true, Ordering::Relaxed);
            result
        })
    }

    fn clear(&mut self) {
        self.table.clear();
        self.history.clear();
        self.solver = new_solver();
        self.helpers.clear();
        self.built = None;
    }

    fn resize_table(&mut self, mebibytes: usize) -> Result<(), TryReserveError> {
        // The old table goes before the new one is made.
        self.table = Table::none();
        if mebibytes > 0 {
            self.table = Table::try_new(mebibytes)?;
        }
        Ok(())
    }

    fn set_formations(&mut self, formations: Option<Arc<Atlas>>) {
        self.formations = formations;
    }

    fn settings(&mut self) -> &mut Settings {
        &mut self.settings
    }

    fn parameters(&self) -> Values {
        self.params.values()
    }

    fn set_parameter(&mut self, name: &str, value: i32) -> bool {
        self.params.set(name, value)
    }

    fn evaluate(&self, position: &Position) -> i32 {
        self.evaluator.evaluate(position)
    }
}

/// The moves of a plan, each with its piece on its square, by which a line is known to follow it.
fn with_pieces(root: &Position, moves: &[Move]) -> Vec<(Move, PieceTo)> {
    let mut plan = Vec::with_capacity(moves.len());
    let mut position = Some(*root);
    for &mv in moves {
        let Some(before) = position else { break };
        plan.push((mv, piece_to(&before, mv)));
        position = before.after(mv).and_then(|after| after.after_pass());
    }
    plan
}

/// The size of the table of a thread's mate solver.
const SOLVER_MEBIBYTES: usize = 2;

/// The mate solver of a thread.
fn new_solver() -> Solver {
    Solver::new(SOLVER_MEBIBYTES)
}

/// The deepest iteration.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;

/// The thread that decides: iterations one after the other, each reported.
fn lead<E: Evaluator, P: Prior>(
    mut worker: Worker<'_, E, P>,
    position: &Position,
    report: &mut dyn FnMut(&Info),
) -> SearchResult {
    let shared = worker.shared;
    let wanted = |mv: &Move| shared.limits.moves.is_empty() || shared.limits.moves.contains(mv);
    let moves: Vec<Move> = position.legal_moves().iter().copied().filter(wanted).collect();
    let mut best = SearchResult {
        best: moves.first().copied(),
        ponder: None,
        score: 0,
        depth: 0,
        nodes: 0,
        time: Duration::ZERO,
        lines: Vec::new(),
        from_book: false,
    };
    let lines = shared.limits.lines.max(1).min(moves.len());
    let mut stable = 0;
    let deepest = shared.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
    while best.depth < deepest && !moves.is_empty() {
        let depth = best.depth + 1;
        let found = iteration(&mut worker, position, depth, lines, &best, report);
        let Some(first) = found.first() else { break };
        let changed = best.best != first.pv.first().copied();
        stable = if changed { 0 } else { stable + 1 };
        let fell = best.score - first.score;
        best.best = first.pv.first().copied().or(best.best);
        best.ponder = first.pv.get(1).copied();
        (best.score, best.depth) = (first.score, first.depth);
        best.lines = found;
        if worker.is_stopped() || enough(shared, &best, &moves, stable, fell) {
            break;
        }
        if lines == 1
            && shared.limits.moves.is_empty()
            && !is_mate(best.score)
            && let Some(mate) = mate_at_root(&mut worker, position, depth)
        {
            report(&mate);
            (best.best, best.ponder) = (mate.pv.first().copied(), mate.pv.get(1).copied());
            (best.score, best.lines) = (mate.score, vec![mate]);
            break;
        }
    }
    worker.report_nodes();
    best.nodes = shared.nodes.load(Ordering::Relaxed);
    best.time = shared.watch.elapsed();
    best
}

/// The mate that the solver finds, given a share of what the search has cost so far.
fn mate_at_root<E: Evaluator, P: Prior>(
    worker: &mut Worker<'_, E, P>,
    position: &Position,
    depth: u32,
) -> Option<Info> {
    let line = worker.mate_line(position)?;
    let score = mate_in(line.len());
    let info = info(worker, depth, 1, score, Bound::Exact);
    Some(Info { seldepth: info.seldepth.max(line.len()), pv: line, ..info })
}

/// Is there nothing to gain by another iteration?
fn enough<E, P>(
    shared: &Shared<'_, E, P>,
    best: &SearchResult,
    moves: &[Move],
    stable: u32,
    fell: i32,
) -> bool {
    let elapsed = shared.watch.elapsed();
    if elapsed < shared.limits.least_time {
        return false;
    }
    // A mate within the depth that was searched is not found to be shorter.
    let plies_to_mate = crate::score::MATE - best.score.abs();
    if is_mate(best.score) && plies_to_mate <= best.depth as i32 && best.lines.len() <= 1 {
        return shared.limits.depth.is_none();
    }
    let Some(soft) = shared.limits.soft_time else { return false };
    if moves.len() == 1 && best.depth >= 6 {
        return true;
    }
    // Time that is not used now may be lost.
    if shared.limits.hard_time.is_some_and(|hard| soft >= hard) {
        return false;
    }
    // A move that stays the best needs less time, a score that falls more.
    let mut share = match stable {
        0 => 1.1,
        1..=2 => 0.8,
        3..=5 => 0.6,
        _ => 0.5,
    };
    if fell > 40 {
        share += 0.5;
    }
    elapsed.as_secs_f64() > soft.as_secs_f64() * share
}

/// The best lines at one depth, or those that were found before the search was stopped.
fn iteration<E: Evaluator, P: Prior>(
    worker: &mut Worker<'_, E, P>,
    root: &Position,
    depth: u32,
    lines: usize,
    before: &SearchResult,
    report: &mut dyn FnMut(&Info),
) -> Vec<Info> {
    worker.excluded.clear();
    worker.seldepth = 0;
    let mut found: Vec<Info> = Vec::new();
    for multipv in 1..=lines {
        let last = before.lines.get(multipv - 1);
        let Some(line) = aspiration_search(worker, root, depth, multipv, last, report) else {
            break;
        };
        worker.excluded.extend(line.pv.first());
        found.push(line);
    }
    if found.len() > 1 {
        found.sort_by_key(|line| std::cmp::Reverse(line.score));
    }
    for (number, line) in found.iter_mut().enumerate() {
        line.multipv = number + 1;
        report(line);
    }
    // Lines that were not searched again stay as they were.
    if worker.is_stopped() && !found.is_empty() {
        let known: Vec<Option<Move>> = found.iter().map(|f| f.pv.first().copied()).collect();
        let old = before.lines.iter().filter(|old| !known.contains(&old.pv.first().copied()));
        let missing = lines - found.len();
        found.extend(old.take(missing).cloned());
    }
    found
}

/// Aspiration windows: searches the root with a window around the last score, and wider ones until
/// the score is inside.
fn aspiration_search<E: Evaluator, P: Prior>(
    worker: &mut Worker<'_, E, P>,
    root: &Position,
    depth: u32,
    multipv: usize,
    last: Option<&Info>,
    report: &mut dyn FnMut(&Info),
) -> Option<Info> {
    /// Iterations before windows are narrow, and how long a search is before bounds are told.
    const FIRST: u32 = 5;
    const TELL_AFTER: Duration = Duration::from_secs(3);
    worker.iteration = depth;
    let mut width = worker.shared.params.aspiration;
    let (mut alpha, mut beta) = match last.map(|last| last.score) {
        Some(score) if depth >= FIRST && width > 0 && !is_mate(score) => {
            ((score - width).max(-INFINITE), (score + width).min(INFINITE))
        }
        _ => (-INFINITE, INFINITE),
    };
    loop {
        let score = worker.search(root, NodeArgs::root(depth, alpha, beta));
        if worker.is_stopped() {
            return worker.overtaken().or_else(|| interrupted(worker, depth, multipv, alpha));
        }
        let bound = if score <= alpha {
            Bound::Upper
        } else if score >= beta {
            Bound::Lower
        } else {
            Bound::Exact
        };
        let line = info(worker, depth, multipv, score, bound);
        width = width.saturating_mul(2).max(1);
        match bound {
            Bound::Upper => {
                beta = (alpha + beta) / 2;
                alpha = if width > 2000 { -INFINITE } else { (score - width).max(-INFINITE) };
            }
            Bound::Lower => {
                beta = if width > 2000 { INFINITE } else { (score + width).min(INFINITE) };
            }
            Bound::Exact | Bound::None => {
                if let Some(team) = worker.shared.team {
                    team.finish(&line);
                }
                return Some(line);
            }
        }
        if worker.shared.watch.elapsed() > TELL_AFTER {
            report(&with_moves(line, last));
        }
    }
}

/// The line; where no move was good enough for the window, with the moves of the last iteration.
fn with_moves(line: Info, last: Option<&Info>) -> Info {
    match last {
        Some(last) if line.pv.is_empty() => Info { pv: last.pv.clone(), ..line },
        _ => line,
    }
}

/// What a search knows that was stopped: a move that had proved better than the window's lower end
/// counts.
fn interrupted<E: Evaluator, P: Prior>(
    worker: &mut Worker<'_, E, P>,
    depth: u32,
    multipv: usize,
    alpha: i32,
) -> Option<Info> {
    if worker.pv().is_empty() {
        return None;
    }
    let score = worker.root_score.filter(|&score| score > alpha)?;
    Some(info(worker, depth, multipv, score, Bound::Lower))
}

fn info<E: Evaluator, P: Prior>(
    worker: &mut Worker<'_, E, P>,
    depth: u32,
    multipv: usize,
    score: i32,
    bound: Bound,
) -> Info {
    worker.report_nodes();
    let shared = worker.shared;
    Info {
        depth,
        seldepth: worker.seldepth,
        multipv,
        score,
        bound,
        nodes: shared.nodes.load(Ordering::Relaxed),
        time: shared.watch.elapsed(),
        hashfull: shared.table.hashfull(),
        pv: worker.pv().to_vec(),
        ..Info::default()
    }
}

/// A thread that helps: it searches the iteration after the last that was finished, as the leader
/// does.
fn help<E: Evaluator, P: Prior>(mut worker: Worker<'_, E, P>, position: &Position) {
    let shared = worker.shared;
    let deepest = shared.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
    let mut last: Option<Info> = None;
    while last.as_ref().map_or(0, |last| last.depth) < deepest {
        let depth = last.as_ref().map_or(1, |last| last.depth + 1);
        last = aspiration_search(&mut worker, position, depth, 1, last.as_ref(), &mut |_| {});
        if worker.is_stopped() {
            break;
        }
    }
    worker.report_nodes();
}
