//! Positions to compare on: random play from many starts, and real games where there are any.

use tesuji_shogi::{Game, Handicap, Move, Position};

use crate::common::{Random, random_move, scrambled_position, shared_data};

/// Plies of a random game, and of what follows a position put together at random.
const GAME: usize = 120;
const SEQUEL: usize = 6;

/// Calls `visit` with positions and the moves that led to them: half of random games from all
/// handicaps, half of boards put together at random, where kings are hunted, missing, in check.
pub fn for_each_random(count: usize, seed: u64, mut visit: impl FnMut(&Position, Option<Move>)) {
    let mut random = Random::new(seed);
    let mut seen = 0;
    loop {
        let (mut position, plies) = if random.one_in(GAME / SEQUEL) {
            (random.pick(&Handicap::ALL).position(), GAME)
        } else {
            (scrambled_position(&mut random), SEQUEL)
        };
        let mut last = None;
        for _ in 0..plies {
            visit(&position, last);
            seen += 1;
            if seen == count {
                return;
            }
            last = random_move(&position, &mut random);
            let Some(mv) = last else { break };
            position.play_unchecked(mv);
        }
    }
}

/// Games of a table of the shared data, as USI writes them; none if it is not there.
pub fn games(name: &str) -> Vec<String> {
    let text = shared_data::read(name).unwrap_or_default();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| line.split('\t').nth(5).map(str::to_owned)).collect()
}

/// Calls `visit` with every so many positions of a game, and the move that led to each.
pub fn for_each_of_game(game: &str, step: usize, mut visit: impl FnMut(&Position, Option<Move>)) {
    let game = Game::from_usi(game).expect("the games of the data replay");
    for (ply, position) in game.positions().enumerate().step_by(step) {
        visit(position, ply.checked_sub(1).map(|last| game.moves()[last]));
    }
}
