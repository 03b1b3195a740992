//! The genetic algorithm: the thesis's, and what can be added to it.
//!
//! A [`Run`] is all that decides how it goes on. It can be written to a file after any generation
//! and read again; the rest is then the same to the last bit.

mod breed;
mod near;
mod parameters;

use std::time::{Duration, Instant};

use breed::best_first;
pub use breed::{Offspring, breed};
pub use near::near;
pub use parameters::{
    Adaptive, Batch, Islands, LocalSearch, Mutation, Parameters, ParametersError, Restart,
    Selection,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tesuji_eval::FeatureSet;

use crate::genome::{GeneMap, Genome};
use crate::line::LineSearch;
use crate::{Scorer, Solved, Subset};
use tesuji_math::Random;

/// A run of the genetic algorithm between two generations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Run {
    parameters: Parameters,
    /// The feature set's identity.
    features: String,
    seed: u64,
    /// Generations that were scored.
    generation: u32,
    /// Organisms that were scored, and lines that were searched, on all positions; a batch counts
    /// for its share.
    evaluations: u64,
    /// What is left of the shares: organisms times positions.
    #[serde(default)]
    rest: u64,
    random: Random,
    /// The seed of the batch that is in use.
    #[serde(default)]
    batch: Option<u64>,
    /// The next generation, not scored yet.
    population: Vec<Genome>,
    best: Option<Champion>,
    /// Generations since the best organism was found. With batches only those count in which the
    /// best was scored on all positions.
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
    /// The sum of their weights, where positions have weights.
    pub weight: Option<u32>,
    /// The generation in which it appeared, counted from 1.
    pub generation: u32,
}

impl Champion {
    /// By what it is the best.
    fn fitness(&self) -> u32 {
        self.weight.unwrap_or(self.correct)
    }
}

