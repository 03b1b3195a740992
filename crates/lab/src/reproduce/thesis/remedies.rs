//! Generalisation: what helps on positions that nobody has seen, training and held-out side by side.

use std::path::Path;

use anyhow::Result;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tesuji_learn::ga::{Parameters, Selection};
use tesuji_learn::logit::{self, Objective, Settings};
use tesuji_learn::validation::folds;
use tesuji_learn::{Dataset, MoveOrder, Scorer};
use tesuji_records::Sample;
use tesuji_run::{Observer, kept};

use crate::data::features::Features;
use crate::evolve::{EvolvePlan, Mean, learn_once};

const FOLDS: usize = 5;
/// Runs whose best, or mean, is taken.
const RUNS: u64 = 10;
/// The largest weight after rounding.
const LARGEST: i32 = 4000;

/// A way to make weights, and what they solve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Remedy {
    pub features: String,
    pub title: String,
    /// Positions solved of those learned from, as if there were as many as held out.
    pub trained: f64,
    /// Held-out positions solved, in all folds together.
    pub held_out: u32,
    pub of: usize,
}

/// Every remedy on the same folds.
pub fn compare(
    base: &EvolvePlan,
    samples: &[Sample],
    out: &Path,
    observer: &dyn Observer,
) -> Result<Vec<Remedy>> {
    let mut all = Vec::new();
    for features in ["paper", "extended"] {
        let file = out.join(format!("remedies-{features}.json"));
        all.append(&mut kept::or_made(&file, || {
            observer.note(&format!("  {features}"));
            of_features(base, features, samples)
        })?);
    }
    Ok(all)
}

fn of_features(base: &EvolvePlan, features: &str, samples: &[Sample]) -> Result<Vec<Remedy>> {
    let set = Features::load(features)?.set;
    let data = Dataset::build(&set, samples, MoveOrder::Thesis);
    let parts = folds(&data, FOLDS, base.seed);
    let tried: Vec<Vec<(String, u32, u32)>> = parts
        .par_iter()
        .map(|(train, test)| {
            let (train, test) = (data.select(train), data.select(test));
            let made = remedies(base, features, &train)?;
            let weights: Vec<Vec<i32>> = made.iter().map(|made| made.1.clone()).collect();
            let trained = Scorer::new(&train).correct(&weights);
            let held_out = Scorer::new(&test).correct(&weights);
            let both = trained.into_iter().zip(held_out);
            Ok(made.into_iter().zip(both).map(|(made, (a, b))| (made.0, a, b)).collect())
        })
        .collect::<Result<_>>()?;
    let titles = tried.first().map_or(0, Vec::len);
    let sum = |i: usize| {
        let of_fold = tried.iter().map(|fold| &fold[i]);
        let (trained, held_out) =
            of_fold.fold((0, 0), |sum, fold| (sum.0 + fold.1, sum.1 + fold.2));
        Remedy {
            features: features.to_owned(),
            title: tried[0][i].0.clone(),
            trained: f64::from(trained) / (FOLDS - 1) as f64,
            held_out,
            of: data.len(),
        }
    };
    Ok((0..titles).map(sum).collect())
}

/// Weights by each remedy, with its name.
fn remedies(base: &EvolvePlan, features: &str, data: &Dataset) -> Result<Vec<(String, Vec<i32>)>> {
    let plan = |parameters: &Parameters, seed: u64| EvolvePlan {
        features: features.to_owned(),
        parameters: parameters.clone(),
        seed,
        ..base.clone()
    };
    // The larger set costs more and is tried with fewer runs.
    let runs = if features == "paper" { RUNS } else { 3 };
    let runs_of = |parameters: &Parameters| -> Result<Vec<Vec<i32>>> {
        (0..runs).map(|run| learn_once(&plan(parameters, base.seed + run), data)).collect()
    };
    let thesis = Parameters::default();
    let selection = Selection::Tournament { size: 4 };
    let signed = Parameters { selection, signed: true, ..thesis.clone() };
    let mut all = Vec::new();
    for (name, parameters) in [("the thesis's algorithm", &thesis), ("tournament, signed", &signed)]
    {
        let winners = runs_of(parameters)?;
        let correct = Scorer::new(data).correct(&winners);
        let best = (0..winners.len()).max_by_key(|&i| correct[i]).unwrap_or(0);
        all.push((format!("{name}: one run"), winners[0].clone()));
        all.push((format!("{name}: best of {runs}"), winners[best].clone()));
        all.push((format!("{name}: mean of {runs} winners"), Mean::weights(&winners)));
        for l2 in [1e-5, 1e-4, 1e-3] {
            let settings = settings(Objective::Accuracy, l2);
            let weights = logit::polish(data, &winners[best], &settings).integers(LARGEST);
            all.push((format!("{name}: best of {runs}, polished, L2 {l2:e}"), weights));
        }
    }
    for (name, objective) in
        [("likelihood", Objective::Likelihood), ("accuracy", Objective::Accuracy)]
    {
        for l2 in [1e-5, 1e-4, 1e-3, 3e-3] {
            let fit = logit::fit(data, &settings(objective, l2));
            all.push((format!("fit of the {name}, L2 {l2:e}"), fit.integers(LARGEST)));
        }
        let early = Settings { held_out: 0.2, ..settings(objective, 1e-5) };
        let fit = logit::fit(data, &early);
        all.push((format!("fit of the {name}, stopped early"), fit.integers(LARGEST)));
    }
    Ok(all)
}

fn settings(objective: Objective, l2: f64) -> Settings {
    Settings { objective, l2, ..Settings::default() }
}
