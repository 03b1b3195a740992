//! `tesuji train`: an evaluation learned from whole games.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use tesuji_lab::train::{self, ModelSettings, TrainPlan};
use tesuji_learn::imitation::Imitation;
use tesuji_learn::tables::{Objective, Training};

use crate::flags::{RunFlags, whole};
use crate::output;

/// Learn piece tables, a model of moves or one of positions from whole games.
///
/// Piece tables: moves that masters played are to score above their rivals, and the side with the
/// better score is to win, both after quiescence; --model phase learns two of them, one for the
/// opening and one for the endgame. A model of moves says how likely a master plays each legal
/// move; a static model says the same by the positions after each move alone. One game in twenty is
/// held out to measure what was learned. The run leaves a folder with the model.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji train --objective result --games games.tsv
  tesuji train --objective move --games games.tsv --json
  tesuji train --objective both --games games.tsv more.csa --start tables --passes 20 --json
  tesuji train --model phase --games games.tsv
  tesuji train --resume runs/20261115T120000Z-train-3f9a2c",
    mut_arg("resume", |resume| resume.conflicts_with_all(["games", "leave_out", "start"])))]
pub struct TrainArgs {
    /// What is wanted: tables by which masters' moves score above their rivals, or the better side
    /// wins, or both; a model of moves; or a static model of positions.
    #[arg(long, value_name = "WHAT", default_value = "both")]
    objective: Aim,
    /// Which tables: one for the whole game, or one for the opening and one for the endgame, mixed
    /// by the danger of the kings.
    #[arg(long, value_name = "WHICH", default_value = "tables")]
    model: TableModel,
    /// Files of games.
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "resume")]
    games: Vec<PathBuf>,
    /// Held-out positions, one a line: games that have one of them are not learned from.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    leave_out: Vec<PathBuf>,
    /// Tables to begin with: a file, or the name of tables that come with the program; the values
    /// of the pieces if not given.
    #[arg(long, value_name = "FILE|NAME")]
    start: Option<String>,
    /// Passes over the games: 10 for tables, at most 2 for other models.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1_000_000))]
    passes: Option<usize>,
    /// The batch of a gradient step: games for tables, positions for other models.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1_000_000_000))]
    batch: Option<usize>,
    /// The learning rate at first; for tables in centipawns.
    #[arg(long, value_name = "X")]
    rate: Option<f64>,
    /// Damping of rare features: Adam's epsilon for tables, AdaGrad's first sum for other models.
    #[arg(long, value_name = "X")]
    damping: Option<f64>,
    /// L2 regularisation of the weights; of tables, of the shared ones.
    #[arg(long, value_name = "X")]
    l2: Option<f64>,
    /// For a model of moves: the learning rate of its network, as a share of --rate.
    #[arg(long, value_name = "X", default_value_t = Imitation::DEFAULT.network_rate)]
    network_rate: f64,
    #[command(flatten)]
    tables: TableFlags,
    /// The first move of a game that models other than tables learn from.
    #[arg(long, value_name = "N", default_value_t = Imitation::DEFAULT.from_ply,
          value_parser = whole::<u16>(0..=30_000))]
    from_ply: u16,
    /// The seed of all random numbers: the same seed gives the same result.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    work: RunFlags,
}

/// What only tables have.
#[derive(Args, Debug)]
struct TableFlags {
    /// For tables: one position in so many of a game is taken in a pass, others in the next.
    #[arg(long, value_name = "N", default_value_t = Training::default().stride,
          value_parser = whole::<usize>(1..=1_000_000))]
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
    Patterns,
    Merit,
}

/// Which tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum TableModel {
    Tables,
    Phase,
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

/// The plan that the flags mean.
fn plan(args: &TrainArgs) -> Result<TrainPlan> {
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
    let task = match args.objective {
        Aim::Move => ModelSettings::Move(imitation_settings(args, Imitation::DEFAULT)),
        Aim::Static => ModelSettings::Static(imitation_settings(args, Imitation::OF_POSITIONS)),
        Aim::Patterns => ModelSettings::Patterns(imitation_settings(args, Imitation::OF_PATTERNS)),
        Aim::Merit => ModelSettings::Merit(imitation_settings(args, Imitation::OF_MERITS)),
        _ if args.model == TableModel::Phase => ModelSettings::Phase(table_settings(args)),
        _ => ModelSettings::Tables(table_settings(args)),
    };
    let is_tables = matches!(task, ModelSettings::Tables(_) | ModelSettings::Phase(_));
    ensure!(is_tables || args.start.is_none(), "--start is for tables alone");
    ensure!(is_tables || args.model == TableModel::Tables, "--model is for tables alone");
    Ok(TrainPlan {
        games: args.games.clone(),
        leave_out: args.leave_out.clone(),
        start: args.start.clone(),
        task,
    })
}

/// Trains, writes the folder and prints what came out.
pub fn run(args: &TrainArgs) -> Result<ExitCode> {
    let (folder, plan) = args.work.open(|| plan(args))?;
    let outcome = train::carry_out(&plan, &folder, &args.work.context())?;
    outcome.write(&folder)?;
    output::either(args.work.json, || outcome.json(&folder), || outcome.text(&folder))
}
