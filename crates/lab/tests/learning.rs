//! Tiny experiments through the public interface, without the program.

use std::fs;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tesuji_eval::{PositionModel, Weights};
use tesuji_lab::data::Source;
use tesuji_lab::evolve::{self, EvolvePlan, Learner, Start};
use tesuji_lab::mentor::{self, MentorPlan};
use tesuji_lab::predict::{self, PredictPlan};
use tesuji_lab::train::{self, ModelSettings, TrainPlan};
use tesuji_learn::ga::{Batch, Parameters};
use tesuji_learn::imitation::Imitation;
use tesuji_learn::{Scorer, Weighting};
use tesuji_records::collection::Part;
use tesuji_records::stream::Input;
use tesuji_run::jobs::Executor;
use tesuji_run::{Context, Observer, Plan, Progress, RunFolder, Silent, plan};

const SILENT: Context<'static> = Context { threads: 2, observer: &Silent };

/// Some of the games that come with the program, in a file of this folder.
fn games(folder: &Path, count: usize) -> PathBuf {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/games.tsv.zst");
    let (_, games) = Input::File(sample).open(None).unwrap();
    let lines: Vec<String> = games.lines().take(count + 1).map(Result::unwrap).collect();
    let path = folder.join("games.tsv");
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    path
}

fn evolve_plan(games: &Path) -> EvolvePlan {
    EvolvePlan {
        data: Source::of_games(games, 2, 3),
        only: None,
        test: None,
        unseen_test: false,
        features: "paper".into(),
        learner: Learner::Genetic,
        weighting: Weighting::Equal,
        experts: false,
        l2: 1e-4,
        runs: 2,
        seed: 3,
        start: Start::Random,
        folds: 2,
        polish: true,
        draw: 0,
        parameters: Parameters { population: 10, generations: 5, ..Parameters::default() },
    }
}

fn begin<P: Plan>(folder: &Path, plan: &P) -> RunFolder {
    let copy = serde_json::from_value(serde_json::to_value(plan).unwrap());
    plan::open::<P>(None, folder, &Silent, || Ok(copy?)).unwrap().0
}

/// Counts what it is told.
#[derive(Default)]
struct Watcher(Mutex<Vec<String>>);

struct Watched<'a>(&'a Watcher);

impl Observer for Watcher {
    fn begin(&self, total: u64, unit: &str) -> Box<dyn Progress + '_> {
        self.note(&format!("{total} {unit}"));
        Box::new(Watched(self))
    }

    fn note(&self, line: &str) {
        self.0.lock().unwrap().push(line.to_owned());
    }
}

impl Progress for Watched<'_> {
    fn update(&mut self, _: u64, message: &dyn Fn() -> String) {
        assert!(!message().is_empty());
    }

    fn note(&self, line: &str) {
        self.0.note(line);
    }
}

/// Of many positions some are learned from, and winners are counted on all.
#[test]
fn winners_on_drawn_positions_are_counted_on_all() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path(), 30);
    let whole = EvolvePlan { folds: 0, polish: false, ..evolve_plan(&games) };
    let batch = Some(Batch { positions: 15, generations: 2 });
    let parameters = Parameters { batch, ..whole.parameters.clone() };
    let plan = EvolvePlan { draw: 20, parameters, ..whole.clone() };
    let outcome = evolve::carry_out(&plan, None, &SILENT).unwrap();
    assert_eq!((outcome.positions, outcome.data.len(), outcome.samples.len()), (60, 20, 20));
    let all = evolve::carry_out(&whole, None, &SILENT).unwrap();
    assert!(all.counted.is_none());
    let weights: Vec<Vec<i32>> =
        outcome.winners.iter().map(|winner| winner.weights.clone()).collect();
    let counted: Vec<u32> = outcome.winners.iter().map(|winner| winner.correct).collect();
    assert_eq!(counted, Scorer::new(&all.data).correct(&weights));
    let mean = outcome.mean.as_ref().unwrap();
    assert_eq!(
        mean.correct,
        Scorer::new(&all.data).correct(std::slice::from_ref(&mean.weights))[0]
    );
    assert_eq!(outcome.resulting_positions(), all.data.resulting_positions());
    // The same positions are drawn when a run goes on.
    let run = begin(folder.path(), &plan);
    let again = evolve::carry_out(&plan, Some(&run), &SILENT).unwrap();
    assert_eq!(again.winner().weights, outcome.winner().weights);
    assert_eq!(again.json(&run)["drawn"]["positions"], 20);
    again.write(&run).unwrap();
    let page = fs::read_to_string(run.report_path()).unwrap();
    assert!(page.contains("counting on all") && again.text(&run).contains("drawn to learn from"));
    // Fits take all.
    let fit = EvolvePlan { learner: Learner::Likelihood, runs: 1, ..plan };
    assert_eq!(evolve::carry_out(&fit, None, &SILENT).unwrap().data.len(), 60);
}

