//! `tesuji analyse`: a game move by move.

mod given;
mod json;
mod judge;
mod names;
mod page;
mod scores;
mod source;
mod text;
mod work;

use crate::progress::Terminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use tesuji_run::Observer;

use anyhow::{Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tesuji_eval::Model;
use tesuji_eval::Weights;
use tesuji_records::Format;
use tesuji_report::number;
use tesuji_run::Input;

use self::judge::Judged;
use self::source::SavedGame;
use super::format_parser;
use super::search::LimitArgs;
use crate::engines::EngineArgs;
use crate::output;
use tesuji_run::plan as folder;
use tesuji_search::spec::EnginePlan;

/// Positions searched for each position of the game, if no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Analyse a game: scores, best lines, mistakes and what they gave away.
///
/// Every position is searched, and so is the one after the best move where another was played, so that
/// the two are compared fairly. The run leaves a folder with a page to step through the game.
#[derive(Args, Debug)]
#[command(
    after_help = "Scores are Black's, in hundredths of a pawn; +#7 is a mate by Black in 7 plies, -#6 one by White in 6.
Limits are those of every search; without one it is 100,000 nodes. With limits of nodes or depth the same game gives the same bytes, whatever the number of threads.

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

/// The settings of an analysis, as the folder of the run keeps them. The game is one of them: what
/// came from standard input can be gone on with too.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    game: SavedGame,
    first: usize,
    last: usize,
    limits: LimitArgs,
    engine: EngineArgs,
    weights: String,
}

impl Plan {
    fn new(args: &AnalyseArgs) -> Result<Self> {
        let file = args.file.clone().unwrap_or_default();
        let game = SavedGame::load(&file, args.from, args.game)?;
        let moves = game.record()?.main.moves.len();
        let name = &game.file;
        ensure!(moves > 0, "{name}: the game has no moves");
        let (first, last) = (args.first, args.last.unwrap_or(moves as u64));
        let inside = 1 <= first && first <= last && last <= moves as u64;
        ensure!(inside, "{name}: moves {first} to {last} of a game that has moves 1 to {moves}");
        Ok(Self {
            game,
            first: usize::try_from(first)?,
            last: usize::try_from(last)?,
            limits: args.limits.or_nodes(DEFAULT_NODES),
            engine: args.engine.clone(),
            weights: args.weights.clone(),
        })
    }

    /// The engine of each of so many threads. Its table is cleared for every position, so one that is
    /// much larger than a search can fill would cost time and gain nothing.
    fn engine(&self, threads: usize) -> Result<EnginePlan> {
        /// Entries of a mebibyte, less than there are.
        const ENTRIES: u64 = 1 << 15;
        let mut engine = self.engine.plan(threads)?;
        if let Some(nodes) = self.limits.any_limits().nodes {
            let needed = usize::try_from(nodes.div_ceil(ENTRIES)).unwrap_or(usize::MAX);
            engine.mebibytes = engine.mebibytes.min(needed);
        }
        Ok(engine)
    }

    /// The limits of each search, for people: `100,000 nodes`.
    fn limits_text(&self) -> String {
        let limits = self.limits.any_limits();
        let parts = [
            limits.nodes.map(|nodes| format!("{} nodes", number::count(nodes))),
            limits.depth.map(|depth| format!("a depth of {depth}")),
            limits.hard_time.map(|time| format!("{} ms", time.as_millis())),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" or ")
    }
}

impl folder::Plan for Plan {
    const COMMAND: &'static str = "analyse";

    /// Nothing is left to chance.
    fn seed(&self) -> u64 {
        0
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = Vec::new();
        for name in [&self.engine.eval, &self.weights] {
            if name != "material" && Model::named(name).is_none() {
                inputs.push(folder::input(name.as_ref())?);
            }
        }
        Ok(inputs)
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        Weights::load(&self.weights)?;
        self.engine(1)?;
        Ok(())
    }
}

/// Analyses, writes the folder and prints what was found.
pub fn run(args: &AnalyseArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let (run_folder, plan) =
        folder::open(args.resume.as_deref(), &args.out, &Terminal, || Plan::new(args))?;
    let threads = usize::try_from(args.threads)?;
    let record = plan.game.record()?;
    let seen = work::search(&plan, &record, &run_folder, threads)?;
    let judged = Judged::new(&plan, &record, &seen, &Weights::load(&plan.weights)?);
    let mut result = json::result(&plan, &record, &judged);
    run_folder.write_json("result.json", &result)?;
    let path =
        run_folder.write_report(&page::page(&plan, &record, &judged, &run_folder).to_html())?;
    if args.json {
        let paths = [("folder", run_folder.path()), ("report", &path)];
        for (key, path) in paths {
            result.insert(key.to_owned(), json!(path.display().to_string()));
        }
        result.insert("seconds".to_owned(), json!(started.elapsed().as_secs_f64()));
        output::print_json(&result.into())?;
    } else {
        output::print(&text::report(&record, &judged, args.kanji))?;
        output::print(&format!("{}\n", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
