//! Organisms that meet in games, in a folder that survives being killed.
//!
//! Each pairing that has been played is a line of the journal, in the order of the schedule. A run that goes
//! on plays what the journal does not have.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use tesuji_arena::TimeControl;
use tesuji_arena::spec::opening_maker;
use tesuji_learn::coevolution::{Pairing, PairingResult};
use tesuji_math::stats::Tally;
use tesuji_run::jobs as runner;
use tesuji_run::{Input, RunFolder};
use tesuji_search::Searcher;

use super::flags::{Conditions, GameFlags};
use super::hall::{Hall, Meeting, Played};
use super::text;
use crate::output;
use crate::progress::Progress;
use tesuji_run::plan as folder;
use tesuji_search::spec::EnginePlan;

/// Positions for a move, if there is no other limit.
const NODES: u64 = 2_000;

/// Flags that say how organisms meet.
#[derive(Args, Debug)]
pub struct MeetingFlags {
    /// Games of every two organisms in a generation: half of them from each side of their openings.
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u64).range(2..=1000))]
    games: u64,
    /// Play all games of two organisms, even when it is decided who wins most of them.
    #[arg(long)]
    no_racing: bool,
    /// How many openings there are, if they are our own.
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pool: u64,
    #[command(flatten)]
    play: GameFlags,
}

/// How organisms meet, as the folder of a run keeps it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeetingPlan {
    pub conditions: Conditions,
    /// Games of every two organisms; 0 if nothing is played but the last match.
    pub games: usize,
    /// Does a pairing end when it is decided?
    pub racing: bool,
    /// How many openings there are to evolve with, if they are our own.
    pub pool: usize,
    /// Games of the last match.
    pub match_games: usize,
}

impl MeetingPlan {
    /// The plan that the flags mean, with so many games in the last match.
    pub fn new(flags: &MeetingFlags, match_games: u64) -> Result<Self> {
        let mut conditions = Conditions::new(&flags.play)?;
        if conditions.control.is_endless() {
            conditions.control = TimeControl::nodes(NODES);
        }
        let (games, match_games) = (usize::try_from(flags.games)?, usize::try_from(match_games)?);
        for (name, count) in [("--games", games), ("--match-games", match_games)] {
            let even = count.is_multiple_of(2);
            ensure!(even, "{name} is {count}, expected an even number: colours are swapped");
        }
        let pool = usize::try_from(flags.pool)?;
        Ok(Self { conditions, games, racing: !flags.no_racing, pool, match_games })
    }

    /// Where all chance comes from.
    pub const fn seed(&self) -> u64 {
        self.conditions.seed
    }

    /// Adds the files that are read.
    pub fn add_inputs(&self, inputs: &mut Vec<Input>) -> Result<()> {
        if let Some(path) = &self.conditions.openings {
            inputs.push(folder::input(path)?);
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
    /// The generation, from 1; 0 for the last match.
    generation: u32,
    /// The numbers of both organisms; in the last match 0 is the winner and 1 the one that it meets.
    organisms: [usize; 2],
    openings: Vec<usize>,
    /// Half points of the first, game by game.
    half_points: Vec<u32>,
}

/// What makes openings, one for each thread.
type Maker = Option<Box<dyn Searcher>>;

/// What an organism with these values is, with a table of so many mebibytes.
type Player<'a> = &'a (dyn Fn(&[i32], usize) -> Result<EnginePlan> + Sync);

/// Plays games, and remembers.
pub struct Meetings<'a> {
    pub plan: &'a MeetingPlan,
    pub folder: &'a RunFolder,
    pub threads: usize,
    hall: Hall,
    player: Player<'a>,
    /// Everything that the journal has.
    entries: Vec<Entry>,
}

impl<'a> Meetings<'a> {
    /// Goes on with what the journal has.
    pub fn new(
        plan: &'a MeetingPlan,
        folder: &'a RunFolder,
        threads: usize,
        player: Player<'a>,
        entries: Vec<Entry>,
    ) -> Result<Self> {
        Ok(Self { plan, folder, threads, hall: Hall::new(plan)?, player, entries })
    }

    /// How many openings there are to evolve with.
    pub fn pool(&self) -> usize {
        self.hall.pool()
    }

