//! `tesuji train`: an evaluation learned from whole games.

mod imitation;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tesuji_eval::{Model, MoveModel, Notes, PieceTables, PositionModel};
use tesuji_learn::games::{GameCollector, TrainingGames};
use tesuji_learn::imitation::Imitation;
use tesuji_learn::pool;
use tesuji_learn::tables::{Objective, Training};
use tesuji_records::stream::{Games, Input as Records};
use tesuji_run::{Input, RunFolder};
use tesuji_shogi::Position;

use crate::flags::RunFlags;
use crate::output;
use tesuji_run::plan as folder;

/// Learn piece tables, a model of moves or one of positions from whole games.
///
/// Piece tables: moves that masters played are to score above their rivals, and the side with the
/// better score is to win, both after quiescence. A model of moves says how likely a master plays
/// each legal move; a static model says the same by the positions after each move alone. One game in
/// twenty is kept apart to see what was learned. The run leaves a folder with what was learned.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji train --objective result --games games.tsv
  tesuji train --objective move --games games.tsv --json
  tesuji train --objective both --games games.tsv more.csa --start tables --passes 20 --json
  tesuji train --resume runs/20261115T120000Z-train-3f9a2c",
    mut_arg("resume", |resume| resume.conflicts_with_all(["games", "leave_out", "start"])))]
pub struct TrainArgs {
    /// What is wanted: tables by which masters' moves score above their rivals, or the better side
    /// wins, or both; a model of moves; or a static model of positions.
    #[arg(long, value_name = "WHAT", default_value = "both")]
    objective: Aim,
    /// Files of games.
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "resume")]
    games: Vec<PathBuf>,
    /// Leave out games with a position of these files, which have one position a line: what will be
    /// measured with them must not be learned.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    leave_out: Vec<PathBuf>,
    /// Tables to begin with: a file, or the name of tables that come with the program. Without
    /// them the training begins with the values of the pieces.
    #[arg(long, value_name = "FILE|NAME")]
    start: Option<String>,
    /// Passes over the games: 10 for tables, at most 2 for other models.
    #[arg(long, value_name = "N")]
    passes: Option<usize>,
    /// Games in a step for tables, positions in a step for other models.
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// The learning rate at first: for tables in centipawns.
    #[arg(long, value_name = "X")]
    rate: Option<f64>,
    /// Damping of rare features: Adam's epsilon for tables, AdaGrad's first sum for other models.
    #[arg(long, value_name = "X")]
    damping: Option<f64>,
    /// L2 regularisation of the weights; of tables, of those that cells share.
    #[arg(long, value_name = "X")]
    l2: Option<f64>,
    /// For a model of moves: the share of the rate with which its network moves.
    #[arg(long, value_name = "X", default_value_t = Imitation::DEFAULT.network_rate)]
    network_rate: f64,
    #[command(flatten)]
    tables: TableFlags,
    /// The first move of a game that models other than tables learn from.
    #[arg(long, value_name = "N", default_value_t = Imitation::DEFAULT.from_ply)]
    from_ply: u16,
    /// Where all chance comes from: the same seed gives the same result.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    work: RunFlags,
}

/// What only tables have.
#[derive(Args, Debug)]
struct TableFlags {
    /// For tables: every so many positions of a game are taken in a pass, others in the next.
    #[arg(long, value_name = "N", default_value_t = Training::default().stride)]
    stride: usize,
    /// For tables: L2 regularisation of single cells.
    #[arg(long, value_name = "X", default_value_t = Training::default().cell_l2)]
    cell_l2: f64,
    /// For tables: how much the result of a game counts beside the comparison of moves.
    #[arg(long, value_name = "X", default_value_t = Objective::default().result)]
    result_weight: f64,
}

/// What is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Aim {
    Comparison,
    Result,
    Both,
    Move,
    Static,
}

/// What is trained, and how.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Task {
    Tables(Training),
    Move(Imitation),
    Static(Imitation),
}

impl Task {
    fn new(args: &TrainArgs) -> Self {
        match args.objective {
            Aim::Move => Self::Move(imitation_settings(args, Imitation::DEFAULT)),
            Aim::Static => Self::Static(imitation_settings(args, Imitation::OF_POSITIONS)),
            _ => Self::Tables(table_settings(args)),
        }
    }

