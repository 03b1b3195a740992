//! `tesuji moves`: what the moves of a position are for, and what a player misses.

mod games;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use tesuji_analysis::plausible::{MovesLayout, MovesSettings, plausible_moves};
use tesuji_eval::plausible::Cut;
use tesuji_shogi::BoardStyle;

use crate::flags::{Language, whole};
use crate::output;
use crate::subject::{FILES_HELP, SubjectArgs};

/// Show what the legal moves are for: the generators that produce each, merit and rank, in words.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true,
    after_help = format!("{FILES_HELP}

Examples:
  tesuji moves startpos
  tesuji moves game.kif --ply 40 --top 5 --lang ja
  tesuji moves game.kif --ply 40 --move 7g7f
  tesuji moves startpos moves 7g7f 3c3d --cut best:10 --json
  tesuji moves games games.tsv --player 'Yoshiharu Habu'"))]
pub struct MovesArgs {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    subject: SubjectArgs,
    /// Which moves are kept: all that are generated, those with a merit of 0 or more, the best N, or
    /// the best that have a share X of the probability.
    #[arg(long, value_name = "all|merit|best:N|mass:X", default_value_t = Cut::Merit)]
    cut: Cut,
    /// A file of merits, or the name of those that come with the program: hand or fitted.
    #[arg(long, value_name = "FILE|NAME", default_value = "fitted")]
    merit: String,
    /// Ask all generators: let improvement and prevention not rest while a strong threat is on the
    /// board.
    #[arg(long)]
    no_hierarchy: bool,
    /// Show this move with each of its reasons: 7g7f, P*5e, ７六歩.
    #[arg(long = "move", value_name = "MOVE")]
    mv: Option<String>,
    /// How many moves to list, the best first. JSON has all.
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = whole::<usize>(1..=600))]
    top: usize,
    /// Draw the board and name moves in Japanese; with --lang ja it is done anyway.
    #[arg(long)]
    kanji: bool,
    /// The language; JSON has both.
    #[arg(long, value_name = "LANG", default_value = "en")]
    lang: Language,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum Task {
    Games(games::GamesArgs),
}

/// Shows them, or looks at games.
pub fn run(args: &MovesArgs) -> Result<ExitCode> {
    if let Some(Task::Games(args)) = &args.task {
        return games::run(args);
    }
    let settings = MovesSettings {
        merit: args.merit.clone(),
        cut: args.cut,
        ask_all: args.no_hierarchy,
        mv: args.mv.clone(),
    };
    let found = plausible_moves(args.subject.load()?, &settings)?;
    let is_japanese = args.kanji || args.lang == Language::Ja;
    let style = if is_japanese { BoardStyle::Kanji } else { BoardStyle::Letters };
    let layout = MovesLayout { lang: args.lang.lang(), style, top: args.top };
    output::either(args.json, || found.to_json(), || found.text(&layout))
}
