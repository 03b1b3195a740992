//! `tesuji analyse`: a game move by move.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use tesuji_analysis::judge::{DEFAULT_NODES, SearchLimits};
use tesuji_analysis::{AnalysisSettings, SavedGame, judge_in};
use tesuji_eval::Weights;
use tesuji_records::Format;
use tesuji_run::{Context, plan};

use super::format_parser;
use super::search::LimitArgs;
use crate::engines::EngineArgs;
use crate::output;
use crate::progress::Terminal;

/// Analyse a game: scores, best lines, mistakes and what they gave away.
///
/// Every position is searched, and so is the one after the best move where another was played, so
/// that the two are compared fairly. The run leaves a folder with a page to step through the game.
#[derive(Args, Debug)]
#[command(
    after_help = "Scores are Black's, in centipawns; +#7 is a mate by Black in 7 plies, -#6 one by \
    White in 6.
Limits are those of every search; without one it is 100,000 nodes. With limits of nodes or depth \
    the same game gives the same bytes, whatever the number of threads.

Examples:
  tesuji analyse game.kif
  tesuji analyse games.tsv --game 12 --nodes 1000000 --threads 4
  tesuji analyse game.csa --ms 500 --first 40 --last 90 --kanji
  tesuji analyse - --json < game.ki2
  tesuji analyse --resume runs/20261115T120000Z-analyse-3f9a2c"
)]
pub struct AnalyseArgs {
    /// A game record: kif, ki2, csa, jkf, usi or tsv; - is standard input.
    #[arg(value_name = "FILE", required_unless_present = "resume")]
    file: Option<PathBuf>,
    /// The number of the game in the file, from 1; needed where there are several.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// The format of the file, if neither name nor content tells.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,
    /// The first move that is judged.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    first: u64,
    /// The last move that is judged; that of the game if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    last: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// The weights of named features that say what a mistake gave away: a file, or published,
    /// evolved, coevolved, pupil, predictor or extended.
    #[arg(long, value_name = "FILE|NAME", default_value = Weights::DEFAULT)]
    weights: String,
    /// Positions that are searched at a time.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: u64,
    /// Name moves in Japanese in the text; the page does so anyway.
    #[arg(long)]
    kanji: bool,
    /// Where the folder of the run is made.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    out: PathBuf,
    /// Go on with a run that was stopped; its folder knows the game and all settings.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["file", "game", "from"])]
    resume: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl AnalyseArgs {
    /// The settings that the flags mean, with the game.
    fn settings(&self) -> Result<AnalysisSettings> {
        let file = self.file.clone().unwrap_or_default();
        let game = SavedGame::load(&file, self.from, self.game)?;
        let last = self.last.map(usize::try_from).transpose()?;
        let settings = AnalysisSettings::new(game)?.between(usize::try_from(self.first)?, last)?;
        let LimitArgs { ms, depth, nodes } = self.limits.or_nodes(DEFAULT_NODES);
        Ok(AnalysisSettings {
            limits: SearchLimits { ms, depth, nodes },
            engine: self.engine.spec()?,
            weights: self.weights.clone(),
            ..settings
        })
    }
}

/// Analyses, writes the folder and prints what was found.
pub fn run(args: &AnalyseArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let (run_folder, settings) =
        plan::open(args.resume.as_deref(), &args.out, &Terminal, || args.settings())?;
    let context = Context { threads: usize::try_from(args.threads)?, observer: &Terminal };
    let analysis = judge_in(&run_folder, &settings, context)?;
    let path = analysis.write(&run_folder)?;
    if args.json {
        let mut result = analysis.to_json();
        for (key, path) in [("folder", run_folder.path()), ("report", &path)] {
            result.insert(key.to_owned(), json!(path.display().to_string()));
        }
        result.insert("seconds".to_owned(), json!(started.elapsed().as_secs_f64()));
        output::print_json(&result.into())?;
    } else {
        output::print(&analysis.text(args.kanji))?;
        output::print(&format!("{}\n", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
