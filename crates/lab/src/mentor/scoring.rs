//! The mentor's scores of positions. Each is a line of the journal, in the order of the positions,
//! so that no position is searched twice.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use tesuji_arena::clock::GameClock;
use tesuji_arena::player::{Answer, Chance, Fault, Player, Turn};
use tesuji_arena::{EngineSpec, TimeControl};
use tesuji_run::jobs::{Executor, Task};
use tesuji_run::{Observer, RunFolder};
use tesuji_shogi::{Game, Position, Rules};

use super::MentorPlan;

/// How long a mentor without a clock may think.
const PATIENCE: Duration = Duration::from_secs(120);
const MARGIN: Duration = Duration::from_millis(100);

/// Scores beyond this, mates among them, are no lessons: a win is found by search, not by a sum of
/// features.
const DECIDED: i32 = 3_000;

/// A line of the journal.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Centipawns in the view of the side to move; nothing if the mentor gives no score.
    score: Option<i32>,
}

/// Jobs that score positions: each job is a position in SFEN, what comes out its score in
/// centipawns, in the view of the side to move, if the engine gives one.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScorePosition {
    /// The engine that searches.
    pub engine: EngineSpec,
    /// What it has for a position, unless it has limits of its own.
    pub control: TimeControl,
}

/// An engine that scores positions on a thread.
pub struct Scorer {
    /// What it is called.
    pub name: String,
    player: Box<dyn Player>,
    clocks: [GameClock; 2],
}

impl Scorer {
    /// An engine; `control` is what it has for a position, unless it has limits of its own.
    pub fn new(engine: &EngineSpec, control: TimeControl) -> Result<Self> {
        let engine = engine.load(control)?;
        let clocks = [GameClock::new(engine.control); 2];
        Ok(Self { player: engine.player(), name: engine.name, clocks })
    }

    /// Makes it forget what it has searched before; a program is started where none is running.
    pub fn forget(&mut self, position: &Position) -> Result<(), Fault> {
        self.player.begin(&Game::new(*position), &Rules::default(), Chance::of_game(0, 0, 1))
    }

    /// What it thinks of a position.
    pub fn ask(&mut self, position: &Position) -> Result<Answer, Fault> {
        let turn = Turn { clocks: &self.clocks, margin: MARGIN, patience: PATIENCE };
        self.player.choose(&Game::new(*position), &turn)
    }
}

impl Task for ScorePosition {
    const NAME: &'static str = "score-position";
    type Job = String;
    type Output = Option<i32>;
    type Worker = Scorer;

    fn worker(&self) -> Result<Scorer> {
        Scorer::new(&self.engine, self.control)
    }

    fn run(
        &self,
        worker: &mut Scorer,
        sfen: &String,
        _: &AtomicBool,
    ) -> Result<Option<Option<i32>>> {
        let position = Position::from_sfen(sfen)?;
        let searched = worker
            .forget(&position)
            .and_then(|()| worker.ask(&position))
            .map_err(|fault| anyhow!("mentor {}: {fault}", worker.name))?;
        Ok(Some(searched.thought.score))
    }
}

/// The mentor's scores of the positions, in their order; nothing for those that are decided.
pub(super) fn scores(
    plan: &MentorPlan,
    folder: &RunFolder,
    positions: &[Position],
    executor: Executor,
    observer: &dyn Observer,
) -> Result<Vec<Option<i32>>> {
    let mut entries: Vec<Entry> = folder.entries()?.collect::<Result<_, _>>()?;
    let all = positions.len();
    let jobs: Vec<String> = positions.iter().skip(entries.len()).map(Position::to_sfen).collect();
    let mut progress = observer.begin(all as u64, "positions");
    executor.run(&plan.scoring(), &jobs, |scores| {
        let new: Vec<Entry> = scores.into_iter().map(|score| Entry { score }).collect();
        folder.append_all(&new)?;
        entries.extend(new);
        progress.update(entries.len() as u64, &|| "the mentor's scores".to_owned());
        Ok(ControlFlow::Continue(()))
    })?;
    ensure!(entries.len() == all, "{} scores for {all} positions", entries.len());
    let lesson = |score: &i32| score.abs() <= DECIDED;
    Ok(entries.iter().map(|entry| entry.score.filter(lesson)).collect())
}
