//! Prediction accuracy: how often an evaluation that looks one move ahead, or a model of moves,
//! finds the master's move (top 1, top 5, top 10).

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_eval::{Model, Predictor};
use tesuji_learn::games::part_of;
use tesuji_learn::imitation::MoveExample;
use tesuji_learn::{MoveClass, Prediction, pool, predict};
use tesuji_records::collection::Part;
use tesuji_records::{GameRecord, Sampler};
use tesuji_run::{Context, Observer, Progress};

use crate::data::positions::{self, for_each_game};

/// The first move of a game that counts, unless another is named: before it there is a book.
const FROM_PLY: u16 = 10;
/// Positions that are worked on together.
const BATCH: usize = 8192;

/// What is measured, and with which positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PredictPlan {
    /// A file of weights, piece tables or a model of moves, or the name of one that comes with the
    /// program.
    pub model: String,
    /// The feature set that weights must be for.
    pub features: Option<String>,
    /// A table of positions with the master's moves.
    pub positions: Option<PathBuf>,
    /// Files of games.
    pub games: Vec<PathBuf>,
    /// Only the games that training with the same seed learns from, or holds out.
    pub part: Option<Part>,
    /// The first move that counts: 10 in games, any in a table of positions.
    pub from_ply: Option<u16>,
    /// Positions of each game; all if not given.
    pub per_game: Option<usize>,
    /// Are they of both sides, not of the winner alone?
    pub both_sides: bool,
    /// By which they are chosen, and by which games are divided.
    pub seed: u64,
    /// Files of games whose positions do not count.
    pub leave_out: Vec<PathBuf>,
}

/// What a prediction found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PredictOutcome {
    /// How many moves were found.
    pub prediction: Prediction,
    /// Positions that did not count because they were left out.
    pub left_out: usize,
    /// The model, as the plan names it.
    pub model: String,
    /// The id of its feature set.
    pub feature_set: String,
    /// How long it took.
    pub seconds: f64,
}

/// Carries out a plan.
pub fn carry_out(plan: &PredictPlan, context: &Context<'_>) -> Result<PredictOutcome> {
    let started = Instant::now();
    let predictor = Predictor::load(&plan.model)?;
    if let Some(features) = &plan.features {
        check_features(&plan.model, &predictor, features)?;
    }
    let observer = context.observer;
    let mut measuring = Measuring {
        predictor: &predictor,
        left_out: known_positions(&plan.leave_out, observer)?,
        batch: Vec::new(),
        prediction: Prediction::default(),
        skipped: 0,
        progress: observer.begin(0, ""),
    };
    let pool = pool(context.threads)?;
    if let Some(path) = &plan.positions {
        for example in positions::read_table(path)?.iter().filter_map(MoveExample::alone) {
            if plan.from_ply.is_none_or(|ply| example.position.ply() >= ply) {
                measuring.add(example, &pool);
            }
        }
    }
    let mut numbers = 0..;
    for_each_game(&plan.games, observer, |game| {
        let number = numbers.next().unwrap_or_default();
        if plan.part.is_some_and(|part| part != part_of(game, plan.seed)) {
            return;
        }
        for sample in samples_of(plan, game, number) {
            measuring.add(sample, &pool);
        }
    })?;
    let (prediction, left_out) = measuring.finish(&pool);
    ensure!(prediction.of > 0, "no positions to measure with");
    Ok(PredictOutcome {
        prediction,
        left_out,
        model: plan.model.clone(),
        feature_set: predictor.feature_set_id(),
        seconds: started.elapsed().as_secs_f64(),
    })
}

fn check_features(model: &str, predictor: &Predictor, features: &str) -> Result<()> {
    let found = match predictor {
        Predictor::Evaluation(Model::Features(weights)) => weights.set().name().to_owned(),
        other => other.feature_set_id(),
    };
    ensure!(found == features, "{model}: weights for {found}, not {features}");
    Ok(())
}

/// A measurement under way.
struct Measuring<'a> {
    predictor: &'a Predictor,
    /// Positions that do not count.
    left_out: HashSet<u64>,
    batch: Vec<MoveExample>,
    prediction: Prediction,
    skipped: usize,
    progress: Box<dyn Progress + 'a>,
}

