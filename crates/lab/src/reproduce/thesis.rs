//! The thesis's experiments: its program with the published weights, its genetic algorithm on its
//! features and on ours, better algorithms, fits, drops alone, and what more positions bring.

mod curve;
mod figures;
mod page;
mod per_game;
mod price;
mod remedies;
mod variants;

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Serialize;
use serde_json::json;
use tesuji_eval::Weights;
use tesuji_learn::ga::{Mutation, Parameters, Selection};
use tesuji_learn::{Dataset, MoveClass, MoveOrder, Prediction, Weighting, pool};
use tesuji_records::Sample;

use super::{DataFolder, Reproduction};
use crate::ablation::{self, AblationPlan, Fitted, Removed};
use crate::data::source::Source;
use crate::evolve::page::pieces;
use crate::evolve::{self, EvolveOutcome, EvolvePlan, Learner, Start, held_out};
use tesuji_run::{Context, Observer, plan as folder};

/// An experiment: a plan of learning, and what tables call it.
struct Experiment {
    /// The name of its folder.
    id: &'static str,
    title: &'static str,
    plan: EvolvePlan,
}

/// What came out of an experiment.
#[derive(Serialize)]
struct Finding {
    id: &'static str,
    title: &'static str,
    features: usize,
    /// Positions solved by the winner of each run.
    correct: Vec<u32>,
    of: usize,
    /// Positions solved by the mean of the winners' weights.
    mean: Option<u32>,
    /// Held-out positions that were solved, of how many.
    held_out: Option<(u32, usize)>,
    /// The same of three experts with an arbiter, and what they solve of all.
    experts: Option<(usize, Option<(u32, usize)>)>,
    /// Positions of the test that the best winner solves, of how many.
    test: Option<(usize, usize)>,
    /// How well the best winner predicts.
    prediction: Prediction,
    seconds_of_features: f64,
    seconds_a_run: f64,
    /// Piece values as a table in Markdown.
    #[serde(skip)]
    pieces: String,
}

impl Finding {
    fn new(experiment: &Experiment, outcome: &EvolveOutcome) -> Self {
        let panel = outcome.experts.as_ref();
        Self {
            id: experiment.id,
            title: experiment.title,
            features: outcome.data.set().len(),
            correct: outcome.winners.iter().map(|winner| winner.correct).collect(),
            of: outcome.positions,
            mean: outcome.mean.as_ref().map(|mean| mean.correct),
            held_out: outcome.held_out(),
            experts: panel.map(|panel| (panel.prediction.correct, held_out(&panel.folds))),
            test: outcome.test_prediction.map(|test| (test.correct, test.of)),
            prediction: outcome.prediction,
            seconds_of_features: outcome.seconds.features,
            seconds_a_run: outcome.seconds.evolution / outcome.winners.len().max(1) as f64,
            pieces: tesuji_report::markdown::table(&pieces::table(outcome)),
        }
    }

    fn best(&self) -> u32 {
        self.correct.iter().copied().max().unwrap_or(0)
    }
}

/// The data of the thesis's experiments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ThesisPlan {
    /// All experiments.
    Whole {
        /// The thesis's training positions.
        positions: PathBuf,
        /// Professional games.
        games: PathBuf,
    },
    /// A few runs on positions of the games that come with the program.
    Quick,
}

impl ThesisPlan {
    /// The plan with the laboratory's data.
    pub fn new(data: &DataFolder) -> Result<Self> {
        let [positions, games] = ["cain_train.tsv", "pro_games.tsv"].map(|name| data.file(name));
        Ok(Self::Whole { positions: positions?, games: games? })
    }
}

/// Runs of the thesis's own algorithm: as many as it made.
const RUNS: u64 = 70;
/// Runs of every variant.
const VARIANT_RUNS: u64 = 10;
/// The same of a quick run, and the positions of each game.
const QUICK_RUNS: u64 = 2;
const QUICK_PER_GAME: usize = 2;

/// What the ten thousand numbers of the runs come down to, for the page.
#[derive(Default)]
struct Findings {
    all: Vec<Finding>,
    variants: Vec<variants::Varied>,
    remedies: Vec<remedies::Remedy>,
    /// Parts of the page that are made where the runs are at hand.
    weights: String,
    boards: String,
    seen: String,
    pictures: Vec<figures::PictureFile>,
}

/// Carries out all experiments, each step with its folder in `out`. Steps that are done there are
/// not done again.
pub fn carry_out(plan: &ThesisPlan, out: &Path, context: &Context<'_>) -> Result<Reproduction> {
    pool(context.threads)?.install(|| on_this_pool(plan, out, context))
}

