//! `tesuji plan`: the moves that build a castle.

use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use tesuji_analysis::formations::{plan_json, plan_text};
use tesuji_shogi::{BoardStyle, Color};

use super::castles::FormationFlags;
use crate::flags::{Language, whole};
use crate::output;
use crate::subject::{FILES_HELP, SubjectArgs};

/// Plan a castle: the moves that build it, in an order that works while the opponent passes.
#[derive(Args, Debug)]
#[command(after_help = format!("{FILES_HELP}

Examples:
  tesuji plan startpos
  tesuji plan game.kif --ply 10 --side white --lang ja
  tesuji plan startpos --castle mino --json"))]
pub struct PlanArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    #[command(flatten)]
    formations: FormationFlags,
    /// Build this castle; without it the one that suits best and can be finished.
    #[arg(long, value_name = "NAME")]
    castle: Option<String>,
    /// Who builds; who is to move if not given.
    #[arg(long, value_name = "SIDE")]
    side: Option<Side>,
    /// How many castles are tried before the best that cannot be finished is shown.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = whole::<usize>(1..=200))]
    tries: usize,
    /// The language.
    #[arg(long, value_name = "LANG", default_value = "en")]
    lang: Language,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    Black,
    White,
}

/// Plans it.
pub fn run(args: &PlanArgs) -> Result<ExitCode> {
    let subject = args.subject.load()?;
    let atlas = args.formations.load()?;
    let position = &subject.position;
    let color = match args.side {
        None => position.side_to_move(),
        Some(Side::Black) => Color::Black,
        Some(Side::White) => Color::White,
    };
    let plan = match &args.castle {
        None => atlas.plan(position, color, args.tries),
        Some(name) => {
            let formations = atlas.formations();
            let castle = formations.castles().iter().position(|castle| castle.names.has(name));
            let near = || formations.nearest_name(name);
            let castle = castle.ok_or_else(|| match near() {
                Some(near) => anyhow!("{name:?} is no castle; did you mean {near}?"),
                None => anyhow!("{name:?} is no castle"),
            })?;
            atlas.plan_castle(position, color, castle)
        }
    };
    let Some(plan) = plan else { bail!("in check there is nothing to plan") };
    let lang = args.lang.lang();
    let text = || {
        let style = if args.lang == Language::Ja { BoardStyle::Kanji } else { BoardStyle::Letters };
        let board = position.display(style).last_move(subject.last);
        let words = plan_text(&atlas, position, color, &plan, lang);
        format!("{}{board}\n{words}", subject.heading())
    };
    output::either(args.json, || plan_json(&atlas, position, color, &plan), text)
}