impl Measuring<'_> {
    fn add(&mut self, sample: MoveExample, pool: &rayon::ThreadPool) {
        if self.left_out.contains(&sample.position.key()) {
            self.skipped += 1;
            return;
        }
        self.batch.push(sample);
        if self.batch.len() == BATCH {
            self.work(pool);
        }
    }

    fn work(&mut self, pool: &rayon::ThreadPool) {
        let batch = std::mem::take(&mut self.batch);
        self.prediction.merge(&pool.install(|| predict(self.predictor, &batch)));
        let Prediction { of, correct, .. } = self.prediction;
        self.progress.update(of as u64, &|| format!("{of} positions, {correct} correct"));
    }

    fn finish(mut self, pool: &rayon::ThreadPool) -> (Prediction, usize) {
        self.work(pool);
        (self.prediction, self.skipped)
    }
}

/// All positions of games.
fn known_positions(paths: &[PathBuf], observer: &dyn Observer) -> Result<HashSet<u64>> {
    let mut keys = HashSet::new();
    for_each_game(paths, observer, |game| {
        keys.extend(game.positions().map(|(position, _)| position.key()));
    })?;
    Ok(keys)
}

/// The positions of a game that count.
fn samples_of(plan: &PredictPlan, game: &GameRecord, number: u64) -> Vec<MoveExample> {
    let from_ply = plan.from_ply.unwrap_or(FROM_PLY);
    let chosen: Option<HashSet<u16>> = plan.per_game.map(|per_game| {
        let sampler = Sampler {
            per_game,
            seed: plan.seed,
            winner_only: !plan.both_sides,
            skip_first: from_ply.saturating_sub(game.start.ply()),
        };
        sampler.choose(game, number).iter().map(|sample| sample.position.ply()).collect()
    });
    let counts = |sample: &MoveExample| {
        let ply = sample.position.ply();
        chosen.as_ref().map_or(ply >= from_ply, |chosen| chosen.contains(&ply))
    };
    MoveExample::of_game(game.positions()).filter(counts).collect()
}

impl PredictOutcome {
    /// Everything as JSON.
    pub fn json(&self) -> Value {
        let prediction = &self.prediction;
        let kinds: serde_json::Map<String, Value> = MoveClass::ALL
            .into_iter()
            .map(|class| (class.name().to_owned(), kind_report(prediction, class)))
            .collect();
        json!({
            "correct": prediction.correct,
            "of": prediction.of,
            "top1": prediction.accuracy(),
            "top5": prediction.top5(),
            "top10": prediction.top10(),
            "positions": prediction.of,
            "left_out": self.left_out,
            "resulting_positions": prediction.resulting_positions,
            "illegal_rows": prediction.illegal_rows,
            "kinds": kinds,
            "top": { "1": prediction.correct, "5": prediction.top_5, "10": prediction.top_10 },
            "tied": prediction.tied,
            "master_among_best": prediction.among_best,
            "master_uniquely_best": prediction.uniquely_best,
            "model": self.model,
            "feature_set": self.feature_set,
            "seconds": self.seconds,
        })
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self) -> String {
        let prediction = &self.prediction;
        let Prediction { correct, of, .. } = *prediction;
        let mut text =
            format!("{correct} of {of} correct ({:.2} %)\n", 100.0 * prediction.accuracy());
        for class in MoveClass::ALL {
            let i = class.index();
            let (correct, of) = (prediction.correct_of_class[i], prediction.of_class[i]);
            let (share, chosen) = (100.0 * prediction.accuracy_of(class), prediction.chosen[i]);
            text += &format!(
                "  {:<9} {correct} of {of} ({share:.2} %), chosen {chosen} times\n",
                class.name()
            );
        }
        text += &format!(
            "first 5: {:.1} %, first 10: {:.1} %\n",
            100.0 * prediction.top5(),
            100.0 * prediction.top10()
        );
        text += &format!(
            "{} resulting positions, {} rows with an illegal move, {} ties\n",
            prediction.resulting_positions, prediction.illegal_rows, prediction.tied
        );
        text
    }
}

/// How moves of one kind were predicted.
fn kind_report(prediction: &Prediction, class: MoveClass) -> Value {
    let i = class.index();
    let confusion: serde_json::Map<String, Value> = MoveClass::ALL
        .into_iter()
        .map(|chosen| (chosen.name().to_owned(), prediction.confusion[i][chosen.index()].into()))
        .collect();
    json!({
        "of": prediction.of_class[i],
        "correct": prediction.correct_of_class[i],
        "top1": prediction.accuracy_of(class),
        "chosen": prediction.chosen[i],
        "chosen_instead": confusion,
    })
}
