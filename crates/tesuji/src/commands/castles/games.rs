//! `tesuji castles games`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use tesuji_eval::formations::Atlas;
use tesuji_lab::castles::{CoachedGame, Popularity, Survey, SurveyPlan, coach, survey};
use tesuji_records::stream::{Games, Input};
use tesuji_run::Context;
use tesuji_shogi::Color;

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
        let coached = coach(&game?.read()?, &atlas);
        return output::either(
            args.json,
            || coached.to_json(&atlas),
            || coach_text(&coached, &atlas),
        );
    }
    let plan = SurveyPlan { games: args.games.clone(), ply: args.ply, held_out: args.held_out };
    let context = Context { threads: args.threads, observer: &Terminal };
    let survey = survey(&plan, &atlas, &context)?;
    output::either(args.json, || survey.to_json(&atlas), || survey_text(&survey, &atlas, args))
}

fn survey_text(survey: &Survey, atlas: &Atlas, args: &GamesArgs) -> String {
    let share = |count: u64| 100.0 * count as f64 / survey.sides.max(1) as f64;
    let mut text = format!(
        "{} games; of {} sides after {} moves {:.1} % have a castle with a name, {:.1} % one that is \
         complete to 60 % or more; a name changes {:.2} times a game\n",
        survey.games,
        survey.sides,
        args.ply,
        share(survey.named),
        share(survey.mostly_built),
        survey.changes_per_game(),
    );
    let formations = atlas.formations();
    let castles = survey.castles.iter();
    let castles = castles.map(|(&index, one)| (&*formations.castles()[index].names.name, *one));
    text += &list("castle", castles.collect(), args.top);
    let strategies = survey.strategies.iter().map(|(id, one)| {
        let known = formations.strategies().iter().find(|strategy| strategy.names.id == *id);
        (known.map_or("none", |strategy| &strategy.names.name), *one)
    });
    text += &list("strategy", strategies.collect(), args.top);
    let assaults = survey.assaults.iter();
    let assaults = assaults.map(|(&index, one)| (&*formations.assaults()[index].names.name, *one));
    text + &list("assault", assaults.collect(), args.top)
}

fn list(what: &str, mut all: Vec<(&str, Popularity)>, top: usize) -> String {
    all.sort_by_key(|(name, one)| (std::cmp::Reverse(one.sides), *name));
    let mut text = format!("\n{what:<36}  sides  Black's  success\n");
    for (name, one) in all.into_iter().take(top) {
        let success = one.success().map_or_else(String::new, |(share, error)| {
            format!("{:5.1} ± {:.1} %", 100.0 * share, 100.0 * error)
        });
        text += &format!("{name:<36} {:>6} {:>8}  {success}\n", one.sides, one.black);
    }
    text
}

fn coach_text(game: &CoachedGame, atlas: &Atlas) -> String {
    let name = |castle: usize| &atlas.formations().castles()[castle].names.name;
    let mut text = String::new();
    for (color, side) in Color::ALL.into_iter().zip(&game.sides) {
        let who = if color == Color::Black { "Black" } else { "White" };
        let castles = side.castles.iter();
        let castles = castles.map(|&(castle, ply)| format!("{} from move {ply}", name(castle)));
        let castles: Vec<String> = castles.collect();
        if castles.is_empty() {
            text += &format!("{who}: no castle\n");
            continue;
        }
        let most = (100.0 * side.most).round();
        text += &format!("{who}: {} (complete to {most} %)\n", castles.join(", then "));
        if let Some(broke) = &side.broke {
            let [before, after] = broke.complete.map(|share| (100.0 * share).round());
            text += &format!(
                "  move {}, {}, broke the {}: {before} % to {after} %, and took nothing\n",
                broke.ply,
                broke.mv,
                name(broke.castle),
            );
            if let Some(plan) = broke.plan.as_ref().filter(|plan| !plan.moves.is_empty()) {
                let moves: Vec<String> = plan.moves.iter().map(ToString::to_string).collect();
                text += &format!("  the plan was {}\n", moves.join(" "));
            }
        }
    }
    text
}