/// What a generation was like. Its best organism is the one that solves most, by the weights of the
/// positions; all numbers are counts of positions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, counted from 1.
    pub generation: u32,
    /// Positions that were scored: all of them or a batch.
    pub of: usize,
    /// Those of them that its best organism solves.
    pub best: u32,
    /// Those of all positions that its best organism solves; `None` if that was not asked.
    pub whole: Option<u32>,
    /// Positions of those scored that its organisms solve on average.
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
            (0..parameters.population).map(|_| map.random(&mut random)).collect();
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
            rest: 0,
            random,
            batch: None,
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

    /// Organisms that were scored, and lines that were searched, on all positions; a batch counts
    /// for its share.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// The next generation, not scored yet.
    pub fn population(&self) -> &[Genome] {
        &self.population
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
        let batch = self.draw_batch(scorer.data().len());
        let weights: Vec<Vec<i32>> =
            self.population.iter().map(|genome| map.weights(genome)).collect();
        let mut solved = scorer.score(&weights, batch.as_ref());
        self.charge(solved.len(), batch.as_ref(), scorer);
        self.generation += 1;
        self.search_locally(&map, scorer, batch.as_ref(), &mut solved);
        let whole = self.judge(&map, scorer, batch.as_ref(), &solved);
        let of = batch.as_ref().map_or(scorer.data().len(), Subset::len);
        let mut report = self.report(&map, &solved, of, whole, test);
        let mut fitness = fitness(&solved);
        if whole.is_some() {
            self.adapt();
        }
        self.migrate(&mut fitness);
        self.breed(&map, &fitness);
        if whole.is_some() {
            self.restart(&map);
        }
        report.seconds = seconds(start.elapsed());
        Ok(report)
    }

    /// The positions that this generation is scored on; `None` for all.
    fn draw_batch(&mut self, of: usize) -> Option<Subset> {
        let batch = self.parameters.batch.filter(|batch| batch.positions < of)?;
        if self.generation.is_multiple_of(batch.generations) {
            self.batch = Some(self.random.bits());
        }
        let mut random = Random::new(self.batch.unwrap_or(self.seed));
        Some(Subset::draw(batch.positions, of, &mut random))
    }

    /// Counts what so many organisms cost.
    fn charge(&mut self, organisms: usize, batch: Option<&Subset>, scorer: &Scorer<'_>) {
        let organisms = organisms as u64;
        let Some(batch) = batch else {
            self.evaluations += organisms;
            return;
        };
        let all = scorer.data().len() as u64;
        self.rest += organisms * batch.len() as u64;
        self.evaluations += self.rest / all;
        self.rest %= all;
    }

    /// Improves the best organism weight by weight.
    fn search_locally(
        &mut self,
        map: &GeneMap,
        scorer: &Scorer<'_>,
        batch: Option<&Subset>,
        solved: &mut [Solved],
    ) {
        let Some(settings) = self.parameters.local_search else { return };
        let free: Vec<usize> = (0..map.len()).filter(|&gene| !map.is_frozen(gene)).collect();
        if self.generation <= settings.after || free.is_empty() {
            return;
        }
        let best = best_first(&fitness(solved))[0];
        let weights = map.weights(&self.population[best]);
        let mut search = LineSearch::new(scorer.data(), weights).within(batch);
        for _ in 0..settings.genes {
            let gene = free[self.random.below(free.len())];
            solved[best] = search.improve(gene, map.range(gene));
        }
        self.charge(settings.genes, batch, scorer);
        self.population[best] = map.genome(search.weights());
    }

    /// Crowns the best organism if it solves more of all positions than the best so far. Gives how
    /// many it solves, if that was asked: with batches only at the end of each.
    fn judge(
        &mut self,
        map: &GeneMap,
        scorer: &mut Scorer<'_>,
        batch: Option<&Subset>,
        solved: &[Solved],
    ) -> Option<u32> {
        let best = best_first(&fitness(solved))[0];
        let genome = &self.population[best];
        let whole = if let (Some(settings), Some(_)) = (self.parameters.batch, batch) {
            if !self.generation.is_multiple_of(settings.generations) && !self.is_over() {
                return None;
            }
            let whole = scorer.score(&[map.weights(genome)], None)[0];
            self.evaluations += 1;
            whole
        } else {
            solved[best]
        };
        self.stale += 1;
        if self.best.as_ref().is_none_or(|champion| champion.fitness() < whole.weight) {
            self.stale = 0;
            self.best = Some(Champion {
                genome: genome.clone(),
                correct: whole.correct,
                weight: scorer.data().is_weighted().then_some(whole.weight),
                generation: self.generation,
            });
        }
        Some(whole.correct)
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
    fn migrate(&mut self, fitness: &mut [u32]) {
        let Some(islands) = self.parameters.islands else { return };
        if !self.generation.is_multiple_of(islands.interval.max(1)) {
            return;
        }
        let size = self.population.len().div_ceil(islands.count);
        let orders: Vec<Vec<usize>> = fitness.chunks(size).map(best_first).collect();
        let before = (self.population.clone(), fitness.to_vec());
        for (island, order) in orders.iter().enumerate() {
            let next = (island + 1) % orders.len();
            let worst = orders[next].iter().rev();
            for (&from, &to) in order.iter().zip(worst).take(islands.migrants) {
                let (from, to) = (island * size + from, next * size + to);
                self.population[to].clone_from(&before.0[from]);
                fitness[to] = before.1[from];
            }
        }
    }

    fn breed(&mut self, map: &GeneMap, fitness: &[u32]) {
        let islands = self.parameters.islands.map_or(1, |islands| islands.count);
        let size = self.population.len().div_ceil(islands);
        let mut next = Vec::with_capacity(self.population.len());
        for (parents, fitness) in self.population.chunks(size).zip(fitness.chunks(size)) {
            let random = &mut self.random;
            let born = breed(parents, fitness, &self.parameters, map, self.rate, random);
            next.extend(born.into_iter().map(|born| born.genome));
        }
        self.population = next;
    }

    /// Keeps the best organism alone, among new random ones, if nothing better was found for long.
    fn restart(&mut self, map: &GeneMap) {
        let (Some(settings), Some(best)) = (self.parameters.restart, &self.best) else { return };
        if self.stale == 0 || !self.stale.is_multiple_of(settings.patience) {
            return;
        }
        self.population[0].clone_from(&best.genome);
        for genome in &mut self.population[1..] {
            *genome = map.random(&mut self.random);
        }
        self.rate = 1.0;
    }

    fn report(
        &self,
        map: &GeneMap,
        solved: &[Solved],
        of: usize,
        whole: Option<u32>,
        test: Option<&mut Scorer<'_>>,
    ) -> Generation {
        let best = best_first(&fitness(solved))[0];
        let weights = map.weights(&self.population[best]);
        let count = solved.len() as f64;
        let mean = solved.iter().map(|solved| f64::from(solved.correct)).sum::<f64>() / count;
        let squares = solved.iter().map(|solved| (f64::from(solved.correct) - mean).powi(2));
        let champion = &self.population[best];
        let distance: u32 = self.population.iter().map(|genome| genome.distance(champion)).sum();
        Generation {
            generation: self.generation,
            of,
            best: solved[best].correct,
            whole,
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

/// By what organisms are selected.
fn fitness(solved: &[Solved]) -> Vec<u32> {
    solved.iter().map(|solved| solved.weight).collect()
}

fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests;
