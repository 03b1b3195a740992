//! Co-evolution: the fitness of an organism is its rating in games against the others.
//!
//! Every generation is a round robin, and everybody also plays against the first founder, the
//! anchor of the ratings. The games are played elsewhere: [`Coevolution::pairings`] says which, and
//! [`Coevolution::finish`] takes the results. Between two generations a [`Coevolution`] is all that
//! decides how the run goes on.

mod family;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use family::{Ancestor, ancestors, founder_shares};

use crate::ga::{self, Offspring, Parameters, ParametersError};
use crate::genome::{GeneMap, Genome};
use tesuji_math::Random;
use tesuji_math::ratings::{self, HeadToHead};

/// An organism: weights that play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Organism {
    /// Its genome.
    pub genome: Genome,
    /// The generation in which it plays first, counted from 1.
    pub born: u32,
    /// Its parents; a founder has none.
    pub parents: Option<[usize; 2]>,
    /// In Elo points; the founders are around zero.
    pub rating: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// Games that it has played.
    pub games: u32,
}

/// A pairing: two organisms that are to play against each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Their numbers.
    pub organisms: [usize; 2],
    /// Numbers of openings, each played twice, with colours swapped.
    pub openings: Vec<usize>,
}

/// The result of a pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairingResult {
    /// The numbers of the organisms.
    pub organisms: [usize; 2],
    /// Half points of the first.
    pub half_points: u32,
    /// Games.
    pub games: u32,
}

/// The statistics of a generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Its number, counted from 1.
    pub generation: u32,
    /// Games.
    pub games: u32,
    /// The organism with the highest rating.
    pub best: usize,
    /// Its rating.
    pub rating: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// The mean of all ratings.
    pub mean: f64,
    /// In how many bits the others differ from the best one, on average.
    pub diversity: f64,
}

/// A co-evolution between two generations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coevolution {
    parameters: Parameters,
    /// Openings that every two play in a generation.
    openings: usize,
    /// Openings that there are.
    pool: usize,
    /// What the genes are.
    genes: String,
    seed: u64,
    /// Generations that have played.
    generation: u32,
    random: Random,
    /// Everyone who ever lived.
    organisms: Vec<Organism>,
    /// The numbers of those who play now.
    living: Vec<usize>,
    /// The results of all pairings so far.
    results: Vec<PairingResult>,
}

/// The anchor of the ratings: a founder that plays in all generations. Without it generations would
/// be tied to each other by the few who live on, and every error of their ratings would be handed
/// down.
const ANCHOR: usize = 0;

/// The prior of the ratings, in drawn games. A child is about as strong as its parents, and is
/// taken to have drawn half of these games against each. A founder has drawn them against a rating
/// of zero.
const PRIOR: f64 = 2.0;

/// Standard errors in half a 95 % interval. Not of all digits: the winner of a run depends on it,
/// and runs that were made stay as they are.
const Z95: f64 = 1.96;

impl Coevolution {
    /// The sizes of the model paper: ten organisms, fifty generations. But three times as many bits
    /// mutate, and the elite is three instead of one: ratings from few games are uncertain, and
    /// those of organisms that stay become better with every generation
    /// (`docs/results/evolution.md`).
    pub fn parameters() -> Parameters {
        Parameters {
            population: 10,
            generations: 50,
            crossover: 0.75,
            swap: 0.5,
            mutation: ga::Mutation::PerBit { rate: 0.015 },
            selection: ga::Selection::Rank { pressure: 1.8 },
            elite: Self::elite(10),
            ..Parameters::default()
        }
    }

    /// The size of the elite unless it is given: three of ten.
    pub fn elite(population: usize) -> usize {
        (3 * population / 10).max(1)
    }

