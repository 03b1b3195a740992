//! `tesuji tune`: the parameters of the search, evolved so that problems need fewer nodes, or so
//! that games are won.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tesuji_lab::data::problems::PROBLEMS_HELP;
use tesuji_lab::tune::{self, Objective, TunePlan};
use tesuji_learn::ga::{Mutation, Parameters, Selection};
use tesuji_learn::tuning;
use tesuji_run::Context;

use super::arena::flags::PairingFlags;
use crate::engines::EngineArgs;
use crate::flags::{RunFlags, whole};
use crate::output;
use crate::progress::Terminal;

/// Evolve the parameters of the search, so that it needs fewer nodes to solve problems, or wins
/// games.
///
/// An organism is a string of Gray-coded parameters. Its fitness is how many nodes it searches
/// until the answers of all problems are found; a problem that is not solved costs as many as are
/// allowed. Or organisms play each other, as those of `coevolve`; or all parameters are moved to
/// one side and to the other at once, both sides play, and each parameter goes a step towards the
/// side that won (SPSA).
#[derive(Args, Debug)]
#[command(after_help = format!("{PROBLEMS_HELP}

Without --test every other problem of the file is held out to see what was won: the first,
the third and so on are tuned with. A problem is solved when its answer is the best move of two
iterations one after the other.

Games have 2,000 nodes a move if no other limit is given, and a transposition table as large as
that needs. With games and spsa the problems are only measured before and after, and need not be
there. With spsa each of --generations steps has --population pairs of settings, and each of these
--games games.

Examples:
  tesuji tune --positions problems.tsv
  tesuji tune --positions problems.tsv --match-games 300 --movetime 100
  tesuji tune --positions problems.tsv --genes paper --random --cap 500000 --json
  tesuji tune --objective games --nodes 3000 --genes null_reduction,lmr_base,lmr_factor
  tesuji tune --objective spsa --games 2 --generations 200 --nodes 3000
  tesuji tune --resume runs/20261115T120000Z-tune-3f9a2c"))]
pub struct TuneArgs {
    /// What makes parameters good.
    #[arg(long, value_name = "WHAT", default_value = "nodes", value_parser = objective_parser())]
    objective: Objective,
    /// The problems.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Held-out problems, to see what was won; all of the others are tuned with then.
    #[arg(long, value_name = "FILE", requires = "positions")]
    test: Option<PathBuf>,
    /// Which parameters: paper (the 18 of the model paper), all, or names with commas between them.
    #[arg(long, value_name = "WHICH", default_value = "all")]
    genes: String,
    /// Nodes that may be searched for a problem.
    #[arg(long, value_name = "N", default_value_t = 500_000,
          value_parser = whole::<u64>(1..=1_000_000_000_000))]
    cap: u64,
    /// Tune with the mirror image of each problem too: twice the work, and less that is learned by
    /// heart.
    #[arg(long)]
    mirror: bool,
    /// Organisms in a generation.
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = whole::<usize>(1..=1_000_000))]
    population: usize,
    /// Generations, the first one among them.
    #[arg(long, value_name = "N", default_value_t = 50,
          value_parser = whole::<u32>(1..=1_000_000_000))]
    generations: u32,
    /// How likely it is that two parents are crossed; 0.75 if not given.
    #[arg(long, value_name = "P")]
    crossover: Option<f64>,
    /// How likely it is that a bit mutates; if not given, so likely that 3.5 bits of an organism
    /// do, as in the model paper.
    #[arg(long, value_name = "P")]
    mutation_rate: Option<f64>,
    /// Choose parents in proportion to fitness, the square of one by their nodes, not by rank.
    #[arg(long)]
    roulette: bool,
    /// Begin with random organisms beside the parameters as they are, not with some that are like
    /// them.
    #[arg(long)]
    random: bool,
    /// Games of the tuned parameters against those before, from openings that no game had: if not
    /// given, 300 with games and spsa, and none with nodes.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=1_000_000))]
    match_games: Option<u64>,
    #[command(flatten)]
    pairings: PairingFlags,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    run: RunFlags,
}

/// What makes parameters good, by its name.
fn objective_parser() -> impl TypedValueParser<Value = Objective> {
    let value = |name, help| PossibleValue::new(name).help(help);
    PossibleValuesParser::new([
        value("nodes", "Problems need few nodes: a genetic algorithm"),
        value("games", "Games against each other are won: co-evolution"),
        value("spsa", "Games between settings on either side are won: simultaneous perturbation"),
    ])
    .map(|name| match &*name {
        "games" => Objective::Games,
        "spsa" => Objective::Spsa,
        _ => Objective::Nodes,
    })
}

/// The plan that the flags mean.
fn plan(args: &TuneArgs) -> Result<TunePlan> {
    let objective = args.objective;
    let by_nodes = objective == Objective::Nodes;
    let parameters = parameters(args)?;
    let has_problems = args.positions.is_some();
    ensure!(has_problems || !by_nodes, "no file of problems (--positions)");
    let match_games = args.match_games.unwrap_or(if by_nodes { 0 } else { 300 });
    let mut pairings = args.pairings.plan(match_games)?;
    match objective {
        Objective::Nodes => pairings.games = 0,
        Objective::Games => {}
        // Results must not depend on the order in which games are won.
        Objective::Spsa => pairings.racing = false,
    }
    Ok(TunePlan {
        objective,
        positions: args.positions.clone(),
        test: args.test.clone(),
        genes: args.genes.clone(),
        cap: args.cap,
        mirror: args.mirror,
        parameters,
        near: !args.random,
        pairings,
        engine: args.engine.spec()?,
    })
}

/// The settings of the genetic algorithm; of SPSA, how many steps and pairs there are.
fn parameters(args: &TuneArgs) -> Result<Parameters> {
    let default = tuning::parameters(&tune::genes(&args.genes, args.engine.spec()?.algorithm()?)?);
    let mut parameters = Parameters {
        population: args.population,
        generations: args.generations,
        crossover: args.crossover.unwrap_or(default.crossover),
        mutation: args.mutation_rate.map_or(default.mutation, |rate| Mutation::PerBit { rate }),
        ..default
    };
    if args.roulette {
        parameters.selection = Selection::Roulette;
    }
    if args.objective == Objective::Spsa {
        let evolves = args.crossover.or(args.mutation_rate).is_some() || args.roulette;
        ensure!(
            !evolves && !args.random,
            "--crossover, --mutation-rate, --roulette and --random are not for spsa"
        );
        ensure!(args.population > 0, "--population is 0, expected at least one pair of settings");
    } else {
        parameters.check()?;
    }
    Ok(parameters)
}

/// Tunes, writes the folder and prints what came out.
pub fn run(args: &TuneArgs) -> Result<ExitCode> {
    let (folder, plan) = args.run.open(|| plan(args))?;
    let context = Context { threads: args.run.threads, observer: &Terminal };
    let outcome = tune::carry_out(&plan, &folder, &context)?;
    if args.run.json {
        output::print_json(&outcome.json())?;
    } else {
        output::print(&outcome.text())?;
    }
    Ok(ExitCode::SUCCESS)
}
