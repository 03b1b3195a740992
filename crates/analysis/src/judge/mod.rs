//! Analysis of a game: a win rate and a best line for every position, inaccuracies, mistakes and
//! blunders, and what each of them conceded.

mod concession;
mod json;
mod judgement;
mod lines;
mod page;
mod saved_game;
mod searches;
mod settings;
mod text;

use std::ops::{ControlFlow, Range};
use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use tesuji_eval::Weights;
use tesuji_records::GameRecord;
use tesuji_report::Page;
use tesuji_run::jobs::Executor;
use tesuji_run::{Context, RunFolder};

pub use self::concession::{ConcededFeature, Concession};
pub use self::judgement::{BLUNDER, GameJudgement, INACCURACY, JudgedMove, MISTAKE, PlayerSummary};
pub use self::saved_game::SavedGame;
pub use self::searches::{PositionSearch, SearchOutcome, SearchPositions};
pub use self::settings::{AnalysisSettings, DEFAULT_NODES, SearchLimits};

/// A game with its settings and what was thought of its moves. It serialises as
/// `docs/formats/analysis.md` says.
#[derive(Clone, Debug)]
pub struct GameAnalysis {
    /// The settings, the game among them.
    pub settings: AnalysisSettings,
    /// The game again, its moves replayed.
    pub record: GameRecord,
    /// What was thought of the moves.
    pub judgement: GameJudgement,
}

/// Searches the positions of a game and judges its moves.
pub fn judge(settings: &AnalysisSettings, context: Context<'_>) -> Result<GameAnalysis> {
    let searches = search(settings, Vec::new(), context, |_| Ok(()))?;
    GameAnalysis::new(settings, &searches)
}

/// The same in the folder of a run: searches that its journal has are not made again, new ones are
/// kept there. The same bytes come out, however often it was killed.
pub fn judge_in(
    run_folder: &RunFolder,
    settings: &AnalysisSettings,
    context: Context<'_>,
) -> Result<GameAnalysis> {
    settings.record()?;
    let known: Vec<PositionSearch> = run_folder.entries()?.collect::<Result<_, _>>()?;
    let plies = settings.plies();
    let fits = known.len() <= plies.len() && plies.zip(&known).all(|(ply, seen)| seen.ply == ply);
    ensure!(fits, "{}: not the journal of this game", run_folder.path().display());
    let searches = search(settings, known, context, |new| Ok(run_folder.append_all(new)?))?;
    GameAnalysis::new(settings, &searches)
}

/// Searches the positions that are not known yet, hands on what is new to `keep`, and returns all
/// of them in their order.
///
/// Every position is searched with nothing remembered from the others, so it does not matter which
/// were searched before a kill, and which of them at the same time.
fn search(
    settings: &AnalysisSettings,
    known: Vec<PositionSearch>,
    context: Context<'_>,
    mut keep: impl FnMut(&[PositionSearch]) -> Result<()>,
) -> Result<Vec<PositionSearch>> {
    let mut all = known;
    let Range { start, end } = settings.plies();
    let mut progress = context.observer.begin((end - start) as u64, "positions");
    let plies: Vec<usize> = (start + all.len()..end).collect();
    // Too large a table is found out before anything is searched.
    settings.engine(context.threads)?;
    let task = SearchPositions { settings: settings.clone() };
    Executor::threads(context.threads).run(&task, &plies, |new| {
        keep(&new)?;
        all.extend(new);
        let (ply, of) = (start + all.len() - 1, settings.last);
        progress.update(all.len() as u64, &|| format!("move {ply} of {of}"));
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(all)
}

impl GameAnalysis {
    /// Judges the moves by the searches of the positions, which are all there and in their order.
    pub fn new(settings: &AnalysisSettings, searches: &[PositionSearch]) -> Result<Self> {
        let record = settings.record()?;
        let plies = settings.plies();
        let complete = searches.len() == plies.len()
            && plies.zip(searches).all(|(ply, search)| search.ply == ply);
        ensure!(complete, "{}: not all positions were searched", settings.game.file);
        let weights = Weights::load(&settings.weights)?;
        let judgement = GameJudgement::new(settings, &record, searches, &weights);
        Ok(Self { settings: settings.clone(), record, judgement })
    }

    /// Everything that was found, as `docs/formats/analysis.md` says.
    pub fn to_json(&self) -> Map<String, Value> {
        json::result(&self.settings, &self.record, &self.judgement)
    }

    /// The page to step through the game, with a line at its foot that says how it was made.
    pub fn page(&self, footer: &str) -> Page {
        page::page(&self.settings, &self.record, &self.judgement, footer)
    }

    /// A line a move, and a summary of the players; moves have Japanese names for `kanji`.
    pub fn text(&self, kanji: bool) -> String {
        text::report(&self.record, &self.judgement, kanji)
    }

    /// Writes `result.json` and the page into the folder of the run: the path of the page.
    pub fn write(&self, run_folder: &RunFolder) -> Result<PathBuf> {
        run_folder.write_json("result.json", &self.to_json())?;
        // Without the time of the run: the same game gives the same page.
        let page = self.page(&run_folder.manifest().program);
        Ok(run_folder.write_report(&page.to_html())?)
    }
}

impl Serialize for GameAnalysis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}
