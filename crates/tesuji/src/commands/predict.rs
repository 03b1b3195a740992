//! `tesuji predict`: how often an evaluation, looking one move ahead, plays the master's move.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::{ArgGroup, Args};
use serde_json::{Value, json};
use tesuji_eval::Weights;
use tesuji_learn::{Dataset, MoveClass, MoveOrder, Prediction, pool};

use crate::lab::source::DataArgs;
use crate::{output, weights};

/// Measure how often the best-scored move is the master's.
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("data").required(true).multiple(true).args(["positions", "games"]),
    after_help = "Examples:
  tesuji predict --weights published --positions positions.tsv
  tesuji predict --weights best.toml --games games.tsv --per-game 2 --seed 7 --json"
)]
pub struct PredictArgs {
    /// A weights file, or the name of weights that come with the program: published, evolved,
    /// predictor or extended.
    #[arg(long, value_name = "FILE|NAME")]
    weights: String,
    /// The feature set that the weights must be for; they know their own.
    #[arg(long, value_name = "SET")]
    features: Option<String>,
    #[command(flatten)]
    data: DataArgs,
    /// The seed by which they are chosen.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many threads to use; as many as the machine has for 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Measures and prints.
pub fn run(args: &PredictArgs) -> Result<ExitCode> {
    let weights = weights::load(&args.weights)?;
    if let Some(features) = &args.features {
        let found = weights.set().name();
        ensure!(found == features, "{}: weights for {found}, not {features}", args.weights);
    }
    let samples = args.data.source(args.seed).load()?;
    let started = Instant::now();
    let (data, prediction) = pool(args.threads)?.install(|| {
        let data = Dataset::build(weights.set(), &samples, MoveOrder::Thesis);
        let prediction = Prediction::new(&data, weights.values());
        (data, prediction)
    });
    if args.json {
        output::print_json(&report(args, &weights, &data, &prediction, started))?;
    } else {
        output::print(&text(&prediction))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn report(
    args: &PredictArgs,
    weights: &Weights,
    data: &Dataset,
    prediction: &Prediction,
    started: Instant,
) -> Value {
    let kinds: serde_json::Map<String, Value> = MoveClass::ALL
        .into_iter()
        .map(|class| {
            let i = class.index();
            let confusion: serde_json::Map<String, Value> = MoveClass::ALL
                .into_iter()
                .map(|chosen| {
                    (chosen.name().to_owned(), prediction.confusion[i][chosen.index()].into())
                })
                .collect();
            let kind = json!({
                "of": prediction.of_class[i],
                "correct": prediction.correct_of_class[i],
                "chosen": prediction.chosen[i],
                "chosen_instead": confusion,
            });
            (class.name().to_owned(), kind)
        })
        .collect();
    json!({
        "correct": prediction.correct,
        "of": prediction.of,
        "accuracy": prediction.accuracy(),
        "resulting_positions": prediction.resulting_positions,
        "illegal_rows": prediction.illegal_rows,
        "kinds": kinds,
        "top": { "1": prediction.correct, "5": prediction.top_5, "10": prediction.top_10 },
        "tied": prediction.tied,
        "master_among_best": prediction.among_best,
        "master_uniquely_best": prediction.uniquely_best,
        "weights": args.weights,
        "feature_set": weights.set().id(),
        "seconds": {
            "legal_moves": data.times().legal_moves.as_secs_f64(),
            "features": data.times().features.as_secs_f64(),
            "total": started.elapsed().as_secs_f64(),
        },
    })
}

fn text(prediction: &Prediction) -> String {
    let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
    let Prediction { correct, of, top_5, top_10, .. } = *prediction;
    let mut text = format!("{correct} of {of} correct ({:.2} %)\n", share(correct, of));
    for class in MoveClass::ALL {
        let i = class.index();
        let (correct, of) = (prediction.correct_of_class[i], prediction.of_class[i]);
        let chosen = prediction.chosen[i];
        text += &format!("  {:<9} {correct} of {of}, chosen {chosen} times\n", class.name());
    }
    text += &format!("first 5: {:.1} %, first 10: {:.1} %\n", share(top_5, of), share(top_10, of));
    text += &format!(
        "{} resulting positions, {} rows with an illegal move, {} ties\n",
        prediction.resulting_positions, prediction.illegal_rows, prediction.tied
    );
    text
}
