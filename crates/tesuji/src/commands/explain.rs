//! `tesuji explain`: why a position, or a move, is worth what the evaluation says.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use tesuji_analysis::ExplainSettings;
use tesuji_analysis::explain::{self, TextLayout};
use tesuji_eval::Weights;
use tesuji_shogi::BoardStyle;

use crate::output;
use crate::subject::{FILES_HELP, SubjectArgs};

/// Explain what a position is worth, feature by feature, or what a move changes.
#[derive(Args, Debug)]
#[command(after_help = format!("{FILES_HELP}

Scores look at the position as it is: no reply is considered.

Examples:
  tesuji explain startpos
  tesuji explain game.kif --ply 40 --kanji
  tesuji explain game.kif --ply 40 --move 7g7f
  tesuji explain games.tsv --game 12 --ply 60 --side black --top 20
  tesuji explain game.kif --ply 40 --move ７六歩 --weights best.toml
  tesuji explain startpos moves 7g7f 3c3d --json"))]
pub struct ExplainArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    /// A weights file, or the name of weights that come with the program: published, evolved,
    /// coevolved, pupil, predictor or extended.
    #[arg(long, value_name = "FILE|NAME", default_value = Weights::DEFAULT)]
    weights: String,
    /// Explain what this move changes, in the view of the player who moves: 7g7f, P*5e, ７六歩.
    #[arg(long = "move", value_name = "MOVE")]
    mv: Option<String>,
    /// Whose view to explain; both are compared if not given. JSON has both.
    #[arg(long, value_name = "SIDE", default_value = "both", conflicts_with = "mv")]
    side: Side,
    /// How many features to list, the strongest first. JSON has all.
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true)]
    top: usize,
    /// Draw the board and name moves in Japanese.
    #[arg(long)]
    kanji: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Whose view to explain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    Black,
    White,
    Both,
}

impl ExplainArgs {
    fn layout(&self) -> TextLayout {
        TextLayout {
            side: match self.side {
                Side::Black => explain::Side::Black,
                Side::White => explain::Side::White,
                Side::Both => explain::Side::Both,
            },
            top: self.top,
            style: if self.kanji { BoardStyle::Kanji } else { BoardStyle::Letters },
        }
    }
}

/// Explains it.
pub fn run(args: &ExplainArgs) -> Result<ExitCode> {
    let settings = ExplainSettings { weights: args.weights.clone(), mv: args.mv.clone() };
    let explained = explain::explain(args.subject.load()?, &settings)?;
    if args.json {
        output::print_json(&explained.to_json())?;
    } else {
        output::print(&explained.text(&args.layout()))?;
    }
    Ok(ExitCode::SUCCESS)
}
