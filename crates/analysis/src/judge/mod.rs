//! Analysis of a game: a win rate and a best line for every position, inaccuracies, mistakes and
//! blunders, and why each of them is one.

mod annotated;
mod collection;
mod json;
mod judgement;
mod lines;
mod page;
mod rounds;
mod saved_game;
mod searches;
mod settings;
mod text;

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use tesuji_eval::formations::Atlas;
use tesuji_records::GameRecord;
use tesuji_report::{Lang, Page};
use tesuji_run::jobs::Executor;
use tesuji_run::{Context, RunFolder};

use crate::formations::{GameStory, story};
use crate::reasons::Explainer;

pub use self::collection::{
    CollectionAnalysis, CollectionSettings, GameSummary, PlayerTotal, judge_collection,
};
pub use self::judgement::{BLUNDER, GameJudgement, INACCURACY, JudgedMove, MISTAKE, PlayerSummary};
pub use self::rounds::{Searches, next_round};
pub use self::saved_game::SavedGame;
pub use self::searches::{PositionSearch, SearchJob, SearchOutcome, SearchPositions};
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
    /// What both players built.
    pub story: GameStory,
}

/// How an analysis is told as text.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TextLayout {
    /// Have moves Japanese names?
    pub kanji: bool,
    /// The language of reasons.
    pub lang: Lang,
}

/// Searches the positions of a game and judges its moves.
pub fn judge(settings: &AnalysisSettings, context: Context<'_>) -> Result<GameAnalysis> {
    judge_with(settings, context, &[], |_| Ok(()))
}

/// The same in the folder of a run: searches that its journal has are not made again, new ones are
/// kept there. The same bytes come out, however often it was killed.
pub fn judge_in(
    run_folder: &RunFolder,
    settings: &AnalysisSettings,
    context: Context<'_>,
) -> Result<GameAnalysis> {
    let known: Vec<PositionSearch> = run_folder.entries()?.collect::<Result<_, _>>()?;
    let fits = known.iter().all(|search| settings.plies().contains(&search.job.ply));
    ensure!(fits, "{}: not the journal of this game", run_folder.path().display());
    judge_with(settings, context, &known, |new| Ok(run_folder.append_all(new)?))
}

/// The same with searches that are known, in any order; new ones are handed on to `keep`.
///
/// Every search is made with nothing remembered from the others, so it does not matter which were
/// made before a kill, and which of them at the same time.
pub fn judge_with(
    settings: &AnalysisSettings,
    context: Context<'_>,
    known: &[PositionSearch],
    mut keep: impl FnMut(&[PositionSearch]) -> Result<()>,
) -> Result<GameAnalysis> {
    settings.record()?;
    // Too large a table is found out before anything is searched.
    settings.engine(context.threads)?;
    let task = SearchPositions { settings: settings.clone() };
    GameAnalysis::by_rounds(settings, |jobs| {
        let find = |job: &SearchJob| known.iter().find(|search| search.job == *job).cloned();
        let mut found: Vec<PositionSearch> = jobs.iter().filter_map(find).collect();
        let is_known = |job: &SearchJob| found.iter().any(|search| search.job == *job);
        let missing: Vec<SearchJob> = jobs.iter().filter(|job| !is_known(job)).cloned().collect();
        let mut progress = context.observer.begin(jobs.len() as u64, "positions");
        Executor::threads(context.threads).run(&task, &missing, |new| {
            keep(&new)?;
            found.extend(new);
            let ply = found.last().map_or(0, |last| last.job.ply);
            let what = if jobs.iter().all(|job| job.level == 0) { "" } else { ", longer" };
            progress
                .update(found.len() as u64, &|| format!("move {ply} of {}{what}", settings.last));
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(found)
    })
}

impl GameAnalysis {
    /// Judges the moves of a game by searches that `search` makes, one round after the other.
    pub fn by_rounds(
        settings: &AnalysisSettings,
        mut search: impl FnMut(&[SearchJob]) -> Result<Vec<PositionSearch>>,
    ) -> Result<Self> {
        let record = settings.record()?;
        let evaluation = settings.engine(1)?.evaluation;
        let calibration = settings.calibration(&evaluation);
        let mut searches = Searches::default();
        loop {
            let jobs = next_round(settings, &record, &searches, &calibration);
            if jobs.is_empty() {
                break;
            }
            let found = search(&jobs)?;
            let complete = jobs.iter().all(|job| found.iter().any(|search| search.job == *job));
            ensure!(complete, "{}: not all positions were searched", settings.game.file);
            found.iter().for_each(|search| searches.add(search));
        }
        let explainer = Explainer::new(&evaluation);
        let judgement = GameJudgement::new(settings, &record, &searches, calibration, &explainer);
        let story = story(&record, &Atlas::shipped());
        Ok(Self { settings: settings.clone(), record, judgement, story })
    }

    /// Everything that was found, as `docs/formats/analysis.md` says.
    pub fn to_json(&self) -> Map<String, Value> {
        json::result(self)
    }

    /// The page to step through the game, with a line at its foot that says how it was made.
    pub fn page(&self, footer: &str) -> Page {
        page::page(self, footer)
    }

    /// A line a move, and a summary of the players.
    pub fn text(&self, layout: TextLayout) -> String {
        text::report(self, layout)
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