    /// Begins with the founders. Where there are more than the population has room for, the first
    /// of them; where there are fewer, others that differ from them by mutations. `genes` is what
    /// the map is called.
    pub fn new(
        parameters: Parameters,
        (openings, pool): (usize, usize),
        (genes, map): (&str, &GeneMap),
        seed: u64,
        founders: &[Vec<i32>],
    ) -> Result<Self, ParametersError> {
        parameters.check()?;
        let mut random = Random::new(seed);
        let given: Vec<Genome> = founders.iter().map(|weights| map.genome(weights)).collect();
        let population = parameters.population;
        let mut genomes: Vec<Genome> = Vec::new();
        for number in 0..population {
            let genome = given.get(number % given.len().max(1)).cloned();
            let genome = genome.unwrap_or_else(|| map.random(&mut random));
            genomes.push(unlike(genome, &genomes, map, &mut random));
        }
        let organism =
            |genome| Organism { genome, born: 1, parents: None, rating: 0.0, error: 0.0, games: 0 };
        Ok(Self {
            parameters,
            openings,
            pool,
            genes: genes.to_owned(),
            seed,
            generation: 0,
            random,
            organisms: genomes.into_iter().map(organism).collect(),
            living: (0..population).collect(),
            results: Vec::new(),
        })
    }

    /// Does it belong to these genes and settings, and is it whole? One that was read from a file
    /// need not be.
    pub fn fits(&self, (genes, map): (&str, &GeneMap), parameters: &Parameters) -> bool {
        let count = self.organisms.len();
        let known = |numbers: &[usize]| numbers.iter().all(|&number| number < count);
        self.genes == genes
            && self.parameters == *parameters
            && self.living.len() == parameters.population
            && known(&self.living)
            && self.results.iter().all(|result| known(&result.organisms))
            && self.organisms.iter().enumerate().all(|(number, organism)| {
                let older = |parents: [usize; 2]| parents.iter().all(|&parent| parent < number);
                organism.genome.len() == map.bits() && organism.parents.is_none_or(older)
            })
    }

    /// Generations that have played.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Are there no more generations?
    pub fn is_over(&self) -> bool {
        self.generation >= self.parameters.generations
    }

    /// Everyone who ever lived.
    pub fn organisms(&self) -> &[Organism] {
        &self.organisms
    }

    /// The numbers of those who play now, or who played last if there are no more generations.
    pub fn living(&self) -> &[usize] {
        &self.living
    }

    /// The values of an organism's genes.
    pub fn values(&self, number: usize, map: &GeneMap) -> Vec<i32> {
        map.weights(&self.organisms[number].genome)
    }

    /// The organism with the highest lower end of the 95 % interval of its rating.
    pub fn winner(&self) -> usize {
        let sure = |&number: &usize| {
            let Organism { rating, error, .. } = self.organisms[number];
            rating - error
        };
        let best = self.living.iter().copied().max_by(|a, b| sure(a).total_cmp(&sure(b)));
        best.unwrap_or(0)
    }

    /// The pairings of this generation: every two of the living, and then each of them with the
    /// anchor. Each has openings of its own as long as there are enough.
    pub fn pairings(&self) -> Vec<Pairing> {
        let mut order: Vec<usize> = (0..self.pool.max(1)).collect();
        let seed = Random::derived_seed(self.seed, u64::from(self.generation));
        Random::new(seed).shuffle(&mut order);
        let mut openings = order.into_iter().cycle();
        let mut pairs: Vec<[usize; 2]> = Vec::new();
        for (i, &first) in self.living.iter().enumerate() {
            pairs.extend(self.living[i + 1..].iter().map(|&second| [first, second]));
        }
        if !self.living.contains(&ANCHOR) {
            pairs.extend(self.living.iter().map(|&one| [one, ANCHOR]));
        }
        let pairing = |organisms| Pairing {
            organisms,
            openings: openings.by_ref().take(self.openings).collect(),
        };
        pairs.into_iter().map(pairing).collect()
    }

