//! Training of piece tables and of phase tables: the same at any number of threads, resumed to the
//! same bytes, and it learns.

use std::path::Path;

use tesuji_eval::{PhaseTables, PieceTables};
use tesuji_learn::games::{GameCollector, TrainingGames};
use tesuji_learn::pool;
use tesuji_learn::tables::{Fitted, TableTrainer, Training};
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

fn train<M: Fitted>(games: &TrainingGames, threads: usize) -> TableTrainer<'_, M> {
    pool(threads).unwrap().install(|| {
        let mut trainer = TableTrainer::new(settings(), games, None);
        while !trainer.is_done() {
            trainer.pass(&mut |_, _| {}).unwrap();
        }
        trainer
    })
}

/// The same bytes at any number of threads, and less loss from pass to pass.
fn learns<M: Fitted>() {
    let games = games();
    assert!(!games.train.is_empty() && !games.test.is_empty());
    let trainer = train::<M>(&games, 1);
    assert_eq!(train::<M>(&games, 2).to_bytes(), trainer.to_bytes());

    let [first, .., last] = trainer.history() else { panic!("there were several passes") };
    assert!(last.train.mean_comparison_loss() < first.train.mean_comparison_loss());
    assert_eq!(trainer.best_tables().unwrap().values().board[0], 100);
}

/// Stopped after a pass and resumed, a training comes to the same bytes.
fn goes_on<M: Fitted>() {
    let games = games();
    let new = || TableTrainer::<M>::new(settings(), &games, None);
    let mut stopped = new();
    stopped.pass(&mut |_, _| {}).unwrap();
    let state = stopped.to_bytes();
    let mut resumed = new().resumed(&state).unwrap();
    assert_eq!(resumed.to_bytes(), state);
    while !resumed.is_done() {
        resumed.pass(&mut |_, _| {}).unwrap();
    }
    assert_eq!(resumed.to_bytes(), train::<M>(&games, 2).to_bytes());
    assert!(new().resumed(&state[..state.len() - 1]).is_none());
    assert!(new().resumed(b"nonsense").is_none());
}

#[test]
fn training_gives_the_same_bytes_and_learns() {
    learns::<PieceTables>();
}

#[test]
fn training_of_phases_gives_the_same_bytes_and_learns() {
    learns::<PhaseTables>();
}

#[test]
fn a_training_that_was_stopped_goes_on_to_the_same_bytes() {
    goes_on::<PieceTables>();
}

#[test]
fn a_training_of_phases_that_was_stopped_goes_on_to_the_same_bytes() {
    goes_on::<PhaseTables>();
}
