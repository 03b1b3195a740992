//! Training games, in a memory-mapped store, divided into training and held-out games.

mod store;

use std::collections::{BTreeSet, HashSet};
use std::io;

use tesuji_records::GameRecord;
use tesuji_records::collection::{GameKey, Part, Split};
use tesuji_shogi::{Color, Game, Move, Outcome, Position, Rules};

pub use store::Place;
use store::{GameStore, GameStoreWriter};

/// A game to learn from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrainingGame {
    start: Position,
    moves: Vec<Move>,
    outcome: Outcome,
}

/// The share of the training games; the others are held out.
const TRAIN_SHARE: f64 = 0.95;

impl TrainingGame {
    /// The game of a record. One that the record calls won though it was a draw by repetition is
    /// not to be trusted and is left out.
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

    /// The result, the moves with two bytes each, and the position that the game begins with unless
    /// that is the usual one.
    fn to_bytes(&self) -> Vec<u8> {
        let outcome = match self.outcome {
            Outcome::Win(Color::Black) => 0,
            Outcome::Win(Color::White) => 1,
            Outcome::Draw => 2,
            Outcome::Unknown => 3,
        };
        let mut bytes = vec![outcome];
        bytes.extend((self.moves.len() as u32).to_le_bytes());
        bytes.extend(self.moves.iter().flat_map(|mv| mv.to_u16().to_le_bytes()));
        if self.start != Position::startpos() {
            bytes.extend(self.start.to_sfen().as_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&outcome, rest) = bytes.split_first()?;
        let (count, rest) = rest.split_first_chunk()?;
        let (moves, start) = rest.split_at_checked(2 * u32::from_le_bytes(*count) as usize)?;
        let outcome = match outcome {
            0 => Outcome::Win(Color::Black),
            1 => Outcome::Win(Color::White),
            2 => Outcome::Draw,
            _ => Outcome::Unknown,
        };
        let moves = moves.chunks_exact(2).map(|pair| {
            let bits = u16::from_le_bytes(pair.try_into().ok()?);
            Move::from_u16(bits)
        });
        let start = match start {
            [] => Position::startpos(),
            sfen => Position::from_sfen(str::from_utf8(sfen).ok()?).ok()?,
        };
        Some(Self { start, moves: moves.collect::<Option<_>>()?, outcome })
    }
}

/// The part of a game under a seed: [`GameCollector`] puts it there, so that what was trained with
/// the same seed has not seen the games of [`Part::Test`], whatever other games there were.
pub fn part_of(record: &GameRecord, seed: u64) -> Part {
    part_of_key(GameKey::of(record), seed)
}

/// Does a training under this seed keep the game apart, to measure with? Not if it leaves it out.
pub fn is_held_out(record: &GameRecord, seed: u64) -> bool {
    part_of(record, seed) == Part::Test && TrainingGame::new(record).is_some()
}

fn part_of_key(key: GameKey, seed: u64) -> Part {
    Split { train_share: TRAIN_SHARE, seed }.part(key)
}

/// Collects games and divides them into training and held-out games, each game once.
pub struct GameCollector {
    store: GameStoreWriter,
    train: Vec<Place>,
    test: Vec<Place>,
    seed: u64,
    seen: BTreeSet<GameKey>,
    /// Held-out positions that others will measure with: no game may have them.
    held_out: HashSet<u64>,
    left_out: usize,
}

impl GameCollector {
    /// No games yet, and none to come in which one of these positions occurs. The seed decides how
    /// the games are divided.
    pub fn new<'a>(
        seed: u64,
        held_out: impl IntoIterator<Item = &'a Position>,
    ) -> io::Result<Self> {
        Ok(Self {
            store: GameStoreWriter::new()?,
            train: Vec::new(),
            test: Vec::new(),
            seed,
            seen: BTreeSet::new(),
            held_out: held_out.into_iter().map(Position::key).collect(),
            left_out: 0,
        })
    }

    /// Adds the game of a record to its part, unless it is there already.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        let key = GameKey::of(record);
        let Some(game) = TrainingGame::new(record).filter(|_| self.seen.insert(key)) else {
            return Ok(());
        };
        if game.positions().any(|(position, _)| self.held_out.contains(&position.key())) {
            self.left_out += 1;
            return Ok(());
        }
        let place = self.store.put(&game.to_bytes())?;
        match part_of_key(key, self.seed) {
            Part::Train => self.train.push(place),
            Part::Test => self.test.push(place),
        }
        Ok(())
    }

    /// The games, to learn from.
    pub fn finish(self) -> io::Result<TrainingGames> {
        let Self { store, train, test, left_out, .. } = self;
        Ok(TrainingGames { store: store.finish()?, train, test, left_out })
    }
}

/// Games divided into training and held-out games.
pub struct TrainingGames {
    store: GameStore,
    /// Training games.
    pub train: Vec<Place>,
    /// Held-out games.
    pub test: Vec<Place>,
    left_out: usize,
}

impl TrainingGames {
    /// The game of a place.
    ///
    /// # Panics
    /// If it is not a place of these games.
    pub fn get(&self, place: Place) -> TrainingGame {
        TrainingGame::from_bytes(self.store.get(place)).expect("a place of these games")
    }

    /// How many games were left out because they have a held-out position.
    pub const fn left_out(&self) -> usize {
        self.left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(start: Position, moves: &[&str], outcome: Outcome) -> TrainingGame {
        let moves = moves.iter().map(|text| text.parse().unwrap()).collect();
        TrainingGame { start, moves, outcome }
    }

    #[test]
    fn games_come_back_from_the_store() {
        let handicap = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        let games = [
            game(Position::startpos(), &["7g7f", "3c3d"], Outcome::Win(Color::White)),
            game(Position::from_sfen(handicap).unwrap(), &["5a6b"], Outcome::Draw),
            game(Position::startpos(), &[], Outcome::Unknown),
        ];
        let mut writer = GameStoreWriter::new().unwrap();
        let places = games.each_ref().map(|game| writer.put(&game.to_bytes()).unwrap());
        let store = writer.finish().unwrap();
        for (game, place) in games.iter().zip(places) {
            assert_eq!(TrainingGame::from_bytes(store.get(place)).as_ref(), Some(game));
        }
        let bytes = games[0].to_bytes();
        assert_eq!(TrainingGame::from_bytes(&bytes[..bytes.len() - 1]), None);
    }

    #[test]
    fn an_empty_store_has_no_games() {
        let games = GameCollector::new(1, []).unwrap().finish().unwrap();
        assert!(games.train.is_empty() && games.test.is_empty());
    }
}
