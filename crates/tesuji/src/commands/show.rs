//! `tesuji show`: a position, or a position out of a file.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::Value;
use tesuji_shogi::BoardStyle;

use crate::output;
use crate::subject::{self, FILES_HELP, SubjectArgs};

/// Show a position, or a position out of a file.
#[derive(Args, Debug)]
#[command(after_help = format!("{FILES_HELP}

Examples:
  tesuji show startpos
  tesuji show startpos moves 7g7f 3c3d 8h2b+ --kanji
  tesuji show game.kif --ply 40
  tesuji show games.tsv --game 12 --json
  tesuji show train.psv --game 1000"))]
pub struct ShowArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    /// Draw the board in Japanese.
    #[arg(long)]
    kanji: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Shows it.
pub fn run(args: &ShowArgs) -> Result<ExitCode> {
    let subject = args.subject.load()?;
    let position = &subject.position;
    if args.json {
        let mut shown = subject::position_json(position, subject.last);
        shown.append(&mut subject.source_json());
        output::print_json(&Value::Object(shown))?;
    } else {
        let style = if args.kanji { BoardStyle::Kanji } else { BoardStyle::Letters };
        let board = position.display(style).last_move(subject.last);
        let (heading, state) = (subject.heading(), subject::state_text(position));
        output::print(&format!("{heading}{board}{state}\nsfen {}\n", position.to_sfen()))?;
    }
    Ok(ExitCode::SUCCESS)
}
