//! Games played one after the other, or side by side, into the journal of a run folder.

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_arena::openings::{MadeOpenings, Openings};
use tesuji_arena::player::Variety;
use tesuji_arena::tasks::PlayGames;
use tesuji_arena::{EngineSpec, GameLine, LoadedEngine, Schedule};
use tesuji_run::{Context, Input, Observer, RunFolder, plan};
use tesuji_search::spec::check_table;
use tesuji_shogi::{Game, Position};

use super::Conditions;

/// Openings that there is room for; with more rounds they are played again.
const MOST_OPENINGS: usize = 1 << 20;

/// Who is told of finished games, and whether each was played just now; he says when to stop.
pub type Hear<'a> = dyn FnMut(&GameLine, bool) -> ControlFlow<()> + 'a;

/// Engines and how they play, as the folder of a run keeps it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesSetup {
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// How they play.
    pub conditions: Conditions,
    /// How many games, at most.
    pub games: u64,
}

impl GamesSetup {
    /// The engines, each with a name of its own.
    pub fn load(&self) -> Result<Vec<LoadedEngine>> {
        let load = |(engine, name): (&EngineSpec, String)| {
            let mut loaded = engine.load(self.conditions.control)?;
            loaded.name = name;
            Ok(loaded)
        };
        self.engines.iter().zip(self.names()).map(load).collect()
    }

    /// The names of the engines, no two the same.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for engine in &self.engines {
            let label = engine.label();
            let numbered = (2..).map(|number| format!("{label} ({number})"));
            let mut all = std::iter::once(label.clone()).chain(numbered);
            names.extend(all.find(|name| !names.contains(name)));
        }
        names
    }

    /// Every file that has a part in the games.
    pub fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = Vec::new();
        if let Some(path) = &self.conditions.openings {
            ensure!(path != Path::new("-"), "-: a run must be able to read its openings again");
            inputs.push(plan::input(path)?);
        }
        for engine in &self.engines {
            inputs.extend(engine.inputs()?);
        }
        Ok(inputs)
    }

    /// Sees whether everything is there before anything is begun.
    pub fn check(&self, observer: &dyn Observer) -> Result<()> {
        for engine in self.load()? {
            engine.check()?;
            if let Some(complaint) = engine.complaint() {
                observer.complain(complaint);
            }
        }
        if let Some(path) = &self.conditions.openings {
            self.conditions.read_openings(path)?;
        }
        Ok(())
    }

    /// The openings of the file, or `count` of our own making, or the start position where an engine
    /// has a book. Without a clock, games from the same
    /// opening are the same games, which is worth a warning.
    pub fn openings(&self, count: u64, observer: &dyn Observer) -> Result<Openings> {
        let Some(path) = &self.conditions.openings else {
            // A book begins at the beginning, and makes games differ as openings do.
            if self.engines.iter().any(EngineSpec::has_book) {
                return Ok(Openings::Given(vec![Game::new(Position::startpos())]));
            }
            let count = usize::try_from(count).unwrap_or(usize::MAX).min(MOST_OPENINGS);
            return Ok(Openings::Made(MadeOpenings::new(self.conditions.seed, count)));
        };
        let games = self.conditions.read_openings(path)?;
        let timed = self.load()?.iter().any(|engine| engine.control.is_timed());
        if !timed && count > games.len() as u64 {
            let (name, has) = (path.display(), games.len());
            let openings = if has == 1 { "opening" } else { "openings" };
            observer.note(&format!(
                "{name} has {has} {openings} for {count} rounds: without a clock the games repeat"
            ));
        }
        Ok(Openings::Given(games))
    }

    /// Plays the games that the journal does not have yet; in self-play one engine plays both
    /// sides. Each finished game is given to `hear`, the old ones too, in their order, and whether
    /// it was played just now; where it says stop, no more are played.
    pub fn play(
        &self,
        run_folder: &RunFolder,
        context: &Context<'_>,
        schedule: &Schedule,
        (openings, selfplay): (Openings, Option<Variety>),
        hear: &mut Hear<'_>,
    ) -> Result<()> {
        let mut done = 0;
        for line in run_folder.entries::<GameLine>()? {
            let line = line?;
            done += 1;
            let expected = done == line.game && done <= schedule.games();
            ensure!(
                expected,
                "{}: game {} is out of order",
                run_folder.path().display(),
                line.game
            );
            if hear(&line, false).is_break() {
                return Ok(());
            }
        }
        let engines = self.load()?;
        if done > 0 {
            // A run that was begun elsewhere, or long ago, may not find its engines.
            engines.iter().try_for_each(LoadedEngine::check)?;
        }
        let tables: usize = engines.iter().map(LoadedEngine::mebibytes).sum();
        check_table(tables.saturating_mul(context.thread_count()))?;
        let task = PlayGames {
            engines: self.engines.clone(),
            control: self.conditions.control,
            terms: self.conditions.terms(),
            openings,
            seed: self.conditions.seed,
            selfplay,
        };
        let (first, games, mut decided) = (done, schedule.games(), false);
        let left = games.saturating_sub(first);
        let fixture = |number| schedule.fixture(first + number);
        context.executor().run_numbered(&task, left, fixture, |lines| {
            let wanted = take_until(lines, hear);
            run_folder.append_all(&wanted.lines)?;
            done += wanted.lines.len() as u64;
            decided = wanted.flow.is_break();
            Ok(wanted.flow)
        })?;
        ensure!(decided || done == games, "game {} could not be played", done + 1);
        Ok(())
    }
}

/// Lines that count, and whether there are to be more.
struct Wanted {
    lines: Vec<GameLine>,
    flow: ControlFlow<()>,
}

/// The lines up to the one at which `hear` says stop, that one included.
fn take_until(lines: Vec<GameLine>, hear: &mut Hear<'_>) -> Wanted {
    let mut wanted = Wanted { lines: Vec::new(), flow: ControlFlow::Continue(()) };
    for line in lines {
        wanted.flow = hear(&line, true);
        wanted.lines.push(line);
        if wanted.flow.is_break() {
            break;
        }
    }
    wanted
}

/// The games of the journal, for whoever makes something of all of them.
pub fn journal(run_folder: &RunFolder) -> Result<impl Iterator<Item = Result<GameLine>>> {
    let name = run_folder.path().display().to_string();
    let entries = run_folder.entries::<GameLine>()?;
    Ok(entries.map(move |line| line.with_context(|| name.clone())))
}
