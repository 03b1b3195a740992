//! Generation after generation, and the last match, in a folder that survives being killed.
//!
//! Each pairing that has been played is a line of the journal, in the order of the schedule. After a
//! generation the state replaces `state.json`. A run that goes on plays what neither of them has.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_arena::runner;
use tesuji_arena::stats::Tally;
use tesuji_eval::Weights;
use tesuji_learn::coevolution::{Coevolution, Met, Pairing, Round};
use tesuji_learn::genome::GeneMap;
use tesuji_report::RunFolder;
use tesuji_search::Searcher;

use super::Plan;
use super::hall::{Hall, Meeting, Played};
use super::plan::Founder;
use crate::commands::arena::{contestant, text};
use crate::progress::Progress;

const STATE: &str = "state.json";

/// What makes openings, one for each thread.
type Maker = Option<Box<dyn Searcher>>;

/// All that decides how a run goes on, beside the journal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    evolution: Coevolution,
    rounds: Vec<Round>,
    /// How long the generations took, and the games in them on all threads.
    seconds: f64,
    game_seconds: f64,
}

/// A pairing that has been played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The generation, from 1; 0 for the last match.
    generation: u32,
    /// The numbers of both organisms; in the last match the winner and the founder that it meets.
    organisms: [usize; 2],
    openings: Vec<usize>,
    /// Half points of the first, game by game.
    half_points: Vec<u32>,
}

/// What came of a co-evolution.
pub struct Done {
    pub evolution: Coevolution,
    pub rounds: Vec<Round>,
    pub founders: Vec<Founder>,
    /// The number of the winner, and its weights.
    pub winner: usize,
    pub weights: Vec<i32>,
    /// The winner against the first founder.
    pub proof: Tally,
    pub seconds: f64,
    /// The share of the threads' time that went into games, in the generations.
    pub busy: f64,
}

/// Carries out a plan, or what is left of it.
pub fn carry_out(plan: &Plan, folder: &RunFolder, threads: usize) -> Result<Done> {
    let founders = plan.founders()?;
    let mut entries = Vec::new();
    for entry in folder.entries::<Entry>()? {
        entries.push(entry?);
    }
    let hall = Hall::new(plan)?;
    let map = plan.parameters.gene_map(founders[0].weights.set())?;
    let mut run = Run { plan, folder, threads, hall, founders, map, entries };
    let mut state = run.begin()?;
    run.evolve(&mut state)?;
    let winner = state.evolution.winner();
    let weights = state.evolution.values(winner, &run.map);
    let proof = run.prove(winner, &weights)?;
    let State { evolution, rounds, seconds, game_seconds } = state;
    let busy = game_seconds / (seconds * threads as f64).max(f64::MIN_POSITIVE);
    Ok(Done { evolution, rounds, founders: run.founders, winner, weights, proof, seconds, busy })
}

struct Run<'a> {
    plan: &'a Plan,
    folder: &'a RunFolder,
    threads: usize,
    hall: Hall,
    founders: Vec<Founder>,
    map: GeneMap,
    /// Everything that the journal has.
    entries: Vec<Entry>,
}

