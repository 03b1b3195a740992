//! Weights that are fitted rather than evolved.

use std::time::Instant;

use tesuji_learn::logit::{self, Objective, Settings};
use tesuji_learn::validation::cross_validate;
use tesuji_learn::{Dataset, Scorer};

use super::outcome::{Learned, Winner};
use super::{Learner, Plan};

/// Fitted weights are rounded to whole numbers, the largest of them this one.
const LARGEST: i32 = 4000;

/// Fits weights as the plan says.
pub fn carry_out(plan: &Plan, data: &Dataset, test: Option<&Dataset>) -> Learned {
    let settings = Settings {
        objective: match plan.learner {
            Learner::Accuracy => Objective::Accuracy,
            Learner::Likelihood | Learner::Genetic => Objective::Likelihood,
        },
        signed: !plan.unsigned,
        l2: plan.l2,
        ..Settings::default()
    };
    let learn = |data: &Dataset| logit::fit(data, &settings).integers(LARGEST);
    let started = Instant::now();
    let weights = learn(data);
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
        count => cross_validate(data, count, plan.seed, learn),
    };
    Learned { winners: vec![winner], folds, seconds }
}
