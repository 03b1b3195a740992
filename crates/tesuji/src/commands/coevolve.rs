//! `tesuji coevolve`: evaluations that play each other, bred from those that play best.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use clap::builder::PossibleValuesParser;
use tesuji_lab::coevolve::{self, CoevolvePlan};
use tesuji_learn::coevolution::Coevolution;
use tesuji_learn::ga::{Mutation, Parameters};
use tesuji_run::{Context, plan};
use tesuji_search::Algorithm;

use super::arena::flags::{PairingFlags, WorkFlags};
use crate::flags::whole;
use crate::output;
use crate::progress::Terminal;

/// Let evaluations play each other, and breed new ones from those that play best.
///
/// Begins with the winners of several runs of `evolve`. In each generation everybody plays
/// everybody, and the best of those it began with, from openings with colours swapped; ratings
/// carry over from one generation to the next. In the end the winner plays the best of those it
/// began with, from openings that nobody has seen.
#[derive(Args, Debug)]
#[command(
    after_help = "Games have 2,000 nodes a move if no other limit is given; then the same seed gives the same weights \
on every machine. The run leaves a folder with the winner's weights and a report.

Examples:
  tesuji coevolve
  tesuji coevolve --generations 20 --nodes 500 --seed 2 --json
  tesuji coevolve --from runs/20261115T120000Z-evolve-3f9a2c/weights-*.toml
  tesuji coevolve --resume runs/20261115T120000Z-coevolve-3f9a2c"
)]
pub struct CoevolveArgs {
    /// The weights to begin with: files, or names. Without them, the winners of ten runs of evolve
    /// that come with the program.
    #[arg(long, value_name = "FILE|NAME", num_args = 1..)]
    from: Vec<String>,
    /// Organisms in a generation.
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = whole::<usize>(1..=1_000_000))]
    population: usize,
    /// Generations, the first one among them.
    #[arg(long, value_name = "N", default_value_t = 50,
          value_parser = whole::<u32>(1..=1_000_000_000))]
    generations: u32,
    /// How likely it is that two parents are crossed.
    #[arg(long, value_name = "P", default_value_t = 0.75)]
    crossover: f64,
    /// How likely it is that a bit mutates.
    #[arg(long, value_name = "P", default_value_t = 0.015)]
    mutation_rate: f64,
    /// How many of the best live on unchanged: if not given, three of ten.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=1_000_000))]
    elite: Option<usize>,
    /// Settings of the search with a name.
    #[arg(long, value_name = "NAME", default_value = Algorithm::standard().presets[0],
          value_parser = PossibleValuesParser::new(Algorithm::standard().presets))]
    preset: String,
    /// Games of the winner against the best of those it began with.
    #[arg(long, value_name = "N", default_value_t = 300,
          value_parser = whole::<u64>(0..=1_000_000))]
    match_games: u64,
    /// Writes the weights of the winner into a file, beside the one in the run folder.
    #[arg(long, value_name = "FILE")]
    weights_file: Option<PathBuf>,
    #[command(flatten)]
    pairings: PairingFlags,
    #[command(flatten)]
    work: WorkFlags,
}

/// The plan that the flags mean.
fn plan(args: &CoevolveArgs) -> Result<CoevolvePlan> {
    let parameters = Parameters {
        population: args.population,
        generations: args.generations,
        crossover: args.crossover,
        mutation: Mutation::PerBit { rate: args.mutation_rate },
        elite: args.elite.unwrap_or_else(|| Coevolution::elite(args.population)),
        ..Coevolution::parameters()
    };
    parameters.check()?;
    let mut plan = CoevolvePlan {
        pairings: args.pairings.plan(args.match_games)?,
        from: args.from.clone(),
        parameters,
        preset: args.preset.clone(),
    };
    plan.parameters.signed = plan.signed()?;
    Ok(plan)
}

/// Evolves, writes the folder and prints what came out.
pub fn run(args: &CoevolveArgs) -> Result<ExitCode> {
    let work = &args.work;
    let (folder, plan) = plan::open(work.resume.as_deref(), &work.out, &Terminal, || plan(args))?;
    let context = Context { threads: work.concurrency, observer: &Terminal };
    let outcome = coevolve::carry_out(&plan, &folder, &context)?;
    if let Some(path) = &args.weights_file {
        tesuji_run::atomic::write(path, outcome.winner.to_text().as_bytes())?;
    }
    if work.json {
        output::print_json(&outcome.json())?;
    } else {
        output::print(&outcome.text())?;
    }
    Ok(ExitCode::SUCCESS)
}
