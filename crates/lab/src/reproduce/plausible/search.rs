//! What searches make of plausible moves: problems solved, and matches.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tesuji_arena::spec::EngineKind;
use tesuji_math::stats::Tally;
use tesuji_run::plan as folder;

use super::settings::{By, Pairing, PlausibleReproduction, Version};
use crate::data::problems::{self, Problem};
use crate::games::matches as match_games;
use crate::reproduce::Work;
use crate::suite::TestSuite;

/// What a version made of the problems.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solved {
    pub version: String,
    pub by: By,
    /// Of each kind: solved problems and all.
    pub kinds: BTreeMap<String, (usize, usize)>,
    /// Of each problem: was it solved?
    pub each: Vec<bool>,
    /// The mean depth, and the mean of nodes.
    pub depth: f64,
    pub nodes: f64,
}

impl Solved {
    /// How many problems were solved.
    pub fn count(&self) -> usize {
        self.each.iter().filter(|&&solved| solved).count()
    }

    /// Problems that only this version solves, and those that only the other does.
    pub fn against(&self, other: &Self) -> [u64; 2] {
        let only = |one: &Self, other: &Self| {
            one.each.iter().zip(&other.each).filter(|&(&one, &other)| one && !other).count() as u64
        };
        [only(self, other), only(other, self)]
    }
}

/// A match.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// `merit – full width`.
    pub name: String,
    pub by: By,
    pub paper: Option<[u64; 2]>,
    pub tally: Tally,
    /// Games that ended by a fault of an engine.
    pub faults: u64,
}

impl Work<'_, PlausibleReproduction> {
    /// What a version makes of the problems.
    pub(super) fn solved(&self, version: Version, by: By) -> Result<Solved> {
        self.kept(&format!("problems-{}-{}", by.name(), version.id()), || {
            let problems = chosen(problems::read(&self.plan.problems)?, self.plan.sizes.problems);
            let EngineKind::Own(engine) = version.engine()?.kind else {
                unreachable!("an engine of this program")
            };
            let suite = TestSuite { engine, limits: by.limits(), problems };
            let found = suite.solve(self.context)?;
            let mean = |of: &dyn Fn(usize) -> f64| {
                (0..found.attempts.len()).map(of).sum::<f64>() / found.attempts.len().max(1) as f64
            };
            Ok(Solved {
                version: version.name.to_owned(),
                by,
                depth: mean(&|place| f64::from(found.attempts[place].depth)),
                nodes: mean(&|place| found.attempts[place].nodes as f64),
                each: found.attempts.iter().map(|one| one.solved_after.is_some()).collect(),
                kinds: found.kinds,
            })
        })
    }

    /// Plays a match, or what is left of it.
    pub(super) fn played(&self, pairing: &Pairing, by: By, games: u64) -> Result<Played> {
        let name = pairing.name();
        self.context.observer.note(&format!("{name}, {} a move", by.words()));
        let plan = self.plan.game_match(pairing, by, games)?;
        let [one, other] = pairing.versions.map(|version| version.id());
        let path = self.out.join(format!("match-{}-{one}-{other}", by.name()));
        let run_folder = folder::step(&path, &plan)?;
        let standing =
            match_games::play(&plan, &run_folder, self.context).with_context(|| name.clone())?;
        let faults = standing.faults.count();
        Ok(Played { name, by, paper: pairing.paper, tally: standing.tally, faults })
    }
}

/// At most so many problems, spread over all.
fn chosen(problems: Vec<Problem>, most: Option<usize>) -> Vec<Problem> {
    let step = most.map_or(1, |most| problems.len().div_ceil(most.max(1)).max(1));
    problems.into_iter().step_by(step).collect()
}