impl Run<'_> {
    fn begin(&self) -> Result<State> {
        let id = self.founders[0].weights.set().id();
        let genes = (&*id, &self.map);
        if let Some(state) = self.folder.read_json::<State>(STATE)? {
            ensure!(
                state.evolution.fits(genes, &self.plan.parameters),
                "{}: not the state of this run, or features have changed since",
                self.folder.file(STATE).display()
            );
            return Ok(state);
        }
        let weights: Vec<Vec<i32>> =
            self.founders.iter().map(|founder| founder.weights.values().to_vec()).collect();
        let (openings, pool) = (self.plan.games / 2, self.hall.pool());
        let parameters = self.plan.parameters.clone();
        let seed = self.plan.conditions.seed;
        let evolution = Coevolution::new(parameters, (openings, pool), genes, seed, &weights)?;
        Ok(State { evolution, rounds: Vec::new(), seconds: 0.0, game_seconds: 0.0 })
    }

    fn evolve(&mut self, state: &mut State) -> Result<()> {
        let all = u64::from(self.plan.parameters.generations);
        let mut progress = Progress::new(all, "{bar:40} {pos}/{len} generations  {msg}  {elapsed}");
        while !state.evolution.is_over() {
            let started = Instant::now();
            let generation = state.evolution.generation() + 1;
            let (met, games) = self.generation(&state.evolution, &mut progress)?;
            let round = state.evolution.finish(&met, &self.map);
            state.seconds += started.elapsed().as_secs_f64();
            state.game_seconds += games.as_secs_f64();
            progress.note(&describe(&round));
            state.rounds.push(round);
            self.folder.write_json(STATE, state)?;
            progress.update(generation.into(), &|| String::new());
        }
        Ok(())
    }

    /// Plays a generation: what came of its pairings, and how long the games took.
    fn generation(
        &mut self,
        evolution: &Coevolution,
        progress: &mut Progress,
    ) -> Result<(Vec<Met>, Duration)> {
        let set = self.founders[0].weights.set();
        let generation = evolution.generation() + 1;
        let mut pairings = evolution.pairings();
        for opening in pairings.iter_mut().flat_map(|pairing| &mut pairing.openings) {
            *opening = self.hall.evolving(*opening);
        }
        let mut players: Vec<Option<Weights>> = vec![None; evolution.organisms().len()];
        for &number in evolution.living() {
            let values = evolution.values(number, &self.map);
            players[number] = Some(Weights::new(set.clone(), values)?);
        }
        let find = |number: usize| players[number].as_ref();
        let time = self.play(generation, &pairings, &find, &mut |done, of| {
            progress.update(u64::from(generation - 1), &|| {
                format!("generation {generation}: {done} of {of} pairings")
            });
        })?;
        let played = self.entries.iter().filter(|entry| entry.generation == generation);
        let met = played.map(|entry| Met {
            organisms: entry.organisms,
            half_points: entry.half_points.iter().sum(),
            games: entry.half_points.len() as u32,
        });
        Ok((met.collect(), time))
    }

    /// The winner against the first founder, from openings that nobody has played from.
    fn prove(&mut self, winner: usize, weights: &[i32]) -> Result<Tally> {
        let used: BTreeSet<usize> = (self.entries.iter())
            .filter(|entry| entry.generation > 0)
            .flat_map(|entry| entry.openings.iter().copied())
            .collect();
        let openings = self.hall.unseen(&used, self.plan.match_games / 2)?;
        let best = &self.founders[0].weights;
        let winning = Weights::new(best.set().clone(), weights.to_vec())?;
        let best = best.clone();
        // A winner that is the founder itself has another number here, so that both can be told apart.
        let opponent = winner + 1;
        let pairings: Vec<Pairing> = openings
            .into_iter()
            .map(|opening| Pairing { organisms: [winner, opponent], openings: vec![opening] })
            .collect();
        let find = |number: usize| Some(if number == winner { &winning } else { &best });
        let all = pairings.len() as u64;
        let mut progress =
            Progress::new(all, "{bar:40} {pos}/{len} pairs of games  {msg}  {elapsed}");
        self.play(0, &pairings, &find, &mut |done, of| {
            progress.update(done as u64, &|| format!("last match: {done} of {of} pairs of games"));
        })?;
        let mut proof = Tally::default();
        let played = self.entries.iter().filter(|entry| entry.generation == 0);
        for &half_points in played.flat_map(|entry| &entry.half_points) {
            proof.add(half_points.into());
        }
        Ok(proof)
    }

    /// Plays what the journal does not have yet of some pairings; how long the games took.
    fn play<'w>(
        &mut self,
        generation: u32,
        pairings: &[Pairing],
        weights: &(dyn Fn(usize) -> Option<&'w Weights> + Sync),
        tell: &mut dyn FnMut(usize, usize),
    ) -> Result<Duration> {
        let known = self.entries.iter().filter(|entry| entry.generation == generation);
        let mut done = 0;
        for (entry, pairing) in known.zip(pairings) {
            let same = (entry.organisms, &entry.openings) == (pairing.organisms, &pairing.openings);
            let name = self.folder.path().display();
            ensure!(same, "{name}: the journal is not that of this run");
            done += 1;
        }
        contestant::opening_maker()?;
        let (hall, games) = (&self.hall, self.plan.games as u64);
        let job = |maker: &mut Maker, number: u64, stop: &_| -> Option<(Entry, Duration)> {
            let Pairing { organisms, openings } = pairings.get(usize::try_from(number).ok()?)?;
            let meeting = Meeting {
                weights: [weights(organisms[0])?, weights(organisms[1])?],
                openings,
                number: number * games,
            };
            let Played { half_points, time } = hall.play(&meeting, &mut **maker.as_mut()?, stop)?;
            let (organisms, openings) = (*organisms, openings.clone());
            Some((Entry { generation, organisms, openings, half_points }, time))
        };
        let mut time = Duration::ZERO;
        let (folder, entries, mut count) = (self.folder, &mut self.entries, done);
        let worker = || contestant::opening_maker().ok();
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

fn describe(round: &Round) -> String {
    let Round { generation, games, best, rating, error, mean, diversity } = round;
    format!(
        "generation {generation}: {games} games, best #{best} {rating:+.0} ± {error:.0}, mean {mean:+.0}, \
         {diversity:.0} bits apart"
    )
}

impl Done {
    /// The result of the last match, for a person.
    pub fn proof_text(&self) -> String {
        let Tally { wins, draws, losses, .. } = self.proof;
        let elo = text::elo(self.proof.estimate().as_ref());
        format!("{wins} won, {draws} drawn, {losses} lost: Elo {elo}")
    }
}
