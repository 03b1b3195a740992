//! The games of a match, a tournament or self-play.

use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};
use tesuji_run::jobs::Task;
use tesuji_search::Searcher;

use crate::clock::TimeControl;
use crate::game::{self, Seats, Terms};
use crate::line::GameLine;
use crate::openings::Openings;
use crate::player::{Chance, Player, Variety};
use crate::schedule::Fixture;
use crate::spec::{EngineSpec, LoadedEngine, opening_maker};

/// Plays games between engines, or of one engine against itself. A job is a [`Fixture`], and what
/// comes out is a [`GameLine`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayGames {
    /// The engines, which fixtures name by their number.
    pub engines: Vec<EngineSpec>,
    /// What an engine has that has no limits of its own.
    pub control: TimeControl,
    /// What holds for all games.
    pub terms: Terms,
    /// Where games begin.
    pub openings: Openings,
    /// Where the chance of opening books comes from; the two games of a pair draw the same.
    #[serde(default)]
    pub seed: u64,
    /// Self-play: the first engine plays both sides, and its games differ in this way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selfplay: Option<Variety>,
}

/// The engines of one thread.
pub struct GamesWorker {
    players: Vec<Box<dyn Player>>,
    controls: Vec<TimeControl>,
    /// Makes openings.
    maker: Box<dyn Searcher>,
}

impl PlayGames {
    /// Does a clock run in any game? Times are kept then.
    fn is_timed(&self) -> bool {
        self.engines.iter().any(|engine| engine.limits.unwrap_or(self.control).is_timed())
    }
}

impl Task for PlayGames {
    const NAME: &'static str = "games";
    type Job = Fixture;
    type Output = GameLine;
    type Worker = GamesWorker;

    fn worker(&self) -> Result<GamesWorker> {
        let load = |engine: &EngineSpec| engine.load(self.control);
        let engines: Vec<LoadedEngine> = self.engines.iter().map(load).collect::<Result<_>>()?;
        let player = |engine: &LoadedEngine| match self.selfplay {
            Some(variety) => engine.varied(variety),
            None => engine.player(),
        };
        Ok(GamesWorker {
            players: engines.iter().map(player).collect(),
            controls: engines.iter().map(|engine| engine.control).collect(),
            maker: opening_maker()?,
        })
    }

    fn run(
        &self,
        worker: &mut GamesWorker,
        fixture: &Fixture,
        stop: &AtomicBool,
    ) -> Result<Option<GameLine>> {
        let GamesWorker { players, controls, maker } = worker;
        let Fixture { number, opening, black, white } = *fixture;
        let opening = self.openings.get(opening, &mut **maker);
        let opening = opening.with_context(|| format!("game {}: no such opening", number + 1))?;
        let nobody = || anyhow!("game {}: no such engines: {black}, {white}", number + 1);
        let mut seats = if self.selfplay.is_some() {
            Seats::One(&mut **players.get_mut(black).ok_or_else(nobody)?)
        } else {
            let [black, white] = players.get_disjoint_mut([black, white]).map_err(|_| nobody())?;
            Seats::Two([&mut **black, &mut **white])
        };
        let controls = [controls[black], controls[white]];
        let repeats = if self.selfplay.is_some() { 1 } else { 2 };
        let chance = Chance::of_game(self.seed, number, repeats);
        let played = game::play(&opening, &mut seats, controls, &self.terms, chance, stop);
        Ok(played.map(|played| GameLine::new(fixture, &played, self.is_timed())))
    }
}
