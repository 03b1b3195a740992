//! `tesuji evolve --player`: what sets one player's moves apart from all others'.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use tesuji_lab::style::{self, StylePlan};

use super::EvolveArgs;
use crate::output;

/// The plan that the flags mean.
fn plan(args: &EvolveArgs) -> Result<StylePlan> {
    let games = args.data.source(args.seed).games;
    ensure!(!games.is_empty(), "--player needs --games, in which the player and others played");
    let usual = StylePlan::new(args.player.clone(), games);
    ensure!(args.l2 > 0.0 && args.l2.is_finite(), "--l2 is {}, expected more than 0", args.l2);
    Ok(StylePlan {
        per_game: args.data.per_game().unwrap_or(usual.per_game),
        features: args.features.clone(),
        l2: args.l2,
        folds: if args.folds == 0 { usual.folds } else { args.folds },
        seed: args.seed,
        ..usual
    })
}

/// Compares, writes the folder and prints what came out.
pub fn run(args: &EvolveArgs) -> Result<ExitCode> {
    let work = &args.work;
    let (folder, plan) = work.open(|| plan(args))?;
    let outcome = style::carry_out(&plan, &folder, &work.context())?;
    outcome.write(&folder)?;
    output::either(work.json, || outcome.json(&folder), || outcome.text(&folder))
}
