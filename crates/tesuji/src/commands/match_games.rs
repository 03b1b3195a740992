//! `tesuji match`: two engines against each other.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use tesuji_lab::games::{GamesSetup, MatchPlan, matches, page};
use tesuji_records::Format;

use super::arena::flags::{self, ENGINES_HELP, GameFlags, WorkFlags};
use super::arena::run::Run;
use crate::flags::whole;

/// Play a match between two engines.
///
/// Openings are played twice, with colours swapped. A crash, an illegal move, overtime, silence or
/// a flood of output loses the game; the match goes on with a new engine. The run leaves a folder
/// with a journal of all games; a match that was stopped is continued with --resume.
#[derive(Args, Debug)]
#[command(after_help = format!("{ENGINES_HELP}

Results are those of the first engine. The pentanomial counts pairs of games by their points: 0, ½, 1,
1½, 2. Elo and its 95 % error, normalised Elo (nElo: the difference measured by how much results
vary), and the likelihood of superiority (LOS) are computed from pairs.

Examples:
  tesuji match tesuji tesuji:eval=material --games 20 --nodes 1000
  tesuji match tesuji cmd:fairy-stockfish,option.UCI_Variant=shogi --games 200 --st 0.2
  tesuji match tesuji tesuji:null_move=0 --tc 10+0.1 --sprt elo0=0 elo1=10 --games 20000
  tesuji match --resume runs/20261115T120000Z-match-3f9a2c"))]
pub struct MatchArgs {
    /// The engines: two of them.
    #[arg(value_name = "ENGINE", conflicts_with = "resume")]
    engines: Vec<String>,
    /// An engine, in place of a plain argument.
    #[arg(long = "engine", value_name = "ENGINE", conflicts_with = "resume")]
    more: Vec<String>,
    /// Games, at most.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = whole::<u64>(1..=1_000_000_000_000))]
    games: u64,
    /// Pairs of games, in place of --games.
    #[arg(long, value_name = "N", conflicts_with = "games",
          value_parser = whole::<u64>(1..=1_000_000_000_000))]
    rounds: Option<u64>,
    /// Stops as soon as the results decide between two differences in Elo: elo0=N elo1=N alpha=P
    /// beta=P.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=4)]
    sprt: Vec<String>,
    /// Writes the games into a file, in the format that its name tells: .csa, .kif, .usi, .tsv.
    #[arg(long, value_name = "FILE")]
    games_file: Option<PathBuf>,
    #[command(flatten)]
    play: GameFlags,
    #[command(flatten)]
    work: WorkFlags,
}

/// The plan that the flags mean.
fn plan(args: &MatchArgs) -> Result<MatchPlan> {
    let engines = flags::engines(args.engines.iter().chain(&args.more))?;
    ensure!(engines.len() == 2, "expected two engines, found {} (see --help)", engines.len());
    let games = args.rounds.map_or(args.games, |rounds| 2 * rounds);
    Ok(MatchPlan {
        setup: GamesSetup { engines, conditions: args.play.conditions()?, games },
        sprt: flags::sprt(&args.sprt)?,
        games_file: args.games_file.clone(),
    })
}

/// Plays the match, writes the folder and prints what came out.
pub fn run(args: &MatchArgs) -> Result<ExitCode> {
    let run = Run::open(&args.work, args.games_file.as_deref(), || plan(args))?;
    let names = run.plan.setup.names();
    let standing = matches::play(&run.plan, &run.folder, &run.context())?;
    let files = run.write_games(Format::Csa, &names, run.plan.games_file.as_deref())?;
    run.folder.write_report(&page::match_page(&run.plan, &standing, &names).to_html())?;
    let report = run.report([matches::report(&run.plan, &standing, &names)]);
    run.finish(&report, &files, || standing.table(&run.plan, &names))
}
