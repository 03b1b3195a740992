//! Pairings of organisms, in a folder that survives being killed: what co-evolution and the tuning
//! of the search by games share.
//!
//! Each pairing that has been played is a line of the journal, in the order of the schedule. A run
//! that goes on plays what the journal does not have.

mod generations;
mod openings;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_arena::spec::default_hash;
use tesuji_arena::tasks::{PairingJob, PairingScore, PlayPairings};
use tesuji_learn::coevolution::{Pairing, PairingResult};
use tesuji_math::stats::Tally;
use tesuji_run::{Context, Input, RunFolder, plan};
use tesuji_search::spec::SearchSpec;

pub use generations::{Breed, Evolved, evolve};

use crate::games::{Conditions, text};
use openings::OpeningPool;

/// How organisms play each other, as the folder of a run keeps it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairingPlan {
    /// How games are played.
    pub conditions: Conditions,
    /// Games of every two organisms; 0 if nothing is played but the verification match.
    pub games: usize,
    /// Does a pairing end when it is decided?
    pub racing: bool,
    /// How many openings there are to evolve with, if they are our own.
    pub pool: usize,
    /// Games of the verification match.
    pub match_games: usize,
}

impl PairingPlan {
    /// Where all chance comes from.
    pub const fn seed(&self) -> u64 {
        self.conditions.seed
    }

    /// Adds the files that are read.
    pub fn add_inputs(&self, inputs: &mut Vec<Input>) -> Result<()> {
        if let Some(path) = &self.conditions.openings {
            inputs.push(plan::input(path)?);
        }
        Ok(())
    }

    /// Reads the openings once.
    pub fn check(&self) -> Result<()> {
        let Some(path) = &self.conditions.openings else { return Ok(()) };
        let count = self.conditions.read_openings(path)?.len();
        let name = path.display();
        let enough = count >= 2 || self.games == 0;
        ensure!(enough, "{name}: {count} opening, expected some to evolve and some to test");
        Ok(())
    }
}

/// A pairing that has been played: a line of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The generation, from 1; 0 for the verification match.
    generation: u32,
    /// The numbers of both organisms; in the verification match 0 is the winner and 1 its opponent.
    organisms: [usize; 2],
    openings: Vec<usize>,
    /// Half points of the first, game by game.
    half_points: Vec<u32>,
}

/// The engine that an organism with these values is.
pub type Embody<'a> = &'a dyn Fn(&[i32]) -> Result<SearchSpec>;

/// Plays pairings, and remembers.
pub struct Pairings<'a> {
    /// How they are played.
    pub plan: &'a PairingPlan,
    /// Where they are kept.
    pub folder: &'a RunFolder,
    /// Where the work is done.
    pub context: Context<'a>,
    pool: OpeningPool,
    task: PlayPairings,
    embody: Embody<'a>,
    /// Everything that the journal has.
    entries: Vec<Entry>,
}

impl<'a> Pairings<'a> {
    /// Goes on with what the journal has.
    pub fn new(
        plan: &'a PairingPlan,
        folder: &'a RunFolder,
        context: Context<'a>,
        embody: Embody<'a>,
        entries: Vec<Entry>,
    ) -> Result<Self> {
        let (openings, pool) = OpeningPool::new(plan)?;
        let Conditions { control, .. } = plan.conditions;
        let (terms, racing) = (plan.conditions.terms(), plan.racing);
        let task = PlayPairings { control, terms, openings, racing };
        Ok(Self { plan, folder, context, pool, task, embody, entries })
    }

    /// How many openings there are to evolve with.
    pub fn pool(&self) -> usize {
        self.pool.size()
    }

    /// Plays the pairings of a generation; what came of them, and how long the games took.
    pub fn generation(
        &mut self,
        generation: u32,
        mut pairings: Vec<Pairing>,
        values: &dyn Fn(usize) -> Vec<i32>,
        tell: &mut dyn FnMut(usize, usize),
    ) -> Result<(Vec<PairingResult>, Duration)> {
        for opening in pairings.iter_mut().flat_map(|pairing| &mut pairing.openings) {
            *opening = self.pool.training(*opening);
        }
        let time = self.play(generation, &pairings, values, tell)?;
        let results = self.of_generation(generation).map(|entry| PairingResult {
            organisms: entry.organisms,
            half_points: entry.half_points.iter().sum(),
            games: entry.half_points.len() as u32,
        });
        Ok((results.collect(), time))
    }

