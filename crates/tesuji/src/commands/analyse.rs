//! `tesuji analyse`: games move by move.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use serde_json::json;
use tesuji_analysis::judge::{
    CollectionSettings, DEFAULT_NODES, SearchLimits, TextLayout, judge_collection,
};
use tesuji_analysis::{AnalysisSettings, GameAnalysis, SavedGame, judge_in};
use tesuji_lab::sink;
use tesuji_records::Format;
use tesuji_run::{Context, Plan, RunFolder, RunReader, atomic, plan};

use super::format_parser;
use super::search::LimitArgs;
use crate::engines::EngineArgs;
use crate::flags::{Language, whole};
use crate::output;
use crate::progress::Terminal;

/// Analyse games: scores, best lines, mistakes and why they are mistakes.
///
/// Every position is searched, and so is the one after the best move where another was played;
/// longer where a move is blamed. The run leaves a folder with a page to step through the game.
#[derive(Args, Debug)]
#[command(
    after_help = "Scores are Black's, in centipawns; +#7 is a mate by Black in 7 plies, -#6 one by \
    White in 6.
Limits are those of every search; without one it is 100,000 nodes. With limits of nodes or depth \
    the same game gives the same bytes, whatever the number of threads.
A folder, several files or --all make one run of many games: a page for each, counts of mistakes \
    for every player, and a histogram of what moves lost.

Examples:
  tesuji analyse game.kif
  tesuji analyse game.kif --annotate annotated.kifu
  tesuji analyse games.tsv --game 12 --nodes 1000000 --threads 4
  tesuji analyse games/ --json
  tesuji analyse game.csa --ms 500 --first 40 --last 90 --kanji --lang ja
  tesuji analyse - --json < game.ki2
  tesuji analyse --resume runs/20261115T120000Z-analyse-3f9a2c"
)]
pub struct AnalyseArgs {
    /// Game records: kif, ki2, csa, jkf, usi or tsv, or folders of them; - is standard input.
    #[arg(value_name = "FILE", required_unless_present = "resume")]
    files: Vec<PathBuf>,
    /// The number of the game in the file, from 1; needed where there are several.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// Analyse all games of a file that has several.
    #[arg(long, conflicts_with = "game")]
    all: bool,
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
    /// How many centipawns raise the odds of winning by a factor of e, in place of the scale of the
    /// evaluation.
    #[arg(long, value_name = "CP", value_parser = whole::<u32>(1..=100_000))]
    chance_scale: Option<u32>,
    /// Write the game with comments and variations to this file (kif, kifu, ki2, csa or jkf); the
    /// name of a folder if there are many games, which are written as kifu.
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    /// Positions that are searched at a time.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: u64,
    /// Name moves in Japanese in the text; the page does so anyway.
    #[arg(long)]
    kanji: bool,
    /// The language of reasons; JSON and the page have both.
    #[arg(long, value_name = "LANG", default_value = "en")]
    lang: Language,
    /// Where the folder of the run is made.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    out: PathBuf,
    /// Go on with a run that was stopped; its folder knows the games and all settings.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["files", "game", "from", "all"])]
    resume: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl AnalyseArgs {
    /// Is it a run of many games?
    fn is_collection(&self) -> bool {
        match &self.resume {
            Some(run) => RunReader::open(run)
                .is_ok_and(|run| run.manifest().command == CollectionSettings::COMMAND),
            None => {
                let folder = self.files.iter().any(|file| file.is_dir());
                self.all || folder || self.files.len() > 1
            }
        }
    }

    /// The settings that the flags mean, for a game.
    fn of_game(&self, game: SavedGame) -> Result<AnalysisSettings> {
        let last = self.last.map(usize::try_from).transpose()?;
        let settings = AnalysisSettings::new(game)?.between(usize::try_from(self.first)?, last)?;
        let LimitArgs { ms, depth, nodes } = self.limits.or_nodes(DEFAULT_NODES);
        Ok(AnalysisSettings {
            limits: SearchLimits { ms, depth, nodes },
            engine: self.engine.spec()?,
            chance_scale: self.chance_scale,
            ..settings
        })
    }

    fn settings(&self) -> Result<AnalysisSettings> {
        let file = self.files.first().cloned().unwrap_or_default();
        self.of_game(SavedGame::load(&file, self.from, self.game)?)
    }

    fn collection(&self) -> Result<CollectionSettings> {
        ensure!(self.game.is_none(), "--game is for one file, and there are several");
        let games = SavedGame::load_all(&self.files, self.from, &Terminal)?;
        let games = games.into_iter().map(|game| self.of_game(game));
        Ok(CollectionSettings { games: games.collect::<Result<_>>()? })
    }

    const fn layout(&self) -> TextLayout {
        TextLayout { kanji: self.kanji, lang: self.lang.lang() }
    }
}

/// Analyses, writes the folder and prints what was found.
pub fn run(args: &AnalyseArgs) -> Result<ExitCode> {
    if args.is_collection() {
        return run_many(args);
    }
    let started = Instant::now();
    let (run_folder, settings) =
        plan::open(args.resume.as_deref(), &args.out, &Terminal, || args.settings())?;
    let context = Context { threads: usize::try_from(args.threads)?, observer: &Terminal };
    let analysis = judge_in(&run_folder, &settings, context)?;
    let path = analysis.write(&run_folder)?;
    if let Some(annotated) = &args.annotate {
        sink::write_file(annotated, &analysis.annotated(args.lang.lang()))?;
    }
    if args.json {
        let mut result = analysis.to_json();
        for (key, path) in [("folder", run_folder.path()), ("report", &path)] {
            result.insert(key.to_owned(), json!(path.display().to_string()));
        }
        result.insert("seconds".to_owned(), json!(started.elapsed().as_secs_f64()));
        output::print_json(&result.into())?;
    } else {
        output::print(&analysis.text(args.layout()))?;
        output::print(&format!("{}\n", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The same for many games.
fn run_many(args: &AnalyseArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let (run_folder, settings) =
        plan::open(args.resume.as_deref(), &args.out, &Terminal, || args.collection())?;
    let context = Context { threads: usize::try_from(args.threads)?, observer: &Terminal };
    let games = run_folder.path().join("games");
    fs::create_dir_all(&games).with_context(|| games.display().to_string())?;
    if let Some(folder) = &args.annotate {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let outcome = judge_collection(&run_folder, &settings, context, |number, analysis| {
        write_game(&run_folder, &games, number, analysis)?;
        if let Some(folder) = &args.annotate {
            let file = folder.join(format!("{number:04}.kifu"));
            sink::write_file(&file, &analysis.annotated(args.lang.lang()))?;
        }
        Ok(())
    })?;
    if args.json {
        let mut result = outcome.to_json();
        result["folder"] = json!(run_folder.path().display().to_string());
        result["seconds"] = json!(started.elapsed().as_secs_f64());
        output::print_json(&result)?;
    } else {
        output::print(&outcome.text())?;
        output::print(&format!("\nA page for each game: {}\n", games.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the page and the result of one of many games.
fn write_game(
    run_folder: &RunFolder,
    games: &Path,
    number: usize,
    analysis: &GameAnalysis,
) -> Result<()> {
    let page = analysis.page(&run_folder.manifest().program).to_html();
    let result = serde_json::to_vec(&analysis.to_json())?;
    for (ending, bytes) in [("html", page.as_bytes()), ("json", &result)] {
        let path = games.join(format!("{number:04}.{ending}"));
        atomic::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
