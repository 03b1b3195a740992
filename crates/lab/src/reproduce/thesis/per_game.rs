//! What several positions of each game bring to the genetic algorithm.

use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tesuji_learn::compare::{Comparison, Variant, compare};
use tesuji_learn::ga::{Batch, Parameters, Selection};
use tesuji_learn::{Dataset, MoveOrder, Weighting};

use super::price::EVALUATIONS;
use crate::data::features::Features;
use crate::data::positions;
use crate::data::source::Source;
use crate::evolve::EvolvePlan;
use tesuji_run::{Observer, kept};

/// Positions taken from each game. The thesis takes one.
const COUNTS: [usize; 4] = [1, 3, 10, 30];
const RUNS: u64 = 3;
/// Generations that are scored on the same batch.
const BATCH_GENERATIONS: u32 = 10;

/// What is learned from so many positions of each game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PerGame {
    pub per_game: usize,
    /// Positions of all games.
    pub positions: usize,
    pub variants: Vec<Comparison>,
}

/// Learns from professional games, tries that on the thesis's positions.
pub fn compare_counts(
    base: &EvolvePlan,
    games: &Path,
    out: &Path,
    observer: &dyn Observer,
) -> Result<Vec<PerGame>> {
    kept::or_made(&out.join("per-game.json"), || {
        let set = Features::load(&base.features)?.set;
        let tested = base.positions(observer)?;
        let test = Dataset::build(&set, &tested, MoveOrder::Thesis);
        let mut counts: Vec<PerGame> = Vec::new();
        for per_game in COUNTS {
            let mut samples = Source::of_games(games, per_game, base.seed).load(observer)?;
            positions::leave_out(&mut samples, &tested);
            observer.note(&format!("  {per_game} a game: {} positions", samples.len()));
            let data = Dataset::build(&set, &samples, MoveOrder::Thesis);
            let one_a_game = counts.first().map_or(data.len(), |count| count.positions);
            let variants = compare_on(&data, &test, one_a_game, base.seed)?;
            counts.push(PerGame { per_game, positions: data.len(), variants });
        }
        Ok(counts)
    })
}

/// The same number of organisms on all positions; and batches, which look at as many positions as
/// those organisms would if there were `one_a_game`.
fn compare_on(
    data: &Dataset,
    test: &Dataset,
    one_a_game: usize,
    seed: u64,
) -> Result<Vec<Comparison>> {
    let variant = |name: &str, parameters| Variant {
        name: name.into(),
        parameters,
        weighting: Weighting::Equal,
    };
    let selection = Selection::Tournament { size: 4 };
    let tournament = Parameters { selection, signed: true, ..Parameters::default() };
    let batch = Some(Batch { positions: one_a_game, generations: BATCH_GENERATIONS });
    let whole = [
        variant("roulette", Parameters::default()),
        variant("tournament, signed", tournament.clone()),
    ];
    let batches = [variant("the same in batches", Parameters { batch, ..tournament })];
    let price = EVALUATIONS * one_a_game as u64 / data.len().max(1) as u64;
    let compare = |variants: &[Variant], evaluations| {
        compare(variants, data, test, RUNS, seed, evaluations).context("positions of a game")
    };
    let mut all = compare(&whole, EVALUATIONS)?;
    all.append(&mut compare(&batches, price)?);
    Ok(all)
}
