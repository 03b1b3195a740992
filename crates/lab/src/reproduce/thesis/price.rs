//! Variants of the genetic algorithm that all pay the same price.

use std::path::Path;

use anyhow::{Context, Result};
use tesuji_learn::compare::{Comparison, Variant, compare};
use tesuji_learn::ga::{
    Adaptive, Batch, Islands, LocalSearch, Mutation, Parameters, Restart, Selection,
};
use tesuji_learn::validation::split;
use tesuji_learn::{Dataset, MoveOrder, Weighting};

use crate::data::features::Features;
use crate::evolve::EvolvePlan;
use tesuji_run::{Observer, kept};

/// What the thesis's algorithm pays: two hundred generations of a hundred organisms.
pub const EVALUATIONS: u64 = 20_000;
const RUNS: u64 = 5;
/// The share of positions that winners are tried on.
const HELD_OUT: f64 = 0.2;

/// Every variant on four fifths of the positions, tried on the rest.
pub fn compare_variants(
    base: &EvolvePlan,
    out: &Path,
    observer: &dyn Observer,
) -> Result<Vec<Comparison>> {
    kept::or_made(&out.join("price.json"), || {
        let features = Features::load(&base.features)?;
        let data = Dataset::build(&features.set, &base.positions(observer)?, MoveOrder::Thesis);
        let (train, test) = split(&data, HELD_OUT, base.seed);
        let (train, test) = (data.select(&train), data.select(&test));
        compare(&variants(), &train, &test, RUNS, base.seed, EVALUATIONS)
            .context("variants of the genetic algorithm")
    })
}

fn variants() -> Vec<Variant> {
    let thesis = Parameters::default();
    let tournament = Parameters { selection: Selection::Tournament { size: 4 }, ..thesis.clone() };
    let with = |name: &str, parameters: Parameters| Variant {
        name: name.into(),
        parameters,
        weighting: Weighting::Equal,
    };
    let batch = |positions: usize, generations: u32| Parameters {
        batch: Some(Batch { positions, generations }),
        ..tournament.clone()
    };
    let weighted = |name: &str, weighting| Variant { weighting, ..with(name, tournament.clone()) };
    let mutation = Mutation::PerIndividual { rate: 0.005, bit: 0.05 };
    let local_search = Some(LocalSearch { genes: 2, after: 0 });
    vec![
        with("the thesis's: roulette", thesis.clone()),
        with("mutation per individual", Parameters { mutation, ..thesis.clone() }),
        with(
            "rank selection",
            Parameters { selection: Selection::Rank { pressure: 1.8 }, ..thesis.clone() },
        ),
        with("tournament of 4", tournament.clone()),
        with(
            "tournament, mutation 0.01",
            Parameters { mutation: Mutation::PerBit { rate: 0.01 }, ..tournament.clone() },
        ),
        with(
            "tournament, adaptive mutation",
            Parameters {
                adaptive: Some(Adaptive { patience: 5, factor: 1.5, limit: 8.0 }),
                ..tournament.clone()
            },
        ),
        with(
            "tournament, four islands",
            Parameters {
                islands: Some(Islands { count: 4, interval: 10, migrants: 2 }),
                ..tournament.clone()
            },
        ),
        with(
            "tournament, restarts",
            Parameters { restart: Some(Restart { patience: 40 }), ..tournament.clone() },
        ),
        with("tournament, signed", Parameters { signed: true, ..tournament.clone() }),
        with("tournament, local search", Parameters { local_search, ..tournament.clone() }),
        with(
            "tournament, local search, signed",
            Parameters { local_search, signed: true, ..tournament.clone() },
        ),
        with("tournament, batches of 200 for 10 generations", batch(200, 10)),
        with("tournament, batches of 1,000 for 10 generations", batch(1_000, 10)),
        with("tournament, batches of 1,000 for 50 generations", batch(1_000, 50)),
        with("tournament, batches of 2,000 for 10 generations", batch(2_000, 10)),
        weighted("tournament, copies of a board count as one", Weighting::Distinct),
        weighted("tournament, promotions count twice", Weighting::Class([1, 2, 1])),
        weighted("tournament, drops count twice", Weighting::Class([1, 1, 2])),
        weighted("tournament, drops do not count", Weighting::Class([1, 1, 0])),
    ]
}
