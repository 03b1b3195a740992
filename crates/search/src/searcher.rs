//! What all algorithms of the search have in common: what they are asked, and what they answer.

use std::collections::TryReserveError;
use std::sync::Arc;
use std::time::Duration;

use tesuji_eval::formations::Atlas;
use tesuji_shogi::{EnteringKingRule, Game, Move, Position};

use crate::limits::Limits;
use crate::params::Values;
use crate::score::Bound;
use crate::stop::Stop;

/// What a search has found at some point: the numbers of a USI `info` line.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Info {
    /// Plies of the iteration.
    pub depth: u32,
    /// Selective depth: plies of the longest line that was looked at.
    pub seldepth: usize,
    /// The number of the line, counted from 1, where several are wanted.
    pub multipv: usize,
    /// The score in the view of the side to move, in centipawns.
    pub score: i32,
    /// Is the score exact, or only a bound?
    pub bound: Bound,
    /// Nodes so far, of all threads.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// How full the transposition table is, in permille.
    pub hashfull: u32,
    /// The principal variation: the best line.
    pub pv: Vec<Move>,
    /// How often a tree search has visited the first move of the line.
    pub visits: Option<u64>,
    /// The chance of winning, from 0 to 1, where the algorithm works with chances.
    pub win_rate: Option<f64>,
    /// How likely the first move of the line was before the search, from 0 to 1.
    pub prior: Option<f64>,
}

/// What came out of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal move.
    pub best: Option<Move>,
    /// The expected answer.
    pub ponder: Option<Move>,
    /// The score in the view of the side to move.
    pub score: i32,
    /// Plies that were searched to the end.
    pub depth: u32,
    /// Nodes, of all threads.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// The best lines, the best first.
    pub lines: Vec<Info>,
    /// The move is that of an opening book: nobody has searched, and the score may be nobody's.
    pub from_book: bool,
}

/// Chooses moves: hides the algorithm and the evaluation.
pub trait Searcher: Send {
    /// Searches the current position of a game until a limit or `stop` ends it.
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: Stop<'_>,
        info: &mut dyn FnMut(&Info),
    ) -> SearchResult;

    /// Forgets what was learned in earlier searches.
    fn clear(&mut self);

    /// Gives the algorithm a new table of so many mebibytes, where it has one. Without the memory for
    /// it there is none.
    fn resize_table(&mut self, mebibytes: usize) -> Result<(), TryReserveError> {
        let _ = mebibytes;
        Ok(())
    }

    /// Gives the algorithm castles and assaults to be guided by, where it is guided by them; `None`
    /// for those that come with the program.
    fn set_formations(&mut self, formations: Option<Arc<Atlas>>) {
        let _ = formations;
    }

    /// The settings that all algorithms have.
    fn settings(&mut self) -> &mut Settings;

    /// The values of the algorithm's own parameters.
    fn parameters(&self) -> Values;

    /// Sets a parameter; false if the algorithm has none with this name or the value is out of its
    /// range.
    fn set_parameter(&mut self, name: &str, value: i32) -> bool;

    /// Sets all parameters; those that the algorithm does not have are left out.
    fn set_parameters(&mut self, values: &Values) {
        for (parameter, value) in values.iter() {
            self.set_parameter(parameter.name, value);
        }
    }

    /// The evaluation of a position, in the view of its side to move.
    fn evaluate(&self, position: &Position) -> i32;
}

/// Settings of an engine beside its evaluation and the parameters of its algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Threads.
    pub threads: usize,
    /// How a player with an entered king may win.
    pub entering_king: EnteringKingRule,
    /// The number of the last move: a game that is not decided by then is drawn.
    pub max_moves: Option<u16>,
    /// Where chance comes from, for those that draw: an opening book.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { threads: 1, entering_king: EnteringKingRule::default(), max_moves: None, seed: 0 }
    }
}
