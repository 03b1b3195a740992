//! The settings of the genetic algorithm.

use serde::{Deserialize, Serialize};
use tesuji_eval::FeatureSet;
use thiserror::Error;

use crate::genome::GeneMap;

/// How parents are chosen.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Selection {
    /// In proportion to the square of the number of solved positions.
    #[default]
    Roulette,
    /// The best of a few drawn at random.
    Tournament {
        /// How many are drawn.
        size: usize,
    },
    /// By place: the best is `pressure` times as likely as the middle one, the worst
    /// `2 - pressure` times.
    Rank {
        /// From 1 (no preference) to 2.
        pressure: f64,
    },
}

/// How genomes are mutated: the two readings of the thesis.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Mutation {
    /// Each bit of each genome flips with this probability.
    PerBit {
        /// The probability.
        rate: f64,
    },
    /// With one probability a genome is mutated at all, and then each of its bits flips with the
    /// other.
    PerIndividual {
        /// The probability that a genome is mutated.
        rate: f64,
        /// The probability that a bit of it flips.
        bit: f64,
    },
}

/// Mutation that grows while nothing better is found.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Adaptive {
    /// Generations without a better organism after which mutation grows.
    pub patience: u32,
    /// What the rate is multiplied by then.
    pub factor: f64,
    /// The largest multiple of the rate that was set.
    pub limit: f64,
}

/// Populations that live apart and now and then send each other their best.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Islands {
    /// How many there are; they share the organisms evenly.
    pub count: usize,
    /// Generations between migrations.
    pub interval: u32,
    /// How many of the best of each island take the place of the worst of the next.
    pub migrants: usize,
}

/// Search along single weights of the best organism.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LocalSearch {
    /// Weights that are tried in every generation, each over all values that its gene can have.
    pub genes: usize,
    /// Generations before the first search.
    pub after: u32,
}

/// A new start when nothing better is found any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Restart {
    /// Generations without a better organism after which all but the best one make room for random
    /// ones.
    pub patience: u32,
}

/// Scoring on some of the positions, so that very many can be learned from.
///
/// Organisms of a generation are compared on the same positions. Scores on different batches are
/// never compared: in the last generation of each batch, and of the run, the best organism is
/// scored on all positions, and that decides whether it is the best of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Batch {
    /// Positions in a batch, drawn at random. A batch of all positions is none.
    pub positions: usize,
    /// Generations that are scored on the same batch.
    pub generations: u32,
}

/// All settings. The defaults are the thesis's.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// Organisms in a generation.
    pub population: usize,
    /// Generations, the random one at the start among them.
    pub generations: u32,
    /// How likely it is that two parents are crossed.
    pub crossover: f64,
    /// How likely it is that two parents who are crossed swap a bit.
    pub swap: f64,
    /// Are two parents who are crossed cut at one point, and not bit by bit?
    pub one_point: bool,
    /// How genomes are mutated.
    pub mutation: Mutation,
    /// How parents are chosen.
    pub selection: Selection,
    /// How many of the best live on unchanged, on each island.
    pub elite: usize,
    /// Features whose weights are set anew in every generation. Without a list it is the pawn's, at
    /// 100, in a set that has such a feature.
    pub frozen: Option<Vec<(String, u32)>>,
    /// May weights be negative? Each that is not frozen has a bit for its sign then.
    pub signed: bool,
    /// A new start when nothing better is found.
    pub restart: Option<Restart>,
    /// Scoring on some of the positions.
    pub batch: Option<Batch>,
    /// Mutation that grows while nothing better is found.
    pub adaptive: Option<Adaptive>,
    /// Populations that live apart.
    pub islands: Option<Islands>,
    /// Search along single weights.
    pub local_search: Option<LocalSearch>,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            population: 100,
            generations: 200,
            crossover: 0.75,
            swap: 0.4,
            one_point: false,
            mutation: Mutation::PerBit { rate: 0.005 },
            selection: Selection::Roulette,
            elite: 1,
            frozen: None,
            signed: false,
            adaptive: None,
            islands: None,
            local_search: None,
            restart: None,
            batch: None,
        }
    }
}

