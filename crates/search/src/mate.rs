//! The mate solver (df-pn): finds forced mates by checks, and proves them.
//!
//! [`Solver::solve`] answers with a [`Proof`], an answer to everything that the defender can play,
//! which [`Proof::replay`] checks by the rules alone. "No mate" is said only where it is proved.
//!
//! ```
//! use tesuji_search::Stop;
//! use tesuji_search::mate::{Limits, Outcome, Solver};
//! use tesuji_shogi::Position;
//!
//! let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
//! let mut solver = Solver::new(1);
//! let solution = solver.solve(&position, &Limits::default(), Stop::never());
//! let Outcome::Mate(mate) = solution.outcome else { panic!() };
//! assert_eq!(mate.proof.replay(&position), Ok(1));
//! assert_eq!(mate.line[0].to_string(), "G*5b");
//! ```

mod children;
mod holding;
mod one;
mod proof;
mod search;
mod table;

use std::collections::TryReserveError;
use std::time::{Duration, Instant};

pub use proof::{Flaw, Proof};
use search::{ON_NOTHING, Search, Value};
use table::{LoopTable, Table, UNLIMITED};
use tesuji_shogi::{Move, Position};

use crate::stop::Stop;

/// When to stop, and what to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// At most this many nodes.
    pub nodes: u64,
    /// At most this long.
    pub time: Option<Duration>,
    /// Look for the shortest mate, not just for one.
    pub shortest: bool,
    /// Lines are followed to this many plies.
    pub max_ply: u16,
}

impl Limits {
    /// Lines are not followed farther than this, for want of room on the stack.
    pub const MAX_PLY: u16 = 1000;
}

impl Default for Limits {
    /// No limits but that on the length of lines.
    fn default() -> Self {
        Self { nodes: u64::MAX, time: None, shortest: false, max_ply: Self::MAX_PLY }
    }
}

/// A mate with its proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// The moves of both sides: the attacker's of the proof, the defender's that last longest
    /// against it.
    pub line: Vec<Move>,
    /// The attacker's answer to everything.
    pub proof: Proof,
    /// Is it proved that there is no shorter mate?
    pub is_shortest: bool,
}

/// What the solver found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The side to move mates.
    Mate(Mate),
    /// It is proved that the side to move cannot mate by checks.
    NoMate,
    /// A limit was reached first.
    Unknown,
    /// The solver believed in a mate whose proof does not stand the replay: a fault of the solver.
    Flawed(Flaw),
}

/// An outcome and what it cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// What was found.
    pub outcome: Outcome,
    /// How many nodes were searched.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// What the solver found when no proof was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// This move mates, within so many plies.
    Mate {
        /// The first move.
        mv: Move,
        /// The mate comes within this many plies.
        length: u16,
    },
    /// It is proved that there is no mate.
    NoMate,
    /// A limit was reached first.
    Unknown,
}

/// A mate solver with its table. What it learned stays in the table from one position to the
/// next, until [`Solver::forget`].
#[derive(Debug)]
pub struct Solver {
    table: Table,
    loops: LoopTable,
}

impl Solver {
    /// A solver with a table of this many MiB, for which there must be memory.
    pub fn new(table_mib: usize) -> Self {
        Self::try_new(table_mib).expect("there is memory for the table")
    }

    /// The same, or an error where there is no memory for the table.
    pub fn try_new(table_mib: usize) -> Result<Self, TryReserveError> {
        Ok(Self { table: Table::try_new(table_mib)?, loops: LoopTable::new() })
    }

    /// Forgets what was learned, so that the next answer does not depend on earlier questions.
    pub fn forget(&mut self) {
        self.table.forget();
    }

    /// Can the side to move mate? Answers without a proof, and with the nodes that it took: for use
    /// inside another search.
    pub fn find(&mut self, position: &Position, limits: &Limits, stop: Stop<'_>) -> (Verdict, u64) {
        let mut search = Search::new(self, position, limits, stop);
        let verdict = search.verdict(position, UNLIMITED);
        (verdict, search.nodes())
    }

    /// Can the side to move mate? Answers with a proof, which was replayed by the rules.
    pub fn solve(&mut self, position: &Position, limits: &Limits, stop: Stop<'_>) -> Solution {
        let started = Instant::now();
        let mut search = Search::new(self, position, limits, stop);
        let outcome = search.solve(position, limits.shortest);
        Solution { outcome, nodes: search.nodes(), time: started.elapsed() }
    }
}

impl Search<'_> {
    /// Searches for a mate within `limit` plies.
    fn verdict(&mut self, position: &Position, limit: u16) -> Verdict {
        let value = self.search_root(position, limit);
        match value {
            Value { phi: 0, mv: Some(mv), length, .. } => Verdict::Mate { mv, length },
            Value { delta: 0, since: ON_NOTHING, .. } => Verdict::NoMate,
            _ => Verdict::Unknown,
        }
    }

    fn solve(&mut self, position: &Position, shortest: bool) -> Outcome {
        let length = match self.verdict(position, UNLIMITED) {
            Verdict::Mate { length, .. } => length,
            Verdict::NoMate => return Outcome::NoMate,
            Verdict::Unknown => return Outcome::Unknown,
        };
        let mut outcome = self.prove(position, length);
        while shortest
            && let Outcome::Mate(mate) = &mut outcome
            && !mate.is_shortest
        {
            match self.verdict(position, mate.line.len() as u16 - 2) {
                Verdict::Mate { length, .. } => match self.prove(position, length) {
                    Outcome::Unknown => break,
                    shorter => outcome = shorter,
                },
                Verdict::NoMate => mate.is_shortest = true,
                Verdict::Unknown => break,
            }
        }
        outcome
    }

    /// The mate within `length` plies that the search has found, with its proof.
    fn prove(&mut self, position: &Position, length: u16) -> Outcome {
        let Some(proof) = self.collect_proof(position, length) else { return Outcome::Unknown };
        match proof.line(position) {
            Ok(line) => Outcome::Mate(Mate { is_shortest: line.len() == 1, line, proof }),
            Err(flaw) => Outcome::Flawed(flaw),
        }
    }
}

/// A move that mates at once, if there is one.
pub fn mate_in_one(position: &Position) -> Option<Move> {
    match one::look(position) {
        one::Checks::Mate(mv, _) => Some(mv),
        one::Checks::Count(_) => None,
    }
}
