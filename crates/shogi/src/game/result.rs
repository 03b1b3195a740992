//! How a game ended.

use core::fmt;

use crate::Color;

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This player won.
    Win(Color),
    /// Nobody won.
    Draw,
    /// The game was broken off, or nobody wrote down how it ended.
    Unknown,
}

/// Why the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndReason {
    /// The loser resigned.
    Resignation,
    /// The loser was checkmated.
    Checkmate,
    /// The loser could not move, though not in check.
    NoLegalMove,
    /// The loser ran out of time.
    TimeUp,
    /// The loser played an illegal move.
    IllegalMove,
    /// The same position came up for the fourth time.
    Repetition,
    /// The loser gave check all through a fourfold repetition.
    PerpetualCheck,
    /// The winner declared with an entered king.
    Declaration,
    /// The winner's king reached the enemy king's start square.
    TryRule,
    /// Both kings entered and the players agreed on a draw (jishogi).
    Impasse,
    /// The game reached its longest allowed length.
    MoveLimit,
    /// The loser did not play (forfeit, or absent).
    Forfeit,
    /// The game was broken off.
    Interrupted,
    /// Not written down.
    Unknown,
}

/// How a game ended: who won, and why.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameResult {
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub reason: EndReason,
}

impl GameResult {
    /// Nothing is known of the end.
    pub const UNKNOWN: Self = Self { outcome: Outcome::Unknown, reason: EndReason::Unknown };

    /// A win of `color`.
    pub const fn win(color: Color, reason: EndReason) -> Self {
        Self { outcome: Outcome::Win(color), reason }
    }

    /// A draw.
    pub const fn draw(reason: EndReason) -> Self {
        Self { outcome: Outcome::Draw, reason }
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self.outcome {
            Outcome::Win(color) => Some(color),
            Outcome::Draw | Outcome::Unknown => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(color) => write!(f, "{color} wins"),
            Self::Draw => f.write_str("draw"),
            Self::Unknown => f.write_str("no result"),
        }
    }
}

impl EndReason {
    /// Every reason.
    pub const ALL: [Self; 14] = [
        Self::Resignation,
        Self::Checkmate,
        Self::NoLegalMove,
        Self::TimeUp,
        Self::IllegalMove,
        Self::Repetition,
        Self::PerpetualCheck,
        Self::Declaration,
        Self::TryRule,
        Self::Impasse,
        Self::MoveLimit,
        Self::Forfeit,
        Self::Interrupted,
        Self::Unknown,
    ];

    /// The name used in files: `resignation`, `perpetual-check`, ….
    pub const fn name(self) -> &'static str {
        match self {
            Self::Resignation => "resignation",
            Self::Checkmate => "checkmate",
            Self::NoLegalMove => "no-legal-move",
            Self::TimeUp => "time-up",
            Self::IllegalMove => "illegal-move",
            Self::Repetition => "repetition",
            Self::PerpetualCheck => "perpetual-check",
            Self::Declaration => "declaration",
            Self::TryRule => "try-rule",
            Self::Impasse => "impasse",
            Self::MoveLimit => "move-limit",
            Self::Forfeit => "forfeit",
            Self::Interrupted => "interrupted",
            Self::Unknown => "unknown",
        }
    }

    /// The reason with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.outcome, self.reason)
    }
}
