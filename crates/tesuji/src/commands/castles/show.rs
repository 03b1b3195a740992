//! `tesuji castles show`.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow, ensure};
use clap::Args;
use tesuji_analysis::formations::{recognition_json, recognition_text};
use tesuji_eval::formations::{Formations, Recognition};
use tesuji_shogi::{BoardStyle, Position};

use super::FormationFlags;
use crate::flags::Language;
use crate::output;
use crate::subject::{FILES_HELP, OptionalSubjectArgs};

/// Show which castles stand or are under way, what both players play, and how they attack.
#[derive(Args, Debug)]
#[command(after_help = format!("{FILES_HELP}

Examples:
  tesuji castles show game.kif --ply 40
  tesuji castles show game.kif --ply 40 --lang ja
  tesuji castles show --positions positions.sfen --json"))]
pub struct ShowArgs {
    #[command(flatten)]
    subject: OptionalSubjectArgs,
    /// A file with an SFEN in each line, for all of which it is shown; - is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["subject", "ply", "game", "from"])]
    positions: Option<PathBuf>,
    #[command(flatten)]
    formations: FormationFlags,
    /// The language.
    #[arg(long, value_name = "LANG", default_value = "en")]
    lang: Language,
    /// Print one JSON object, for each position one.
    #[arg(long)]
    json: bool,
}

/// Shows them.
pub fn run(args: &ShowArgs) -> Result<ExitCode> {
    let atlas = args.formations.load()?;
    if let Some(path) = &args.positions {
        return show_all(args, path, atlas.formations());
    }
    let subject = args.subject.load()?;
    let position = &subject.position;
    let seen = Recognition::new(atlas.formations(), position);
    let text = || {
        let style = if args.lang == Language::Ja { BoardStyle::Kanji } else { BoardStyle::Letters };
        let board = position.display(style).last_move(subject.last);
        let words = recognition_text(&seen, args.lang.lang());
        format!("{}{board}\n{words}", subject.heading())
    };
    let value = || {
        let mut shown = recognition_json(&seen);
        shown["sfen"] = position.to_sfen().into();
        shown
    };
    output::either(args.json, value, text)
}

/// The same for every line of a file.
fn show_all(args: &ShowArgs, path: &PathBuf, formations: &Formations) -> Result<ExitCode> {
    let name = path.display();
    let lines: Box<dyn BufRead> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).with_context(|| format!("{name}"))?))
    };
    let mut count = 0;
    for (number, line) in (1..).zip(lines.lines()) {
        let line = line.with_context(|| format!("{name}, line {number}"))?;
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let sfen = text.strip_prefix("sfen ").unwrap_or(text);
        let sfen = if sfen == "startpos" { Position::STARTPOS } else { sfen };
        let position =
            Position::from_sfen(sfen).map_err(|error| anyhow!("{name}, line {number}: {error}"))?;
        count += 1;
        let seen = Recognition::new(formations, &position);
        if args.json {
            let mut shown = recognition_json(&seen);
            shown["sfen"] = sfen.into();
            output::print_json(&shown)?;
        } else {
            let words = recognition_text(&seen, args.lang.lang());
            output::print(&format!("{sfen}\n{words}"))?;
        }
    }
    ensure!(count > 0, "{name}: there is no position in it");
    Ok(ExitCode::SUCCESS)
}
