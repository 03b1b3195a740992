//! `tesuji predict`: how often an evaluation that looks one move ahead, or a model of moves, finds the
//! master's move.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};
use serde_json::{Value, json};
use tesuji_eval::moves::Past;
use tesuji_eval::{Model, Predictor};
use tesuji_learn::games::part_of;
use tesuji_learn::imitation::Sample;
use tesuji_learn::{MoveClass, Prediction, pool, predict};
use tesuji_records::collection::Part;
use tesuji_records::{GameRecord, Sampler};

use crate::output;
use crate::progress::Progress;
use tesuji_lab::data::positions::{self, for_each_game};

/// The first move of a game that counts, unless another is named: before it there is a book.
const FROM_PLY: u16 = 10;
/// Positions that are worked on together.
const BATCH: usize = 8192;

/// Measure how often the best-scored move is the master's.
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("data").required(true).multiple(true).args(["positions", "games"]),
    after_help = "Examples:
  tesuji predict --model move --games games.tsv --part test
  tesuji predict --model static --positions positions.tsv --leave-out learned.tsv --json
  tesuji predict --weights best.toml --games games.tsv --per-game 2 --seed 7 --json"
)]
pub struct PredictArgs {
    /// A file of weights, piece tables or a model of moves, or the name of one that comes with the
    /// program: published, evolved, coevolved, pupil, predictor, extended, tables, static or move.
    #[arg(long, visible_alias = "weights", value_name = "FILE|NAME")]
    model: String,
    /// The feature set that weights must be for; they know their own.
    #[arg(long, value_name = "SET")]
    features: Option<String>,
    /// A table of positions with the master's moves.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Files of games: every move of both players counts.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Only the games that `train` with the same seed keeps apart (test), or learns from (train).
    #[arg(long, value_name = "PART", requires = "games", value_parser = part_parser())]
    part: Option<Part>,
    /// The first move that counts: 10 in games, any in a table of positions.
    #[arg(long, value_name = "N")]
    from_ply: Option<u16>,
    /// Take so many positions of the winner of each game, not all.
    #[arg(long, value_name = "N", requires = "games", value_parser = clap::value_parser!(u64).range(1..))]
    per_game: Option<u64>,
    /// Take them of both players, not of the winner alone; of draws too then.
    #[arg(long, requires = "per_game")]
    both_sides: bool,
    /// The seed by which they are chosen, and by which games are divided.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Leave out positions that occur in these files of games: those that were learned from.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    leave_out: Vec<PathBuf>,
    /// How many threads to use; as many as the machine has for 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Reads the name of a part of divided games.
fn part_parser() -> impl TypedValueParser<Value = Part> {
    const PARTS: [Part; 2] = [Part::Train, Part::Test];
    PossibleValuesParser::new(PARTS.map(Part::name)).try_map(|name| {
        PARTS.into_iter().find(|part| part.name() == name).ok_or("unknown part of the games")
    })
}

/// Measures and prints.
pub fn run(args: &PredictArgs) -> Result<ExitCode> {
    let predictor = Predictor::load(&args.model)?;
    if let Some(features) = &args.features {
        check_features(args, &predictor, features)?;
    }
    let started = Instant::now();
    let mut measuring = Measuring {
        predictor: &predictor,
        left_out: known_positions(&args.leave_out)?,
        batch: Vec::new(),
        prediction: Prediction::default(),
        skipped: 0,
        progress: Progress::new(0, "{spinner} {msg}  {elapsed}"),
    };
    let pool = pool(args.threads)?;
    if let Some(path) = &args.positions {
        for (position, played) in positions::read_table(path)? {
            let sample = Sample { position, past: Past::default(), played };
            if args.from_ply.is_none_or(|ply| position.ply() >= ply) {
                measuring.add(sample, &pool);
            }
        }
    }
    let mut numbers = 0..;
    for_each_game(&args.games, &crate::progress::Terminal, |game| {
        let number = numbers.next().unwrap_or_default();
        if args.part.is_some_and(|part| part != part_of(game, args.seed)) {
            return;
        }
        for sample in samples_of(args, game, number) {
            measuring.add(sample, &pool);
        }
    })?;
    let (prediction, skipped) = measuring.finish(&pool);
    ensure!(prediction.of > 0, "no positions to measure with");
    if args.json {
        output::print_json(&report(args, &predictor, &prediction, skipped, started))?;
    } else {
        output::print(&text(&prediction))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn check_features(args: &PredictArgs, predictor: &Predictor, features: &str) -> Result<()> {
    let found = match predictor {
        Predictor::Evaluation(Model::Features(weights)) => weights.set().name().to_owned(),
        other => other.feature_set_id(),
    };
    ensure!(found == features, "{}: weights for {found}, not {features}", args.model);
    Ok(())
}

/// A measurement under way.
struct Measuring<'a> {
    predictor: &'a Predictor,
    /// Positions that do not count.
    left_out: HashSet<u64>,
    batch: Vec<Sample>,
    prediction: Prediction,
    skipped: usize,
    progress: Progress,
}

impl Measuring<'_> {
    fn add(&mut self, sample: Sample, pool: &rayon::ThreadPool) {
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
fn known_positions(paths: &[PathBuf]) -> Result<HashSet<u64>> {
    let mut keys = HashSet::new();
    for_each_game(paths, &crate::progress::Terminal, |game| {
        keys.extend(game.positions().map(|(position, _)| position.key()))
    })?;
    Ok(keys)
}

/// The positions of a game that count.
fn samples_of(args: &PredictArgs, game: &GameRecord, number: u64) -> Vec<Sample> {
    let from_ply = args.from_ply.unwrap_or(FROM_PLY);
    let chosen: Option<HashSet<u16>> = args.per_game.map(|per_game| {
        let sampler = Sampler {
            per_game: per_game as usize,
            seed: args.seed,
            winner_only: !args.both_sides,
            skip_first: from_ply.saturating_sub(game.start.ply()),
        };
        sampler.choose(game, number).iter().map(|sample| sample.position.ply()).collect()
    });
    let counts = |sample: &Sample| {
        let ply = sample.position.ply();
        chosen.as_ref().map_or(ply >= from_ply, |chosen| chosen.contains(&ply))
    };
    Sample::of_game(game.positions()).filter(counts).collect()
}

fn report(
    args: &PredictArgs,
    predictor: &Predictor,
    prediction: &Prediction,
    left_out: usize,
    started: Instant,
) -> Value {
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
        "left_out": left_out,
        "resulting_positions": prediction.resulting_positions,
        "illegal_rows": prediction.illegal_rows,
        "kinds": kinds,
        "top": { "1": prediction.correct, "5": prediction.top_5, "10": prediction.top_10 },
        "tied": prediction.tied,
        "master_among_best": prediction.among_best,
        "master_uniquely_best": prediction.uniquely_best,
        "model": args.model,
        "feature_set": predictor.feature_set_id(),
        "seconds": started.elapsed().as_secs_f64(),
    })
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

fn text(prediction: &Prediction) -> String {
    let Prediction { correct, of, .. } = *prediction;
    let mut text = format!("{correct} of {of} correct ({:.2} %)\n", 100.0 * prediction.accuracy());
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
