//! Scores of the positions of games by any engine: a line of the journal for each game, so that no
//! game is searched twice.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use tesuji_arena::player::{Action, Answer};
use tesuji_arena::{EngineSpec, TimeControl};
use tesuji_math::Random;
use tesuji_records::GameRecord;
use tesuji_records::stream::{Games, Input as Records, RawGame, RecordError};
use tesuji_run::jobs::Task;
use tesuji_run::{Context, Entries, Input, Observer, Plan, RunFolder};
use tesuji_search::score;
use tesuji_shogi::{Color, Outcome, Position};

use crate::data::positions::or_complain;
use crate::data::source::game_inputs;
use crate::mentor::Scorer;

/// Which positions are scored and by whom, as the folder of a run keeps it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineScores {
    /// Files of games.
    pub games: Vec<PathBuf>,
    /// The engine.
    pub engine: EngineSpec,
    /// What it has for a position, unless it has limits of its own.
    pub limit: TimeControl,
    /// How many positions of each game with a result, chosen by chance; all if nobody says.
    pub per_game: Option<usize>,
    /// Decides which.
    pub seed: u64,
}

/// A line of the journal: the positions of one game that were scored. Each game that can be read
/// has one; that of a game without a result is empty.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameScores {
    /// The number of the game, from 0; bad games count.
    game: u64,
    /// How many moves were played before the position, and its score in **Black's** view:
    /// centipawns, mates as in `tesuji_search::score`.
    scores: Vec<(usize, i32)>,
}

/// What a journal holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scored {
    /// Games that could be read.
    pub games: u64,
    /// Positions of them that have a score.
    pub positions: u64,
    /// The number of the next game.
    next: u64,
}

impl Plan for EngineScores {
    const COMMAND: &'static str = "engine-scores";

    fn seed(&self) -> u64 {
        self.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = game_inputs(&self.games)?;
        inputs.extend(self.engine.inputs()?);
        Ok(inputs)
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        ensure!(!self.games.is_empty(), "no games to score");
        ensure!(self.per_game != Some(0), "0 positions of each game, expected at least one");
        self.engine.load(self.limit)?.check()
    }
}

impl EngineScores {
    /// The positions of a game that are to be scored; what is chosen depends on the seed, the
    /// game and its number alone.
    fn choose(&self, game: &GameRecord, number: u64) -> ScoreGame {
        let count = match game.outcome() {
            Outcome::Unknown => 0,
            Outcome::Win(_) | Outcome::Draw => game.moves().len(),
        };
        let mut chosen = vec![true; count];
        if let Some(wanted) = self.per_game.filter(|&wanted| wanted < count) {
            let order = Random::stream(self.seed, number).order(count);
            order[wanted..].iter().for_each(|&left_out| chosen[left_out] = false);
        }
        let positions = game.positions().enumerate().zip(chosen).filter(|&(_, chosen)| chosen);
        let sfens = positions.map(|((ply, (position, _)), _)| (ply, position.to_sfen()));
        ScoreGame { game: number, positions: sfens.collect() }
    }
}

/// Carries out a plan, or what is left of it: the journal has the scores of all games in the end.
///
/// Before each game an engine forgets what it has searched; then it goes through the positions in
/// their order, each without the moves that led to it. With a limit of depth or nodes the journal
/// is the same for every number of threads.
pub fn carry_out(plan: &EngineScores, folder: &RunFolder, context: &Context<'_>) -> Result<Scored> {
    let mut scored = Scored::of(folder)?;
    let games = Games::new(Records::from_paths(&plan.games)?, None).raw();
    let observer = context.observer;
    let mut games =
        GamesToScore { plan, first: scored.next, games: (0..).zip(games), observer, failed: None };
    let task = ScoreGames { engine: plan.engine.clone(), control: plan.limit };
    let mut progress = observer.begin(0, "games");
    context.executor().run_each(&task, &mut games, |lines| {
        folder.append_all(&lines)?;
        lines.iter().for_each(|line| scored.add(line));
        progress.update(scored.games, &|| format!("{} positions", scored.positions));
        Ok(ControlFlow::Continue(()))
    })?;
    games.failed.map_or(Ok(scored), Err)
}

impl Scored {
    /// Counts what the journal holds.
    fn of(folder: &RunFolder) -> Result<Self> {
        let mut scored = Self::default();
        for line in folder.entries::<GameScores>()? {
            scored.add(&line?);
        }
        Ok(scored)
    }