fn on_this_pool(plan: &ThesisPlan, out: &Path, context: &Context<'_>) -> Result<Reproduction> {
    let observer = context.observer;
    let (data, games) = match plan {
        ThesisPlan::Whole { positions, games } => {
            (Source::of_positions(positions.clone()), Some(games))
        }
        ThesisPlan::Quick => (Source::new(None, Vec::new(), Some(QUICK_PER_GAME), false, 1), None),
    };
    let base = base_plan(data);
    let samples = base.positions(observer)?;
    let published = published(&base, observer)?;
    let mut all = experiments(&base);
    match games {
        Some(games) => all.extend(from_games(&base, games)),
        None => all = quick(all),
    }
    let mut findings = Findings::default();
    for experiment in all {
        observer.note(&format!("{}: {}", experiment.id, experiment.title));
        let run_folder = folder::step(&out.join(experiment.id), &experiment.plan)?;
        let outcome = evolve::carry_out(&experiment.plan, Some(&run_folder), context)?;
        findings.all.push(Finding::new(&experiment, &outcome));
        if experiment.id == "paper" {
            findings.draw(&outcome, &samples)?;
        }
    }
    observer.note("variants: readings, formulas, widths, longer runs, kinds, distances");
    let runs = if games.is_some() { VARIANT_RUNS } else { QUICK_RUNS };
    findings.variants = variants::compare(&samples, runs, games.is_some(), out, observer)?;
    let Some(games) = games else {
        let page = page::quick(&published, &findings);
        let numbers = json!({ "experiments": findings.all, "variants": findings.variants });
        return Ok(Reproduction { page, pictures: findings.pictures, numbers });
    };
    observer.note("what helps on positions that nobody has seen");
    findings.remedies = remedies::compare(&base, &samples, out, observer)?;
    observer.note("what single features are worth");
    let plan = ablation_plan(&base);
    let run_folder = folder::step(&out.join("ablation"), &plan)?;
    let ablation = ablation::carry_out(&plan, &run_folder, context)?;
    observer.note("variants of the genetic algorithm at the same price");
    let prices = price::compare_variants(&base, out, observer)?;
    observer.note("several positions of a game");
    let per_game = per_game::compare_counts(&base, games, out, observer)?;
    observer.note("what more positions bring");
    let curve = curve::learn(&base, games, out, observer)?;
    let page = page::page(&published, &findings, &ablation, &prices, &per_game, &curve);
    let numbers = json!({
        "published": published,
        "experiments": findings.all,
        "variants": findings.variants,
        "remedies": findings.remedies,
        "ablation": ablation.json(&run_folder),
        "same_price": prices,
        "positions_per_game": per_game,
        "learning_curve": curve,
    });
    Ok(Reproduction { page, pictures: findings.pictures, numbers })
}

impl Findings {
    /// Makes the figures and the long tables of the thesis's own runs.
    fn draw(&mut self, outcome: &EvolveOutcome, samples: &[Sample]) -> Result<()> {
        self.pictures.push(figures::course(outcome));
        self.weights = figures::all_weights(outcome);
        let (text, mut pictures) = figures::boards(samples)?;
        self.boards = text;
        self.pictures.append(&mut pictures);
        self.seen = figures::seen_table(&figures::seen_by_ours(outcome, samples)?);
        Ok(())
    }
}

/// A few of the experiments, with few runs.
fn quick(all: Vec<Experiment>) -> Vec<Experiment> {
    let wanted = ["legacy", "paper", "paper-accuracy-signed"];
    let mut few: Vec<Experiment> =
        all.into_iter().filter(|experiment| wanted.contains(&experiment.id)).collect();
    for experiment in &mut few {
        experiment.plan.runs = experiment.plan.runs.min(3);
    }
    few
}

/// The published weights with the features of the thesis's program.
fn published(base: &EvolvePlan, observer: &dyn Observer) -> Result<Prediction> {
    let weights = Weights::named("published").ok_or_else(|| anyhow::anyhow!("no such weights"))?;
    let data = Dataset::build(weights.set(), &base.positions(observer)?, MoveOrder::Thesis);
    Ok(Prediction::new(&data, weights.values()))
}

/// The thesis's settings on its positions.
fn base_plan(data: Source) -> EvolvePlan {
    EvolvePlan {
        data,
        only: None,
        test: None,
        unseen_test: false,
        features: "paper".into(),
        learner: Learner::Genetic,
        weighting: Weighting::Equal,
        experts: false,
        l2: 1e-3,
        runs: 10,
        seed: 1,
        start: Start::Random,
        folds: 5,
        polish: false,
        draw: 0,
        parameters: Parameters::default(),
    }
}

