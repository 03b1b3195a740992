//! `tesuji selfplay`: games of the engine against itself.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use serde_json::json;
use tesuji_arena::player::Variety;
use tesuji_lab::games::{GamesSetup, SelfplayPlan, selfplay};
use tesuji_records::Format;

use super::arena::flags::{self, ENGINES_HELP, GameFlags, WorkFlags};
use super::arena::run::Run;
use crate::flags::whole;

/// Let the engine play games against itself, to learn from.
///
/// Games begin with random moves, or in the positions of a file, and go on with moves that are
/// nearly the best, so that no two are alike. They are written as a tab-separated collection; the
/// journal in the folder of the run has the score of every move too.
#[derive(Args, Debug)]
#[command(after_help = format!("{ENGINES_HELP}

Examples:
  tesuji selfplay --games 1000 --nodes 2000 -o games.tsv
  tesuji selfplay --games 200 --st 0.05 --openings openings.sfen --random-plies 0
  tesuji selfplay --resume runs/20261115T120000Z-selfplay-3f9a2c"))]
pub struct SelfplayArgs {
    /// The engine: tesuji, with any settings.
    #[arg(long, value_name = "ENGINE", default_value = "tesuji")]
    engine: String,
    /// Games.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = whole::<u64>(1..=1_000_000_000_000))]
    games: u64,
    /// Plies at the beginning that are any legal move.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<usize>(0..=30_000))]
    random_plies: usize,
    /// A move that is worse by so many centipawns is played less often by a factor of e; 0
    /// plays the best move.
    #[arg(long, value_name = "X", default_value_t = 30.0)]
    temperature: f64,
    /// Plies at the beginning in which worse moves are played.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = whole::<usize>(0..=30_000))]
    temperature_plies: usize,
    /// A file for the games, in the format that its name tells; the run folder has them anyway.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    play: GameFlags,
    #[command(flatten)]
    work: WorkFlags,
}

/// The plan that the flags mean.
fn plan(args: &SelfplayArgs) -> Result<SelfplayPlan> {
    let warm = args.temperature;
    ensure!(warm >= 0.0 && warm.is_finite(), "--temperature is {warm}, expected 0 or more");
    let conditions = args.play.conditions()?;
    let variety = Variety {
        seed: conditions.seed,
        random_plies: args.random_plies,
        temperature: warm,
        temperature_plies: args.temperature_plies,
    };
    let engine = flags::engine(&args.engine)?;
    engine.check_own()?;
    let setup = GamesSetup { engines: vec![engine], conditions, games: args.games };
    Ok(SelfplayPlan { setup, variety, output: args.output.clone() })
}

/// Plays the games, writes them and prints what came out.
pub fn run(args: &SelfplayArgs) -> Result<ExitCode> {
    let run = Run::open(&args.work, args.output.as_deref(), || plan(args))?;
    let count = selfplay::play(&run.plan, &run.folder, &run.context())?;
    let names = run.plan.setup.names();
    let files = run.write_games(Format::Tsv, &names, run.plan.output.as_deref())?;
    let report = run.report([json!({ "files": files }), count.report()]);
    run.finish(&report, &files, || format!("{} games, {} moves\n", count.games, count.moves))
}
