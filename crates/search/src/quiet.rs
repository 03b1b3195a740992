//! Quiescence for learning: positions played out until nothing is in the air, and the quiet
//! position that stands behind a score.

use std::sync::atomic::{AtomicBool, AtomicU64};

use tesuji_eval::moves::Past;
use tesuji_shogi::{BoardChange, KeyHistory, Move, Position};

use crate::alphabeta::AlphaBetaParams;
use crate::alphabeta::history::History;
use crate::alphabeta::reductions::Reductions;
use crate::alphabeta::transposition::Table;
use crate::alphabeta::worker::node::NodeArgs;
use crate::alphabeta::worker::{Shared, Worker};
use crate::evaluator::Evaluator;
use crate::limits::{Limits, Stopwatch};
use crate::mate::Solver;
use crate::prior::NoPrior;
use crate::score::INFINITE;
use crate::searcher::Settings;
use crate::stop::Stop;

/// A score, and the position that it was found at.
#[derive(Clone, Copy, Debug)]
pub struct Quiet {
    /// The score in the view of the side that was to move at the start. Outside of the window it is
    /// a bound.
    pub score: i32,
    /// The end of the best line.
    pub leaf: Position,
}

/// Plays the moves of a position out by quiescence. Nothing is remembered from one to the next.
pub struct Resolver<'a, E: Evaluator> {
    worker: Worker<'a, E, NoPrior>,
    root: Position,
}

/// Lends a resolver with this evaluation to `work`.
pub fn with_resolver<E: Evaluator, T>(
    evaluator: &E,
    params: &AlphaBetaParams,
    work: impl FnOnce(&mut Resolver<'_, E>) -> T,
) -> T {
    let over = AtomicBool::new(false);
    let table = Table::none();
    let (limits, settings) = (Limits::default(), Settings::default());
    // Quiescence learns nothing about moves: a history of 10 MB would hold zeros alone, and nothing
    // is reduced.
    let params = &AlphaBetaParams { history: 0, ..params.clone() };
    let (history, reductions) = (History::none(), Reductions::default());
    let shared = Shared {
        evaluator,
        prior: &NoPrior,
        table: &table,
        guide: None,
        salt: 0,
        plausible: None,
        past: Past::default(),
        plan: &[],
        params,
        reductions: &reductions,
        history: &history,
        limits: &limits,
        settings: &settings,
        watch: Stopwatch::new(),
        stop: Stop::never(),
        over: &over,
        team: None,
        nodes: AtomicU64::new(0),
    };
    let position = Position::startpos();
    let mut solver = Solver::new(0);
    let worker = Worker::new(&shared, &mut solver, KeyHistory::new(&position), &position);
    work(&mut Resolver { worker, root: position })
}

impl<E: Evaluator> Resolver<'_, E> {
    /// Chooses the position that the next questions are about.
    pub fn set_root(&mut self, position: &Position) {
        self.worker.states.init(self.worker.shared.evaluator, position);
        self.root = *position;
    }

    /// Plays the position out.
    pub fn resolve(&mut self) -> Quiet {
        let root = self.root;
        self.play_out(&root, -INFINITE, INFINITE)
    }

    /// Plays a legal move and then plays out what comes of it. The score is of interest between
    /// `alpha` and `beta`.
    pub fn resolve_move(&mut self, mv: Move, alpha: i32, beta: i32) -> Quiet {
        let after = self.root.after_unchecked(mv);
        let change = BoardChange::new(&self.root, mv);
        let evaluator = self.worker.shared.evaluator;
        self.worker.states.push(evaluator, &self.root, &change, &after);
        let quiet = self.play_out(&after, -beta, -alpha);
        self.worker.states.pop();
        Quiet { score: -quiet.score, leaf: quiet.leaf }
    }

    /// The moves that were played out for the last question, after the move that it was about.
    pub fn line(&self) -> &[Move] {
        self.worker.pv()
    }

    fn play_out(&mut self, position: &Position, alpha: i32, beta: i32) -> Quiet {
        let args = NodeArgs::root(0, alpha, beta);
        let score = self.worker.search(position, args);
        let leaf = |position: Position, mv: &Move| position.after_unchecked(*mv);
        Quiet { score, leaf: self.worker.pv().iter().fold(*position, leaf) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Material;
    use crate::score::is_mate;

    #[test]
    fn the_leaf_has_the_score() {
        let material = Material::default();
        let text = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        let position = Position::from_sfen(text).unwrap();
        let mut compared = 0;
        with_resolver(&material, &AlphaBetaParams::default(), |resolver| {
            resolver.set_root(&position);
            for mv in &position.legal_moves() {
                let quiet = resolver.resolve_move(mv, -INFINITE, INFINITE);
                if is_mate(quiet.score) {
                    continue;
                }
                compared += 1;
                let score = material.evaluate(&quiet.leaf);
                let same_side = quiet.leaf.side_to_move() == position.side_to_move();
                assert_eq!(quiet.score, if same_side { score } else { -score }, "{mv}");
                // A second time, after all the others, the answer is the same.
                assert_eq!(resolver.resolve_move(mv, -INFINITE, INFINITE).leaf, quiet.leaf);
            }
        });
        assert!(compared > 10);
    }
}
