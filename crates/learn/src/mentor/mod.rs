//! Distillation by evolution: towards the scores of a stronger evaluation, the mentor. The fitness
//! of an organism, a pupil, is how near its scores are.
//!
//! Each generation is scored on lessons drawn at random, against overfitting. A [`Pupils`] is all
//! that decides how a run goes on: it can be written to a file after any generation and read again.

mod lessons;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use lessons::Lessons;

use crate::ga::{self, Mutation, Parameters, ParametersError, Selection};
use crate::genome::{GeneMap, Genome};
use tesuji_math::Random;

/// Lessons that are drawn for a generation, in the paper.
pub const DRAWN: usize = 1_000;

/// The settings of the paper: a thousand organisms, one-point crossover, few mutations. Parents are
/// chosen by rank: in proportion to 1 / error hardly anybody would be preferred.
pub fn parameters() -> Parameters {
    Parameters {
        population: 1_000,
        generations: 300,
        one_point: true,
        mutation: Mutation::PerBit { rate: 0.002 },
        selection: Selection::Rank { pressure: 1.8 },
        ..Parameters::default()
    }
}

/// The statistics of a generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Its number, from 1.
    pub generation: u32,
    /// The error of its best organism on the lessons that were drawn, in centipawns.
    pub best: f64,
    /// The mean error of all organisms.
    pub mean: f64,
    /// The error of its best organism on all lessons.
    pub whole: f64,
    /// In how many bits the others differ from the best one, on average.
    pub diversity: f64,
}

/// An evolution between two generations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pupils {
    parameters: Parameters,
    /// The identity of the feature set.
    features: String,
    /// Lessons for a generation.
    drawn: usize,
    random: Random,
    population: Vec<Genome>,
    /// The best on all lessons so far, with its error.
    best: Option<(Genome, f64)>,
    history: Vec<Generation>,
}

impl Pupils {
    /// A random population.
    pub fn new(
        parameters: Parameters,
        lessons: &Lessons,
        drawn: usize,
        seed: u64,
    ) -> Result<Self, ParametersError> {
        parameters.check()?;
        let map = parameters.gene_map(lessons.set())?;
        let mut random = Random::new(seed);
        let mut population: Vec<Genome> =
            (0..parameters.population).map(|_| map.random(&mut random)).collect();
        population.iter_mut().for_each(|genome| map.freeze(genome));
        let features = lessons.set().id();
        let history = Vec::new();
        Ok(Self { parameters, features, drawn, random, population, best: None, history })
    }

    /// Does it belong to these settings and lessons, and is it whole? One that was read from a file
    /// need not be.
    pub fn fits(&self, parameters: &Parameters, lessons: &Lessons, drawn: usize) -> bool {
        let Ok(map) = parameters.gene_map(lessons.set()) else { return false };
        let mut genomes = self.population.iter().chain(self.best.iter().map(|best| &best.0));
        self.parameters == *parameters
            && self.features == lessons.set().id()
            && self.drawn == drawn
            && self.population.len() == parameters.population
            && genomes.all(|genome| genome.len() == map.bits())
    }

    /// Are there no more generations?
    pub fn is_over(&self) -> bool {
        self.history.len() >= self.parameters.generations as usize
    }

    /// All generations so far.
    pub fn history(&self) -> &[Generation] {
        &self.history
    }

    /// The weights of the best organism so far, on all lessons.
    pub fn best(&self, lessons: &Lessons) -> Option<Vec<i32>> {
        let map = self.parameters.gene_map(lessons.set()).ok()?;
        self.best.as_ref().map(|(genome, _)| map.weights(genome))
    }