#[test]
fn an_evolution_is_carried_out_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let plan = evolve_plan(&games(folder.path(), 20));
    let run = begin(folder.path(), &plan);
    let watcher = Watcher::default();
    let outcome =
        evolve::carry_out(&plan, Some(&run), &Context { threads: 1, observer: &watcher }).unwrap();
    assert_eq!(watcher.0.into_inner().unwrap(), ["10 generations", "2 folds", "2 steps"]);
    assert_eq!((outcome.data.len(), outcome.winners.len(), outcome.folds.len()), (40, 2, 2));
    outcome.write(&run).unwrap();
    let weights = Weights::load(&run.file("weights.toml").display().to_string()).unwrap();
    let polished = outcome.polished.as_ref().unwrap();
    assert_eq!(weights.values(), polished.weights);
    assert!(polished.held_out.chosen() >= polished.held_out.run);
    assert!(fs::read_to_string(run.report_path()).unwrap().contains("</html>"));
    assert!(outcome.text(&run).contains("report"));
    let path = run.path().to_owned();
    drop(run);

    // A folder that is opened again has it all, and whoever has none finds the same.
    let (run, again): (RunFolder, EvolvePlan) =
        plan::open(Some(&path), folder.path(), &Silent, || panic!("it is there")).unwrap();
    assert_eq!(again, plan);
    let resumed = evolve::carry_out(&again, Some(&run), &SILENT).unwrap();
    let alone = evolve::carry_out(&plan, None, &SILENT).unwrap();
    for other in [&resumed, &alone] {
        assert_eq!(other.winner().weights, outcome.winner().weights);
        assert_eq!(other.held_out(), outcome.held_out());
    }
}

#[test]
fn a_training_is_carried_out_and_its_model_predicts() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path(), 120);
    let settings = Imitation { passes: 1, seed: 1, ..Imitation::OF_POSITIONS };
    let plan = TrainPlan {
        games: vec![games.clone()],
        leave_out: Vec::new(),
        start: None,
        task: ModelSettings::Static(settings),
    };
    let run = begin(folder.path(), &plan);
    let outcome = train::carry_out(&plan, &run, &SILENT).unwrap();
    outcome.write(&run).unwrap();
    let model = run.file("static.bin");
    assert_eq!(fs::read(&model).unwrap(), outcome.model());
    assert!(PositionModel::parse(outcome.model()).is_ok());
    let again = train::carry_out(&plan, &run, &SILENT).unwrap();
    assert_eq!(again.model(), outcome.model());

    let measured = PredictPlan {
        model: model.display().to_string(),
        features: None,
        positions: None,
        games: vec![games],
        part: Some(Part::Test),
        from_ply: None,
        per_game: None,
        both_sides: false,
        seed: 1,
        leave_out: Vec::new(),
    };
    let found = predict::carry_out(&measured, &SILENT).unwrap();
    let report = outcome.json(&run);
    assert_eq!(report["best"]["test"]["of"], found.prediction.of);
    assert_eq!(report["best"]["test"]["correct"], found.prediction.correct);
    assert_eq!(found.json()["correct"], found.prediction.correct);
}

#[test]
fn a_mentor_is_imitated_and_scores_the_same_on_another_machine() {
    let folder = tempfile::tempdir().unwrap();
    let plan = MentorPlan {
        data: Source::of_games(&games(folder.path(), 10), 2, 5),
        test: None,
        features: "paper".into(),
        mentor: "tesuji:eval=material,hash=1".parse().unwrap(),
        depth: 1,
        drawn: 6,
        seed: 5,
        parameters: Parameters {
            population: 10,
            generations: 4,
            ..tesuji_learn::mentor::parameters()
        },
    };
    let run = begin(folder.path(), &plan);
    assert!(mentor::is_run(run.path()));
    let outcome = mentor::carry_out(&plan, &run, &SILENT).unwrap();
    outcome.write(&run).unwrap();
    let report = outcome.json(&run);
    assert_eq!(report["mentor"], "tesuji:eval=material,hash=1");
    assert_eq!(report["generations"].as_array().unwrap().len(), 4);

    let positions: Vec<String> = plan
        .positions(&Silent)
        .unwrap()
        .concat()
        .iter()
        .map(tesuji_shogi::Position::to_sfen)
        .collect();
    let scores = |executor: Executor| {
        let mut all = Vec::new();
        let done = executor.run(&plan.scoring(), &positions, |scores| {
            all.extend(scores);
            Ok(ControlFlow::Continue(()))
        });
        done.unwrap();
        all
    };
    let here = scores(Executor::threads(1));
    assert_eq!(here.len(), 20);
    assert_eq!(scores(Executor::as_text(2)), here);
}
