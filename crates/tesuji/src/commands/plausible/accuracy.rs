//! `tesuji plausible accuracy`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use tesuji_eval::plausible::Cut;
use tesuji_lab::plausible::{AccuracyPlan, accuracy};
use tesuji_records::collection::Part;
use tesuji_run::Context;

use crate::flags::{named, whole};
use crate::output;
use crate::progress::Terminal;

/// Measure how many of the moves that were played are kept, and how many legal moves are saved.
#[derive(Args, Debug)]
pub struct AccuracyArgs {
    /// Files of games: every move of both players counts.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// Which moves are kept: all that are generated, those with a merit of 0 or more, the best N, or
    /// the best that have a share X of the probability.
    #[arg(long, value_name = "all|merit|best:N|mass:X", default_value_t = Cut::Merit)]
    cut: Cut,
    /// A file of merits, or the name of those that come with the program: hand or fitted; move for
    /// the model of moves, whose best moves are kept to compare with.
    #[arg(long, value_name = "FILE|NAME", default_value = "fitted")]
    merit: String,
    /// Ask all generators in every position: let improvement and prevention not rest while a strong
    /// threat is on the board.
    #[arg(long)]
    no_hierarchy: bool,
    /// Only the games that `train` with the same seed holds out (test), or learns from (train).
    #[arg(long, value_name = "PART", value_parser = named(&Part::BOTH.map(Part::name), Part::named))]
    part: Option<Part>,
    /// The seed by which games are divided.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The first move of a game that counts.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u16>(1..=30_000))]
    from_ply: u16,
    /// How many threads to use; 0 = one per core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(0..=1_024))]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Measures and prints.
pub fn run(args: &AccuracyArgs) -> Result<ExitCode> {
    let plan = AccuracyPlan {
        games: args.games.clone(),
        part: args.part,
        seed: args.seed,
        from_ply: args.from_ply,
        cut: args.cut,
        merit: args.merit.clone(),
        hierarchy: !args.no_hierarchy,
    };
    let context = Context { threads: args.threads, observer: &Terminal };
    let found = accuracy(&plan, &context)?;
    output::either(args.json, || found.json(), || found.text())
}
