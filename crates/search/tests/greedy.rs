//! The greedy search, by its results: what any algorithm must do with limits, lines and rules.

use std::sync::atomic::AtomicBool;

use tesuji_search::greedy::Greedy;
use tesuji_search::score::{mate_in, mated_in};
use tesuji_search::{Info, Limits, Material, SearchResult, Searcher, Stop};
use tesuji_shogi::{Game, Position};

fn game(sfen: &str) -> Game {
    Game::new(Position::from_sfen(sfen).unwrap())
}

fn search(game: &Game, limits: &Limits) -> SearchResult {
    Greedy::new(Material::default()).search(game, limits, Stop::never(), &mut |_| {})
}

fn best(result: &SearchResult) -> Option<String> {
    result.best.map(|mv| mv.to_string())
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

#[test]
fn it_takes_the_most_and_mates() {
    let hanging = search(&game("4k4/9/9/4r4/9/4R4/9/9/4K4 b - 1"), &Limits::default());
    assert!(best(&hanging).unwrap().starts_with("5f5d"), "{hanging:?}");
    let mate = search(&game("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), &Limits::default());
    assert_eq!((best(&mate).as_deref(), mate.score), (Some("G*5b"), mate_in(1)));
    assert_eq!(search(&game("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), &Limits::default()).best, None);
}

#[test]
fn it_sees_repetition() {
    let mut game = game(START);
    for text in ["2h3h", "8b7b", "3h2h", "7b8b"].iter().cycle().take(11) {
        game.play(text.parse().unwrap()).unwrap();
    }
    let only = Limits { moves: vec!["7b8b".parse().unwrap()], ..Limits::default() };
    assert_eq!(search(&game, &only).score, 0);
}

#[test]
fn moves_that_allow_a_mate_in_one_come_last() {
    // Any move but one of the king's lets the gold mate in front of him.
    let game = game("9/9/9/9/4k4/9/4p4/9/P3K4 b g 1");
    let limits = Limits { lines: 600, ..Limits::default() };
    let result = search(&game, &limits);
    assert_eq!(result.lines.last().map(|line| line.score), Some(mated_in(2)));
    let mut careless = Greedy::new(Material::default());
    assert!(careless.set_parameter("avoid_mate", 0));
    let result = careless.search(&game, &limits, Stop::never(), &mut |_| {});
    assert!(result.lines.iter().all(|line| line.score.abs() < 10_000));
}

#[test]
fn limits_and_lines_are_kept() {
    let mut told: Vec<Info> = Vec::new();
    let limits = Limits { lines: 3, ..Limits::default() };
    let mut greedy = Greedy::new(Material::default());
    let stop = AtomicBool::new(false);
    let result =
        greedy.search(&game(START), &limits, Stop::new(&stop), &mut |info| told.push(info.clone()));
    assert_eq!((result.nodes, result.depth, &result.lines), (30, 1, &told));
    assert_eq!(told.iter().map(|line| line.multipv).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(search(&game(START), &Limits::nodes(5)).nodes, 5);
    let stopped =
        greedy.search(&game(START), &limits, Stop::new(&AtomicBool::new(true)), &mut |_| {});
    assert!(stopped.best.is_some() && stopped.nodes == 1);
}
