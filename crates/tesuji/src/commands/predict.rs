//! `tesuji predict`: how often an evaluation that looks one move ahead, or a model of moves, finds the
//! master's move.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{ArgGroup, Args};
use tesuji_lab::predict::{self, PredictPlan};
use tesuji_records::collection::Part;
use tesuji_run::Context;

use crate::flags::{named, whole};
use crate::output;
use crate::progress::Terminal;

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
    /// program: published, evolved, coevolved, pupil, predictor, extended, tables, phase, static,
    /// move, merit or merit-hand.
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
    /// Only the games that `train` with the same seed holds out (test), or learns from (train).
    #[arg(long, value_name = "PART", requires = "games", value_parser = named(&Part::BOTH.map(Part::name), Part::named))]
    part: Option<Part>,
    /// The first move that counts: 10 in games, any in a table of positions.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(0..=30_000))]
    from_ply: Option<u16>,
    /// Take so many positions of the winner of each game, not all.
    #[arg(long, value_name = "N", requires = "games", value_parser = whole::<u64>(1..=1_000_000))]
    per_game: Option<u64>,
    /// Take them of both players, not of the winner alone, and of draws.
    #[arg(long, requires = "per_game")]
    both_sides: bool,
    /// The seed by which they are chosen, and by which games are divided.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Leave out positions that occur in these files of games: those that were learned from.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    leave_out: Vec<PathBuf>,
    /// How many threads to use; 0 = one per core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(0..=1_024))]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Measures and prints.
pub fn run(args: &PredictArgs) -> Result<ExitCode> {
    let plan = PredictPlan {
        model: args.model.clone(),
        features: args.features.clone(),
        positions: args.positions.clone(),
        games: args.games.clone(),
        part: args.part,
        from_ply: args.from_ply,
        per_game: args.per_game.map(usize::try_from).transpose()?,
        both_sides: args.both_sides,
        seed: args.seed,
        leave_out: args.leave_out.clone(),
    };
    let context = Context { threads: args.threads, observer: &Terminal };
    let found = predict::carry_out(&plan, &context)?;
    output::either(args.json, || found.json(), || found.text())
}