    const fn seed(&self) -> u64 {
        match self {
            Self::Tables(training) => training.seed,
            Self::Move(imitation) | Self::Static(imitation) => imitation.seed,
        }
    }
}

fn table_settings(args: &TrainArgs) -> Training {
    let usual = Training::default();
    let comparison = if args.objective == Aim::Result { 0.0 } else { 1.0 };
    let result = if args.objective == Aim::Comparison { 0.0 } else { args.tables.result_weight };
    Training {
        objective: Objective { comparison, result, ..Objective::default() },
        passes: args.passes.unwrap_or(usual.passes),
        batch: args.batch.unwrap_or(usual.batch),
        stride: args.tables.stride,
        rate: args.rate.unwrap_or(usual.rate),
        epsilon: args.damping.unwrap_or(usual.epsilon),
        l2: args.l2.unwrap_or(usual.l2),
        cell_l2: args.tables.cell_l2,
        seed: args.seed,
    }
}

fn imitation_settings(args: &TrainArgs, usual: Imitation) -> Imitation {
    Imitation {
        passes: args.passes.unwrap_or(usual.passes),
        batch: args.batch.unwrap_or(usual.batch),
        rate: args.rate.unwrap_or(usual.rate),
        initial_accumulator: args.damping.unwrap_or(usual.initial_accumulator),
        l2: args.l2.unwrap_or(usual.l2),
        network_rate: args.network_rate,
        from_ply: args.from_ply,
        seed: args.seed,
        ..usual
    }
}

/// The settings of a training, as the folder of the run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    games: Vec<PathBuf>,
    leave_out: Vec<PathBuf>,
    start: Option<String>,
    task: Task,
}

impl Plan {
    fn new(args: &TrainArgs) -> Result<Self> {
        let positive = [("--rate", args.rate), ("--damping", args.damping)];
        for (name, value) in positive.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            ensure!(value > 0.0 && value.is_finite(), "{name} is {value}, expected more than 0");
        }
        let TableFlags { stride, cell_l2, result_weight } = args.tables;
        let held = [
            ("--l2", args.l2.unwrap_or(0.0)),
            ("--network-rate", args.network_rate),
            ("--cell-l2", cell_l2),
            ("--result-weight", result_weight),
        ];
        for (name, value) in held {
            ensure!(value >= 0.0 && value.is_finite(), "{name} is {value}, expected 0 or more");
        }
        let counts = [("--passes", args.passes), ("--batch", args.batch)];
        for (name, value) in counts.into_iter().chain([("--stride", Some(stride))]) {
            ensure!(value != Some(0), "{name} is 0, expected at least 1");
        }
        let task = Task::new(args);
        let is_tables = matches!(task, Task::Tables(_));
        ensure!(is_tables || args.start.is_none(), "--start is for tables alone");
        Ok(Self {
            games: args.games.clone(),
            leave_out: args.leave_out.clone(),
            start: args.start.clone(),
            task,
        })
    }

    /// The tables to begin with.
    fn start(&self) -> Result<Option<PieceTables>> {
        let load = |name: &String| match Model::load(name)? {
            Model::Tables(tables) => Ok(tables),
            Model::Features(_) => bail!("{name}: weights of features, expected piece tables"),
        };
        self.start.as_ref().map(load).transpose()
    }

    /// The positions that no game may have.
    fn kept_apart(&self) -> Result<Vec<Position>> {
        let mut positions = Vec::new();
        for path in &self.leave_out {
            let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            for (number, line) in (1..).zip(text.lines()) {
                let sfen = line.split('\t').next().unwrap_or_default().trim();
                if sfen.is_empty() || sfen.starts_with('#') {
                    continue;
                }
                let position = Position::from_sfen(sfen)
                    .map_err(|error| anyhow!("{}:{number}: {error}", path.display()))?;
                positions.push(position);
            }
        }
        Ok(positions)
    }

    /// Reads the games. Bad ones are named on standard error and left out.
    fn load(&self) -> Result<TrainingGames> {
        let kept_apart = self.kept_apart()?;
        let mut games = GameCollector::new(self.task.seed(), &kept_apart)?;
        for game in Games::new(Records::from_paths(&self.games)?, None) {
            match game {
                Ok(game) => games.add(&game.value)?,
                Err(error) if error.is_bad_game() => output::complain(&error.to_string()),
                Err(error) => return Err(error.into()),
            }
        }
        let games = games.finish()?;
        ensure!(!games.train.is_empty(), "no games to learn from");
        ensure!(!games.test.is_empty(), "too few games: none are left to measure with");
        Ok(games)
    }
}

