//! `tesuji explain`: why a position, or a move, is worth what the evaluation says.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use tesuji_analysis::ExplainSettings;
use tesuji_analysis::explain::{self, SearchedLayout, SearchedSettings, TextLayout};
use tesuji_analysis::judge::{DEFAULT_NODES, SearchLimits};
use tesuji_shogi::BoardStyle;

use super::search::LimitArgs;
use crate::engines::EngineArgs;
use crate::flags::Language;
use crate::output;
use crate::subject::{FILES_HELP, SubjectArgs};

/// Explain a position, or a move: the best moves, and why, with squares and centipawns.
///
/// The engine searches, plays captures out, and tells what its own evaluation sees. With --weights
/// an evaluation of named features is taken apart feature by feature instead, without a search.
#[derive(Args, Debug)]
#[command(after_help = format!("{FILES_HELP}

Numbers are centipawns. What is said and what is not said add up to the score.

Examples:
  tesuji explain startpos
  tesuji explain game.kif --ply 40 --kanji
  tesuji explain game.kif --ply 40 --move 7g7f
  tesuji explain games.tsv --game 12 --ply 60 --nodes 1000000
  tesuji explain game.kif --ply 40 --move ７六歩 --kanji --lang ja
  tesuji explain game.kif --ply 40 --weights best.toml --side black --top 20
  tesuji explain startpos moves 7g7f 3c3d --json"))]
pub struct ExplainArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// The language.
    #[arg(long, value_name = "LANG", default_value = "en")]
    lang: Language,
    /// Take these weights apart, feature by feature and without a search: a file, or published,
    /// evolved, coevolved, pupil, predictor or extended.
    #[arg(long, value_name = "FILE|NAME", conflicts_with_all = ["eval", "nodes", "depth", "ms"])]
    weights: Option<String>,
    /// Explain this move: 7g7f, P*5e, ７六歩.
    #[arg(long = "move", value_name = "MOVE")]
    mv: Option<String>,
    /// With --weights: whose view to explain; both are compared if not given. JSON has both.
    #[arg(
        long,
        value_name = "SIDE",
        default_value = "both",
        conflicts_with = "mv",
        requires = "weights"
    )]
    side: Side,
    /// With --weights: how many features to list, the strongest first. JSON has all.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        allow_negative_numbers = true,
        requires = "weights"
    )]
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
    let subject = args.subject.load()?;
    if let Some(weights) = args.weights.clone() {
        let settings = ExplainSettings { weights, mv: args.mv.clone() };
        let explained = explain::explain(subject, &settings)?;
        return output::either(
            args.json,
            || explained.to_json(),
            || explained.text(&args.layout()),
        );
    }
    let LimitArgs { ms, depth, nodes } = args.limits.or_nodes(DEFAULT_NODES);
    let settings = SearchedSettings {
        engine: args.engine.spec()?,
        limits: SearchLimits { ms, depth, nodes },
        mv: args.mv.clone(),
    };
    let explained = explain::explain_searched(subject, &settings)?;
    let layout = SearchedLayout { lang: args.lang.lang(), style: args.layout().style };
    output::either(args.json, || explained.to_json(), || explained.text(layout))
}
