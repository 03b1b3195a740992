//! Engines that have been loaded, ready to play.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use tesuji_run::{Input, plan};
use tesuji_search::Searcher;
use tesuji_search::spec::{LoadedSearch, SearchSpec};

use super::{EngineKind, EngineSpec};
use crate::clock::TimeControl;
use crate::player::{OwnEngine, Player, UsiCommand, UsiEngine, Variety};

/// The transposition table of an engine in a match, in MiB, if nobody says otherwise.
const HASH: usize = 16;

/// The transposition table of an engine with this limit, in MiB. It is cleared before every game,
/// which takes longer the larger it is: with few nodes, room for those of a game is enough.
pub fn default_hash(control: &TimeControl) -> usize {
    /// Moves of one side in a game, and bytes for a position.
    const GAME: u64 = 128 * 16;
    let needed = |nodes: u64| nodes.saturating_mul(GAME).div_ceil(1 << 20).clamp(1, HASH as u64);
    control.nodes.map_or(HASH, |nodes| needed(nodes) as usize)
}

/// An engine whose evaluation has been read and whose limits are known.
#[derive(Clone, Debug)]
pub struct LoadedEngine {
    /// What it is called.
    pub name: String,
    /// What it has for a game.
    pub control: TimeControl,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Own(Box<LoadedSearch>),
    Usi(UsiCommand),
}

impl EngineSpec {
    /// Loads the engine; `control` is what it has unless it has limits of its own.
    pub fn load(&self, control: TimeControl) -> Result<LoadedEngine> {
        let control = self.limits.unwrap_or(control);
        let kind = match &self.kind {
            EngineKind::Usi(command) => Kind::Usi(command.clone()),
            EngineKind::Own(spec) => {
                let hash = Some(spec.hash.unwrap_or_else(|| default_hash(&control)));
                let plan = SearchSpec { hash, ..spec.clone() }.load();
                Kind::Own(Box::new(plan.with_context(|| format!("engine {self}"))?))
            }
        };
        ensure!(
            !control.is_endless(),
            "engine {self}: nothing ends its thinking; give --nodes, --depth, --st, --tc or \
             --byoyomi"
        );
        Ok(LoadedEngine { name: self.label(), control, kind })
    }

    /// The files of its evaluation, its book and its castles, where they do not come with the program.
    pub fn inputs(&self) -> Result<Vec<Input>> {
        let EngineKind::Own(spec) = &self.kind else { return Ok(Vec::new()) };
        let evaluation = spec.evaluation.as_ref().and_then(|evaluation| evaluation.file());
        let files = [evaluation, spec.book_file(), spec.castles.as_deref()];
        files.into_iter().flatten().map(|file| plan::input(Path::new(file))).collect()
    }

    /// Does it open by a book?
    pub fn has_book(&self) -> bool {
        match &self.kind {
            EngineKind::Own(spec) => spec.names_book(),
            EngineKind::Usi(_) => false,
        }
    }

    /// Refuses programs of others.
    pub fn check_own(&self) -> Result<()> {
        match &self.kind {
            EngineKind::Own(_) => Ok(()),
            EngineKind::Usi(_) => bail!("engine {}: only tesuji itself plays alone", self.label()),
        }
    }
}

impl LoadedEngine {
    /// Sees whether a program of others starts and gets ready.
    pub fn check(&self) -> Result<()> {
        if let Kind::Usi(command) = &self.kind {
            let introduced = UsiEngine::new(command.clone()).introduce();
            introduced.map_err(|fault| anyhow!("engine {}: {fault}", self.name))?;
        }
        Ok(())
    }

    /// What is wrong with something that it uses all the same: lines of its book.
    pub fn complaint(&self) -> Option<&str> {
        match &self.kind {
            Kind::Own(plan) => plan.book_complaint.as_deref(),
            Kind::Usi(_) => None,
        }
    }

    /// What its transposition table takes in memory, in MiB.
    pub const fn mebibytes(&self) -> usize {
        match &self.kind {
            Kind::Own(plan) => plan.mebibytes,
            Kind::Usi(_) => 0,
        }
    }

    /// A player, for one thread.
    pub fn player(&self) -> Box<dyn Player> {
        match &self.kind {
            Kind::Own(plan) => Box::new(OwnEngine::new(plan.engine())),
            Kind::Usi(command) => Box::new(UsiEngine::new(command.clone())),
        }
    }

    /// A player whose games differ, where it is an engine of this program.
    pub fn varied(&self, variety: Variety) -> Box<dyn Player> {
        match &self.kind {
            Kind::Own(plan) => Box::new(OwnEngine::varied(plan.engine(), variety)),
            Kind::Usi(_) => self.player(),
        }
    }
}

/// An engine of this program that makes openings.
pub fn opening_maker() -> Result<Box<dyn Searcher>> {
    Ok(SearchSpec { hash: Some(1), ..SearchSpec::default() }.load()?.engine())
}
