//! `tesuji tune`: the parameters of the search, evolved so that problems need fewer positions.

mod outcome;
mod page;
mod plan;
mod solving;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use outcome::Outcome;
use plan::Plan;

use crate::engines::EngineArgs;
use crate::lab::folder::RunFlags;
use crate::lab::problems::PROBLEMS_HELP;
use crate::output;

/// Evolve the parameters of the search, so that it needs fewer positions to solve problems.
///
/// An organism is a string of Gray-coded parameters. What it is worth is how many positions it searches
/// until the answers of all problems are found; a problem that is not solved costs as many as are allowed.
#[derive(Args, Debug)]
#[command(after_help = format!("{PROBLEMS_HELP}

Without --test every other problem of the file is kept apart to see what was won: the first, third … are
tuned with. A problem is solved when its answer is the best move of two iterations one after the
other.

Examples:
  tesuji tune --positions problems.tsv
  tesuji tune --positions problems.tsv --genes paper --random --cap 500000 --json
  tesuji tune --positions problems.tsv --genes null_reduction,reduction_base,reduction_factor
  tesuji tune --resume runs/20261115T120000Z-tune-3f9a2c"))]
pub struct TuneArgs {
    /// The problems.
    #[arg(long, value_name = "FILE", required_unless_present = "resume")]
    positions: Option<PathBuf>,
    /// Problems to see what was won; then all of the others are tuned with.
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// Which parameters: paper (the 18 of the model paper), all, or names with commas between them.
    #[arg(long, value_name = "WHICH", default_value = "all")]
    genes: String,
    /// Positions that may be searched for a problem.
    #[arg(long, value_name = "N", default_value_t = 500_000,
          value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    cap: u64,
    /// Organisms in a generation.
    #[arg(long, value_name = "N", default_value_t = 10)]
    population: usize,
    /// Generations, the first one among them.
    #[arg(long, value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u32).range(1..))]
    generations: u32,
    /// How likely it is that two parents are crossed.
    #[arg(long, value_name = "P", default_value_t = 0.75)]
    crossover: f64,
    /// How likely it is that a bit mutates.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    mutation_rate: f64,
    /// Choose parents in proportion to the square of one by their positions, not by rank.
    #[arg(long)]
    roulette: bool,
    /// Begin with random organisms beside the parameters as they are, not with some that are like them.
    #[arg(long)]
    random: bool,
    /// Where all chance comes from: the same seed gives the same parameters.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    run: RunFlags,
}

/// Tunes, writes the folder and prints what came out.
pub fn run(args: &TuneArgs) -> Result<ExitCode> {
    let (run_folder, plan) = args.run.open(|| Plan::new(args))?;
    let outcome = Outcome::new(&plan, &run_folder, args.run.threads)?;
    let report = outcome.json();
    run_folder.write_json("result.json", &report)?;
    run_folder.write_report(&page::page(&outcome))?;
    if args.run.json {
        output::print_json(&report)?;
    } else {
        output::print(&outcome.text())?;
    }
    Ok(ExitCode::SUCCESS)
}
