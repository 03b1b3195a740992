//! Parameters that are as good as the games that they win.

use std::cell::RefCell;

use anyhow::Result;
use tesuji_learn::coevolution::{Pairing, PairingResult, Round};
use tesuji_learn::tuning::SearchGenes;
use tesuji_learn::tuning::spsa::{Sides, Spsa, Step, rounded};
use tesuji_math::Random;

use super::TunePlan;
use crate::pairings::{self, Breed, Evolved, Pairings};

/// Organisms that play each other; the values that the engine had are one of the first.
pub fn coevolve(
    plan: &TunePlan,
    genes: &SearchGenes,
    before: &[i32],
    pairings: &mut Pairings<'_>,
) -> Result<(Vec<i32>, Vec<Round>)> {
    let population = plan.parameters.population;
    let founders =
        genes.founders(before, plan.near, population, &mut Random::new(plan.pairings.seed()));
    let names: Vec<&str> = genes.parameters().iter().map(|parameter| parameter.name).collect();
    let breed = Breed {
        genes: (&names.join(","), genes.map()),
        parameters: &plan.parameters,
        founders: &founders,
    };
    let Evolved { values, rounds, .. } = pairings::evolve(&breed, pairings)?;
    Ok((values, rounds))
}

/// Steps towards the sides that win.
pub fn perturb(
    plan: &TunePlan,
    genes: &SearchGenes,
    before: &[i32],
    pairings: &mut Pairings<'_>,
) -> Result<(Vec<i32>, Vec<Step>)> {
    let spsa = Spsa { iterations: plan.parameters.generations, pairs: plan.parameters.population };
    let observer = pairings.context.observer;
    let progress = RefCell::new(observer.begin(spsa.iterations.into(), "steps"));
    let seed = plan.pairings.seed();
    let play = |iteration: u32, sides: &[Sides]| -> Result<Vec<f64>> {
        let schedule = schedule(seed, iteration, sides.len(), pairings);
        let values = |number: usize| sides[number / 2][number % 2].clone();
        let mut tell = |done: usize, of: usize| {
            progress.borrow_mut().update(u64::from(iteration - 1), &|| {
                format!("step {iteration}: {done} of {of} pairs")
            });
        };
        let (results, _) = pairings.generation(iteration, schedule, &values, &mut tell)?;
        let score = |result: &PairingResult| {
            f64::from(result.half_points) / f64::from(result.games.max(1)) - 1.0
        };
        Ok(results.iter().map(score).collect())
    };
    let steps = spsa.run(&genes.ranges(), seed, before, play)?;
    let values = steps.last().map_or_else(|| before.to_vec(), |step| rounded(&step.values));
    Ok((values, steps))
}

/// Both sides of each pair, from openings of their own.
fn schedule(seed: u64, iteration: u32, pairs: usize, pairings: &Pairings<'_>) -> Vec<Pairing> {
    let mut order: Vec<usize> = (0..pairings.pool()).collect();
    Random::new(Random::derived_seed(seed, iteration.into())).shuffle(&mut order);
    let mut openings = order.into_iter().cycle();
    (0..pairs)
        .map(|pair| Pairing {
            organisms: [2 * pair, 2 * pair + 1],
            openings: openings.by_ref().take(pairings.plan.games / 2).collect(),
        })
        .collect()
}