    fn add(&mut self, line: &GameScores) {
        self.games += 1;
        self.positions += line.scores.len() as u64;
        self.next = line.game + 1;
    }
}

/// The games that the journal does not have yet, one after the other. Bad ones are named to the
/// observer and left out; what is wrong with a file ends them.
struct GamesToScore<'a, I> {
    plan: &'a EngineScores,
    /// The number of the first.
    first: u64,
    games: I,
    observer: &'a dyn Observer,
    failed: Option<anyhow::Error>,
}

impl<I: Iterator<Item = (u64, Result<RawGame, RecordError>)>> Iterator for GamesToScore<'_, I> {
    type Item = ScoreGame;

    fn next(&mut self) -> Option<ScoreGame> {
        loop {
            let (number, game) = self.games.next()?;
            if number < self.first && game.is_ok() {
                continue;
            }
            match or_complain(game.and_then(|game| game.read()), self.observer) {
                Ok(Some(game)) => return Some(self.plan.choose(&game, number)),
                Ok(None) => {}
                Err(error) => {
                    self.failed = Some(error);
                    return None;
                }
            }
        }
    }
}

/// A job: the positions of a game, each after how many moves and in SFEN.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScoreGame {
    game: u64,
    positions: Vec<(usize, String)>,
}

/// Jobs that score the positions of games.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScoreGames {
    engine: EngineSpec,
    control: TimeControl,
}

impl Task for ScoreGames {
    const NAME: &'static str = "score-games";
    type Job = ScoreGame;
    type Output = GameScores;
    type Worker = Scorer;

    fn worker(&self) -> Result<Scorer> {
        Scorer::new(&self.engine, self.control)
    }

    fn run(
        &self,
        engine: &mut Scorer,
        job: &ScoreGame,
        stop: &AtomicBool,
    ) -> Result<Option<GameScores>> {
        let mut scores = Vec::with_capacity(job.positions.len());
        for (ply, sfen) in &job.positions {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let position = Position::from_sfen(sfen)?;
            let begun = if scores.is_empty() { engine.forget(&position) } else { Ok(()) };
            let answer = begun.and_then(|()| engine.ask(&position));
            let score = answer.map_err(|fault| fault.to_string()).and_then(|answer| said(&answer));
            let score =
                score.map_err(|why| anyhow!("engine {}: {why}; position {sfen}", engine.name))?;
            let black = position.side_to_move() == Color::Black;
            scores.push((*ply, if black { score } else { -score }));
        }
        Ok(Some(GameScores { game: job.game, scores }))
    }
}

/// The score that came with an answer. Who declares a win has no need of one.
fn said(answer: &Answer) -> Result<i32, String> {
    match (answer.thought.score, answer.action) {
        (Some(score), _) => Ok(score),
        (None, Action::Declare) => Ok(score::mate_in(0)),
        (None, _) => Err("no score with its answer, as of a book".to_owned()),
    }
}

/// The scores of a run, read along with its games.
pub struct Scores {
    lines: Entries<GameScores>,
    folder: PathBuf,
    /// Games that were read and not yet asked for.
    ahead: BTreeMap<u64, Vec<(usize, i32)>>,
}

/// Games are asked for side by side, but none so many games later than another.
const NEAR: u64 = 4096;

impl Scores {
    /// The scores in the folder of a run.
    pub fn open(folder: &RunFolder) -> Result<Self> {
        let (lines, folder) = (folder.entries()?, folder.path().to_owned());
        Ok(Self { lines, folder, ahead: BTreeMap::new() })
    }

    /// The scores of a game by its number, from 0 with bad games counted: how many moves were
    /// played before each position, and its score in Black's view. Games are asked for nearly in
    /// their order; one that has no line is an error, since the run is not finished or has other
    /// games.
    pub fn of(&mut self, game: u64) -> Result<Vec<(usize, i32)>> {
        while !self.ahead.contains_key(&game) {
            let Some(line) = self.lines.next() else { break };
            let GameScores { game, scores } = line?;
            self.ahead.insert(game, scores);
            self.ahead.retain(|&number, _| number + NEAR > game);
        }
        let scores = self.ahead.remove(&game);
        scores.with_context(|| {
            format!("{}: the journal has no game {}", self.folder.display(), game + 1)
        })
    }
}
