//! `tesuji castles games`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use tesuji_analysis::formations::story;
use tesuji_lab::castles::{SurveyPlan, survey};
use tesuji_records::stream::{Games, Input};
use tesuji_run::Context;

use super::FormationFlags;
use crate::flags::whole;
use crate::output;
use crate::progress::Terminal;

/// Tell which castles, strategies and assaults games have, how often and with what success; for one
/// game, what was built and the move where the plan broke.
#[derive(Args, Debug)]
pub struct GamesArgs {
    /// Files of games.
    #[arg(value_name = "FILE", required = true)]
    games: Vec<PathBuf>,
    /// Only the game with this number, from 1, move by move.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1_000_000_000))]
    game: Option<usize>,
    /// The position after this many moves is the one that counts.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = whole::<usize>(1..=1_000))]
    ply: usize,
    /// How many of each are listed. JSON has all.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = whole::<usize>(1..=1_000))]
    top: usize,
    /// List all of them, and castles by every opening.
    #[arg(long, conflicts_with = "top")]
    all: bool,
    /// Only the games that `train` keeps apart to measure with, under its usual seed or this one.
    #[arg(long, value_name = "SEED", num_args = 0..=1, require_equals = true,
          default_missing_value = "1", conflicts_with = "game")]
    held_out: Option<u64>,
    #[command(flatten)]
    formations: FormationFlags,
    /// How many threads to use; 0 = one per core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(0..=1_024))]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Looks at the games.
pub fn run(args: &GamesArgs) -> Result<ExitCode> {
    let atlas = args.formations.load()?;
    if let Some(number) = args.game {
        let mut games = Games::new(Input::from_paths(&args.games)?, None).raw();
        let Some(game) = games.nth(number - 1) else { bail!("there is no game {number}") };
        let story = story(&game?.read()?, &atlas);
        return output::either(args.json, || story.to_json(&atlas), || story.text(&atlas));
    }
    let plan = SurveyPlan { games: args.games.clone(), ply: args.ply, held_out: args.held_out };
    let context = Context { threads: args.threads, observer: &Terminal };
    let survey = survey(&plan, &atlas, &context)?;
    let top = (!args.all).then_some(args.top);
    let text = || survey.text(atlas.formations(), args.ply, top);
    output::either(args.json, || survey.to_json(&atlas), text)
}
