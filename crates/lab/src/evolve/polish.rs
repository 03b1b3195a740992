//! The winner, polished: weights for positions that nobody has seen.
//!
//! The best organism of ten runs solves most of the positions that it was chosen by, and fewer of
//! others. From where it stands the accuracy is sought once more by gradient, with L2
//! regularisation; or the likelihood, which has one maximum wherever one begins, and is better with
//! hundreds of features. Which of these, and whether it is worth it at all, is decided by
//! cross-validation: in every fold a run of its own is polished and tried on what it has not seen.

use anyhow::Result;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tesuji_learn::logit::{self, Objective, Settings};
use tesuji_learn::validation::{folds, split};
use tesuji_learn::{Dataset, Scorer};
use tesuji_run::{Observer, RunFolder};

use super::EvolvePlan;
use super::outcome::Winner;
use super::runs::learn_once;

/// What is sought, with which penalty.
const REMEDIES: [Remedy; 4] = [
    Remedy { objective: Objective::Accuracy, l2: 1e-5 },
    Remedy { objective: Objective::Accuracy, l2: 1e-4 },
    Remedy { objective: Objective::Accuracy, l2: 1e-3 },
    Remedy { objective: Objective::Likelihood, l2: 1e-5 },
];
/// Folds of the cross-validation that decides.
const FOLDS: usize = 5;
/// Positions that it needs at most, and those above which nothing is polished: a gradient over so
/// many takes longer than evolution, and they cannot be learned by heart.
const ENOUGH: usize = 5_000;
const TOO_MANY: usize = 50_000;
/// The largest weight after rounding.
const LARGEST: i32 = 4000;
const FOUND: &str = "polished.json";

/// A way to polish.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Remedy {
    /// What is sought.
    pub objective: Objective,
    /// L2 regularisation.
    pub l2: f64,
}

/// What polishing found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Polished {
    /// The weights; the winner's own if no remedy made it better.
    pub weights: Vec<i32>,
    /// Positions that they solve.
    pub correct: u32,
    /// The remedy; none if the winner is left as it is.
    pub remedy: Option<Remedy>,
    /// Held-out positions that a single run solves, and that it solves with each remedy.
    pub held_out: HeldOut,
}

/// What the folds say.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeldOut {
    /// Positions that were held out.
    pub of: usize,
    /// Those that a run solves.
    pub run: u32,
    /// Those that it solves when it is polished.
    pub polished: Vec<(Remedy, u32)>,
}

impl HeldOut {
    /// The best remedy, if it is better than none.
    fn best(&self) -> Option<Remedy> {
        let best = self.polished.iter().reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        (best.1 > self.run).then_some(best.0)
    }

    /// What the weights that were chosen solve.
    pub fn chosen(&self) -> u32 {
        self.polished.iter().map(|polished| polished.1).max().unwrap_or(0).max(self.run)
    }
}

/// Polishes the winner, unless the folder has it already or there is nothing to gain.
pub(super) fn carry_out(
    plan: &EvolvePlan,
    data: &Dataset,
    winner: &Winner,
    folder: Option<&RunFolder>,
    observer: &dyn Observer,
) -> Result<Option<Polished>> {
    // The weights of a formula belong together.
    if !plan.polish || data.set().formula().is_some() || data.len() > TOO_MANY {
        return Ok(None);
    }
    if let Some(known) = folder.map(|folder| folder.read_json(FOUND)).transpose()?.flatten() {
        return Ok(Some(known));
    }
    let mut progress = observer.begin(2, "steps");
    progress.update(0, &|| "polishing the winner".to_owned());
    let held_out = validate(plan, data)?;
    progress.update(1, &|| "polishing the winner".to_owned());
    let remedy = held_out.best();
    let weights = match remedy {
        Some(remedy) => polished(data, &winner.weights, remedy),
        None => winner.weights.clone(),
    };
    let correct = Scorer::new(data).correct(std::slice::from_ref(&weights))[0];
    let found = Polished { weights, correct, remedy, held_out };
    if let Some(folder) = folder {
        folder.write_json(FOUND, &found)?;
    }
    Ok(Some(found))
}

fn polished(data: &Dataset, weights: &[i32], remedy: Remedy) -> Vec<i32> {
    let Remedy { objective, l2 } = remedy;
    let settings = Settings { objective, l2, ..Settings::default() };
    let fit = match objective {
        Objective::Accuracy => logit::polish(data, weights, &settings),
        Objective::Likelihood => logit::fit(data, &settings),
    };
    fit.integers(LARGEST)
}

fn validate(plan: &EvolvePlan, data: &Dataset) -> Result<HeldOut> {
    let part;
    let data = if data.len() > ENOUGH {
        let share = ENOUGH as f64 / data.len() as f64;
        part = data.select(&split(data, share, plan.seed).1);
        &part
    } else {
        data
    };
    let fold = |(train, test): &(Vec<usize>, Vec<usize>)| -> Result<Vec<u32>> {
        let (train, test) = (data.select(train), data.select(test));
        let run = learn_once(plan, &train)?;
        let polished = REMEDIES.iter().map(|&remedy| polished(&train, &run, remedy));
        let all: Vec<Vec<i32>> = std::iter::once(run.clone()).chain(polished).collect();
        Ok(Scorer::new(&test).correct(&all))
    };
    let parts = folds(data, FOLDS, plan.seed);
    let solved: Vec<Vec<u32>> = parts.par_iter().map(fold).collect::<Result<_>>()?;
    let sum = |i: usize| solved.iter().map(|fold| fold[i]).sum::<u32>();
    let polished = REMEDIES.iter().enumerate().map(|(i, &remedy)| (remedy, sum(i + 1))).collect();
    Ok(HeldOut { of: data.len(), run: sum(0), polished })
}
