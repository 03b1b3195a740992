//! Training of piece tables: the same at any number of threads, resumed to the same bytes, and it
//! learns.

use std::path::Path;

use tesuji_learn::games::{GameCollector, TrainingGames};
use tesuji_learn::pool;
use tesuji_learn::tables::{TableTrainer, Training};
use tesuji_records::stream::{Games, Input};

/// Some of the games that come with the program.
fn games() -> TrainingGames {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/games.tsv.zst");
    let mut games = GameCollector::new(1, []).unwrap();
    for game in Games::new(vec![Input::File(path)], None).take(120) {
        games.add(&game.expect("the sample can be read").value).unwrap();
    }
    games.finish().unwrap()
}

fn settings() -> Training {
    Training { passes: 3, batch: 8, stride: 8, ..Training::default() }
}

fn train(games: &TrainingGames, threads: usize) -> TableTrainer<'_> {
    pool(threads).unwrap().install(|| {
        let mut trainer = TableTrainer::new(settings(), games, None);
        while !trainer.is_done() {
            trainer.pass(&mut |_, _| {}).unwrap();
        }
        trainer
    })
}

#[test]
fn training_gives_the_same_bytes_and_learns() {
    let games = games();
    assert!(!games.train.is_empty() && !games.test.is_empty());
    let trainer = train(&games, 1);
    assert_eq!(train(&games, 2).to_bytes(), trainer.to_bytes());

    let [first, .., last] = trainer.history() else { panic!("there were several passes") };
    assert!(last.train.mean_comparison_loss() < first.train.mean_comparison_loss());
    assert_eq!(trainer.best_tables().unwrap().values().board[0], 100);
}

#[test]
fn a_training_that_was_stopped_goes_on_to_the_same_bytes() {
    let games = games();
    let new = || TableTrainer::new(settings(), &games, None);
    let mut stopped = new();
    stopped.pass(&mut |_, _| {}).unwrap();
    let state = stopped.to_bytes();
    let mut resumed = new().resumed(&state).unwrap();
    assert_eq!(resumed.to_bytes(), state);
    while !resumed.is_done() {
        resumed.pass(&mut |_, _| {}).unwrap();
    }
    assert_eq!(resumed.to_bytes(), train(&games, 2).to_bytes());
    assert!(new().resumed(&state[..state.len() - 1]).is_none());
    assert!(new().resumed(b"nonsense").is_none());
}
