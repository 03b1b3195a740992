//! Where games begin: positions of a file, or openings of our own making.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use tesuji_records::stream::{Games, Input};
use tesuji_search::{Limits, Searcher, Stop};
use tesuji_shogi::{Game, Move, Position, Rules};

use tesuji_math::Random;

/// Reads openings: positions, or games of which the first `plies` moves are played, or all of them.
/// One that cannot be read, or after which there is nothing to play, is an error that names it.
pub fn read(path: &Path, plies: Option<usize>, rules: &Rules) -> Result<Vec<Game>, String> {
    let found = fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if !found.is_file() {
        return Err(format!("{}: not a regular file, expected a file of openings", path.display()));
    }
    let inputs = Input::from_paths(&[path.to_owned()]).map_err(|error| error.to_string())?;
    let mut openings = Vec::new();
    for record in Games::new(inputs, None) {
        let record = record.map_err(|error| error.to_string())?;
        let mut game = Game::new(record.value.start);
        for mv in record.value.moves().take(plies.unwrap_or(usize::MAX)) {
            game.play(mv).map_err(|wrong| wrong.to_string())?;
        }
        if let Some(result) = game.result(rules) {
            let (file, line) = (&record.file, record.line);
            return Err(format!("{file}, line {line}: the game is over after it: {result}"));
        }
        openings.push(game);
    }
    if openings.is_empty() {
        return Err(format!("{}: no openings", path.display()));
    }
    Ok(openings)
}

/// The openings of a match: a plain value, though what was made once is remembered.
#[derive(Debug)]
pub enum Openings {
    /// Those of a file.
    Given(Vec<Game>),
    /// Those that are made when somebody wants to play them.
    Made(MadeOpenings),
}

impl Openings {
    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Self::Given(games) => games.len(),
            Self::Made(made) => made.moves.len(),
        }
    }

    /// The opening with this number; `searcher` makes it if nobody has played it yet.
    pub fn get(&self, number: usize, searcher: &mut dyn Searcher) -> Option<Game> {
        let made = match self {
            Self::Given(games) => return games.get(number).cloned(),
            Self::Made(made) => made,
        };
        // Whoever comes second waits for the first.
        let make = || made.recipe.make(searcher, made.seed, number as u64);
        let mut game = Game::new(Position::startpos());
        for &mv in made.moves.get(number)?.get_or_init(make) {
            game.play(mv).ok()?;
        }
        Some(game)
    }
}

/// Openings as they are written: the games as USI has positions, or how to make them.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum OpeningsText {
    Given(Vec<String>),
    Made { recipe: Recipe, seed: u64, count: usize },
}

impl Serialize for Openings {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let text = match self {
            Self::Given(games) => {
                OpeningsText::Given(games.iter().map(Game::to_usi_position).collect())
            }
            Self::Made(MadeOpenings { recipe, seed, moves }) => {
                OpeningsText::Made { recipe: *recipe, seed: *seed, count: moves.len() }
            }
        };
        text.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Openings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(match OpeningsText::deserialize(from)? {
            OpeningsText::Given(games) => {
                let read = |game: &String| Game::from_usi(game).map_err(de::Error::custom);
                Self::Given(games.iter().map(read).collect::<Result<_, _>>()?)
            }
            OpeningsText::Made { recipe, seed, count } => {
                Self::Made(MadeOpenings { recipe, ..MadeOpenings::new(seed, count) })
            }
        })
    }
}

/// Openings of our own making.
#[derive(Debug)]
pub struct MadeOpenings {
    recipe: Recipe,
    seed: u64,
    /// Those that somebody has played from.
    moves: Vec<OnceLock<Vec<Move>>>,
}

impl MadeOpenings {
    /// So many openings, none of them made yet.
    pub fn new(seed: u64, count: usize) -> Self {
        let moves = (0..count).map(|_| OnceLock::new()).collect();
        Self { recipe: Recipe::default(), seed, moves }
    }
}

/// How openings are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Moves of an opening.
    pub plies: usize,
    /// How much worse than the best a move may be, in centipawns.
    pub slack: i32,
    /// How far from balance the opening may end.
    pub balance: i32,
}

impl Default for Recipe {
    fn default() -> Self {
        Self { plies: 10, slack: 50, balance: 100 }
    }
}

/// Moves that are chosen from.
const LINES: usize = 10;
/// Nodes that are searched for a move, and to see whether the opening is in balance.
const MOVE_NODES: u64 = 300;
const BALANCE_NODES: u64 = 5_000;

impl Recipe {
    /// The moves of the opening with this number: from the start position, each move drawn from
    /// those that a shallow search thinks nearly as good as the best.
    pub fn make(&self, searcher: &mut dyn Searcher, seed: u64, number: u64) -> Vec<Move> {
        let mut random = Random::stream(seed, number);
        loop {
            searcher.clear();
            if let Some(game) = self.attempt(searcher, &mut random) {
                return game.moves().to_vec();
            }
        }
    }

    /// An opening, unless it got out of balance.
    fn attempt(&self, searcher: &mut dyn Searcher, random: &mut Random) -> Option<Game> {
        let mut game = Game::new(Position::startpos());
        let mut search = |game: &Game, limits: Limits| {
            searcher.search(game, &limits, Stop::never(), &mut |_| {})
        };
        while game.moves().len() < self.plies {
            let limits = Limits { lines: LINES, ..Limits::nodes(MOVE_NODES) };
            let found = search(&game, limits).lines;
            let best = found.first()?.score;
            let good = found.iter().filter(|line| line.score >= best - self.slack);
            let moves: Vec<_> = good.filter_map(|line| line.pv.first().copied()).collect();
            game.play(*moves.get(random.below(moves.len()))?).ok()?;
        }
        let score = search(&game, Limits::nodes(BALANCE_NODES)).score;
        (score.abs() <= self.balance).then_some(game)
    }
}

#[cfg(test)]
mod tests {
    use tesuji_search::{AlphaBeta, Material};

    use super::*;

    #[test]
    fn openings_differ_and_are_the_same_for_the_same_seed() {
        let mut engine = AlphaBeta::new(Material::default(), 1);
        let mut make = |seed, number| Recipe::default().make(&mut engine, seed, number);
        let all: Vec<Vec<Move>> = (0..6).map(|number| make(1, number)).collect();
        assert_eq!(make(1, 3), all[3]);
        assert_ne!(make(2, 3), all[3]);
        for (i, moves) in all.iter().enumerate() {
            assert_eq!(moves.len(), Recipe::default().plies);
            assert!(!all[..i].contains(moves));
        }
        let openings = Openings::Made(MadeOpenings::new(1, 6));
        let game = openings.get(3, &mut engine).unwrap();
        assert_eq!(game.moves(), all[3]);
        assert_eq!(openings.get(6, &mut engine), None);
        let text = serde_json::to_string(&openings).unwrap();
        let read: Openings = serde_json::from_str(&text).unwrap();
        assert_eq!(read.get(3, &mut engine).unwrap().moves(), all[3]);
        assert_eq!(read.get(6, &mut engine), None);
    }

    #[test]
    fn given_openings_can_be_written_and_read() {
        let text = r#"{"given":["startpos moves 7g7f 3c3d","startpos"]}"#;
        let openings: Openings = serde_json::from_str(text).unwrap();
        assert_eq!(openings.count(), 2);
        assert_eq!(serde_json::to_string(&openings).unwrap(), text);
        let wrong = r#"{"given":["startpos moves 7g7f 7g7f"]}"#;
        assert!(serde_json::from_str::<Openings>(wrong).is_err());
    }
}
