//! Games as jobs: the same games on one thread, and on two that are told everything as text.

use std::ops::ControlFlow;
use std::time::Duration;

use tesuji_arena::openings::{MadeOpenings, Openings};
use tesuji_arena::player::Variety;
use tesuji_arena::schedule::{Order, PairingSystem};
use tesuji_arena::tasks::{PairingJob, PlayGames, PlayPairings};
use tesuji_arena::{EngineSpec, Fixture, Schedule, Terms, TimeControl};
use tesuji_eval::Weights;
use tesuji_run::jobs::{Executor, Task};
use tesuji_search::spec::{EvaluationSpec, SearchSpec, Setting};
use tesuji_shogi::{Game, Rules};

fn terms() -> Terms {
    Terms {
        rules: Rules { max_moves: Some(24), ..Rules::default() },
        resign: None,
        draw: None,
        margin: Duration::from_millis(500),
        patience: Duration::from_secs(60),
    }
}

fn outputs<T: Task>(executor: Executor, task: &T, jobs: &[T::Job]) -> Vec<T::Output> {
    let mut all = Vec::new();
    let done = executor.run(task, jobs, |outputs| {
        all.extend(outputs);
        Ok(ControlFlow::Continue(()))
    });
    done.unwrap();
    all
}

fn games(engines: &[&str], selfplay: Option<Variety>) -> PlayGames {
    PlayGames {
        engines: engines.iter().map(|text| text.parse().unwrap()).collect::<Vec<EngineSpec>>(),
        control: TimeControl::nodes(60),
        terms: terms(),
        openings: Openings::Given(
            ["startpos moves 7g7f 3c3d", "startpos moves 2g2f 8c8d"]
                .map(|game| Game::from_usi(game).unwrap())
                .to_vec(),
        ),
        seed: 0,
        selfplay,
    }
}

#[test]
fn games_are_the_same_on_another_machine() {
    let engines = ["tesuji:eval=material", "tesuji:eval=material,null_move=0,nodes=40"];
    let task = games(&engines, None);
    let order = (Order::Sequential, 0);
    let schedule = Schedule::new(2, PairingSystem::RoundRobin, 2, order, 4);
    let fixtures: Vec<Fixture> = (0..4).map(|number| schedule.fixture(number)).collect();
    let here = outputs(Executor::threads(1), &task, &fixtures);
    assert_eq!(here.len(), 4);
    assert!(here.iter().all(|line| line.fault.is_none() && line.ms.is_empty()));
    assert_eq!(outputs(Executor::as_text(2), &task, &fixtures), here);
}

#[test]
fn self_play_is_the_same_on_another_machine() {
    let variety = Variety { seed: 5, random_plies: 2, temperature: 50.0, temperature_plies: 20 };
    let task = games(&["tesuji:eval=material"], Some(variety));
    let schedule = Schedule::alone(1, (Order::Sequential, 0), 3);
    let fixtures: Vec<Fixture> = (0..3).map(|number| schedule.fixture(number)).collect();
    let here = outputs(Executor::threads(1), &task, &fixtures);
    assert_ne!(here[0].position, here[1].position);
    assert_eq!(outputs(Executor::as_text(2), &task, &fixtures), here);
}

#[test]
fn a_game_that_cannot_be_played_is_an_error() {
    let task = games(&["tesuji:eval=material"], None);
    let fixture = Fixture { number: 0, opening: 0, black: 0, white: 1 };
    let wrong = Executor::threads(1).run(&task, &[fixture], |_| Ok(ControlFlow::Continue(())));
    assert_eq!(wrong.unwrap_err().to_string(), "game 1: no such engines: 0, 1");
}

#[test]
fn pairings_are_the_same_on_another_machine() {
    let task = PlayPairings {
        control: TimeControl::nodes(40),
        terms: terms(),
        openings: Openings::Made(MadeOpenings::new(1, 4)),
        racing: true,
    };
    let plain = SearchSpec {
        evaluation: Some(EvaluationSpec::named("material")),
        hash: Some(1),
        ..SearchSpec::default()
    };
    let other = plain.with([Setting { name: "null_move".into(), value: 0 }]);
    let weights = Weights::named("evolved").unwrap().to_text();
    let organism =
        SearchSpec { evaluation: Some(EvaluationSpec::Weights(weights)), ..plain.clone() };
    let pairings = [
        PairingJob { engines: [plain.clone(), other], openings: vec![0, 1], number: 0 },
        PairingJob { engines: [organism, plain], openings: vec![1, 3], number: 4 },
    ];
    let half_points = |executor| -> Vec<Vec<u32>> {
        let results = outputs(executor, &task, &pairings);
        results.into_iter().map(|result| result.half_points).collect()
    };
    let here = half_points(Executor::threads(1));
    assert!(here.iter().all(|games| (3..=4).contains(&games.len())), "{here:?}");
    assert_eq!(half_points(Executor::as_text(2)), here);
}
