//! Weights that are fitted rather than evolved.

use std::time::Instant;

use tesuji_learn::logit::{self, Objective, Settings};
use tesuji_learn::validation::cross_validate;
use tesuji_learn::{Dataset, Scorer};

use super::outcome::{Learned, Winner};
use super::{Learner, Plan};

/// Fitted weights are rounded to whole numbers, the largest of them this one.
const LARGEST: i32 = 4000;

/// The settings of a fit.
pub fn settings(plan: &Plan) -> Settings {
    Settings {
        objective: match plan.learner {
            Learner::Accuracy => Objective::Accuracy,
            Learner::Likelihood | Learner::Genetic => Objective::Likelihood,
        },
        signed: plan.parameters.signed,
        l2: plan.l2,
        ..Settings::default()
    }
}

/// Fits weights to positions.
pub fn learn(plan: &Plan, data: &Dataset) -> Vec<i32> {
    logit::fit(data, &settings(plan)).integers(LARGEST)
}

/// Fits weights as the plan says.
pub fn carry_out(plan: &Plan, data: &Dataset, test: Option<&Dataset>) -> Learned {
    let started = Instant::now();
    let weights = learn(plan, data);
    let seconds = started.elapsed().as_secs_f64();
    let correct = |data: &Dataset| Scorer::new(data).correct(std::slice::from_ref(&weights))[0];
    let winner = Winner {
        seed: plan.seed,
        correct: correct(data),
        test: test.map(correct),
        weights: weights.clone(),
        generation: None,
        history: Vec::new(),
    };
    let folds = match plan.folds {
        0 => Vec::new(),
        count => cross_validate(data, count, plan.seed, |data| learn(plan, data)),
    };
    Learned { winners: vec![winner], folds, experts: None, seconds }
}
