//! Training of the move model: the same at any number of threads, and it learns.

use std::path::Path;

use tesuji_eval::moves::{Group, MoveModel};
use tesuji_learn::games::{GameCollector, TrainingGames};
use tesuji_learn::imitation::{Imitation, Imitator, measure};
use tesuji_learn::pool;
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

const SETTINGS: Imitation = Imitation { passes: 2, batch: 64, ..Imitation::DEFAULT };

fn train(games: &TrainingGames, threads: usize) -> Imitator<'_, MoveModel> {
    pool(threads).unwrap().install(|| {
        let mut trainer = Imitator::new(SETTINGS, games);
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

    let from_ply = Imitation::default().from_ply;
    let untrained: MoveModel = Imitator::new(Imitation::default(), &games).best_model();
    let before = measure(&untrained, &games, from_ply);
    let after = measure(&trainer.best_model(), &games, from_ply);
    assert_eq!(before.prediction.of, after.prediction.of);
    assert!(after.prediction.accuracy() > 3.0 * before.prediction.accuracy(), "{after:?}");
    assert!(after.mean_loss() < before.mean_loss() - 0.5, "{after:?}");
    assert_eq!(trainer.best().map(|pass| pass.test), Some(after));
}

#[test]
fn a_training_goes_on_from_its_state_to_the_same_bytes() {
    let games = games();
    let whole = train(&games, 2);
    pool(2).unwrap().install(|| {
        let mut first: Imitator<'_, MoveModel> = Imitator::new(SETTINGS, &games);
        first.pass(&mut |_, _| {});
        let state = first.to_bytes();
        let mut second: Imitator<'_, MoveModel> =
            Imitator::new(SETTINGS, &games).resumed(&state).unwrap();
        second.pass(&mut |_, _| {});
        assert_eq!(second.to_bytes(), whole.to_bytes());
        let cut = &state[..state.len() - 1];
        assert!(Imitator::<'_, MoveModel>::new(SETTINGS, &games).resumed(cut).is_none());
    });
}

#[test]
fn features_that_are_left_out_stay_without_weights() {
    let games = games();
    pool(2).unwrap().install(|| {
        let group = Group::Exchange.range();
        let mut whole: Imitator<'_, MoveModel> = Imitator::new(SETTINGS, &games);
        let mut less = Imitator::<'_, MoveModel>::new(SETTINGS, &games).without(group.clone());
        whole.pass(&mut |_, _| {});
        less.pass(&mut |_, _| {});
        let has_weights =
            |model: &MoveModel| model.numbers().skip(group.start).take(group.len()).any(|w| w != 0);
        assert!(has_weights(&whole.best_model()) && !has_weights(&less.best_model()));
        assert!(less.best_model().numbers().any(|number| number != 0));
    });
}
