//! The fast generators equal the slow ones, move by move.

use std::thread;
use std::time::Instant;

use tesuji_eval::moves::Past;
use tesuji_eval::plausible::{Development, Generator, Generators, Rater, Scene};
use tesuji_shogi::{Move, Position};

use crate::lore::Knowledge;
use crate::oracle::Oracle;
use crate::positions::{for_each_of_game, for_each_random, games};

/// How many threads the long test uses.
const THREADS: usize = 2;

/// What was compared.
#[derive(Clone, Copy, Default)]
struct Compared {
    positions: usize,
    moves: usize,
    checks: usize,
    tense: usize,
    /// How many moves each generator produced.
    produced: [usize; Generator::COUNT],
}

impl Compared {
    /// Compares all legal moves of a position.
    fn add(&mut self, position: &Position, last: Option<Move>, knowledge: &Knowledge) {
        let development = Development::new(&knowledge.lore, position, [None, None]);
        let scene = Scene::new(position, Past { last, before: None }, &development);
        let rater = Rater::new(&scene, &knowledge.merits, Generators::ALL);
        let oracle = Oracle::new(position, knowledge);
        let sfen = || position.to_sfen();
        assert_eq!(scene.is_tense(), oracle.is_tense(), "a strong threat in {}", sfen());
        for mv in &position.legal_moves() {
            let (fast, slow) = (rater.rate(mv).generators, oracle.generators(mv));
            for generator in Generator::ALL {
                let [fast, slow] = [fast, slow].map(|all| all.contains(generator));
                assert_eq!(fast, slow, "fast, then slow: {generator} of {mv} in {}", sfen());
                self.produced[generator as usize] += usize::from(slow);
            }
            self.moves += 1;
        }
        self.positions += 1;
        self.checks += usize::from(position.in_check());
        self.tense += usize::from(scene.is_tense());
    }

    fn plus(mut self, other: &Self) -> Self {
        self.positions += other.positions;
        self.moves += other.moves;
        self.checks += other.checks;
        self.tense += other.tense;
        for (own, more) in self.produced.iter_mut().zip(other.produced) {
            *own += more;
        }
        self
    }

    /// Every generator must have produced moves and left moves out, or nothing was compared.
    fn check_variety(&self) {
        println!(
            "{} positions, {} in check, {} tense; {} moves",
            self.positions, self.checks, self.tense, self.moves
        );
        for generator in Generator::ALL {
            let produced = self.produced[generator as usize];
            println!("{produced:>9} {generator}");
            assert!(produced > 50 && produced < self.moves - 50, "{generator}: {produced}");
        }
        assert!(self.tense > 0 && self.tense < self.positions);
    }
}

fn compare_random(count: usize, seed: u64, knowledge: &Knowledge) -> Compared {
    let mut compared = Compared::default();
    for_each_random(count, seed, |position, last| compared.add(position, last, knowledge));
    compared
}

/// Compares every so many positions of these games.
fn compare_games<'a>(
    games: impl Iterator<Item = &'a String>,
    step: usize,
    knowledge: &Knowledge,
) -> Compared {
    let mut compared = Compared::default();
    for game in games {
        for_each_of_game(game, step, |position, last| compared.add(position, last, knowledge));
    }
    compared
}

#[test]
fn generators_equal_their_slow_twins_in_random_play() {
    let compared = compare_random(2_000, 1, &Knowledge::new());
    assert_eq!(compared.positions, 2_000);
    compared.check_variety();
}

#[test]
fn generators_equal_their_slow_twins_in_real_games() {
    let games = games("pro_games.tsv");
    if games.is_empty() {
        return;
    }
    let compared = compare_games(games.iter().step_by(200), 2, &Knowledge::new());
    assert!(compared.positions > 500, "{} positions", compared.positions);
    compared.check_variety();
}

/// 100,000 positions of random play, and as many of real games if they are there.
#[test]
#[ignore = "slow: 100,000 positions; .ci/run runs it in release"]
fn generators_equal_their_slow_twins_on_100_000_positions() {
    let begin = Instant::now();
    let knowledge = Knowledge::new();
    let games: Vec<String> = ["pro_games.tsv", "engine_games.tsv", "amateur_games.tsv"]
        .into_iter()
        .flat_map(games)
        .collect();
    let (knowledge, games) = (&knowledge, &games);
    let all = thread::scope(|scope| {
        let work = |number: usize| {
            let random = compare_random(100_000 / THREADS, 100 + number as u64, knowledge);
            let own = games.iter().skip(number).step_by(THREADS);
            random.plus(&compare_games(own, 10, knowledge))
        };
        let workers: Vec<_> =
            (0..THREADS).map(|number| scope.spawn(move || work(number))).collect();
        let done = workers.into_iter().map(|worker| worker.join().expect("no difference"));
        done.fold(Compared::default(), |all, one| all.plus(&one))
    });
    assert!(all.positions >= 100_000);
    all.check_variety();
    println!("compared in {:.0} s", begin.elapsed().as_secs_f64());
}
