//! An evaluator for each kind of move, with an arbiter between them.

use anyhow::Result;
use tesuji_learn::experts::{Experts, cross_validate};
use tesuji_learn::validation::Fold;
use tesuji_learn::{Dataset, Prediction};

use super::{EvolvePlan, Learner, fits, runs};

/// Three experts, one for each kind of move, and how well they predict.
pub struct Panel {
    /// The experts.
    pub experts: Experts,
    /// How well they predict the positions that they learned from.
    pub prediction: Prediction,
    /// How well they predict the test positions.
    pub test: Option<Prediction>,
    /// How well they predict in cross-validation.
    pub folds: Vec<Fold>,
}

impl Panel {
    /// Trains experts with the learner of the plan, one run for each.
    pub fn train(plan: &EvolvePlan, data: &Dataset, test: Option<&Dataset>) -> Result<Self> {
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
