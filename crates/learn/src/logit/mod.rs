//! Conditional logit (softmax regression): maximum-likelihood weights for the master's moves.
//!
//! The probability of a move is the exponential of its score, divided by the sum over all legal
//! moves. The log-likelihood has one maximum, which L-BFGS finds. It tells
//! how much the genetic algorithm leaves on the table, and can seed its population.

pub mod curvature;
mod likelihood;

use likelihood::Likelihood;
use serde::{Deserialize, Serialize};

use crate::Dataset;
use crate::validation::split;
use tesuji_math::optimise::Lbfgs;

/// What a fit makes as good as it can.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// The likelihood of all master's moves together. It has one maximum.
    #[default]
    Likelihood,
    /// The mean probability of the master's move: nearly the share of solved positions, where
    /// probabilities are near 0 and 1. It has many maxima; the search starts from the most likely
    /// weights, made sharper.
    Accuracy,
}

/// What the most likely weights are multiplied by before accuracy is sought.
const SHARPER: f64 = 3.0;

/// The settings of a fit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What is made as good as it can be.
    pub objective: Objective,
    /// L2 regularisation. It acts on weights times the spread of their
    /// features, so that the unit of a feature does not matter.
    pub l2: f64,
    /// May weights be negative? Those of the genetic algorithm are not.
    pub signed: bool,
    /// Numbers of features that stay out: their weights are zero.
    pub without: Vec<usize>,
    /// The most steps.
    pub iterations: usize,
    /// The share of positions that is held out to tell when to stop; with 0 all are used, until
    /// steps bring nothing.
    pub held_out: f64,
    /// Early stopping: steps without progress on what is held out after which the fit stops.
    pub patience: usize,
    /// Decides which positions are held out.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            objective: Objective::Likelihood,
            l2: 1e-4,
            signed: true,
            without: Vec::new(),
            iterations: 300,
            held_out: 0.0,
            patience: 20,
            seed: 1,
        }
    }
}

/// What a fit found.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The weights of all features, a linked one's without its base's.
    pub weights: Vec<f64>,
    /// The mean negative log-likelihood of the positions that were fitted.
    pub loss: f64,
    /// The same of those that were held out.
    pub held_out_loss: Option<f64>,
    /// Steps that were made.
    pub iterations: usize,
}

/// Fits weights to the master's moves.
pub fn fit(data: &Dataset, settings: &Settings) -> Fit {
    if settings.held_out > 0.0 {
        let (train, held_out) = split(data, settings.held_out, settings.seed);
        if !train.is_empty() && !held_out.is_empty() {
            return fit_until(&data.select(&train), Some(&data.select(&held_out)), settings);
        }
    }
    fit_until(data, None, settings)
}

fn fit_until(data: &Dataset, held_out: Option<&Dataset>, settings: &Settings) -> Fit {
    let start = vec![0.0; data.set().len()];
    let (mut point, mut iterations) = walk(data, held_out, Objective::Likelihood, settings, start);
    if settings.objective == Objective::Accuracy {
        point.iter_mut().for_each(|x| *x *= SHARPER);
        let (better, more) = walk(data, held_out, Objective::Accuracy, settings, point);
        (point, iterations) = (better, iterations + more);
    }
    let likelihood = Likelihood::new(data, Objective::Likelihood, &settings.without, 0.0);
    let loss = |data| likelihood.loss(data, Objective::Likelihood, &point);
    Fit {
        loss: loss(data),
        held_out_loss: held_out.map(loss),
        weights: likelihood.weights(&point),
        iterations,
    }
}

/// Improves given weights: the accuracy is sought from where they are, by gradient and with L2
/// regularisation. What the genetic algorithm found decides which of the many maxima it is.
pub fn polish(data: &Dataset, weights: &[i32], settings: &Settings) -> Fit {
    let likelihood = Likelihood::new(data, Objective::Accuracy, &settings.without, settings.l2);
    let weights: Vec<f64> = weights.iter().map(|&weight| f64::from(weight)).collect();
    let point = likelihood.point(&weights);
    let length = point.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    // Only ratios of weights decide which move is best: the scale is the one that fits best.
    let scaled = |step: i32| -> Vec<f64> {
        let scale = 2_f64.powi(step) / length;
        point.iter().map(|x| x * scale).collect()
    };
    let starts = (-2..10).map(scaled);
    let loss = |point: &Vec<f64>| likelihood.at(point).0;
    let start = starts.min_by(|a, b| loss(a).total_cmp(&loss(b))).unwrap_or(point);
    let (point, iterations) = walk(data, None, Objective::Accuracy, settings, start);
    Fit {
        loss: likelihood.loss(data, Objective::Likelihood, &point),
        held_out_loss: None,
        weights: likelihood.weights(&point),
        iterations,
    }
}

/// The best point found from a start, and the steps that were made.
fn walk(
    data: &Dataset,
    held_out: Option<&Dataset>,
    objective: Objective,
    settings: &Settings,
    start: Vec<f64>,
) -> (Vec<f64>, usize) {
    let likelihood = Likelihood::new(data, objective, &settings.without, settings.l2);
    let mut lbfgs = Lbfgs::new(start, !settings.signed, |point| likelihood.at(point));
    let mut best = (f64::INFINITY, lbfgs.point().to_vec());
    let (mut iterations, mut stale) = (0, 0);
    while iterations < settings.iterations && lbfgs.step() {
        iterations += 1;
        let Some(held_out) = held_out else { continue };
        let loss = likelihood.loss(held_out, objective, lbfgs.point());
        stale += 1;
        if loss < best.0 {
            best = (loss, lbfgs.point().to_vec());
            stale = 0;
        }
        if stale > settings.patience {
            break;
        }
    }
    let point = if held_out.is_some() { best.1 } else { lbfgs.point().to_vec() };
    (point, iterations)
}

impl Fit {
    /// The weights as integers in the same proportions, the largest of them `largest`.
    pub fn integers(&self, largest: i32) -> Vec<i32> {
        let most = self.weights.iter().fold(0.0_f64, |most, weight| most.max(weight.abs()));
        let scale = if most > 0.0 { f64::from(largest) / most } else { 0.0 };
        self.weights.iter().map(|weight| (weight * scale).round() as i32).collect()
    }
}

#[cfg(test)]
mod tests;
