//! One evaluator for all moves against three for normal moves, promotions and drops.

use std::path::Path;
use std::time::Instant;
use tesuji_records::Sample;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tesuji_eval::Weights;
use tesuji_learn::experts::Experts;
use tesuji_learn::imitation::MoveExample;
use tesuji_learn::{Dataset, MoveOrder, Prediction};

use super::corpus::{Corpus, TestResults};
use super::learned::{fitted_weights, positions};
use super::settings::{SEED, TablesPlan};
use crate::data::features::Features;
use tesuji_run::{Context, kept};

/// The feature sets that experts are fitted with.
const SETS: [&str; 2] = ["paper", "extended"];

/// The same features for one evaluator and for three.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Compared {
    pub features: String,
    pub games: usize,
    /// Positions that were learned from.
    pub positions: usize,
    pub one: TestResults,
    pub three: TestResults,
}

/// Fits both to the same positions.
pub fn compare(
    plan: &TablesPlan,
    corpus: &Corpus,
    out: &Path,
    context: &Context<'_>,
) -> Result<Vec<Compared>> {
    let games = plan.sizes.experts.min(corpus.count().0);
    let one = |&name: &&str| {
        kept::or_made(&out.join("experts").join(format!("{name}.json")), || {
            let started = Instant::now();
            let compared = compare_set(plan, corpus, games, name)?;
            let seconds = started.elapsed().as_secs_f64();
            context.observer.note(&format!("three experts with {name}: {seconds:.0} s"));
            Ok(compared)
        })
    };
    SETS.iter().map(one).collect()
}

fn compare_set(plan: &TablesPlan, corpus: &Corpus, games: usize, name: &str) -> Result<Compared> {
    let set = Features::load(name)?.set;
    let build = |samples: &[Sample]| Dataset::build(&set, samples, MoveOrder::Thesis);
    let data = build(&positions(plan, corpus, games));
    let weights = Weights::new(set.clone(), fitted_weights(plan, &data))?;
    let experts = Experts::train(&data, SEED, |data| fitted_weights(plan, data));
    let labelled = |samples: &[MoveExample]| {
        build(
            &samples
                .iter()
                .map(|sample| Sample::new(sample.position, sample.played))
                .collect::<Vec<_>>(),
        )
    };
    Ok(Compared {
        features: name.into(),
        games,
        positions: data.len(),
        one: corpus.measure(|samples| Prediction::new(&labelled(samples), weights.values())),
        three: corpus.measure(|samples| experts.predict(&labelled(samples))),
    })
}
