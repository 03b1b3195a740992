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

use super::exam::{Grades, Material};
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
    pub one: Grades,
    pub three: Grades,
}

/// Fits both to the same positions.
pub fn compare(
    plan: &TablesPlan,
    material: &Material,
    out: &Path,
    context: &Context<'_>,
) -> Result<Vec<Compared>> {
    let games = plan.sizes.experts.min(material.count().0);
    let one = |&name: &&str| {
        kept::or_made(&out.join("experts").join(format!("{name}.json")), || {
            let started = Instant::now();
            let compared = compare_set(plan, material, games, name)?;
            let seconds = started.elapsed().as_secs_f64();
            context.observer.note(&format!("three experts with {name}: {seconds:.0} s"));
            Ok(compared)
        })
    };
    SETS.iter().map(one).collect()
}

fn compare_set(
    plan: &TablesPlan,
    material: &Material,
    games: usize,
    name: &str,
) -> Result<Compared> {
    let set = Features::load(name)?.set;
    let build = |samples: &[Sample]| Dataset::build(&set, samples, MoveOrder::Thesis);
    let data = build(&positions(plan, material, games));
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
        one: material.examine(|samples| Prediction::new(&labelled(samples), weights.values())),
        three: material.examine(|samples| experts.predict(&labelled(samples))),
    })
}
