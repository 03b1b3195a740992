//! `tesuji tournament`: several engines against each other.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use tesuji_arena::schedule::PairingSystem;
use tesuji_lab::games::{GamesSetup, TournamentPlan, page, tournament};
use tesuji_records::Format;

use super::arena::flags::{self, ENGINES_HELP, GameFlags, WorkFlags};
use super::arena::run::Run;
use crate::flags::whole;

/// Play a tournament between several engines.
///
/// Everybody meets everybody, or the first meets all others. A round has two games for every
/// pairing, from the same opening with colours swapped.
#[derive(Args, Debug)]
#[command(after_help = format!("{ENGINES_HELP}

Ratings are the maximum-likelihood ratings of the Bradley–Terry model, with 95 % intervals; their
mean is zero. One drawn game is added to every pairing, so that an engine that lost all games has a
rating.

Examples:
  tesuji tournament tesuji tesuji:eval=material tesuji:preset=full-width-2000 --rounds 10 --nodes 2000
  tesuji tournament tesuji cmd:engine1 cmd:engine2 --gauntlet --rounds 50 --st 0.2
  tesuji tournament --resume runs/20261115T120000Z-tournament-3f9a2c"))]
pub struct TournamentArgs {
    /// The engines: two or more.
    #[arg(value_name = "ENGINE", conflicts_with = "resume")]
    engines: Vec<String>,
    /// An engine, in place of a plain argument.
    #[arg(long = "engine", value_name = "ENGINE", conflicts_with = "resume")]
    more: Vec<String>,
    /// Rounds: pairs of games for each pairing.
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = whole::<u64>(1..=1_000_000_000_000))]
    rounds: u64,
    /// The first engine meets all others, which do not meet each other.
    #[arg(long)]
    gauntlet: bool,
    /// Writes the games into a file, in the format that its name tells: .csa, .kif, .usi, .tsv.
    #[arg(long, value_name = "FILE")]
    games_file: Option<PathBuf>,
    #[command(flatten)]
    play: GameFlags,
    #[command(flatten)]
    work: WorkFlags,
}

/// The plan that the flags mean.
fn plan(args: &TournamentArgs) -> Result<TournamentPlan> {
    let engines = flags::engines(args.engines.iter().chain(&args.more))?;
    let count = engines.len() as u64;
    ensure!(count >= 2, "expected two or more engines, found {count} (see --help)");
    let (system, pairs) = match args.gauntlet {
        true => (PairingSystem::Gauntlet, count - 1),
        false => (PairingSystem::RoundRobin, count * (count - 1) / 2),
    };
    let games = args.rounds.saturating_mul(2 * pairs);
    let setup = GamesSetup { engines, conditions: args.play.conditions()?, games };
    Ok(TournamentPlan { setup, system, rounds: args.rounds, games_file: args.games_file.clone() })
}

/// Plays the tournament, writes the folder and prints what came out.
pub fn run(args: &TournamentArgs) -> Result<ExitCode> {
    let run = Run::open(&args.work, args.games_file.as_deref(), || plan(args))?;
    let standing = tournament::play(&run.plan, &run.folder, &run.context())?;
    let games_file = run.plan.games_file.as_deref();
    let files = run.write_games(Format::Csa, &standing.names, games_file)?;
    run.folder.write_report(&page::tournament_page(&run.plan, &standing).to_html())?;
    let report = run.report([standing.report(&run.plan)]);
    run.finish(&report, &files, || standing.table())
}