    /// Plays the pairings of a generation; what came of them, and how long the games took.
    pub fn generation(
        &mut self,
        generation: u32,
        mut pairings: Vec<Pairing>,
        values: &(dyn Fn(usize) -> Vec<i32> + Sync),
        tell: &mut dyn FnMut(usize, usize),
    ) -> Result<(Vec<PairingResult>, Duration)> {
        for opening in pairings.iter_mut().flat_map(|pairing| &mut pairing.openings) {
            *opening = self.hall.evolving(*opening);
        }
        let time = self.play(generation, &pairings, values, tell)?;
        let met = self.of_generation(generation).map(|entry| PairingResult {
            organisms: entry.organisms,
            half_points: entry.half_points.iter().sum(),
            games: entry.half_points.len() as u32,
        });
        Ok((met.collect(), time))
    }

    /// One organism against another, from openings that nobody has played from: the last match.
    pub fn prove(&mut self, winner: &[i32], opponent: &[i32]) -> Result<Tally> {
        let used: BTreeSet<usize> = (self.entries.iter())
            .filter(|entry| entry.generation > 0)
            .flat_map(|entry| entry.openings.iter().copied())
            .collect();
        let openings = self.hall.unseen(&used, self.plan.match_games / 2)?;
        if openings.len() < self.plan.match_games / 2 {
            output::note(&format!(
                "there are {} unseen openings: the last match has {} games",
                openings.len(),
                2 * openings.len()
            ));
        }
        let pairings: Vec<Pairing> = openings
            .into_iter()
            .map(|opening| Pairing { organisms: [0, 1], openings: vec![opening] })
            .collect();
        let values = |number: usize| if number == 0 { winner.to_vec() } else { opponent.to_vec() };
        let all = pairings.len() as u64;
        let mut progress =
            Progress::new(all, "{bar:40} {pos}/{len} pairs of games  {msg}  {elapsed}");
        self.play(0, &pairings, &values, &mut |done, of| {
            progress.update(done as u64, &|| format!("last match: {done} of {of} pairs of games"));
        })?;
        let mut proof = Tally::default();
        for &half_points in self.of_generation(0).flat_map(|entry| &entry.half_points) {
            proof.add(half_points.into());
        }
        Ok(proof)
    }

    fn of_generation(&self, generation: u32) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.generation == generation)
    }

    /// Plays what the journal does not have yet of some pairings; how long the games took.
    fn play(
        &mut self,
        generation: u32,
        pairings: &[Pairing],
        values: &(dyn Fn(usize) -> Vec<i32> + Sync),
        tell: &mut dyn FnMut(usize, usize),
    ) -> Result<Duration> {
        let mut done = 0;
        for (entry, pairing) in self.of_generation(generation).zip(pairings) {
            let same = (entry.organisms, &entry.openings) == (pairing.organisms, &pairing.openings);
            let name = self.folder.path().display();
            ensure!(same, "{name}: the journal is not that of this run");
            done += 1;
        }
        opening_maker()?;
        let (hall, player, games) = (&self.hall, self.player, self.plan.games.max(2) as u64);
        let table = hall.table();
        let job = |maker: &mut Maker, number: u64, stop: &_| -> Option<(Entry, Duration)> {
            let Pairing { organisms, openings } = pairings.get(usize::try_from(number).ok()?)?;
            let [first, second] = organisms.map(|number| player(&values(number), table).ok());
            let meeting = Meeting { players: [first?, second?], openings, number: number * games };
            let Played { half_points, time } = hall.play(&meeting, &mut **maker.as_mut()?, stop)?;
            let (organisms, openings) = (*organisms, openings.clone());
            Some((Entry { generation, organisms, openings, half_points }, time))
        };
        let mut time = Duration::ZERO;
        let (folder, entries, mut count) = (self.folder, &mut self.entries, done);
        let worker = || opening_maker().ok();
        runner::run(self.threads, done as u64..pairings.len() as u64, worker, job, |played| {
            let (new, times): (Vec<Entry>, Vec<Duration>) = played.into_iter().unzip();
            folder.append_all(&new)?;
            count += new.len();
            entries.extend(new);
            time += times.iter().sum::<Duration>();
            tell(count, pairings.len());
            Ok::<_, anyhow::Error>(ControlFlow::Continue(()))
        })?;
        ensure!(count == pairings.len(), "pairing {} could not be played", count + 1);
        Ok(time)
    }
}

/// The result of a last match, for a person.
pub fn proof_text(proof: &Tally) -> String {
    let Tally { wins, draws, losses, .. } = proof;
    let elo = text::elo(proof.estimate().as_ref());
    format!("{wins} won, {draws} drawn, {losses} lost: Elo {elo}")
}
