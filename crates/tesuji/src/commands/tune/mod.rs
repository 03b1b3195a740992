//! `tesuji tune`: the parameters of the search, evolved so that problems need fewer positions, or so that
//! games are won.

mod journal;
mod outcome;
mod page;
mod plan;
mod playing;
mod solving;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use tesuji_report::RunFolder;

pub use outcome::{Course, Measured, Outcome};
pub use page::{CURVE, curve, efforts, learned};
pub use plan::Plan;

use super::arena::meetings::MeetingFlags;
use crate::engines::EngineArgs;
use crate::lab::folder::RunFlags;
use crate::lab::problems::PROBLEMS_HELP;
use crate::output;

/// What makes parameters good.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// Problems need few positions: a genetic algorithm.
    Nodes,
    /// Games against each other are won: co-evolution.
    Games,
    /// Games between settings on either side are won: simultaneous perturbation.
    Spsa,
}

/// Evolve the parameters of the search, so that it needs fewer positions to solve problems, or wins games.
///
/// An organism is a string of Gray-coded parameters. What it is worth is how many positions it searches
/// until the answers of all problems are found; a problem that is not solved costs as many as are allowed.
/// Or organisms play each other, as those of `coevolve`; or all parameters are moved to one side and to
/// the other at once, both sides play, and each parameter goes a step towards the side that won (SPSA).
#[derive(Args, Debug)]
#[command(after_help = format!("{PROBLEMS_HELP}

Without --test every other problem of the file is kept apart to see what was won: the first,
the third and so on are tuned with. A problem is solved when its answer is the best move of two
iterations one after the other.

Games have 2,000 nodes a move if no other limit is given, and a table as large as that needs.
With games and spsa the problems are only measured before and after, and need not be there. With
spsa each of --generations steps has --population pairs of settings, and each of these --games
games.

Examples:
  tesuji tune --positions problems.tsv
  tesuji tune --positions problems.tsv --match-games 300 --movetime 100
  tesuji tune --positions problems.tsv --genes paper --random --cap 500000 --json
  tesuji tune --objective games --nodes 3000 --genes null_reduction,lmr_base,lmr_factor
  tesuji tune --objective spsa --games 2 --generations 200 --nodes 3000
  tesuji tune --resume runs/20261115T120000Z-tune-3f9a2c"))]
pub struct TuneArgs {
    /// What makes parameters good.
    #[arg(long, value_name = "WHAT", default_value = "nodes")]
    objective: Objective,
    /// The problems.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Problems to see what was won; then all of the others are tuned with.
    #[arg(long, value_name = "FILE", requires = "positions")]
    test: Option<PathBuf>,
    /// Which parameters: paper (the 18 of the model paper), all, or names with commas between them.
    #[arg(long, value_name = "WHICH", default_value = "all")]
    genes: String,
    /// Positions that may be searched for a problem.
    #[arg(long, value_name = "N", default_value_t = 500_000,
          value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    cap: u64,
    /// Tune with the mirror image of each problem too: twice the work, and less that is learned by heart.
    #[arg(long)]
    mirror: bool,
    /// Organisms in a generation.
    #[arg(long, value_name = "N", default_value_t = 10)]
    population: usize,
    /// Generations, the first one among them.
    #[arg(long, value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u32).range(1..))]
    generations: u32,
    /// How likely it is that two parents are crossed; 0.75 if not given.
    #[arg(long, value_name = "P")]
    crossover: Option<f64>,
    /// How likely it is that a bit mutates; if not given, so likely that 3.5 bits of an organism do, as in
    /// the model paper.
    #[arg(long, value_name = "P")]
    mutation_rate: Option<f64>,
    /// Choose parents in proportion to the square of one by their positions, not by rank.
    #[arg(long)]
    roulette: bool,
    /// Begin with random organisms beside the parameters as they are, not with some that are like them.
    #[arg(long)]
    random: bool,
    /// Games of the tuned parameters against those before, from openings that no game had: if not given, 300
    /// with games and spsa, and none with nodes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1 << 20))]
    match_games: Option<u64>,
    #[command(flatten)]
    meetings: MeetingFlags,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    run: RunFlags,
}

/// Tunes, writes the folder and prints what came out.
pub fn run(args: &TuneArgs) -> Result<ExitCode> {
    let (run_folder, plan) = args.run.open(|| Plan::new(args))?;
    let outcome = tune(&plan, &run_folder, args.run.threads)?;
    if args.run.json {
        output::print_json(&outcome.json())?;
    } else {
        output::print(&outcome.text())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Carries out a plan, or what is left of it, and writes what came out into the folder.
pub fn tune<'a>(plan: &'a Plan, run_folder: &'a RunFolder, threads: usize) -> Result<Outcome<'a>> {
    let outcome = Outcome::new(plan, run_folder, threads)?;
    run_folder.write_json("result.json", &outcome.json())?;
    run_folder.write_report(&page::page(&outcome))?;
    Ok(outcome)
}
