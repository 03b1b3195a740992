//! The genetic algorithm: the thesis's, and what can be added to it.
//!
//! A [`Run`] is all that decides how it goes on. It can be written to a file after any generation
//! and read again; the rest is then the same to the last bit.

mod breed;
mod parameters;

use std::time::{Duration, Instant};

use breed::best_first;
pub use breed::breed;
pub use parameters::{
    Adaptive, Islands, LocalSearch, Mutation, Parameters, ParametersError, Selection,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tesuji_eval::FeatureSet;

use crate::genome::{GeneMap, Genome};
use crate::line::LineSearch;
use crate::{Random, Scorer};

/// A run of the genetic algorithm between two generations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Run {
    parameters: Parameters,
    /// The feature set's identity.
    features: String,
    seed: u64,
    /// Generations that were scored.
    generation: u32,
    /// Organisms that were scored, and lines that were searched.
    evaluations: u64,
    random: Random,
    /// The next generation, not scored yet.
    population: Vec<Genome>,
    best: Option<Champion>,
    /// Generations since the best organism was found.
    stale: u32,
    /// What mutation is multiplied by.
    rate: f64,
}

/// The best organism of a run so far.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Champion {
    /// Its genome.
    pub genome: Genome,
    /// How many positions it solves.
    pub correct: u32,
    /// The generation in which it appeared, counted from 1.
    pub generation: u32,
}

/// What a generation was like.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, counted from 1.
    pub generation: u32,
    /// Positions that its best organism solves.
    pub best: u32,
    /// Positions that its organisms solve on average.
    pub mean: f64,
    /// The standard deviation of that.
    pub spread: f64,
    /// In how many bits its organisms differ from the best one, on average.
    pub diversity: f64,
    /// Positions of the test set that the best organism solves.
    pub test: Option<u32>,
    /// A hash of the best organism's weights.
    pub weights: String,
    /// Evaluations so far.
    pub evaluations: u64,
    /// How long it took.
    pub seconds: f64,
}

