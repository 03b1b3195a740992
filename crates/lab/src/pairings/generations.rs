//! Generation after generation of organisms that are as good as they play.
//!
//! After a generation the state replaces `state.json` in the folder of the run. A run that goes on
//! plays what neither the state nor the journal has.

use std::time::Instant;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_learn::coevolution::{Coevolution, Round};
use tesuji_learn::ga::Parameters;
use tesuji_learn::genome::GeneMap;
use tesuji_run::Progress;

use super::Pairings;

const STATE: &str = "state.json";

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

/// What evolves.
pub struct Breed<'a> {
    /// What the genes are, and where they stand in a genome.
    pub genes: (&'a str, &'a GeneMap),
    /// How it evolves.
    pub parameters: &'a Parameters,
    /// The first organisms.
    pub founders: &'a [Vec<i32>],
}

/// What came of it.
pub struct Evolved {
    /// Everyone who ever lived.
    pub evolution: Coevolution,
    /// The generations.
    pub rounds: Vec<Round>,
    /// The number of the winner.
    pub winner: usize,
    /// Its values.
    pub values: Vec<i32>,
    /// How long the generations took.
    pub seconds: f64,
    /// The share of the threads' time that went into games.
    pub busy: f64,
}

/// Evolves, or goes on with it.
pub fn evolve(breed: &Breed<'_>, pairings: &mut Pairings<'_>) -> Result<Evolved> {
    let mut state = begin(breed, pairings)?;
    let all = u64::from(breed.parameters.generations);
    let observer = pairings.context.observer;
    let mut progress = observer.begin(all, "generations");
    while !state.evolution.is_over() {
        generation(breed, pairings, &mut state, &mut *progress)?;
    }
    let State { evolution, rounds, seconds, game_seconds } = state;
    let winner = evolution.winner();
    let values = evolution.values(winner, breed.genes.1);
    let busy =
        game_seconds / (seconds * pairings.context.thread_count() as f64).max(f64::MIN_POSITIVE);
    Ok(Evolved { evolution, rounds, winner, values, seconds, busy })
}

fn begin(breed: &Breed<'_>, pairings: &Pairings<'_>) -> Result<State> {
    if let Some(state) = pairings.folder.read_json::<State>(STATE)? {
        ensure!(
            state.evolution.fits(breed.genes, breed.parameters),
            "{}: not the state of this run, or genes have changed since",
            pairings.folder.file(STATE).display()
        );
        return Ok(state);
    }
    let openings = (pairings.plan.games / 2, pairings.pool());
    let (parameters, seed) = (breed.parameters.clone(), pairings.plan.seed());
    let evolution = Coevolution::new(parameters, openings, breed.genes, seed, breed.founders)?;
    Ok(State { evolution, rounds: Vec::new(), seconds: 0.0, game_seconds: 0.0 })
}

fn generation(
    breed: &Breed<'_>,
    pairings: &mut Pairings<'_>,
    state: &mut State,
    progress: &mut dyn Progress,
) -> Result<()> {
    let (started, map) = (Instant::now(), breed.genes.1);
    let evolution = &state.evolution;
    let generation = evolution.generation() + 1;
    let values = |number: usize| evolution.values(number, map);
    let mut tell = |done: usize, of: usize| {
        progress.update(u64::from(generation - 1), &|| {
            format!("generation {generation}: {done} of {of} pairings")
        });
    };
    let (results, games) =
        pairings.generation(generation, evolution.pairings(), &values, &mut tell)?;
    let round = state.evolution.finish(&results, map);
    state.seconds += started.elapsed().as_secs_f64();
    state.game_seconds += games.as_secs_f64();
    progress.note(&describe(&round));
    state.rounds.push(round);
    pairings.folder.write_json(STATE, state)?;
    progress.update(generation.into(), &|| String::new());
    Ok(())
}

fn describe(round: &Round) -> String {
    let Round { generation, games, best, rating, error, mean, diversity } = round;
    format!(
        "generation {generation}: {games} games, best #{best} {rating:+.0} ± {error:.0}, mean \
         {mean:+.0}, {diversity:.0} bits apart"
    )
}
