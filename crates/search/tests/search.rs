//! The search by its results: mates, repetition, declaration, limits, and that it is the same every
//! time.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tesuji_search::score::{MATE, is_mate, mate_in, mated_in};
use tesuji_search::{
    AlphaBeta, AlphaBetaParams, Limits, Linear, Material, Parameters, Prior, SearchResult,
    Searcher, Stop,
};
use tesuji_shogi::{Game, Move, Position};

fn game(sfen: &str) -> Game {
    Game::new(Position::from_sfen(sfen).unwrap())
}

fn search(engine: &mut dyn Searcher, game: &Game, limits: &Limits) -> SearchResult {
    engine.search(game, limits, Stop::never(), &mut |_| {})
}

fn material(game: &Game, limits: &Limits) -> SearchResult {
    search(&mut AlphaBeta::new(Material::default(), 4), game, limits)
}

const MIDDLE: &str =
    "ln1g3nl/1ks1g1r2/1pppppb1p/p5pp1/9/P1PPP1P1P/1P1S1P3/1BKG1S3/LN1G3RL b NPs 35";
/// Gold to the side, then gold in front: mate in three.
const THREE: &str = "7k1/9/7P1/9/9/9/9/9/K8 b 2G 1";

#[test]
fn mates_are_found_and_counted() {
    let one = game("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    let result = material(&one, &Limits::depth(3));
    assert_eq!(result.best.map(|mv| mv.to_string()).as_deref(), Some("G*5b"));
    assert_eq!(result.score, mate_in(1));
    let three = material(&game(THREE), &Limits::depth(8));
    assert_eq!(three.score, mate_in(1), "{three:?}");
    // Every line of a mate can be played, and mates.
    for sfen in [THREE, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"] {
        let mut game = game(sfen);
        let result = material(&game, &Limits::depth(8));
        assert!(is_mate(result.score));
        for &mv in &result.lines[0].pv {
            game.play(mv).unwrap();
        }
        let plies = (MATE - result.score) as usize;
        assert!(result.lines[0].pv.len() <= plies);
    }
}

#[test]
fn the_side_without_a_move_has_lost() {
    let result = material(&game("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), &Limits::depth(4));
    assert_eq!((result.best, result.nodes), (None, 0));
}

#[test]
fn a_hanging_piece_is_taken() {
    let result = material(&game("4k4/9/9/4r4/9/4R4/9/9/4K4 b - 1"), &Limits::depth(4));
    assert_eq!(result.best.map(|mv| mv.to_string()[..4].to_owned()).as_deref(), Some("5f5d"));
    assert!(result.score > 900, "{}", result.score);
}

#[test]
fn the_same_search_gives_the_same_result() {
    for sfen in [MIDDLE, "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"] {
        let game = game(sfen);
        let limits = Limits::nodes(20_000);
        let [a, b] = [(); 2].map(|()| material(&game, &limits));
        assert_eq!((a.best, a.score, a.nodes), (b.best, b.score, b.nodes));
        assert!(a.nodes <= 20_000, "{}", a.nodes);
        let depth = Limits::depth(7);
        let [a, b] = [(); 2].map(|()| material(&game, &depth));
        assert_eq!((a.best, a.score, a.nodes), (b.best, b.score, b.nodes));
    }
}

#[test]
fn several_lines_are_different_and_in_order() {
    let limits = Limits { lines: 4, ..Limits::depth(5) };
    let result = material(&game(MIDDLE), &limits);
    assert_eq!(result.lines.len(), 4);
    assert!(result.lines.is_sorted_by(|a, b| a.score >= b.score));
    let mut firsts: Vec<_> = result.lines.iter().map(|line| line.pv[0].to_u16()).collect();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
}

#[test]
fn only_the_moves_that_are_asked_for() {
    let moves = vec!["9f9e".parse().unwrap(), "1f1e".parse().unwrap()];
    let limits = Limits { moves: moves.clone(), ..Limits::depth(5) };
    let result = material(&game(MIDDLE), &limits);
    assert!(moves.contains(&result.best.unwrap()));
}

#[test]
fn a_search_that_is_stopped_answers() {
    let mut engine = AlphaBeta::new(Material::default(), 1);
    let stop = AtomicBool::new(true);
    let result = engine.search(&game(MIDDLE), &Limits::default(), Stop::new(&stop), &mut |_| {});
    assert!(result.best.is_some());
    let limits = Limits::time(Duration::from_millis(30));
    assert!(search(&mut engine, &game(MIDDLE), &limits).best.is_some());
}

#[test]
fn the_stop_signal_is_only_read() {
    let stop = AtomicBool::new(false);
    let mut engine = AlphaBeta::new(Material::default(), 1);
    engine.settings().threads = 2;
    let short = Limits::time(Duration::from_millis(20));
    for limits in [Limits::nodes(2_000), Limits::depth(3), short] {
        engine.search(&game(MIDDLE), &limits, Stop::new(&stop), &mut |_| {});
        assert!(!stop.load(std::sync::atomic::Ordering::Relaxed), "{limits:?}");
    }
}

#[test]
fn every_technique_can_be_switched_off() {
    for parameter in AlphaBetaParams::ALL {
        for value in [parameter.min, parameter.max] {
            let mut engine = AlphaBeta::new(Material::default(), 1);
            assert!(engine.set_parameter(parameter.name, value));
            let result = search(&mut engine, &game(MIDDLE), &Limits::nodes(3_000));
            let best = result.best.unwrap();
            assert!(game(MIDDLE).position().is_legal(best), "{} {value}", parameter.name);
        }
    }
    let mut engine = AlphaBeta::new(Material::default(), 1);
    *engine.params() = AlphaBetaParams::preset("full-width-2000").unwrap();
    assert_eq!(search(&mut engine, &game(MIDDLE), &Limits::depth(3)).depth, 3);
}

/// A game in which the same four moves were played again and again, but for the last one.
fn repeated(sfen: &str, moves: [&str; 4]) -> Game {
    let mut game = game(sfen);
    for text in moves.iter().cycle().take(11) {
        game.play(text.parse().unwrap()).unwrap();
    }
    game
}

/// What the search thinks of one move, and which it chooses if it may.
fn judged(game: &Game, mv: &str) -> (i32, String) {
    let only = Limits { moves: vec![mv.parse().unwrap()], ..Limits::depth(4) };
    let best = material(game, &Limits::depth(4)).best.unwrap();
    (material(game, &only).score, best.to_string())
}

#[test]
fn perpetual_check_loses() {
    let moves = ["5a4a", "5i4i", "4a5a", "4i5i"];
    let game = repeated("4k4/9/9/9/9/9/9/9/K3R4 w - 1", moves);
    let (score, best) = judged(&game, "4i5i");
    assert_eq!(score, mated_in(1));
    assert_ne!(best, "4i5i");
}

#[test]
fn repetition_draws() {
    // White has no bishop, and is glad of the draw.
    let start = "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let game = repeated(start, ["2h3h", "8b7b", "3h2h", "7b8b"]);
    assert_eq!(judged(&game, "7b8b"), (0, "7b8b".to_owned()));
}

#[test]
fn several_threads_find_the_mate_too() {
    let mut engine = AlphaBeta::new(Material::default(), 4);
    engine.settings().threads = 3;
    let result = search(&mut engine, &game(THREE), &Limits::depth(6));
    assert!(is_mate(result.score), "{result:?}");
}

#[test]
fn features_can_play() {
    let weights = tesuji_eval::Weights::named("evolved").unwrap();
    let mut engine = AlphaBeta::new(Linear::new(weights), 1);
    let result = search(&mut engine, &game(MIDDLE), &Limits::nodes(2_000));
    assert!(result.best.is_some() && result.score.abs() < mated_in(0).abs());
}

#[test]
fn the_last_move_of_a_long_game_draws() {
    let mut engine = AlphaBeta::new(Material::default(), 1);
    engine.settings().max_moves = Some(35);
    // Black is a gold up, but this is the last move.
    let up = MIDDLE.replace("b NPs", "b GNPs").replace("LN1G3RL", "LN5RL");
    let result = search(&mut engine, &game(&up), &Limits::depth(4));
    assert_eq!(result.score, 0);
}

/// A prior that thinks highly of drops.
struct Drops;

impl Prior for Drops {
    type Shared<'a> = ();

    fn prepare<'a>(&'a self, _: &'a Position) {}

    fn weight(&self, (): &(), mv: Move) -> i32 {
        if mv.from().is_none() { 8_000 } else { 0 }
    }
}

#[test]
fn a_prior_guides_the_search() {
    let limits = Limits::depth(6);
    let plain = material(&game(MIDDLE), &limits);
    let mut guided = AlphaBeta::with_prior(Material::default(), Drops, 4);
    let guided = search(&mut guided, &game(MIDDLE), &limits);
    assert_ne!(guided.nodes, plain.nodes);
    assert!(game(MIDDLE).position().is_legal(guided.best.unwrap()));
}
