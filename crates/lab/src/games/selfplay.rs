//! Self-play: games of the engine against itself.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_arena::openings::Openings;
use tesuji_arena::player::Variety;
use tesuji_arena::{GameLine, Schedule};
use tesuji_run::{Context, Input, Observer, Plan, RunFolder};
use tesuji_shogi::{Game, Position};

use super::{Faults, GamesSetup};

/// The settings of self-play, as the folder of the run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfplayPlan {
    /// Who plays, and how: one engine.
    #[serde(rename = "contest")]
    pub setup: GamesSetup,
    /// How games are made to differ.
    pub variety: Variety,
    /// A file for the games beside the one in the run folder.
    pub output: Option<PathBuf>,
}

impl Plan for SelfplayPlan {
    const COMMAND: &'static str = "selfplay";

    fn seed(&self) -> u64 {
        self.setup.conditions.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        self.setup.inputs()
    }

    fn check(&self, observer: &dyn Observer) -> Result<()> {
        self.setup.check(observer)
    }
}

/// What came out so far.
#[derive(Default)]
pub struct SelfplayCount {
    /// Games.
    pub games: u64,
    /// Moves that were chosen in them.
    pub moves: u64,
    /// Results by their letter: `b`, `w`, `d`.
    pub results: BTreeMap<char, u64>,
    /// How games ended.
    pub ends: BTreeMap<String, u64>,
    /// What the engine did wrong.
    pub faults: Faults,
}

impl SelfplayCount {
    fn add(&mut self, line: &GameLine) {
        self.games += 1;
        self.moves += line.scores.len() as u64;
        *self.results.entry(line.result).or_default() += 1;
        *self.ends.entry(line.end().to_owned()).or_default() += 1;
        self.faults.add(line);
    }

    /// Everything as JSON. Where the games are and how long it took is left to the caller.
    pub fn report(&self) -> Value {
        let of = |letter: char| self.results.get(&letter).copied().unwrap_or(0);
        json!({
            "games": self.games,
            "moves": self.moves,
            "black_wins": of('b'),
            "white_wins": of('w'),
            "draws": of('d'),
            "ends": self.ends,
            "faults": self.faults.count(),
            "faults_by_kind": self.faults.by_kind(),
        })
    }
}

/// Plays what is left of the games.
pub fn play(
    plan: &SelfplayPlan,
    folder: &RunFolder,
    context: &Context<'_>,
) -> Result<SelfplayCount> {
    let (setup, conditions) = (&plan.setup, &plan.setup.conditions);
    let openings = Openings::Given(match &conditions.openings {
        Some(path) => conditions.read_openings(path)?,
        None => vec![Game::new(Position::startpos())],
    });
    let order = (conditions.order, conditions.seed);
    let schedule = Schedule::alone(openings.count(), order, setup.games);
    let mut count = SelfplayCount::default();
    let mut progress = context.observer.begin(setup.games, "games");
    let alone = (openings, Some(plan.variety));
    setup.play(folder, context, &schedule, alone, &mut |line, _| {
        count.add(line);
        progress.update(count.games, &|| format!("{} games, {} moves", count.games, count.moves));
        ControlFlow::Continue(())
    })?;
    Ok(count)
}
