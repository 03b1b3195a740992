//! Where games begin: positions of a file, or openings of our own making.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use tesuji_records::stream::{Games, Input};
use tesuji_search::{Limits, Searcher};
use tesuji_shogi::{Game, Position, Rules};

use crate::random::Random;

/// Reads openings: positions, or games of which the first `plies` moves are played, or all of them.
/// One that cannot be read, or after which there is nothing to play, is an error that names it.
pub fn read(path: &Path, plies: Option<usize>, rules: &Rules) -> Result<Vec<Game>, String> {
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

/// How openings are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// Moves of an opening.
    pub plies: usize,
    /// How much worse than the best a move may be, in hundredths of a pawn.
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
/// Positions that are searched for a move, and to see whether the opening is in balance.
const MOVE_NODES: u64 = 2_000;
const BALANCE_NODES: u64 = 20_000;

impl Recipe {
    /// The opening with this number: from the start position, each move drawn from those that a
    /// shallow search thinks nearly as good as the best.
    pub fn make(&self, searcher: &mut dyn Searcher, seed: u64, number: u64) -> Game {
        let mut random = Random::new(seed, number);
        loop {
            searcher.clear();
            if let Some(game) = self.attempt(searcher, &mut random) {
                return game;
            }
        }
    }

    /// An opening, unless it got out of balance.
    fn attempt(&self, searcher: &mut dyn Searcher, random: &mut Random) -> Option<Game> {
        let mut game = Game::new(Position::startpos());
        let mut search = |game: &Game, limits: Limits| {
            searcher.search(game, &limits, &AtomicBool::new(false), &mut |_| {})
        };
        while game.moves().len() < self.plies {
            let limits = Limits { lines: LINES, ..Limits::nodes(MOVE_NODES) };
            let found = search(&game, limits).lines;
            let best = found.first()?.score;
            let good = found.iter().filter(|line| line.score >= best - self.slack);
            let moves: Vec<_> = good.filter_map(|line| line.line.first().copied()).collect();
            game.play(*moves.get(random.below(moves.len()))?).ok()?;
        }
        let score = search(&game, Limits::nodes(BALANCE_NODES)).score;
        (score.abs() <= self.balance).then_some(game)
    }
}

#[cfg(test)]
mod tests {
    use tesuji_search::{Engine, Material};

    use super::*;

    #[test]
    fn openings_differ_and_are_the_same_for_the_same_seed() {
        let mut engine = Engine::new(Material::default(), 1);
        let mut make = |seed, number| Recipe::default().make(&mut engine, seed, number);
        let all: Vec<Game> = (0..6).map(|number| make(1, number)).collect();
        let again = make(1, 3);
        assert_eq!(again.moves(), all[3].moves());
        assert_ne!(make(2, 3).moves(), all[3].moves());
        for (i, game) in all.iter().enumerate() {
            assert_eq!(game.moves().len(), Recipe::default().plies);
            assert!(all[..i].iter().all(|other| other.moves() != game.moves()));
        }
    }
}
