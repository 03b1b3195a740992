//! Weights that are fitted rather than evolved.

use std::time::Instant;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tesuji_learn::logit::{self, Objective, Settings};
use tesuji_learn::validation::{Fold, cross_validate};
use tesuji_learn::{Dataset, Scorer};
use tesuji_run::RunFolder;

use super::outcome::{Learned, Winner};
use super::{EvolvePlan, Learner};

/// Fitted weights are rounded to whole numbers, the largest of them this one.
const LARGEST: i32 = 4000;
const FOUND: &str = "fit.json";

/// The settings of a fit.
pub fn settings(plan: &EvolvePlan) -> Settings {
    Settings {
        objective: match plan.learner {
            Learner::Likelihood => Objective::Likelihood,
            // Organisms are judged by what they solve.
            Learner::Accuracy | Learner::Genetic => Objective::Accuracy,
        },
        signed: plan.parameters.signed,
        l2: plan.l2,
        ..Settings::default()
    }
}

/// Fits weights to positions.
pub fn learn(plan: &EvolvePlan, data: &Dataset) -> Vec<i32> {
    logit::fit(data, &settings(plan)).integers(LARGEST)
}

/// What a fit found, as the folder of the run keeps it.
#[derive(Serialize, Deserialize)]
struct Found {
    weights: Vec<i32>,
    folds: Vec<Fold>,
    seconds: f64,
}

impl Found {
    fn new(plan: &EvolvePlan, data: &Dataset) -> Self {
        let started = Instant::now();
        let weights = learn(plan, data);
        let seconds = started.elapsed().as_secs_f64();
        let folds = match plan.folds {
            0 => Vec::new(),
            count => cross_validate(data, count, plan.seed, |data| learn(plan, data)),
        };
        Self { weights, folds, seconds }
    }
}

/// Fits weights as the plan says, unless the folder has them already.
pub fn carry_out(
    plan: &EvolvePlan,
    data: &Dataset,
    test: Option<&Dataset>,
    folder: Option<&RunFolder>,
) -> Result<Learned> {
    let known: Option<Found> = match folder {
        Some(folder) => folder.read_json(FOUND)?,
        None => None,
    };
    let found = known.unwrap_or_else(|| Found::new(plan, data));
    if let Some(folder) = folder {
        folder.write_json(FOUND, &found)?;
    }
    let Found { weights, folds, seconds } = found;
    let correct = |data: &Dataset| Scorer::new(data).correct(std::slice::from_ref(&weights))[0];
    let winner = Winner {
        seed: plan.seed,
        correct: correct(data),
        test: test.map(correct),
        weights: weights.clone(),
        generation: None,
        history: Vec::new(),
    };
    Ok(Learned { winners: vec![winner], folds, experts: None, seconds })
}
