//! Games of a seeded player that looks one ply ahead: the data that ships with the project.
//!
//! `cargo run --release -p tesuji --example one_ply_games -- WEIGHTS GAMES SEED > samples/games.tsv`

use anyhow::{Context, Result};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tesuji_eval::Weights;
use tesuji_records::{Ending, GameRecord, Header, MoveRecord, tsv};
use tesuji_shogi::{EndReason, Game, GameResult, Move, Position, Rules};

/// The first plies are played at random, so that no two games are alike.
const RANDOM_PLIES: usize = 4;
/// Scores within this many points of each other are often exchanged.
const NOISE: f64 = 60.0;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [weights, games, seed] = &arguments[..] else {
        anyhow::bail!("expected WEIGHTS GAMES SEED");
    };
    let text = std::fs::read_to_string(weights).with_context(|| weights.clone())?;
    let weights = Weights::parse(&text).with_context(|| weights.clone())?;
    let seed: u64 = seed.parse()?;
    println!("{}", tsv::HEADER_LINE);
    for number in 0..games.parse::<u64>()? {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(number));
        print!("{}", tsv::write_game(&record(&play(&weights, &mut random), number)));
    }
    Ok(())
}

/// Plays a game to its end.
fn play(weights: &Weights, random: &mut impl Rng) -> Game {
    let rules = Rules { max_moves: Some(256), ..Rules::default() };
    let mut game = Game::new(Position::startpos());
    while game.result(&rules).is_none() {
        let position = game.position();
        let moves = position.legal_moves();
        let mv = if game.moves().len() < RANDOM_PLIES {
            moves[random.random_range(0..moves.len())]
        } else {
            best_move(weights, position, &moves, random)
        };
        game.play(mv).expect("generated moves are legal");
    }
    let result = game.result(&rules).unwrap_or(GameResult::draw(EndReason::MoveLimit));
    game.end(result);
    game
}

/// The move after which the player likes the position best, give or take some noise.
fn best_move(
    weights: &Weights,
    position: &Position,
    moves: &[Move],
    random: &mut impl Rng,
) -> Move {
    let score = |mv: Move, random: &mut dyn rand::RngCore| {
        let next = position.after_unchecked(mv);
        if next.is_checkmate() {
            return f64::INFINITY;
        }
        let noise: f64 = random.random_range(-NOISE..NOISE);
        f64::from(weights.score(&next, position.side_to_move())) + noise
    };
    let scored = moves.iter().map(|&mv| (mv, score(mv, random)));
    scored.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(moves[0], |(mv, _)| mv)
}

fn record(game: &Game, number: u64) -> GameRecord {
    let mut record = GameRecord::new(*game.start());
    record.add_header(Header::EVENT, &format!("one-ply game {}", number + 1));
    record.main.moves = game.moves().iter().copied().map(MoveRecord::from).collect();
    record.main.ending = game.result(&Rules::default()).map(Ending::new);
    record
}
