//! Greedy search: one ply, the move after which the evaluation is best.
//!
//! The plainest algorithm behind [`Searcher`]: an opponent for first steps, and the proof that
//! nothing outside of an algorithm knows how it works.

use std::cmp::Reverse;

use tesuji_shogi::{Game, KeyHistory, Move, Position};

use crate::evaluator::Evaluator;
use crate::limits::{Limits, Stopwatch};
use crate::mate::mate_in_one;
use crate::params::{Parameters, Values, parameters};
use crate::rules;
use crate::score::{Bound, mate_in, mated_in};
use crate::searcher::{Info, SearchResult, Searcher, Settings};
use crate::stop::Stop;

parameters! {
    /// The parameters of the greedy search.
    GreedyParams;
    presets: ["default"], |name| (name == "default").then(GreedyParams::default);
    avoid_mate = 1, 0..=1 by 1, "Are moves avoided that are answered by mate in one?";
}

/// Plays the move with the best evaluation after it.
pub struct Greedy<E> {
    evaluator: E,
    settings: Settings,
    params: GreedyParams,
}

impl<E: Evaluator> Greedy<E> {
    /// A greedy search with this evaluation.
    pub fn new(evaluator: E) -> Self {
        Self { evaluator, settings: Settings::default(), params: GreedyParams::default() }
    }

    /// The score of a move in the view of whoever plays it.
    fn judge(&self, before: &Position, keys: &mut KeyHistory, mv: Move) -> i32 {
        let after = before.after_unchecked(mv);
        keys.push(&after);
        let decided = rules::outcome(keys, &after, &self.settings, 1);
        keys.pop();
        if let Some(score) = decided {
            -score
        } else if !after.has_legal_move() {
            mate_in(1)
        } else if self.params.avoid_mate != 0 && !after.in_check() && mate_in_one(&after).is_some()
        {
            mated_in(2)
        } else {
            -self.evaluator.evaluate(&after)
        }
    }
}

impl<E: Evaluator + Send> Searcher for Greedy<E> {
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: Stop<'_>,
        info: &mut dyn FnMut(&Info),
    ) -> SearchResult {
        let watch = Stopwatch::new();
        let position = game.position();
        let mut keys = game.history().clone();
        let wanted = |mv: &&Move| limits.moves.is_empty() || limits.moves.contains(mv);
        let moves = position.legal_moves();
        let most = limits.nodes.unwrap_or(u64::MAX);
        let mut lines: Vec<Info> = Vec::new();
        for &mv in moves.iter().filter(wanted) {
            // One move is always looked at: there must be an answer.
            let late = limits.hard_time.is_some_and(|time| watch.elapsed() >= time);
            if !lines.is_empty() && (stop.is_set() || late || lines.len() as u64 >= most) {
                break;
            }
            let (score, bound) = (self.judge(position, &mut keys, mv), Bound::Exact);
            let (depth, seldepth, pv) = (1, 1, vec![mv]);
            lines.push(Info { depth, seldepth, score, bound, pv, ..Info::default() });
        }
        let (nodes, time) = (lines.len() as u64, watch.elapsed());
        lines.sort_by_key(|line| Reverse(line.score));
        lines.truncate(limits.lines.max(1));
        for (line, multipv) in lines.iter_mut().zip(1..) {
            (line.multipv, line.nodes, line.time) = (multipv, nodes, time);
            info(line);
        }
        SearchResult {
            best: lines.first().and_then(|line| line.pv.first().copied()),
            ponder: None,
            score: lines.first().map_or(0, |line| line.score),
            depth: u32::from(nodes > 0),
            nodes,
            time,
            lines,
            from_book: false,
        }
    }

    fn clear(&mut self) {}

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
