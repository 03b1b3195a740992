//! Small experiments through the public interface, as a page or a worker would carry them out.

use std::path::Path;
use std::sync::Mutex;

use tesuji_arena::{EngineSpec, TimeControl};
use tesuji_lab::coevolve::{self, CoevolvePlan};
use tesuji_lab::games::{Conditions, GamesSetup, MatchPlan, matches};
use tesuji_lab::pairings::PairingPlan;
use tesuji_learn::coevolution::Coevolution;
use tesuji_learn::ga::Parameters;
use tesuji_run::{Context, Observer, Progress, RunFolder, Silent, plan};

fn conditions(nodes: u64) -> Conditions {
    Conditions { max_moves: 40, ..Conditions::usual(TimeControl::nodes(nodes), 3) }
}

fn folder_of<P: plan::Plan + PartialEq>(path: &Path, plan: &P) -> RunFolder {
    plan::step(path, plan).unwrap()
}

/// Somebody who counts what is said.
#[derive(Default)]
struct Listener(Mutex<(u64, u64)>);

struct Heard<'a>(&'a Listener);

impl Observer for Listener {
    fn begin(&self, total: u64, _: &str) -> Box<dyn Progress + '_> {
        self.0.lock().unwrap().0 += total;
        Box::new(Heard(self))
    }

    fn note(&self, _: &str) {}
}

impl Progress for Heard<'_> {
    fn update(&mut self, done: u64, _: &dyn Fn() -> String) {
        self.0.0.lock().unwrap().1 = done;
    }

    fn note(&self, _: &str) {}
}

fn small_match(engines: [&str; 2]) -> MatchPlan {
    let engines = engines.map(|text| text.parse::<EngineSpec>().unwrap()).to_vec();
    let setup = GamesSetup { engines, conditions: conditions(60), games: 4 };
    MatchPlan { setup, sprt: None, games_file: None }
}

#[test]
fn a_match_is_the_same_for_any_number_of_threads() {
    let plan = small_match(["tesuji:eval=material,name=a", "tesuji:eval=material,null_move=0"]);
    assert_eq!(plan.setup.names(), ["a", "tesuji:eval=material,null_move=0"]);
    let parent = tempfile::tempdir().unwrap();
    let journals = [1, 2].map(|threads| {
        let listener = Listener::default();
        let folder = folder_of(&parent.path().join(threads.to_string()), &plan);
        let context = Context { threads, observer: &listener };
        let standing = matches::play(&plan, &folder, &context).unwrap();
        assert_eq!(standing.tally.games(), 4);
        assert_eq!(*listener.0.lock().unwrap(), (4, 4));
        let report = matches::report(&plan, &standing, &plan.setup.names());
        assert_eq!((&report["games"], &report["faults"]), (&4.into(), &0.into()));
        std::fs::read(folder.file("journal.jsonl")).unwrap()
    });
    assert_eq!(journals[0], journals[1]);
}

/// Weights whose path has a comma in it, and engines of the same name.
#[test]
fn a_path_may_have_a_comma() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("a, b.toml");
    let weights = tesuji_eval::Weights::named("evolved").unwrap();
    std::fs::write(&path, weights.to_text()).unwrap();
    let engine = format!("tesuji:eval=\"{}\",hash=1", path.display());
    let plan = small_match([&engine, &engine]);
    assert_eq!(plan.setup.names(), [engine.clone(), format!("{engine} (2)")]);
    let folder = folder_of(&parent.path().join("run"), &plan);
    assert!(folder.manifest().inputs.iter().any(|input| input.name.ends_with("a, b.toml")));
    let context = Context { threads: 1, observer: &Silent };
    assert_eq!(matches::play(&plan, &folder, &context).unwrap().tally.games(), 4);
}

#[test]
fn a_co_evolution_comes_to_the_same_winner() {
    let plan = CoevolvePlan {
        pairings: PairingPlan {
            conditions: conditions(30),
            games: 2,
            racing: true,
            pool: 4,
            match_games: 2,
        },
        from: vec!["evolved".into(), "coevolved".into()],
        parameters: Parameters {
            population: 3,
            generations: 2,
            elite: 1,
            ..Coevolution::parameters()
        },
        preset: "default".into(),
    };
    let parent = tempfile::tempdir().unwrap();
    let found = [1, 2].map(|threads| {
        let folder = folder_of(&parent.path().join(threads.to_string()), &plan);
        let outcome =
            coevolve::carry_out(&plan, &folder, &Context { threads, observer: &Silent }).unwrap();
        assert_eq!(outcome.verification.games(), 2);
        assert_eq!(outcome.evolved.rounds.len(), 2);
        assert!(folder.report_path().is_file());
        let read = |name| std::fs::read_to_string(folder.file(name)).unwrap();
        (outcome.json()["hash"].clone(), read("journal.jsonl"), read("weights.toml"))
    });
    assert_eq!(found[0], found[1]);
}
