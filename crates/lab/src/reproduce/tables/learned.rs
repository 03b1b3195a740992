//! Models that are learned here, all from the same games: what each step wins, and what more games
//! win.

use std::path::Path;
use std::time::Instant;
use tesuji_records::Sample;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tesuji_eval::{FeatureSet, Model, MoveModel, PieceTables, PositionModel, Predictor, Weights};
use tesuji_learn::imitation::{Chooser, Imitation, Imitator, MoveExample};
use tesuji_learn::logit::fit;
use tesuji_learn::tables::TableTrainer;
use tesuji_learn::{Dataset, MoveOrder, Prediction, predict, predict_as};
use tesuji_math::Random;

use super::corpus::{Corpus, TestResults};
use super::settings::{SEED, TablesPlan};
use crate::data::features::Features;
use tesuji_run::{Context, kept};

/// Fitted weights are rounded to whole numbers, the largest of them this one.
const LARGEST: i32 = 4000;
/// Games that were learned from and are measured with as well, at most.
const MEASURED_LEARNED: usize = 200;

/// What is learned, from the simplest: each step knows what the one before does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Weights of a set of named features.
    Features(&'static str),
    /// Piece tables, by comparison of moves after quiescence.
    Tables,
    /// A model of the positions after each move.
    Positions,
    /// A model of moves.
    Moves,
}

impl Step {
    pub const ALL: [Self; 5] = [
        Self::Features("paper"),
        Self::Features("extended"),
        Self::Tables,
        Self::Positions,
        Self::Moves,
    ];

    /// The name of files, and in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Features(set) => set,
            Self::Tables => "tables",
            Self::Positions => "static",
            Self::Moves => "move",
        }
    }

    /// What it is.
    pub fn title(self) -> String {
        match self {
            Self::Features(set) => {
                let count = FeatureSet::named(set).map_or(0, |set| set.len());
                format!("{count} features ({set}), fitted")
            }
            Self::Tables => "tables of pieces and pairs".into(),
            Self::Positions => "model of positions".into(),
            Self::Moves => "model of moves".into(),
        }
    }

    fn learn(self, plan: &TablesPlan, corpus: &mut Corpus, games: usize) -> Result<Learned> {
        match self {
            Self::Features(set) => fitted(plan, corpus, games, set),
            Self::Tables => compared(plan, corpus, games),
            Self::Positions => imitated::<PositionModel>(plan.positions_model, corpus, games),
            Self::Moves => imitated::<MoveModel>(plan.imitation, corpus, games),
        }
    }
}

/// What was learned from so many games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Learned {
    pub games: usize,
    /// Positions in a pass over them.
    pub positions: usize,
    /// On games that were learned from.
    pub train: Prediction,
    /// On the test sets.
    pub grades: TestResults,
    /// Shares of moves that are best after quiescence, while learning and on held-out games.
    pub quiet: Option<[f64; 2]>,
}

impl Learned {
    /// Measures a model that chooses as `predict` says.
    fn measured(
        corpus: &Corpus,
        (games, positions): (usize, usize),
        mut predict: impl FnMut(&[MoveExample]) -> Prediction,
    ) -> Self {
        let train = corpus.measure_learned(games.min(MEASURED_LEARNED), &mut predict);
        let grades = corpus.measure(predict);
        Self { games, positions, train, grades, quiet: None }
    }
}

/// Every step, learned from each number of games.
pub fn learn(
    plan: &TablesPlan,
    corpus: &mut Corpus,
    out: &Path,
    context: &Context<'_>,
) -> Result<Vec<(Step, Vec<Learned>)>> {
    let sizes = corpus.sizes(&plan.sizes.curve);
    let mut steps = Vec::new();
    for step in Step::ALL {
        let mut points = Vec::new();
        for &games in &sizes {
            let path = out.join("learned").join(format!("{}-{games}.json", step.name()));
            points.push(kept::or_made(&path, || {
                let started = Instant::now();
                let learned = step.learn(plan, corpus, games)?;
                context.observer.note(&format!(
                    "{} from {games} games: {:.2} % of unseen moves, {:.0} s",
                    step.name(),
                    100.0 * learned.grades.games.all.accuracy(),
                    started.elapsed().as_secs_f64()
                ));
                Ok(learned)
            })?);
        }
        steps.push((step, points));
    }
    Ok(steps)
}

/// Some random positions of each of the first games.
pub fn positions(plan: &TablesPlan, corpus: &Corpus, games: usize) -> Vec<Sample> {
    let mut chosen = Vec::new();
    for (number, mut samples) in (0..).zip(corpus.learned(games)) {
        Random::new(Random::derived_seed(SEED, number)).shuffle(&mut samples);
        samples.truncate(plan.sizes.per_game);
        chosen.extend(samples.iter().map(|sample| Sample::new(sample.position, sample.played)));
    }
    chosen
}

/// Weights under which the moves that were played are most likely.
pub fn fitted_weights(plan: &TablesPlan, data: &Dataset) -> Vec<i32> {
    fit(data, &plan.fit).integers(LARGEST)
}

fn fitted(plan: &TablesPlan, corpus: &Corpus, games: usize, set: &str) -> Result<Learned> {
    let set = Features::load(set)?.set;
    let data = Dataset::build(&set, &positions(plan, corpus, games), MoveOrder::Thesis);
    let weights = Weights::new(set, fitted_weights(plan, &data))?;
    let size = (games, data.len());
    drop(data);
    let predictor = Predictor::Evaluation(Model::Features(weights));
    Ok(Learned::measured(corpus, size, |samples| predict(&predictor, samples)))
}

fn compared(plan: &TablesPlan, corpus: &mut Corpus, games: usize) -> Result<Learned> {
    let mut trainer =
        TableTrainer::<PieceTables>::new(plan.tables, corpus.first(games, usize::MAX), None);
    while !trainer.is_done() {
        trainer.pass(&mut |_, _| {})?;
    }
    let best = *trainer.best().context("no pass was made")?;
    let predictor = Predictor::Evaluation(Model::Tables(trainer.best_tables()?));
    let size = (games, corpus.learned(games).map(|samples| samples.len()).sum());
    let learned = Learned::measured(corpus, size, |samples| predict(&predictor, samples));
    Ok(Learned { quiet: Some([best.train.accuracy(), best.test.accuracy()]), ..learned })
}

fn imitated<M: Chooser>(settings: Imitation, corpus: &mut Corpus, games: usize) -> Result<Learned> {
    let mut trainer = Imitator::<M>::new(settings, corpus.first(games, usize::MAX));
    while !trainer.is_done() {
        trainer.pass(&mut |_, _| {});
    }
    let positions = trainer.history().first().context("no pass was made")?.train.prediction.of;
    let model = trainer.best_model();
    Ok(Learned::measured(corpus, (games, positions), |samples| predict_as(&model, samples)))
}
