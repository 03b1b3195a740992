//! `tesuji moves games`: what a player misses.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use tesuji_lab::trainer::{TrainerPlan, carry_out};

use crate::engines::EngineArgs;
use crate::flags::{RunFlags, whole};
use crate::output;

/// Tell which kinds of moves a player misses more often than others, with three boards of each.
///
/// Every position is searched; where the move that was played gives something away, it is a miss for
/// each generator that produces the better move alone. The run leaves a folder with a report.
#[derive(Args, Debug)]
#[command(after_help = "Titles, ranks, capitals and the order of names in Latin letters do not \
    matter; give --player several times for other spellings of the same person.

Examples:
  tesuji moves games games.tsv --player 'Yoshiharu Habu' --player 羽生善治
  tesuji moves games my-games/ others.tsv --player me --nodes 10000 --json")]
pub struct GamesArgs {
    /// Files of games, or folders of them.
    #[arg(value_name = "FILE", required_unless_present = "resume")]
    games: Vec<PathBuf>,
    /// Whose moves are compared with those of all others.
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// Nodes of each search.
    #[arg(long, value_name = "N", default_value_t = TrainerPlan::NODES,
          value_parser = whole::<u64>(1..=1_000_000_000))]
    nodes: u64,
    /// The winning chance that a move must give away to be a miss, above 0 and below 1.
    #[arg(long, value_name = "X", default_value_t = TrainerPlan::MARGIN)]
    margin: f64,
    /// Games without the player, at most so many for each of the player's.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = whole::<usize>(0..=1_000))]
    others: usize,
    /// The seed by which those are drawn.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    work: RunFlags,
}

impl GamesArgs {
    /// The plan that the flags mean.
    fn plan(&self) -> Result<TrainerPlan> {
        let margin = self.margin;
        ensure!(
            margin > 0.0 && margin < 1.0,
            "--margin is {margin}, expected more than 0 and less than 1"
        );
        Ok(TrainerPlan {
            games: self.games.clone(),
            player: self.player.clone(),
            engine: self.engine.spec()?,
            nodes: self.nodes,
            margin,
            others: self.others,
            seed: self.seed,
        })
    }
}

/// Searches, writes the folder and prints what came out.
pub fn run(args: &GamesArgs) -> Result<ExitCode> {
    let (folder, plan) = args.work.open(|| args.plan())?;
    let outcome = carry_out(&plan, &folder, &args.work.context())?;
    outcome.write(&folder)?;
    output::either(args.work.json, || outcome.json(&folder), || outcome.text(&folder))
}