    /// Rates the organisms by all games so far and, if there are more generations, breeds the next.
    pub fn finish(&mut self, results: &[PairingResult], map: &GeneMap) -> Round {
        for &PairingResult { organisms, games, .. } in results {
            for number in organisms {
                self.organisms[number].games += games;
            }
        }
        self.results.extend(results);
        self.rate();
        self.generation += 1;
        let round = self.round(results.iter().map(|result| result.games).sum());
        if !self.is_over() {
            self.breed(map);
        }
        round
    }

    /// Rates everyone who ever lived by all games: new results also say more about old opponents.
    fn rate(&mut self) {
        // The last strength is that of one who is rated zero.
        let zero = self.organisms.len();
        let mut strengths: Vec<f64> = self.organisms.iter().map(|one| one.rating).collect();
        strengths.push(0.0);
        let drawn = |number: usize, other: usize| HeadToHead {
            players: [number, other],
            points: PRIOR / 4.0,
            games: PRIOR / 2.0,
        };
        let prior = self.organisms.iter().enumerate().flat_map(|(number, organism)| {
            organism.parents.unwrap_or([zero, zero]).map(|parent| drawn(number, parent))
        });
        let played = self.results.iter().map(|result| HeadToHead {
            players: result.organisms,
            points: f64::from(result.half_points) / 2.0,
            games: f64::from(result.games),
        });
        let results: Vec<HeadToHead> = prior.chain(played).collect();
        let errors = ratings::fit(&mut strengths, zero, &results).conditional_errors(Z95);
        for ((organism, rating), error) in self.organisms.iter_mut().zip(strengths).zip(errors) {
            (organism.rating, organism.error) = (rating, error);
        }
    }

    /// The living, the best first.
    fn order(&self) -> Vec<usize> {
        let mut order = self.living.clone();
        let rating = |number: usize| self.organisms[number].rating;
        order.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
        order
    }

    fn round(&self, games: u32) -> Round {
        let best = self.order()[0];
        let champion = &self.organisms[best];
        let living = || self.living.iter().map(|&number| &self.organisms[number]);
        let count = self.living.len() as f64;
        let distance: u32 =
            living().map(|organism| organism.genome.distance(&champion.genome)).sum();
        Round {
            generation: self.generation,
            games,
            best,
            rating: champion.rating,
            error: champion.error,
            mean: living().map(|organism| organism.rating).sum::<f64>() / count,
            diversity: f64::from(distance) / (count - 1.0).max(1.0),
        }
    }

    fn breed(&mut self, map: &GeneMap) {
        let order = self.order();
        let parents: Vec<Genome> =
            order.iter().map(|&number| self.organisms[number].genome.clone()).collect();
        // Selection goes by rank, so a number for each place is all that it needs.
        let places: Vec<u32> = (0..parents.len() as u32).rev().collect();
        let random = &mut self.random;
        let born = ga::breed(&parents, &places, &self.parameters, map, 1.0, random);
        let mut genomes: Vec<Genome> = Vec::new();
        let mut living = Vec::new();
        for (place, Offspring { genome, parents: of }) in born.into_iter().enumerate() {
            if place < self.parameters.elite {
                genomes.push(genome);
                living.push(order[of[0]]);
                continue;
            }
            // Nobody plays against one that is the same, or against one of those who live on.
            let genome = unlike(genome, &genomes, map, &mut self.random);
            genomes.push(genome.clone());
            living.push(self.organisms.len());
            self.organisms.push(Organism {
                genome,
                born: self.generation + 1,
                parents: Some(of.map(|place| order[place])),
                rating: 0.0,
                error: 0.0,
                games: 0,
            });
        }
        self.living = living;
    }
}

/// The genome, with bits turned over until it is none of the others.
fn unlike(mut genome: Genome, others: &[Genome], map: &GeneMap, random: &mut Random) -> Genome {
    let others: BTreeSet<String> = others.iter().cloned().map(String::from).collect();
    while others.contains(&String::from(genome.clone())) {
        genome.flip(random.below(genome.len()));
        map.freeze(&mut genome);
    }
    genome
}

#[cfg(test)]
mod tests;