    /// The verification match: one organism against another, from openings that nobody has played
    /// from.
    pub fn verify(&mut self, winner: &[i32], opponent: &[i32]) -> Result<Tally> {
        let used: BTreeSet<usize> = (self.entries.iter())
            .filter(|entry| entry.generation > 0)
            .flat_map(|entry| entry.openings.iter().copied())
            .collect();
        let wanted = self.plan.match_games / 2;
        let openings = self.pool.unseen(&self.task.openings, &used, wanted)?;
        if openings.len() < wanted {
            self.context.observer.note(&format!(
                "there are {} unseen openings: the verification match has {} games",
                openings.len(),
                2 * openings.len()
            ));
        }
        let pairings: Vec<Pairing> = openings
            .into_iter()
            .map(|opening| Pairing { organisms: [0, 1], openings: vec![opening] })
            .collect();
        let values = |number: usize| if number == 0 { winner.to_vec() } else { opponent.to_vec() };
        let mut progress = self.context.observer.begin(pairings.len() as u64, "pairs of games");
        self.play(0, &pairings, &values, &mut |done, of| {
            let message = || format!("verification match: {done} of {of} pairs of games");
            progress.update(done as u64, &message);
        })?;
        let mut tally = Tally::default();
        for &half_points in self.of_generation(0).flat_map(|entry| &entry.half_points) {
            tally.add(half_points.into());
        }
        Ok(tally)
    }

    fn of_generation(&self, generation: u32) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.generation == generation)
    }

    /// Plays what the journal does not have yet of some pairings; how long the games took.
    fn play(
        &mut self,
        generation: u32,
        pairings: &[Pairing],
        values: &dyn Fn(usize) -> Vec<i32>,
        tell: &mut dyn FnMut(usize, usize),
    ) -> Result<Duration> {
        let mut done = 0;
        for (entry, pairing) in self.of_generation(generation).zip(pairings) {
            let same = (entry.organisms, &entry.openings) == (pairing.organisms, &pairing.openings);
            let name = self.folder.path().display();
            ensure!(same, "{name}: the journal is not that of this run");
            done += 1;
        }
        let jobs: Vec<PairingJob> = (pairings.iter().enumerate().skip(done))
            .map(|(number, pairing)| self.job(number, pairing, values))
            .collect::<Result<_>>()?;
        let mut time = Duration::ZERO;
        let (folder, entries) = (self.folder, &mut self.entries);
        self.context.executor().run(&self.task, &jobs, |scores| {
            let mut new = Vec::new();
            for PairingScore { half_points, time: spent } in scores {
                let Pairing { organisms, openings } = pairings[done].clone();
                new.push(Entry { generation, organisms, openings, half_points });
                time += spent;
                done += 1;
            }
            folder.append_all(&new)?;
            entries.extend(new);
            tell(done, pairings.len());
            Ok(ControlFlow::Continue(()))
        })?;
        ensure!(done == pairings.len(), "pairing {} could not be played", done + 1);
        Ok(time)
    }

    fn job(
        &self,
        number: usize,
        pairing: &Pairing,
        values: &dyn Fn(usize) -> Vec<i32>,
    ) -> Result<PairingJob> {
        let hash = Some(default_hash(&self.task.control));
        let engine = |organism: usize| -> Result<SearchSpec> {
            Ok(SearchSpec { hash, ..(self.embody)(&values(organism))? })
        };
        let [first, second] = pairing.organisms;
        Ok(PairingJob {
            engines: [engine(first)?, engine(second)?],
            openings: pairing.openings.clone(),
            number: (number * self.plan.games.max(2)) as u64,
        })
    }
}

/// The result of a verification match, for a person.
pub fn verification_text(tally: &Tally) -> String {
    let Tally { wins, draws, losses, .. } = tally;
    let elo = text::elo(tally.estimate().as_ref());
    format!("{wins} won, {draws} drawn, {losses} lost: Elo {elo}")
}