    /// Scores a generation and breeds the next one, on the threads of the current pool.
    pub fn step(&mut self, lessons: &Lessons) -> Result<&Generation, ParametersError> {
        let map = self.parameters.gene_map(lessons.set())?;
        let drawn = self.draw(lessons.len());
        let error = |genome: &Genome| lessons.error(&map.weights(genome), &drawn);
        let errors: Vec<f64> = self.population.par_iter().map(error).collect();
        let champion = (0..errors.len()).min_by(|&a, &b| errors[a].total_cmp(&errors[b]));
        let champion = champion.unwrap_or(0);
        let generation = self.describe(lessons, &map, &errors, champion);
        if self.best.as_ref().is_none_or(|best| generation.whole < best.1) {
            self.best = Some((self.population[champion].clone(), generation.whole));
        }
        self.history.push(generation);
        if !self.is_over() {
            let (parameters, random) = (&self.parameters, &mut self.random);
            let born =
                ga::breed(&self.population, &fitness(&errors), parameters, &map, 1.0, random);
            self.population = born.into_iter().map(|born| born.genome).collect();
        }
        Ok(&self.history[self.history.len() - 1])
    }

    /// The numbers of some lessons; all, if there are no more.
    fn draw(&mut self, lessons: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..lessons).collect();
        if self.drawn < lessons {
            self.random.shuffle(&mut numbers);
            numbers.truncate(self.drawn);
        }
        numbers
    }

    fn describe(
        &self,
        lessons: &Lessons,
        map: &GeneMap,
        errors: &[f64],
        champion: usize,
    ) -> Generation {
        let all: Vec<usize> = (0..lessons.len()).collect();
        let best = &self.population[champion];
        let count = errors.len() as f64;
        let apart: u32 = self.population.iter().map(|genome| genome.distance(best)).sum();
        Generation {
            generation: self.history.len() as u32 + 1,
            best: errors[champion],
            mean: errors.iter().sum::<f64>() / count,
            whole: lessons.error(&map.weights(best), &all),
            diversity: f64::from(apart) / (count - 1.0).max(1.0),
        }
    }
}

/// Fitness in proportion to one by the error.
fn fitness(errors: &[f64]) -> Vec<u32> {
    errors.iter().map(|error| (1e9 / (1.0 + error)).min(f64::from(u32::MAX)) as u32).collect()
}

#[cfg(test)]
mod tests {
    use tesuji_eval::{FeatureSet, Weights};
    use tesuji_shogi::Position;

    use super::*;
    use crate::random_samples;

    /// Positions of random games with the scores of known weights.
    fn lessons() -> Lessons {
        let mentor = Weights::named("evolved").unwrap();
        let positions: Vec<Position> = random_samples(40, &mut Random::new(7))
            .into_iter()
            .map(|sample| sample.position)
            .collect();
        let score = |position: &Position| mentor.difference(position, position.side_to_move()) / 2;
        let lessons: Vec<(Position, i32)> =
            positions.into_iter().map(|position| (position, score(&position))).collect();
        Lessons::new(&FeatureSet::named("paper").unwrap(), &lessons)
    }

    fn small() -> Parameters {
        Parameters { population: 40, generations: 30, ..parameters() }
    }

    fn run(lessons: &Lessons, seed: u64) -> Pupils {
        let mut pupils = Pupils::new(small(), lessons, 20, seed).unwrap();
        while !pupils.is_over() {
            pupils.step(lessons).unwrap();
        }
        pupils
    }

    #[test]
    fn pupils_come_nearer_to_their_mentor() {
        let lessons = lessons();
        let pupils = run(&lessons, 1);
        let (first, last) = (&pupils.history()[0], pupils.history().last().unwrap());
        assert!(last.mean < 0.7 * first.mean, "{} and {}", first.mean, last.mean);
        let all: Vec<usize> = (0..lessons.len()).collect();
        let best = lessons.error(&pupils.best(&lessons).unwrap(), &all);
        let least = pupils.history().iter().map(|one| one.whole).fold(f64::MAX, f64::min);
        assert_eq!(best, least);
    }

    #[test]
    fn a_state_that_was_written_goes_on_to_the_same_end() {
        let lessons = lessons();
        let whole = run(&lessons, 3);
        let mut pupils = Pupils::new(small(), &lessons, 20, 3).unwrap();
        while !pupils.is_over() {
            let text = serde_json::to_string(&pupils).unwrap();
            pupils = serde_json::from_str(&text).unwrap();
            assert!(pupils.fits(&small(), &lessons, 20));
            pupils.step(&lessons).unwrap();
        }
        assert_eq!(pupils, whole);
        assert!(!pupils.fits(&parameters(), &lessons, 20));
        assert_ne!(run(&lessons, 4), whole);
    }
}
