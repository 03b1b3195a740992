//! Training of the move model: the same at any number of threads, and it learns.

use std::path::Path;

use tesuji_learn::move_model::{MoveTrainer, MoveTraining, measure};
use tesuji_learn::pool;
use tesuji_learn::tables::TrainingGames;
use tesuji_records::stream::{Games, Input};

/// Some of the games that come with the program.
fn games() -> TrainingGames {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/games.tsv.zst");
    let mut games = TrainingGames::default();
    for game in Games::new(vec![Input::File(path)], None).take(120) {
        games.add(&game.expect("the sample can be read").value, 1);
    }
    games
}

fn train(games: &TrainingGames, threads: usize) -> MoveTrainer<'_> {
    let settings = MoveTraining { passes: 2, batch: 64, ..MoveTraining::default() };
    pool(threads).unwrap().install(|| {
        let mut trainer = MoveTrainer::new(settings, games);
        while !trainer.is_done() {
            trainer.pass(&mut |_, _| {});
        }
        trainer
    })
}

#[test]
fn training_gives_the_same_model_and_learns() {
    let games = games();
    assert!(!games.train.is_empty() && !games.test.is_empty());
    let trainer = train(&games, 1);
    let other = train(&games, 2);
    assert_eq!(trainer.history(), other.history());
    assert_eq!(trainer.best_model(), other.best_model());

    let from_ply = MoveTraining::default().from_ply;
    let untrained = MoveTrainer::new(MoveTraining::default(), &games).best_model();
    let before = measure(&untrained, &games.test, from_ply);
    let after = measure(&trainer.best_model(), &games.test, from_ply);
    assert_eq!(before.of, after.of);
    assert!(after.top1() > 3.0 * before.top1(), "{after:?}");
    assert!(after.mean_loss() < before.mean_loss() - 0.5, "{after:?}");
    assert_eq!(trainer.best().map(|pass| pass.test), Some(after));
}
