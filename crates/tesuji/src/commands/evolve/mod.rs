//! `tesuji evolve`: weights of features, found by a genetic algorithm that imitates masters.

mod experts;
mod fits;
mod flags;
mod mentor;
pub mod outcome;
pub mod page;
mod plan;
mod runs;

use crate::progress::Terminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tesuji_learn::{Dataset, MoveClass, MoveOrder, Weighting, pool};
use tesuji_run::RunFolder;

use experts::Panel;
pub use outcome::Outcome;
pub use plan::{Learner, Plan, Start};

use crate::flags::DataArgs;
use crate::output;
use tesuji_lab::data::features::Features;
use tesuji_run::plan as folder;

/// Find the weights of an evaluation by a genetic algorithm that imitates masters' moves.
///
/// Without flags it repeats the thesis's algorithm on the games that come with the program, in ten
/// runs side by side. Every run leaves a folder with its weights and a report.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji evolve
  tesuji evolve --positions positions.tsv --test unseen.tsv --runs 1 --json
  tesuji evolve --games games.csa more/ --per-game 4 --features extended --preset strong
  tesuji evolve --positions positions.tsv --mentor tesuji
  tesuji evolve --positions positions.tsv --mentor cmd:gpsusi,byoyomi=0.1
  tesuji evolve --resume runs/20261115T120000Z-evolve-3f9a2c")]
pub struct EvolveArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Learn only from positions in which the master's move is of this kind.
    #[arg(long, value_name = "KIND", value_parser = class_parser())]
    only: Option<MoveClass>,
    /// Positions or games on which the best of each generation is tried; that decides nothing.
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// Learn from no position that is in the test, so that all of it is unseen.
    #[arg(long, requires = "test")]
    unseen_test: bool,
    /// The feature set (paper, extended, dropped, legacy), or a TOML file that selects features.
    #[arg(long, value_name = "SET|FILE", default_value = "paper")]
    features: String,
    /// How weights are found: by the genetic algorithm, or fitted so that the moves that were played
    /// are most likely, or are most often the best.
    #[arg(long, value_name = "HOW", default_value = "genetic")]
    learner: Learner,
    /// How much each position counts: all alike (equal), copies of a board together as one
    /// (distinct), or by the kind of the move that was played, as three numbers for normal moves,
    /// promotions and drops (1,2,3).
    #[arg(long, value_name = "HOW", default_value = "equal", value_parser = plan::parse_weighting)]
    weighting: Weighting,
    /// Learn an evaluator for each kind of move as well, with an arbiter between them.
    #[arg(long)]
    experts: bool,
    /// How strongly fitted weights are held back.
    #[arg(long, value_name = "X", default_value_t = 1e-4)]
    l2: f64,
    /// Learn the scores of this engine instead of masters' moves: tesuji, tesuji:eval=FILE, or cmd:PROGRAM for
    /// any that speaks USI, as in a match. Then there are 1,000 organisms, 300 generations and 1,000 positions
    /// drawn anew for each, if nothing else is said, and half of the positions are kept apart without --test.
    /// Positions are played out first until nothing is to be taken.
    #[arg(long, value_name = "ENGINE", conflicts_with_all = [
        "only", "unseen_test", "learner", "weighting", "experts", "l2", "runs", "folds", "start_from",
        "start_from_fit", "preset",
    ])]
    mentor: Option<String>,
    /// Plies that the mentor searches, unless it has a limit of its own.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "mentor",
          value_parser = clap::value_parser!(u32).range(1..=126))]
    mentor_depth: u32,
    /// How many runs of the genetic algorithm go on side by side.
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u64).range(1..))]
    runs: u64,
    /// Where all chance comes from: the same seed gives the same result.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Hold out each of so many parts of the positions in turn, to see what is really learned.
    #[arg(long, value_name = "N", default_value_t = 0)]
    folds: usize,
    /// Put the weights of these files among the first organisms.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "start_from_fit")]
    start_from: Vec<PathBuf>,
    /// Put weights near those of a fit of the accuracy among the first organisms.
    #[arg(long)]
    start_from_fit: bool,
    /// Settings of the genetic algorithm to begin with.
    #[arg(long, value_name = "NAME", default_value = "thesis")]
    preset: flags::Preset,
    /// All settings of the genetic algorithm from a TOML file.
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    parameters: Option<PathBuf>,
    #[command(flatten)]
    changes: flags::Changes,
    /// How many threads to use; as many as the machine has for 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Where the folder of the run is made.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    out: PathBuf,
    /// Go on with a run that was stopped, to the same result; its folder knows all settings.
    #[arg(long, value_name = "RUN", conflicts_with_all = [
        "positions", "games", "only", "test", "start_from", "start_from_fit", "parameters", "mentor",
        "mentor_depth",
    ])]
    resume: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Reads the name of a kind of moves.
fn class_parser() -> impl TypedValueParser<Value = MoveClass> {
    PossibleValuesParser::new(MoveClass::ALL.map(MoveClass::name))
        .try_map(|name| MoveClass::from_name(&name).ok_or("unknown kind of moves"))
}

/// Evolves, writes the folder and prints what came out.
pub fn run(args: &EvolveArgs) -> Result<ExitCode> {
    if args.mentor.is_some() || args.resume.as_deref().is_some_and(mentor::is_run) {
        return mentor::run(args);
    }
    let (run_folder, plan) =
        folder::open(args.resume.as_deref(), &args.out, &Terminal, || Plan::new(args))?;
    let outcome = pool(args.threads)?.install(|| evolve(&plan, Some(&run_folder)))?;
    let report = outcome.json(&run_folder);
    write_files(&plan, &outcome, &run_folder)?;
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&outcome.text(&run_folder))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes what came out into the folder.
pub fn write_files(plan: &Plan, outcome: &Outcome, run_folder: &RunFolder) -> Result<()> {
    run_folder.write_json("result.json", &outcome.json(run_folder))?;
    if let Some(panel) = &outcome.experts {
        run_folder.write_json("experts.json", &panel.experts)?;
    }
    for (name, weights) in outcome.weights_files()? {
        run_folder.write(&name, weights.to_text().as_bytes())?;
    }
    run_folder.write_report(&page::page(plan, outcome, run_folder)?.to_html())?;
    Ok(())
}

/// Carries out a plan; with a folder it can be stopped at any moment and goes on from there.
pub fn evolve(plan: &Plan, run_folder: Option<&RunFolder>) -> Result<Outcome> {
    let started = Instant::now();
    let features = Features::load(&plan.features)?;
    let samples = plan.positions()?;
    let data = Dataset::build(&features.set, &samples, MoveOrder::Thesis).weigh(plan.weighting);
    let test = match &plan.test {
        Some(source) => {
            Some(Dataset::build(&features.set, &source.load(&Terminal)?, MoveOrder::Thesis))
        }
        None => None,
    };
    let mut learned = match plan.learner {
        Learner::Genetic => runs::carry_out(plan, &data, test.as_ref(), run_folder)?,
        Learner::Likelihood | Learner::Accuracy => {
            fits::carry_out(plan, &data, test.as_ref(), run_folder)?
        }
    };
    if plan.experts {
        learned.experts = Some(Panel::train(plan, &data, test.as_ref())?);
    }
    let seconds = started.elapsed().as_secs_f64();
    Ok(Outcome::new(plan, features, samples, data, test, learned, seconds))
}