/// Each of the thesis's features left out, and pairs of the strongest, three times with other folds.
fn ablation_plan(base: &EvolvePlan) -> AblationPlan {
    AblationPlan {
        data: base.data.clone(),
        features: base.features.clone(),
        by: Removed::Feature,
        names: Vec::new(),
        objective: Fitted::Likelihood,
        signed: true,
        l2: base.l2,
        folds: base.folds,
        repeats: 3,
        pairs: 10,
        seed: base.seed,
    }
}

/// The thesis's other reading of its mutation.
fn per_individual() -> Parameters {
    let mutation = Mutation::PerIndividual { rate: 0.005, bit: 0.05 };
    Parameters { mutation, ..Parameters::default() }
}

/// Everything that is compared, in the order of the table.
fn experiments(base: &EvolvePlan) -> Vec<Experiment> {
    let plan = |features: &str, parameters: Parameters, runs: u64| EvolvePlan {
        features: features.into(),
        parameters,
        runs,
        ..base.clone()
    };
    let fit = |features: &str, learner: Learner, signed: bool| EvolvePlan {
        learner,
        ..plan(features, Parameters { signed, ..Parameters::default() }, 1)
    };
    let experts = |plan: EvolvePlan| EvolvePlan { experts: true, ..plan };
    let drops = |plan: EvolvePlan| EvolvePlan { only: Some(MoveClass::Drop), ..plan };
    let thesis = Parameters::default;
    let strong = Parameters::strong;
    use Learner::{Accuracy, Likelihood};
    [
        ("legacy", "the thesis's program, its algorithm", plan("legacy", thesis(), RUNS)),
        (
            "legacy-individual",
            "the same, mutation per individual",
            plan("legacy", per_individual(), 10),
        ),
        ("paper", "its features as described, its algorithm", plan("paper", thesis(), RUNS)),
        (
            "paper-individual",
            "the same, mutation per individual",
            plan("paper", per_individual(), 10),
        ),
        ("paper-strong", "strong genetic algorithm, signed", plan("paper", strong(), 3)),
        ("paper-fit", "fit of the likelihood", fit("paper", Likelihood, false)),
        (
            "paper-fit-signed",
            "fit of the likelihood, signed",
            experts(fit("paper", Likelihood, true)),
        ),
        ("paper-accuracy", "fit of the accuracy", fit("paper", Accuracy, false)),
        ("paper-accuracy-signed", "fit of the accuracy, signed", fit("paper", Accuracy, true)),
        ("extended", "our features, the thesis's algorithm", plan("extended", thesis(), 3)),
        ("extended-strong", "strong genetic algorithm, signed", plan("extended", strong(), 3)),
        ("extended-fit", "fit of the likelihood", fit("extended", Likelihood, false)),
        (
            "extended-fit-signed",
            "fit of the likelihood, signed",
            experts(fit("extended", Likelihood, true)),
        ),
        ("drops", "drops only, the thesis's algorithm", drops(plan("paper", thesis(), RUNS))),
        (
            "drops-strong",
            "drops only, strong genetic algorithm, signed",
            drops(plan("paper", strong(), 3)),
        ),
        ("drops-extended", "drops only, our features", drops(plan("extended", thesis(), 3))),
        ("drops-extended-fit", "drops only, fit, signed", drops(fit("extended", Likelihood, true))),
    ]
    .map(|(id, title, plan)| Experiment { id, title, plan })
    .into()
}

/// Positions taken from each professional game, and the L2 regularisation of their fits, which is
/// weak: there are far more positions than weights.
const FROM_GAMES: usize = 30;
const FROM_GAMES_L2: f64 = 1e-6;

/// Learning from professional games, tried on the thesis's positions, which are left out of them.
fn from_games(base: &EvolvePlan, games: &Path) -> Vec<Experiment> {
    let plan = EvolvePlan {
        data: Source::of_games(games, FROM_GAMES, base.seed),
        test: Some(base.data.clone()),
        unseen_test: true,
        l2: FROM_GAMES_L2,
        runs: 1,
        folds: 0,
        parameters: Parameters { signed: true, ..Parameters::default() },
        ..base.clone()
    };
    let selection = Selection::Tournament { size: 4 };
    let parameters = Parameters { generations: 150, selection, ..plan.parameters.clone() };
    let evolved = EvolvePlan { start: Start::Fit, parameters, ..plan.clone() };
    [
        (
            "games-likelihood",
            "fit of the likelihood",
            EvolvePlan { learner: Learner::Likelihood, ..plan.clone() },
        ),
        (
            "games-accuracy",
            "fit of the accuracy",
            EvolvePlan { learner: Learner::Accuracy, ..plan },
        ),
        ("games-evolved", "genetic algorithm that begins near that fit", evolved),
    ]
    .map(|(id, title, plan)| Experiment { id, title, plan })
    .into()
}
