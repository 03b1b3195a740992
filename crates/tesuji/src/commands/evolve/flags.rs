//! Flags that change single settings of the genetic algorithm.

use clap::{Args, ValueEnum};
use tesuji_learn::ga::{
    Adaptive, Batch, Islands, LocalSearch, Mutation, Parameters, Restart, Selection,
};

use crate::flags::whole;

/// Settings to begin with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Preset {
    /// The thesis's algorithm.
    Thesis,
    /// The best that we found at the same price.
    Strong,
}

impl Preset {
    /// The settings.
    pub fn parameters(self) -> Parameters {
        match self {
            Self::Thesis => Parameters::default(),
            Self::Strong => Parameters::strong(),
        }
    }
}

/// How parents are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum SelectionKind {
    Roulette,
    Tournament,
    Rank,
}

/// The two readings of the thesis's mutation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum MutationKind {
    PerBit,
    PerIndividual,
}

/// Single settings, which go before those of a preset or a file.
#[derive(Args, Debug)]
#[command(next_help_heading = "The genetic algorithm")]
pub struct Changes {
    /// Organisms in a generation.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1_000_000))]
    population: Option<usize>,
    /// Generations, the random one at the start among them.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1_000_000_000))]
    generations: Option<u32>,
    /// How likely it is that two parents are crossed.
    #[arg(long, value_name = "P")]
    crossover: Option<f64>,
    /// Does every bit mutate by itself, or some organisms and then their bits?
    #[arg(long, value_name = "HOW")]
    mutation: Option<MutationKind>,
    /// How likely a mutation is.
    #[arg(long, value_name = "P")]
    mutation_rate: Option<f64>,
    /// How parents are chosen.
    #[arg(long, value_name = "HOW")]
    selection: Option<SelectionKind>,
    /// How many of the best live on unchanged.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=1_000_000))]
    elite: Option<usize>,
    /// Let weights be negative, fitted ones too.
    #[arg(long)]
    signed: bool,
    /// Replace all but the best organism after so many generations without a better one.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1_000_000_000))]
    restart: Option<u32>,
    /// Score on so many positions at a time, drawn anew every ten generations; with --mentor in
    /// each.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1_000_000_000))]
    batch: Option<usize>,
    /// Let mutation grow while nothing better is found.
    #[arg(long)]
    adaptive: bool,
    /// Populations that live apart and exchange their best.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=10_000))]
    islands: Option<usize>,
    /// Weights of the best organism that are tried over all their values in each generation.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=1_000_000))]
    local_search: Option<usize>,
}

/// The thesis's program mutates one organism in two hundred, and then one of its bits in twenty.
const MUTATED_BITS: f64 = 0.05;
/// Organisms in a tournament.
const TOURNAMENT: usize = 4;
/// Generations that are scored on the same batch.
const BATCH_GENERATIONS: u32 = 10;
/// How much the best is preferred in selection by rank.
const PRESSURE: f64 = 1.8;

impl Changes {
    /// Makes the changes.
    pub fn apply(&self, parameters: &mut Parameters) {
        set(&mut parameters.population, self.population);
        set(&mut parameters.generations, self.generations);
        set(&mut parameters.crossover, self.crossover);
        set(&mut parameters.elite, self.elite);
        let (Mutation::PerBit { rate } | Mutation::PerIndividual { rate, .. }) =
            parameters.mutation;
        let rate = self.mutation_rate.unwrap_or(rate);
        parameters.mutation = match (self.mutation, parameters.mutation) {
            (Some(MutationKind::PerBit), _) | (None, Mutation::PerBit { .. }) => {
                Mutation::PerBit { rate }
            }
            (None, Mutation::PerIndividual { bit, .. }) => Mutation::PerIndividual { rate, bit },
            (Some(MutationKind::PerIndividual), _) => {
                Mutation::PerIndividual { rate, bit: MUTATED_BITS }
            }
        };
        set(
            &mut parameters.selection,
            self.selection.map(|selection| match selection {
                SelectionKind::Roulette => Selection::Roulette,
                SelectionKind::Tournament => Selection::Tournament { size: TOURNAMENT },
                SelectionKind::Rank => Selection::Rank { pressure: PRESSURE },
            }),
        );
        parameters.signed |= self.signed;
        if let Some(patience) = self.restart {
            parameters.restart = Some(Restart { patience });
        }
        if let Some(positions) = self.batch {
            parameters.batch = Some(Batch { positions, generations: BATCH_GENERATIONS });
        }
        if self.adaptive {
            parameters.adaptive = Some(Adaptive { patience: 5, factor: 1.5, limit: 8.0 });
        }
        if let Some(count) = self.islands {
            parameters.islands = Some(Islands { count, interval: 10, migrants: 2 });
        }
        if let Some(genes) = self.local_search {
            parameters.local_search = Some(LocalSearch { genes, after: 0 });
        }
    }
}

fn set<T>(setting: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *setting = given;
    }
}