/// A hash by which lists of weights can be told apart.
pub fn weights_hash(weights: &[i32]) -> String {
    let mut hash = Sha256::new();
    for weight in weights {
        hash.update(weight.to_le_bytes());
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

impl Run {
    /// A run with a random population. The genomes of `given` take the place of the first ones.
    pub fn new(
        parameters: Parameters,
        set: &FeatureSet,
        seed: u64,
        given: &[Genome],
    ) -> Result<Self, ParametersError> {
        parameters.check()?;
        let map = parameters.gene_map(set)?;
        let mut random = Random::new(seed);
        let mut population: Vec<Genome> =
            (0..parameters.population).map(|_| Genome::random(map.bits(), &mut random)).collect();
        for (organism, given) in population.iter_mut().zip(given) {
            if given.len() == map.bits() {
                organism.clone_from(given);
            }
        }
        population.iter_mut().for_each(|genome| map.freeze(genome));
        Ok(Self {
            parameters,
            features: set.id(),
            seed,
            generation: 0,
            evaluations: 0,
            random,
            population,
            best: None,
            stale: 0,
            rate: 1.0,
        })
    }

    /// The settings.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The identity of the feature set.
    pub fn features(&self) -> &str {
        &self.features
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Generations that were scored.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Organisms that were scored, and lines that were searched.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// The best organism so far.
    pub fn best(&self) -> Option<&Champion> {
        self.best.as_ref()
    }

    /// Are there no more generations?
    pub fn is_over(&self) -> bool {
        self.generation >= self.parameters.generations
    }

    /// Does the run belong to this feature set, and is it whole? A run read from a file need not
    /// be.
    pub fn fits(&self, set: &FeatureSet) -> bool {
        let bits = self.parameters.gene_map(set).map(|map| map.bits());
        self.features == set.id()
            && self.parameters.check().is_ok()
            && self.population.len() == self.parameters.population
            && self
                .population
                .iter()
                .chain(self.best.iter().map(|best| &best.genome))
                .all(|genome| bits.as_ref() == Ok(&genome.len()))
    }

    /// Scores the generation and breeds the next. The best organism's score on `test` is reported
    /// and decides nothing.
    pub fn step(
        &mut self,
        scorer: &mut Scorer<'_>,
        test: Option<&mut Scorer<'_>>,
    ) -> Result<Generation, ParametersError> {
        let start = Instant::now();
        let map = self.parameters.gene_map(scorer.data().set())?;
        let weights: Vec<Vec<i32>> =
            self.population.iter().map(|genome| map.weights(genome)).collect();
        let mut correct = scorer.correct(&weights);
        self.evaluations += correct.len() as u64;
        self.generation += 1;
        self.search_locally(&map, scorer, &mut correct);
        self.crown(&correct);
        let mut report = self.report(&map, &correct, test);
        self.adapt();
        self.migrate(&mut correct);
        self.breed(&map, &correct);
        report.seconds = seconds(start.elapsed());
        Ok(report)
    }

    /// Improves the best organism weight by weight.
    fn search_locally(&mut self, map: &GeneMap, scorer: &Scorer<'_>, correct: &mut [u32]) {
        let Some(settings) = self.parameters.local_search else { return };
        let free: Vec<usize> = (0..map.len()).filter(|&gene| !map.is_frozen(gene)).collect();
        if self.generation <= settings.after || free.is_empty() {
            return;
        }
        let best = best_first(correct)[0];
        let mut search = LineSearch::new(scorer.data(), map.weights(&self.population[best]));
        for _ in 0..settings.genes {
            let gene = free[self.random.below(free.len())];
            correct[best] = search.improve(gene, map.range(gene));
            self.evaluations += 1;
        }
        self.population[best] = map.genome(search.weights());
    }

    fn crown(&mut self, correct: &[u32]) {
        let best = best_first(correct)[0];
        self.stale += 1;
        if self.best.as_ref().is_none_or(|champion| champion.correct < correct[best]) {
            self.stale = 0;
            self.best = Some(Champion {
                genome: self.population[best].clone(),
                correct: correct[best],
                generation: self.generation,
            });
        }
    }

    fn adapt(&mut self) {
        let Some(settings) = self.parameters.adaptive else { return };
        if self.stale == 0 {
            self.rate = 1.0;
        } else if self.stale.is_multiple_of(settings.patience.max(1)) {
            self.rate = (self.rate * settings.factor).min(settings.limit);
        }
    }

    /// Lets the best of each island take the place of the worst of the next one.
    fn migrate(&mut self, correct: &mut [u32]) {
        let Some(islands) = self.parameters.islands else { return };
        if !self.generation.is_multiple_of(islands.interval.max(1)) {
            return;
        }
        let size = self.population.len().div_ceil(islands.count);
        let orders: Vec<Vec<usize>> = correct.chunks(size).map(best_first).collect();
        let before = (self.population.clone(), correct.to_vec());
        for (island, order) in orders.iter().enumerate() {
            let next = (island + 1) % orders.len();
            let worst = orders[next].iter().rev();
            for (&from, &to) in order.iter().zip(worst).take(islands.migrants) {
                let (from, to) = (island * size + from, next * size + to);
                self.population[to].clone_from(&before.0[from]);
                correct[to] = before.1[from];
            }
        }
    }

    fn breed(&mut self, map: &GeneMap, correct: &[u32]) {
        let islands = self.parameters.islands.map_or(1, |islands| islands.count);
        let size = self.population.len().div_ceil(islands);
        let mut next = Vec::with_capacity(self.population.len());
        for (parents, correct) in self.population.chunks(size).zip(correct.chunks(size)) {
            let random = &mut self.random;
            next.extend(breed(parents, correct, &self.parameters, map, self.rate, random));
        }
        self.population = next;
    }

    fn report(&self, map: &GeneMap, correct: &[u32], test: Option<&mut Scorer<'_>>) -> Generation {
        let best = best_first(correct)[0];
        let weights = map.weights(&self.population[best]);
        let count = correct.len() as f64;
        let mean = correct.iter().map(|&correct| f64::from(correct)).sum::<f64>() / count;
        let squares = correct.iter().map(|&correct| (f64::from(correct) - mean).powi(2));
        let champion = &self.population[best];
        let distance: u32 = self.population.iter().map(|genome| genome.distance(champion)).sum();
        Generation {
            generation: self.generation,
            best: correct[best],
            mean,
            spread: (squares.sum::<f64>() / count).sqrt(),
            diversity: f64::from(distance) / count,
            test: test.map(|test| test.correct(std::slice::from_ref(&weights))[0]),
            weights: weights_hash(&weights),
            evaluations: self.evaluations,
            seconds: 0.0,
        }
    }
}

fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests;
