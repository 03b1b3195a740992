//! The settings of an analysis: plain values that a flag, a page or another machine can give.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_eval::Calibration;
use tesuji_records::GameRecord;
use tesuji_report::number;
use tesuji_run::{Input, Observer, plan};
use tesuji_search::Limits;
use tesuji_search::spec::{Evaluation, EvaluationSpec, LoadedSearch, SearchSpec, check_table};

use super::rounds::LEVELS;
use super::saved_game::SavedGame;

/// Nodes of each search, if no limit is given.
pub const DEFAULT_NODES: u64 = 100_000;

/// The settings of an analysis, as the folder of the run keeps them. The game is one of them: what
/// came from standard input can be resumed too.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalysisSettings {
    /// The game.
    pub game: SavedGame,
    /// The first move that is judged, from 1.
    pub first: usize,
    /// The last move that is judged.
    pub last: usize,
    /// The limits of each search.
    pub limits: SearchLimits,
    /// The engine that searches; its evaluation says why a mistake is one.
    pub engine: SearchSpec,
    /// The scale of winning chances in centipawns, in place of the one of the evaluation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance_scale: Option<u32>,
}

impl AnalysisSettings {
    /// All moves of a game, with the default engine and [`DEFAULT_NODES`].
    pub fn new(game: SavedGame) -> Result<Self> {
        let moves = game.record()?.main.moves.len();
        ensure!(moves > 0, "{}: the game has no moves", game.file);
        Ok(Self {
            game,
            first: 1,
            last: moves,
            limits: SearchLimits::default(),
            engine: SearchSpec::default(),
            chance_scale: None,
        })
    }

    /// The same for a part of the game, from one move to another, both included; to the end of the
    /// game if no last move is given.
    pub fn between(self, first: usize, last: Option<usize>) -> Result<Self> {
        let part = Self { first, last: last.unwrap_or(self.last), ..self };
        part.record()?;
        Ok(part)
    }

    /// The game, which has the moves that are to be judged.
    pub(super) fn record(&self) -> Result<GameRecord> {
        let record = self.game.record()?;
        let (first, last, moves) = (self.first, self.last, record.main.moves.len());
        let inside = 1 <= first && first <= last && last <= moves;
        let name = &self.game.file;
        ensure!(inside, "{name}: moves {first} to {last} of a game that has moves 1 to {moves}");
        Ok(record)
    }

    /// The positions that are searched, by the number of moves played before: that before every
    /// move that is judged, and the one after the last.
    pub fn plies(&self) -> Range<usize> {
        self.first.saturating_sub(1)..self.last + 1
    }

    /// The name of the evaluation that the engine has.
    pub(super) fn evaluation(&self) -> String {
        self.engine.evaluation.clone().unwrap_or_default().name().to_owned()
    }

    /// The curve by which scores of the engine's evaluation become winning chances. Values are
    /// backed up from the searches of both players.
    pub(super) fn calibration(&self, evaluation: &Evaluation) -> Calibration {
        let given = self.chance_scale.map(|scale| Calibration::assumed(scale.into()));
        given.unwrap_or_else(|| evaluation.calibration().balanced())
    }

    /// The engine of each of so many threads. Its table is cleared for every position, so one that
    /// is much larger than a search can fill would cost time and gain nothing.
    pub fn engine(&self, threads: usize) -> Result<LoadedSearch> {
        /// Entries of a mebibyte, less than there are.
        const ENTRIES: u64 = 1 << 15;
        let mut engine = self.engine.load()?;
        check_table(engine.mebibytes.saturating_mul(threads))?;
        if let Some(nodes) = self.limits.at_level(LEVELS).nodes {
            let needed = usize::try_from(nodes.div_ceil(ENTRIES)).unwrap_or(usize::MAX);
            engine.mebibytes = engine.mebibytes.min(needed);
        }
        Ok(engine)
    }
}

impl plan::Plan for AnalysisSettings {
    const COMMAND: &'static str = "analyse";

    /// Nothing is left to chance.
    fn seed(&self) -> u64 {
        0
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let evaluation = self.engine.evaluation.as_ref().and_then(EvaluationSpec::file);
        evaluation.into_iter().map(|path| plan::input(path.as_ref())).collect()
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        self.engine(1)?;
        Ok(())
    }
}

/// The limits of a search: nodes, depth or time, whichever ends it first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchLimits {
    /// Milliseconds.
    pub ms: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { ms: None, depth: None, nodes: Some(DEFAULT_NODES) }
    }
}

impl SearchLimits {
    /// The limits as the search takes them.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            hard_time: self.ms.map(Duration::from_millis),
            ..Limits::default()
        }
    }

    /// The limits of a search of some level: twice as long for each, or a ply deeper.
    pub fn at_level(&self, level: u32) -> Self {
        let longer = |limit: Option<u64>| limit.map(|limit| limit.saturating_mul(1 << level));
        Self {
            ms: longer(self.ms),
            depth: self.depth.map(|depth| depth.saturating_add(level)),
            nodes: longer(self.nodes),
        }
    }

    /// The limits for people: `100,000 nodes`.
    pub fn text(&self) -> String {
        let parts = [
            self.nodes.map(|nodes| format!("{} nodes", number::count(nodes))),
            self.depth.map(|depth| format!("a depth of {depth}")),
            self.ms.map(|ms| format!("{ms} ms")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" or ")
    }
}