/// Settings that cannot be.
#[derive(Clone, PartialEq, Debug, Error)]
#[allow(missing_docs)]
pub enum ParametersError {
    /// The set has no feature with this name.
    #[error("{set} has no feature {name:?} whose weight could be frozen")]
    UnknownFeature { set: String, name: String },
    /// Search along weights where genes are not weights.
    #[error("{set} makes weights of genes by a formula: no search along single weights")]
    Formula { set: String },
    /// A number outside of its range.
    #[error("{name} is {value}, expected {expected}")]
    Range { name: &'static str, value: f64, expected: &'static str },
}

impl Parameters {
    /// The settings that reach most without the help of a fit: strong selection, signed weights and
    /// many organisms. Search along lines was measured with them and brought nothing.
    pub fn strong() -> Self {
        Self {
            population: 300,
            generations: 500,
            selection: Selection::Tournament { size: 4 },
            signed: true,
            ..Self::default()
        }
    }

    /// Where the weights of a feature set stand in a genome.
    pub fn gene_map(&self, set: &FeatureSet) -> Result<GeneMap, ParametersError> {
        if set.formula().is_some() && self.local_search.is_some() {
            return Err(ParametersError::Formula { set: set.name().into() });
        }
        let index_of = |name: &str| match set.formula() {
            Some(formula) => formula.index_of(name),
            None => set.index_of(name),
        };
        let Some(frozen) = &self.frozen else {
            let pawn = index_of("PAWN_VALUE").map(|pawn| (pawn, 100));
            return Ok(GeneMap::new(set, pawn.as_slice(), self.signed));
        };
        let number = |(name, value): &(String, u32)| {
            let gene = index_of(name).ok_or_else(|| ParametersError::UnknownFeature {
                set: set.name().into(),
                name: name.clone(),
            })?;
            Ok((gene, *value))
        };
        let frozen: Result<Vec<_>, ParametersError> = frozen.iter().map(number).collect();
        Ok(GeneMap::new(set, &frozen?, self.signed))
    }

    /// Checks that all numbers are in their ranges.
    pub fn check(&self) -> Result<(), ParametersError> {
        let test = |fine: bool, name, value, expected| {
            if fine { Ok(()) } else { Err(ParametersError::Range { name, value, expected }) }
        };
        let probability = |name, value: f64| {
            test((0.0..=1.0).contains(&value), name, value, "a probability from 0 to 1")
        };
        probability("crossover", self.crossover)?;
        probability("swap", self.swap)?;
        match self.mutation {
            Mutation::PerBit { rate } => probability("mutation", rate)?,
            Mutation::PerIndividual { rate, bit } => {
                probability("mutation", rate)?;
                probability("mutation of a bit", bit)?;
            }
        }
        match self.selection {
            Selection::Roulette => {}
            Selection::Tournament { size } => {
                test(size > 0, "tournament size", size as f64, "at least 1")?;
            }
            Selection::Rank { pressure } => {
                test((1.0..=2.0).contains(&pressure), "pressure", pressure, "from 1 to 2")?;
            }
        }
        if let Some(Restart { patience }) = self.restart {
            test(patience > 0, "patience before a restart", patience.into(), "at least 1")?;
        }
        if let Some(Batch { positions, generations }) = self.batch {
            test(positions > 0, "positions of a batch", positions as f64, "at least 1")?;
            test(generations > 0, "generations of a batch", generations.into(), "at least 1")?;
        }
        let islands = self.islands.map_or(1, |islands| islands.count);
        test(islands > 0, "islands", islands as f64, "at least 1")?;
        let (population, elite) = (self.population, self.elite);
        let room = population / islands.max(1);
        test(room > 1, "population", population as f64, "at least 2 on each island")?;
        test(elite < room, "elite", elite as f64, "less than the organisms of an island")
    }
}
