//! A game to step through: its boards, what is said of each, and how the chances went.

mod graph;
mod viewer;

pub use graph::ChanceGraph;
use tesuji_shogi::{Move, Position};
pub(crate) use viewer::{SCRIPT, SCRIPT_HASH, STYLE, write};

use crate::Arrow;

/// What is thought of a move, told by a sign and a colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// The move that was held to be best.
    Best,
    /// It gives a little away.
    Inaccuracy,
    /// It gives something away.
    Mistake,
    /// It gives much away.
    Blunder,
}

impl Mark {
    /// The sign behind a move: `✓`, `?!`, `?`, `??`.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Best => "✓",
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// Is it a reason to look at the move again?
    const fn is_fault(self) -> bool {
        !matches!(self, Self::Best)
    }
}

/// A position of a game with the move that led to it.
#[derive(Clone, Debug)]
pub struct GamePly {
    /// How many moves of the game have been played.
    pub number: usize,
    /// The position.
    pub position: Position,
    /// The move that led to it; none at the start.
    pub last_move: Option<Move>,
    /// That move as players write it.
    pub name: String,
    /// What is thought of that move.
    pub mark: Option<Mark>,
    /// What the position is worth, as text.
    pub score: String,
    /// Black's chance to win, from 0 to 1.
    pub chance: f64,
    /// The same as the curve has it, which may be smoothed.
    pub drawn: f64,
    /// Moves to be drawn on the board.
    pub arrows: Vec<Arrow>,
    /// What is to be said of it: a term and a text each.
    pub remarks: Vec<(String, String)>,
}

impl GamePly {
    fn anchor(&self) -> String {
        format!("ply-{}", self.number)
    }
}

/// A game, or a part of one, to be shown by [`Page::game`](crate::Page::game).
#[derive(Clone, Debug, Default)]
pub struct GameView {
    plies: Vec<GamePly>,
}

impl GameView {
    /// A game with these positions, in their order and with numbers that follow each other.
    pub const fn new(plies: Vec<GamePly>) -> Self {
        Self { plies }
    }
}
