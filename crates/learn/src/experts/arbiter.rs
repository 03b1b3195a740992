//! The gate of the mixture: a conditional logit over the winners of the experts.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::panel::{Case, SIGNALS};
use tesuji_math::optimise::Lbfgs;

/// L2 regularisation of the rates.
const L2: f64 = 1e-4;
const MOST_STEPS: usize = 200;
/// Positions whose loss is summed by one thread.
const CHUNK: usize = 64;

/// Compares moves of different kinds by what the experts say of them.
///
/// The value of a move is a sum of signals times rates, and the rates depend on the kind of move.
/// In turn the signals are 1, the opinions of the three experts, the logarithm of the number of
/// moves of that kind, and the lead of the move over the others of its kind in the eyes of its own
/// expert. An opinion is the score of a move less that of the average legal move, in units of a
/// scale.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Arbiter {
    /// What the scores of each expert are divided by: how much they differ from the average move.
    pub scales: [f64; 3],
    /// The rates of the signals, for each kind of move.
    pub rates: [[f64; SIGNALS]; 3],
}

impl Arbiter {
    /// The rates under which the right ones of the winners are most likely.
    pub(super) fn fit(cases: &[Case], scales: [f64; 3]) -> Self {
        let start = vec![0.0; 3 * SIGNALS];
        let mut lbfgs = Lbfgs::new(start, false, |point| loss(cases, point));
        for _ in 0..MOST_STEPS {
            if !lbfgs.step() {
                break;
            }
        }
        let mut rates = [[0.0; SIGNALS]; 3];
        rates.as_flattened_mut().copy_from_slice(lbfgs.point());
        Self { scales, rates }
    }

    /// What a move of this kind is worth.
    pub(super) fn value(&self, class: usize, signals: &[f64; SIGNALS]) -> f64 {
        dot(signals, &self.rates[class])
    }
}

fn dot(signals: &[f64; SIGNALS], rates: &[f64]) -> f64 {
    signals.iter().zip(rates).map(|(signal, rate)| signal * rate).sum()
}

/// The mean loss, with a penalty on large rates, and its gradient.
fn loss(cases: &[Case], point: &[f64]) -> (f64, Vec<f64>) {
    let part = |cases: &[Case]| {
        let mut sum = (0.0, vec![0.0; point.len()]);
        cases.iter().for_each(|case| add(&mut sum, case, point));
        sum
    };
    let parts: Vec<(f64, Vec<f64>)> = cases.par_chunks(CHUNK).map(part).collect();
    let count = cases.len().max(1) as f64;
    let mut value = L2 / 2.0 * point.iter().map(|x| x * x).sum::<f64>();
    let mut gradient: Vec<f64> = point.iter().map(|x| L2 * x).collect();
    // In order, so that threads do not matter.
    for (loss, part) in parts {
        value += loss / count;
        gradient.iter_mut().zip(part).for_each(|(sum, part)| *sum += part / count);
    }
    (value, gradient)
}

fn add((loss, gradient): &mut (f64, Vec<f64>), case: &Case, point: &[f64]) {
    let values: Vec<f64> = case
        .winners
        .iter()
        .map(|winner| dot(&winner.signals, &point[winner.class * SIGNALS..]))
        .collect();
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = values.iter().map(|value| (value - most).exp()).sum();
    *loss += most + sum.ln() - values[case.right];
    for (number, (winner, value)) in case.winners.iter().zip(&values).enumerate() {
        let probability = (value - most).exp() / sum;
        let excess = if number == case.right { probability - 1.0 } else { probability };
        let own = &mut gradient[winner.class * SIGNALS..(winner.class + 1) * SIGNALS];
        own.iter_mut()
            .zip(winner.signals)
            .for_each(|(gradient, signal)| *gradient += excess * signal);
    }
}

#[cfg(test)]
mod tests {
    use super::super::panel::Winner;
    use super::*;
    use tesuji_math::Random;

    #[test]
    fn the_gradient_is_that_of_the_value() {
        let mut random = Random::new(4);
        let cases: Vec<Case> = (0..100)
            .map(|number| {
                let winner =
                    |class| Winner { class, signals: std::array::from_fn(|_| random.unit() - 0.5) };
                let winners: Vec<Winner> = (number % 2..3).map(winner).collect();
                Case { right: number % winners.len(), winners }
            })
            .collect();
        let point: Vec<f64> = (0..3 * SIGNALS).map(|i| f64::from(i as u8 % 5) - 2.0).collect();
        let (_, gradient) = loss(&cases, &point);
        for i in 0..point.len() {
            let at = |step: f64| {
                let mut point = point.clone();
                point[i] += step;
                loss(&cases, &point).0
            };
            let expected = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((gradient[i] - expected).abs() < 1e-8, "{i}");
        }
        let fitted = Arbiter::fit(&cases, [1.0; 3]);
        assert!(loss(&cases, fitted.rates.as_flattened()).0 < loss(&cases, &point).0);
    }
}