impl folder::Plan for Plan {
    const COMMAND: &'static str = "train";

    fn seed(&self) -> u64 {
        self.task.seed()
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = Vec::new();
        for games in Records::from_paths(&self.games)? {
            let Records::File(path) = games else {
                bail!("-: a run must be able to read its games again, give a file");
            };
            inputs.push(folder::input(&path)?);
        }
        for path in &self.leave_out {
            inputs.push(folder::input(path)?);
        }
        if let Some(start) = &self.start
            && Model::named(start).is_none()
        {
            inputs.push(folder::input(Path::new(start))?);
        }
        Ok(inputs)
    }

    fn check(&self) -> Result<()> {
        self.start()?;
        self.load()?;
        Ok(())
    }
}

const STATE: &str = "state.bin";

/// What a training made.
struct Trained {
    /// The file that it is written to.
    file: &'static str,
    bytes: Vec<u8>,
    /// The best pass in words, and as JSON beside all others and what else there is to say.
    words: String,
    report: Value,
}

/// Trains, writes the folder and prints what came out.
pub fn run(args: &TrainArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let (run_folder, plan) = args.work.open(|| Plan::new(args))?;
    let games = plan.load()?;
    let pool = pool(args.work.threads)?;
    let trained = pool.install(|| match plan.task {
        Task::Tables(training) => tables::train(&plan, training, &games, &run_folder),
        Task::Move(settings) => imitation::train::<MoveModel>(settings, &games, &run_folder),
        Task::Static(settings) => imitation::train::<PositionModel>(settings, &games, &run_folder),
    })?;
    run_folder.write(trained.file, &trained.bytes)?;
    let report = report(&trained, &games, &run_folder, started);
    run_folder.write_json("result.json", &report)?;
    if args.work.json {
        output::print_json(&report)?;
    } else {
        let file = run_folder.file(trained.file);
        output::print(&format!("{}\n{}\n", trained.words, file.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The state of a run that was stopped, if there is one.
fn read_state<T>(
    run_folder: &RunFolder,
    resume: impl FnOnce(&[u8]) -> Option<T>,
) -> Result<Option<T>> {
    let Some(state) = run_folder.read(STATE)? else { return Ok(None) };
    let name = run_folder.file(STATE);
    let resumed = resume(&state);
    Ok(Some(resumed.with_context(|| format!("{}: not the state of this run", name.display()))?))
}

/// What made a model: the command as it was given, without what has no part in the result.
fn run_notes(run_folder: &RunFolder, seed: u64, games: &TrainingGames) -> Result<Notes> {
    let mut words = vec!["tesuji"];
    let mut rest = run_folder.manifest().command_line.iter().skip(1).map(String::as_str);
    while let Some(word) = rest.next() {
        match word {
            "--out" | "--threads" => _ = rest.next(),
            "--json" => {}
            _ => words.push(word),
        }
    }
    Ok(Notes::from([
        ("command".into(), words.join(" ").into()),
        ("seed".into(), i64::try_from(seed)?.into()),
        ("games".into(), i64::try_from(games.train.len())?.into()),
    ]))
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

fn report(
    trained: &Trained,
    games: &TrainingGames,
    run_folder: &RunFolder,
    started: Instant,
) -> Value {
    let hash = Sha256::digest(&trained.bytes);
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut report = json!({
        "folder": run_folder.path().display().to_string(),
        "model": run_folder.file(trained.file).display().to_string(),
        "hash": hash,
        "bytes": trained.bytes.len(),
        "games": games.train.len(),
        "test_games": games.test.len(),
        "left_out": games.left_out(),
        "seconds": started.elapsed().as_secs_f64(),
    });
    if let (Some(all), Some(more)) = (report.as_object_mut(), trained.report.as_object()) {
        all.extend(more.clone());
    }
    report
}
