//! Parameters that are as good as the games that they win.

use std::cell::RefCell;

use anyhow::Result;
use tesuji_learn::coevolution::{Pairing, Round};
use tesuji_learn::tuning::SearchGenes;
use tesuji_learn::tuning::spsa::{Sides, Spsa, Step, rounded};
use tesuji_math::Random;

use super::Plan;
use crate::commands::arena::meetings::Meetings;
use crate::commands::arena::rounds::{self, Breed, Evolved};
use crate::progress::Progress;

/// Organisms that meet each other; the values that the engine had are one of the first.
pub fn coevolve(
    plan: &Plan,
    genes: &SearchGenes,
    before: &[i32],
    meetings: &mut Meetings<'_>,
) -> Result<(Vec<i32>, Vec<Round>)> {
    let population = plan.parameters.population;
    let founders =
        genes.founders(before, plan.near, population, &mut Random::new(plan.meetings.seed()));
    let names: Vec<&str> = genes.parameters().iter().map(|parameter| parameter.name).collect();
    let breed = Breed {
        genes: (&names.join(","), genes.map()),
        parameters: &plan.parameters,
        founders: &founders,
    };
    let Evolved { values, rounds, .. } = rounds::evolve(&breed, meetings)?;
    Ok((values, rounds))
}

/// Steps towards the sides that win.
pub fn perturb(
    plan: &Plan,
    genes: &SearchGenes,
    before: &[i32],
    meetings: &mut Meetings<'_>,
) -> Result<(Vec<i32>, Vec<Step>)> {
    let spsa = Spsa { iterations: plan.parameters.generations, pairs: plan.parameters.population };
    let all = spsa.iterations.into();
    let progress = RefCell::new(Progress::new(all, "{bar:40} {pos}/{len} steps  {msg}  {elapsed}"));
    let seed = plan.meetings.seed();
    let play = |iteration: u32, sides: &[Sides]| -> Result<Vec<f64>> {
        let pairings = pairings(seed, iteration, sides.len(), meetings);
        let values = |number: usize| sides[number / 2][number % 2].clone();
        let mut tell = |done: usize, of: usize| {
            progress.borrow_mut().update(u64::from(iteration - 1), &|| {
                format!("step {iteration}: {done} of {of} pairs")
            });
        };
        let (met, _) = meetings.generation(iteration, pairings, &values, &mut tell)?;
        let results =
            met.iter().map(|met| f64::from(met.half_points) / f64::from(met.games.max(1)) - 1.0);
        Ok(results.collect())
    };
    let steps = spsa.run(&genes.ranges(), seed, before, play)?;
    let values = steps.last().map_or_else(|| before.to_vec(), |step| rounded(&step.values));
    Ok((values, steps))
}

/// Both sides of each pair, from openings of their own.
fn pairings(seed: u64, iteration: u32, pairs: usize, meetings: &Meetings<'_>) -> Vec<Pairing> {
    let mut order: Vec<usize> = (0..meetings.pool()).collect();
    Random::new(Random::derived_seed(seed, iteration.into())).shuffle(&mut order);
    let mut openings = order.into_iter().cycle();
    (0..pairs)
        .map(|pair| Pairing {
            organisms: [2 * pair, 2 * pair + 1],
            openings: openings.by_ref().take(meetings.plan.games / 2).collect(),
        })
        .collect()
}
