//! Tuning of search parameters by a genetic algorithm: fewer nodes for the same answers.
//!
//! The problems are solved elsewhere: a function tells how many nodes organisms need. All else
//! follows from the seed, so that a run which is begun again with the old answers comes to the same
//! end.

mod genes;

use serde::{Deserialize, Serialize};

pub use genes::{PAPER, SearchGenes, UnknownParameter};
pub use tesuji_math::optimise::spsa;

use crate::coevolution::Coevolution;
use crate::ga::{self, Mutation, Parameters, ParametersError};
use crate::genome::Genome;
use tesuji_math::Random;

/// The nodes that an organism needed for a set of problems.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    /// Nodes that it searched; for a problem that it did not solve, the limit.
    pub nodes: u64,
    /// Problems that it solved.
    pub solved: usize,
}

/// The statistics of a generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 1.
    pub generation: u32,
    /// What its best organism needed.
    pub best: Effort,
    /// Nodes that its organisms searched, on average.
    pub mean: f64,
    /// Problems that they solved, on average.
    pub mean_solved: f64,
    /// In how many bits they differ from the best one, on average.
    pub diversity: f64,
}

/// The best organism of a run, and how it came about.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    /// The values of its genes.
    pub values: Vec<i32>,
    /// What it needed.
    pub effort: Effort,
    /// All generations.
    pub history: Vec<Generation>,
}

/// The default settings: size and mutation are those of the model paper, but parents are chosen by
/// rank, as in co-evolution, where the paper chose them in proportion to fitness.
pub fn parameters(genes: &SearchGenes) -> Parameters {
    Parameters {
        mutation: Mutation::PerBit { rate: genes.rate() },
        elite: 1,
        frozen: Some(Vec::new()),
        ..Coevolution::parameters()
    }
}

/// Runs the genetic algorithm. `start` is the first organism; the others of the first generation
/// are mutations of it, or random. `effort` is asked for the organisms of each generation, old ones
/// and copies among them; `tell` is called after each generation.
pub fn evolve<E: From<ParametersError>>(
    genes: &SearchGenes,
    parameters: &Parameters,
    seed: u64,
    (start, near): (&[i32], bool),
    mut effort: impl FnMut(&[Vec<i32>]) -> Result<Vec<Effort>, E>,
    mut tell: impl FnMut(&Generation),
) -> Result<Tuned, E> {
    parameters.check()?;
    let map = genes.map();
    let mut random = Random::new(seed);
    let founders = genes.founders(start, near, parameters.population, &mut random);
    let mut population: Vec<Genome> = founders.iter().map(|values| map.genome(values)).collect();
    let mut tuned = Tuned {
        values: start.to_vec(),
        effort: Effort { nodes: u64::MAX, solved: 0 },
        history: Vec::new(),
    };
    for generation in 1..=parameters.generations {
        let values: Vec<Vec<i32>> = population.iter().map(|genome| map.weights(genome)).collect();
        let efforts = effort(&values)?;
        let best = (0..efforts.len()).min_by_key(|&i| efforts[i].nodes).unwrap_or(0);
        if efforts[best].nodes < tuned.effort.nodes {
            (tuned.values, tuned.effort) = (values[best].clone(), efforts[best]);
        }
        let report = report(generation, &population, &efforts, best);
        tell(&report);
        tuned.history.push(report);
        if generation < parameters.generations {
            let fitness = fitness(&efforts);
            let born = ga::breed(&population, &fitness, parameters, map, 1.0, &mut random);
            population = born.into_iter().map(|born| born.genome).collect();
        }
    }
    Ok(tuned)
}

/// Fitness in proportion to 1 / nodes.
fn fitness(efforts: &[Effort]) -> Vec<u32> {
    let least = efforts.iter().map(|effort| effort.nodes).min().unwrap_or(0).max(1) as f64;
    efforts.iter().map(|effort| (1e6 * least / effort.nodes.max(1) as f64) as u32).collect()
}

fn report(generation: u32, population: &[Genome], efforts: &[Effort], best: usize) -> Generation {
    let count = population.len() as f64;
    let mean = |value: &dyn Fn(&Effort) -> f64| efforts.iter().map(value).sum::<f64>() / count;
    let distance: u32 = population.iter().map(|genome| genome.distance(&population[best])).sum();
    Generation {
        generation,
        best: efforts[best],
        mean: mean(&|effort| effort.nodes as f64),
        mean_solved: mean(&|effort| effort.solved as f64),
        diversity: f64::from(distance) / (count - 1.0).max(1.0),
    }
}

#[cfg(test)]
mod tests {
    use tesuji_search::Algorithm;

    use super::*;

    /// The further from a goal, the more nodes.
    fn distance(values: &[i32]) -> Effort {
        let goal = [1, 7, 0, 3, 2, 500];
        let away: u64 = values.iter().zip(goal).map(|(&a, b)| u64::from(a.abs_diff(b))).sum();
        Effort { nodes: 1000 + 10 * away, solved: 0 }
    }

    fn run(seed: u64) -> Tuned {
        let genes =
            SearchGenes::new(Algorithm::standard().parameters, PAPER[..6].iter().copied()).unwrap();
        let parameters = Parameters { generations: 60, ..parameters(&genes) };
        let start = genes.values(&Algorithm::standard().defaults());
        let effort = |organisms: &[Vec<i32>]| {
            Ok::<_, ParametersError>(organisms.iter().map(|values| distance(values)).collect())
        };
        evolve(&genes, &parameters, seed, (&start, true), effort, |_| {}).unwrap()
    }

    #[test]
    fn evolution_comes_nearer_to_the_goal() {
        let tuned = run(1);
        let first = tuned.history[0].best.nodes;
        assert!(tuned.effort.nodes < first - 100, "{first} and {}", tuned.effort.nodes);
        assert!(tuned.history.is_sorted_by(|a, b| b.best.nodes <= a.best.nodes), "the best stays");
        assert_eq!(distance(&tuned.values), tuned.effort);
    }

    #[test]
    fn the_same_seed_is_the_same_run() {
        assert_eq!(run(3), run(3));
        assert_ne!(run(3), run(4));
    }
}
