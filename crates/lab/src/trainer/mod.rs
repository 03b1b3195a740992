//! The trainer of candidates: which kinds of moves a player misses more often than others, by the
//! generators that produce the moves that a search prefers.

mod games;
mod outcome;
mod page;
mod plan;
mod searches;
mod text;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Instant;

use anyhow::Result;
use tesuji_run::{Context, RunFolder};

pub use games::Side;
pub use outcome::{Board, Chances, GeneratorMisses, TrainerOutcome};
pub use plan::TrainerPlan;

use games::Games;
use searches::{GameSearches, SearchGame, SearchGames};

/// Carries out a plan, or what is left of it: the journal has the searches of games that are done.
///
/// Every search begins with nothing remembered, so neither kills nor threads change the result.
pub fn carry_out(
    plan: &TrainerPlan,
    folder: &RunFolder,
    context: &Context<'_>,
) -> Result<TrainerOutcome> {
    let started = Instant::now();
    let games = Games::read(&plan.games, context.observer)?.choose(plan)?;
    let mut found: BTreeMap<usize, GameSearches> = BTreeMap::new();
    for entry in folder.entries::<GameSearches>()? {
        let entry = entry?;
        found.insert(entry.game, entry);
    }
    let missing = |number: &usize| !found.contains_key(number);
    let jobs: Vec<SearchGame> = (0..games.chosen.len())
        .filter(missing)
        .map(|number| SearchGame::new(number, &games.chosen[number]))
        .collect();
    let task = SearchGames { engine: plan.engine.clone(), nodes: plan.nodes };
    let mut progress = context.observer.begin(games.chosen.len() as u64, "games");
    let mut positions = 0;
    context.executor().run(&task, &jobs, |lines| {
        folder.append_all(&lines)?;
        for line in lines {
            positions += line.positions.len();
            found.insert(line.game, line);
        }
        progress.update(found.len() as u64, &|| format!("{positions} positions"));
        Ok(ControlFlow::Continue(()))
    })?;
    drop(progress);
    let calibration = plan.engine.load()?.evaluation.calibration();
    let seconds = started.elapsed().as_secs_f64();
    Ok(TrainerOutcome::new(plan, games, &found, &calibration, seconds))
}
