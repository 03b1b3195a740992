//! Conditions on positions: a small language over named values, such as
//! `progress(B)-progress(W) >= 0.25` or `hand(B,rook) = 2 and not check`.
//!
//! Numbers are added, subtracted and compared; comparisons are joined by `and`, `or` and `not`.
//! Players are `B` and `W`. See [`Condition::parse`] for the names.

mod facts;
mod parser;
mod set;
mod tokens;

use tesuji_shogi::{Color, PieceKind, Square};
use thiserror::Error;

pub use facts::Facts;
pub use set::{Answers, ConditionSet};

use crate::Feature;

/// A condition that a position meets or does not.
#[derive(Clone, Debug)]
pub struct Condition {
    text: String,
    truth: Truth,
}

/// A text that is no condition: what is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}")]
pub struct ConditionError {
    text: String,
    /// Where the wrong word begins, and its length, in characters.
    place: (usize, usize),
    message: String,
}

impl ConditionError {
    /// The text, and below it a mark under the wrong word.
    pub fn marked(&self) -> [String; 2] {
        let (start, len) = self.place;
        let mark = "^".repeat(len.max(1));
        [format!("  {}", self.text), format!("  {:start$}{mark}", "")]
    }
}

impl Condition {
    /// Reads a condition.
    ///
    /// Numbers: `progress(B)` the danger of Black's king from 0 to 1, `progress` how far the game
    /// has come, `hand(B)` and `hand(B,rook)` pieces in hand, `board(B,dragon)` pieces on the
    /// board, `ply` the number of the next move, `king_file(B)` and `king_rank(B)` as the player
    /// sees them, and the value of any feature for a player, `CASTLE_FORMATION(B)`.
    ///
    /// Truths: `check` for the player to move, `entered(B)` a king in the enemy camp, `turn = B`,
    /// `castle(B) = mino` by the id of a castle or its family, or `none`, `strategy(B)` and
    /// `assault(B)` likewise, and `phase = opening`, `middle` or `end`.
    pub fn parse(text: &str) -> Result<Self, ConditionError> {
        Ok(Self { truth: parser::parse(text)?, text: text.trim().to_owned() })
    }

    /// Does the position meet it?
    pub fn holds(&self, facts: &Facts<'_>) -> bool {
        self.truth.holds(facts)
    }

    /// The same condition with the players exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirrored = self.clone();
        mirrored.truth.mirror();
        mirrored.text = parser::mirrored_text(&self.text);
        mirrored
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[derive(Clone, Debug)]
enum Truth {
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Not(Box<Self>),
    Compare(Number, Comparison, Number),
    Check,
    Entered(Color),
    Turn(Color),
    /// The id of a formation, or the family of a castle; none for none at all.
    Formation(FormationKind, Color, Option<String>),
    Phase(Phase),
}

/// What kind of formation a condition speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FormationKind {
    Castle,
    Strategy,
    Assault,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Less,
    AtMost,
    Equal,
    Different,
    AtLeast,
    More,
}

impl Comparison {
    fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::Equal => a == b,
            Self::Different => a != b,
            Self::AtLeast => a >= b,
            Self::More => a > b,
        }
    }
}

/// A third of the game, by its overall progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Opening,
    Middle,
    End,
}

impl Phase {
    const ALL: [(&'static str, Self); 3] =
        [("opening", Self::Opening), ("middle", Self::Middle), ("end", Self::End)];

    /// The phase of so many sixteenths of progress.
    const fn of(sixteenths: u32) -> Self {
        match sixteenths {
            0..=2 => Self::Opening,
            3..=8 => Self::Middle,
            _ => Self::End,
        }
    }
}

#[derive(Clone, Debug)]
enum Number {
    Constant(f64),
    Minus(Box<Self>),
    Sum(Box<Self>, Box<Self>),
    Difference(Box<Self>, Box<Self>),
    Danger(Color),
    Progress,
    Ply,
    InHand(Color, Option<PieceKind>),
    OnBoard(Color, PieceKind),
    KingFile(Color),
    KingRank(Color),
    Feature(Box<Feature>, Color),
}

impl Truth {
    fn holds(&self, facts: &Facts<'_>) -> bool {
        match self {
            Self::And(a, b) => a.holds(facts) && b.holds(facts),
            Self::Or(a, b) => a.holds(facts) || b.holds(facts),
            Self::Not(a) => !a.holds(facts),
            Self::Compare(a, comparison, b) => comparison.holds(a.value(facts), b.value(facts)),
            Self::Check => facts.position().in_check(),
            Self::Entered(color) => facts.has_entered(*color),
            Self::Turn(color) => facts.position().side_to_move() == *color,
            Self::Formation(kind, color, name) => facts.has(*kind, *color, name.as_deref()),
            Self::Phase(phase) => Phase::of(facts.progress().sixteenths()) == *phase,
        }
    }

    fn mirror(&mut self) {
        match self {
            Self::And(a, b) | Self::Or(a, b) => {
                a.mirror();
                b.mirror();
            }
            Self::Not(a) => a.mirror(),
            Self::Compare(a, _, b) => {
                a.mirror();
                b.mirror();
            }
            Self::Entered(color) | Self::Turn(color) | Self::Formation(_, color, _) => {
                *color = !*color;
            }
            Self::Check | Self::Phase(_) => {}
        }
    }
}

impl Number {
    fn value(&self, facts: &Facts<'_>) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Minus(a) => -a.value(facts),
            Self::Sum(a, b) => a.value(facts) + b.value(facts),
            Self::Difference(a, b) => a.value(facts) - b.value(facts),
            Self::Danger(color) => facts.progress().danger(*color),
            Self::Progress => facts.progress().overall(),
            Self::Ply => facts.position().ply().into(),
            Self::InHand(color, kind) => {
                let hand = facts.position().hand(*color);
                kind.map_or_else(|| hand.total(), |kind| hand.count(kind)).into()
            }
            Self::OnBoard(color, kind) => facts.on_board(*color, *kind).into(),
            Self::KingFile(color) => facts.king(*color).map_or(0, Square::file).into(),
            Self::KingRank(color) => facts.king(*color).map_or(0, Square::rank).into(),
            Self::Feature(feature, color) => feature.value(facts.view(*color)).into(),
        }
    }

    fn mirror(&mut self) {
        match self {
            Self::Minus(a) => a.mirror(),
            Self::Sum(a, b) | Self::Difference(a, b) => {
                a.mirror();
                b.mirror();
            }
            Self::Danger(color)
            | Self::InHand(color, _)
            | Self::OnBoard(color, _)
            | Self::KingFile(color)
            | Self::KingRank(color)
            | Self::Feature(_, color) => *color = !*color,
            Self::Constant(_) | Self::Progress | Self::Ply => {}
        }
    }
}

#[cfg(test)]
mod tests;
