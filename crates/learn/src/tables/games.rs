//! Games to learn from.

use std::collections::{BTreeSet, HashSet};

use tesuji_records::GameRecord;
use tesuji_records::collection::{GameKey, Part, Split};
use tesuji_shogi::{Color, Game, Move, Outcome, Position, Rules};

/// A game to learn from.
#[derive(Clone, Debug)]
pub struct TrainingGame {
    start: Position,
    moves: Vec<Move>,
    outcome: Outcome,
}

/// The share of the games that is learned from; the others tell what was learned.
const TRAIN_SHARE: f64 = 0.95;

impl TrainingGame {
    /// The game of a record. One that the record calls won though it was a draw by repetition is not
    /// to be trusted and is left out.
    pub fn new(record: &GameRecord) -> Option<Self> {
        let outcome = record.outcome();
        let mut game = Game::new(record.start);
        for mv in record.moves() {
            game.play(mv).ok()?;
        }
        let by_rules = game.result(&Rules::default()).map(|result| result.outcome);
        if matches!(outcome, Outcome::Win(_)) && by_rules == Some(Outcome::Draw) {
            return None;
        }
        Some(Self { start: record.start, moves: record.moves().collect(), outcome })
    }

    /// Each position with the move that was played there.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Move)> + '_ {
        self.moves.iter().scan(self.start, |position, &mv| {
            let before = *position;
            position.play_unchecked(mv);
            Some((before, mv))
        })
    }

    /// What the game was worth to a player: 1 for a win, 0 for a loss, a half for a draw.
    pub fn points(&self, player: Color) -> Option<f64> {
        match self.outcome {
            Outcome::Win(winner) => Some(if winner == player { 1.0 } else { 0.0 }),
            Outcome::Draw => Some(0.5),
            Outcome::Unknown => None,
        }
    }

    /// How many moves were played.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Was nothing played?
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }
}

/// Games divided into those to learn from and those to measure with, each game once.
#[derive(Clone, Debug, Default)]
pub struct TrainingGames {
    /// To learn from.
    pub train: Vec<TrainingGame>,
    /// To measure with.
    pub test: Vec<TrainingGame>,
    seen: BTreeSet<GameKey>,
    /// Positions that others will measure with: no game may have them.
    kept_apart: HashSet<u64>,
    /// Games that had one of them.
    left_out: usize,
}

impl TrainingGames {
    /// No games yet, and none to come in which one of these positions occurs.
    pub fn without<'a>(positions: impl IntoIterator<Item = &'a Position>) -> Self {
        let kept_apart = positions.into_iter().map(Position::key).collect();
        Self { kept_apart, ..Self::default() }
    }

    /// How many games were left out for the sake of positions that are kept apart.
    pub const fn left_out(&self) -> usize {
        self.left_out
    }

    /// Adds the game of a record to its part, unless it is there already.
    pub fn add(&mut self, record: &GameRecord, seed: u64) {
        let key = GameKey::of(record);
        let Some(game) = TrainingGame::new(record).filter(|_| self.seen.insert(key)) else {
            return;
        };
        if game.positions().any(|(position, _)| self.kept_apart.contains(&position.key())) {
            self.left_out += 1;
            return;
        }
        let split = Split { train_share: TRAIN_SHARE, seed };
        match split.part(key) {
            Part::Train => self.train.push(game),
            Part::Test => self.test.push(game),
        }
    }
}
