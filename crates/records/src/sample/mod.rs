//! Labelled positions: what evaluation functions and move predictors are trained on.

mod sampler;
pub mod table;
pub mod tsv;

pub use sampler::Sampler;
use tesuji_shogi::{Move, Outcome, Position};

use crate::GameRecord;

/// A labelled position: the position of a game with what is known of it. It is what files hold,
/// what is sampled from games, and what learning is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The move that was played there, or that is held to be right. Readers check that it is
    /// legal unless they are told otherwise.
    pub mv: Option<Move>,
    /// What a search or evaluation said of the position, in centipawns or whatever unit it counts
    /// in. Positive is good for the side to move, whichever that is.
    pub score: Option<i16>,
    /// Who won the game. This does not depend on the side to move.
    pub outcome: Outcome,
    /// The number of the game in its collection, counted from 0; 0 also where the source does not
    /// say.
    pub game: u64,
    /// The number of the next move, 1 in the first position of a game, as the source gives it; 0
    /// where it does not say. [`Position::ply`] is the same number, except that it is never 0.
    pub ply: u16,
}

impl Sample {
    /// A position with the move that was played there, of which nothing else is known.
    pub fn new(position: Position, mv: Move) -> Self {
        Self {
            position,
            mv: Some(mv),
            score: None,
            outcome: Outcome::Unknown,
            game: 0,
            ply: position.ply(),
        }
    }
}

impl GameRecord {
    /// All positions of the game in which a move was played, as samples without a score. `game` is
    /// the number of the game in its collection.
    pub fn samples(&self, game: u64) -> impl Iterator<Item = Sample> + '_ {
        let outcome = self.outcome();
        self.positions().map(move |(position, mv)| Sample {
            position,
            mv: Some(mv),
            score: None,
            outcome,
            game,
            ply: position.ply(),
        })
    }
}

#[cfg(test)]
mod tests;
