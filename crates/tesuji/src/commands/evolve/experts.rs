//! An evaluator for each kind of move, with an arbiter between them.

use anyhow::Result;
use tesuji_learn::experts::{Experts, cross_validate};
use tesuji_learn::validation::Fold;
use tesuji_learn::{Dataset, Prediction};

use super::{Learner, Plan, fits, runs};

/// Experts, and how well they do.
pub struct Panel {
    pub experts: Experts,
    pub prediction: Prediction,
    pub test: Option<Prediction>,
    pub folds: Vec<Fold>,
}

impl Panel {
    /// Trains experts with the learner of the plan, one run for each.
    pub fn train(plan: &Plan, data: &Dataset, test: Option<&Dataset>) -> Result<Self> {
        let mut failed = None;
        let mut learn = |data: &Dataset| {
            let learned = match plan.learner {
                Learner::Genetic => runs::learn_once(plan, data),
                Learner::Likelihood | Learner::Accuracy => Ok(fits::learn(plan, data)),
            };
            learned.unwrap_or_else(|error| {
                failed = Some(error);
                vec![0; data.set().len()]
            })
        };
        let experts = Experts::train(data, plan.seed, &mut learn);
        let folds = match plan.folds {
            0 => Vec::new(),
            count => cross_validate(data, count, plan.seed, &mut learn),
        };
        if let Some(error) = failed {
            return Err(error);
        }
        let prediction = experts.predict(data);
        let test = test.map(|test| experts.predict(test));
        Ok(Self { experts, prediction, test, folds })
    }
}
