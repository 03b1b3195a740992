//! Whoever chooses moves: an engine in this process, or one behind a pipe.

mod info;
mod own;
mod usi;

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_math::Random;
use tesuji_shogi::{EndReason, Game, Move, Outcome, Rules};

use crate::clock::GameClock;

pub use own::{OwnEngine, Variety};
pub use usi::{UsiCommand, UsiEngine};

/// Chooses moves in one game after another.
pub trait Player: Send {
    /// A game begins here. Nothing of earlier games may have a part in it.
    fn begin(&mut self, start: &Game, rules: &Rules, chance: Chance) -> Result<(), Fault>;

    /// Chooses for the side to move.
    fn choose(&mut self, game: &Game, turn: &Turn<'_>) -> Result<Answer, Fault>;

    /// The game is over.
    fn end(&mut self, outcome: Outcome, own: tesuji_shogi::Color);

    /// The referee has found a fault that the player itself did not see. What the player last said
    /// is returned; the next game begins with a new engine.
    fn blame(&mut self) -> Vec<String>;
}

/// Where the chance of a game comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chance {
    /// The number of the game, from 0.
    pub number: u64,
    /// A seed that both games of a pair share: opening books draw the same line in both.
    pub pair_seed: u64,
}

impl Chance {
    /// The chance of a game among those that share a seed; `repeats` games, one after the other,
    /// have the same opening.
    pub fn of_game(seed: u64, number: u64, repeats: u64) -> Self {
        Self { number, pair_seed: Random::derived_seed(seed, number / repeats) }
    }
}

/// What a player is told when it is to choose.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The clocks of Black and White.
    pub clocks: &'a [GameClock; 2],
    /// How late an answer may be and still count as in time.
    pub margin: Duration,
    /// How long to wait for an answer where no clock runs.
    pub patience: Duration,
}

/// What a player chose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What to do.
    pub action: Action,
    /// What the player thinks of the position.
    pub thought: Thought,
    /// How long it took.
    pub time: Duration,
}

/// What a player does at its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// It moves.
    Move(Move),
    /// It gives up.
    Resign,
    /// It claims to have won with an entered king.
    Declare,
}

/// What a player thinks of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// The score in its own view, in centipawns; mates as in `tesuji_search::score`.
    pub score: Option<i32>,
    /// Plies that were searched.
    pub depth: Option<u32>,
    /// Nodes that were searched.
    pub nodes: Option<u64>,
}

/// Why a player has lost beside the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// What kind of fault it was.
    pub kind: FaultKind,
    /// What happened, in a few words.
    pub detail: String,
    /// The last lines between the two sides: `>` to the engine, `<` from it, `!` its complaints.
    pub lines: Vec<String>,
}

/// Kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The engine did not start, or did not get ready.
    Start,
    /// The engine ended in the middle of a game.
    Crash,
    /// No answer came at all.
    Silence,
    /// The engine said far more than anybody reads.
    Flood,
    /// The answer came too late.
    Overtime,
    /// The move was not legal.
    IllegalMove,
    /// The answer was not one.
    BadAnswer,
    /// There was no ground for the declaration.
    FalseDeclaration,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Start,
        Self::Crash,
        Self::Silence,
        Self::Flood,
        Self::Overtime,
        Self::IllegalMove,
        Self::BadAnswer,
        Self::FalseDeclaration,
    ];

    /// The name used in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Crash => "crash",
            Self::Silence => "silence",
            Self::Flood => "flood",
            Self::Overtime => "overtime",
            Self::IllegalMove => "illegal-move",
            Self::BadAnswer => "bad-answer",
            Self::FalseDeclaration => "false-declaration",
        }
    }

    /// The reason that a game record gives for the end.
    pub const fn reason(self) -> EndReason {
        match self {
            Self::Overtime | Self::Silence => EndReason::TimeUp,
            Self::IllegalMove | Self::BadAnswer | Self::FalseDeclaration => EndReason::IllegalMove,
            Self::Start | Self::Crash | Self::Flood => EndReason::Forfeit,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.detail)
    }
}
