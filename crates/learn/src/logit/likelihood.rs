//! The negative log-likelihood of the master's moves and its gradient.

use rayon::prelude::*;

use super::Objective;
use crate::Dataset;
use crate::dataset::Labelled;

/// The mean loss of an objective, with a penalty on large weights, as a function of weights times
/// the spreads of their features: in these numbers all features are alike.
pub(super) struct Likelihood<'a> {
    data: &'a Dataset,
    objective: Objective,
    /// What a coordinate is multiplied by to give the weight; 0 for features that stay out.
    units: Vec<f64>,
    /// For each feature, the one whose weight is added to its own.
    links: Vec<Option<usize>>,
    l2: f64,
    /// The weight of the positions with a legal master's move.
    weight: f64,
}

/// What a shard adds.
struct Part {
    loss: f64,
    gradient: Vec<f64>,
}

impl<'a> Likelihood<'a> {
    pub fn new(data: &'a Dataset, objective: Objective, without: &[usize], l2: f64) -> Self {
        let unit = |(feature, column): (usize, &crate::dataset::Column)| {
            let spread = column.spread();
            if spread > 0.0 && !without.contains(&feature) { spread.recip() } else { 0.0 }
        };
        let units = data.columns().iter().enumerate().map(unit).collect();
        let set = data.set();
        let link =
            |feature: &tesuji_eval::Feature| feature.linked_to.and_then(|base| set.index_of(base));
        let links = set.features().iter().map(link).collect();
        Self { data, objective, units, links, l2, weight: weight(data) }
    }

    /// The loss of the same coordinates on other data or by another objective, without penalty.
    pub fn loss(&self, data: &Dataset, objective: Objective, point: &[f64]) -> f64 {
        let (units, links) = (self.units.clone(), self.links.clone());
        Likelihood { data, objective, units, links, l2: 0.0, weight: weight(data) }.at(point).0
    }

    /// The weights at a point.
    pub fn weights(&self, point: &[f64]) -> Vec<f64> {
        point.iter().zip(&self.units).map(|(x, unit)| x * unit).collect()
    }

    /// The point whose weights these are; features that stay out are left at 0.
    pub fn point(&self, weights: &[f64]) -> Vec<f64> {
        let coordinate =
            |(weight, unit): (&f64, &f64)| if *unit == 0.0 { 0.0 } else { weight / unit };
        weights.iter().zip(&self.units).map(coordinate).collect()
    }

    /// The value at a point and the gradient there.
    pub fn at(&self, point: &[f64]) -> (f64, Vec<f64>) {
        let weights = self.weights(point);
        let mut effective: Vec<f64> = weights
            .iter()
            .zip(&self.links)
            .map(|(weight, link)| weight + link.map_or(0.0, |base| weights[base]))
            .collect();
        // Rows speak of pairs of features.
        effective.resize(effective.len().next_multiple_of(2), 0.0);
        let parts: Vec<Part> = (0..self.data.shards())
            .into_par_iter()
            .map(|shard| self.part(shard, &effective))
            .collect();
        // In the order of the shards, so that threads do not matter.
        let mut loss = 0.0;
        let mut sums = vec![0.0; effective.len()];
        for part in parts {
            loss += part.loss;
            sums.iter_mut().zip(part.gradient).for_each(|(sum, gradient)| *sum += gradient);
        }
        let mut gradient = sums[..point.len()].to_vec();
        for (feature, link) in self.links.iter().enumerate() {
            if let Some(base) = link {
                gradient[*base] += sums[feature];
            }
        }
        for ((gradient, unit), x) in gradient.iter_mut().zip(&self.units).zip(point) {
            *gradient = *gradient * unit / self.weight + self.l2 * x;
        }
        let penalty = point.iter().map(|x| x * x).sum::<f64>() * self.l2 / 2.0;
        (loss / self.weight + penalty, gradient)
    }

    fn part(&self, shard: usize, effective: &[f64]) -> Part {
        let mut part = Part { loss: 0.0, gradient: vec![0.0; effective.len()] };
        let mut scores = Vec::new();
        for position in self.data.shard(shard) {
            if position.master().is_some() {
                part.add(&position, effective, self.objective, &mut scores);
            }
        }
        part
    }
}

/// The weight of the positions with a legal master's move, at least 1.
fn weight(data: &Dataset) -> f64 {
    let legal = data.positions().filter(|position| position.master().is_some());
    legal.map(|position| f64::from(position.weight())).sum::<f64>().max(1.0)
}

impl Part {
    /// Adds a position. Scores are differences to the master's move, whose own is 0.
    fn add(
        &mut self,
        position: &Labelled<'_>,
        effective: &[f64],
        objective: Objective,
        scores: &mut Vec<f64>,
    ) {
        let moves = position.moves().len();
        scores.clear();
        scores.extend((0..moves).map(|number| {
            let products = position.row(number).iter().map(|entry| {
                let first = 2 * usize::from(entry.pair);
                let [a, b] = entry.differences.map(f64::from);
                a * effective[first] + b * effective[first + 1]
            });
            products.sum::<f64>()
        }));
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        scores.iter_mut().for_each(|score| *score = (*score - most).exp());
        let sum: f64 = scores.iter().sum();
        let loss = most + sum.ln();
        let weight = f64::from(position.weight());
        // The master's probability is the exponential of the negated loss, and so is its gradient.
        let factor = match objective {
            Objective::Likelihood => {
                self.loss += weight * loss;
                weight
            }
            Objective::Accuracy => {
                self.loss -= weight * (-loss).exp();
                weight * (-loss).exp()
            }
        };
        for (number, exponential) in scores.iter().enumerate() {
            let probability = factor * exponential / sum;
            for entry in position.row(number) {
                let first = 2 * usize::from(entry.pair);
                let [a, b] = entry.differences.map(f64::from);
                self.gradient[first] += probability * a;
                self.gradient[first + 1] += probability * b;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn the_gradient_is_that_of_the_value() {
        let data = testing::dataset(40).weigh(crate::Weighting::Class([1, 5, 2]));
        let point: Vec<f64> = (0..74).map(|i| f64::from(i % 7) * 0.1 - 0.3).collect();
        for objective in [Objective::Likelihood, Objective::Accuracy] {
            assert_gradient(&Likelihood::new(&data, objective, &[5], 0.01), &point);
        }
    }

    fn assert_gradient(likelihood: &Likelihood<'_>, point: &[f64]) {
        let (value, gradient) = likelihood.at(point);
        assert!(value.is_finite());
        const STEP: f64 = 1e-5;
        for feature in 0..74 {
            let mut ahead = point.to_vec();
            ahead[feature] += STEP;
            let mut back = point.to_vec();
            back[feature] -= STEP;
            let expected = (likelihood.at(&ahead).0 - likelihood.at(&back).0) / (2.0 * STEP);
            assert!((gradient[feature] - expected).abs() < 1e-6, "{feature}");
        }
    }

    #[test]
    fn a_position_of_weight_two_counts_like_two() {
        let data = testing::dataset(40);
        let drops = (0..40).filter(|&i| data.position(i).class() == crate::MoveClass::Drop);
        let twice = data.select(&(0..40).chain(drops).collect::<Vec<_>>());
        let weighted = data.clone().weigh(crate::Weighting::Class([1, 1, 2]));
        let point: Vec<f64> = (0..74).map(|i| f64::from(i % 5) * 0.1).collect();
        for objective in [Objective::Likelihood, Objective::Accuracy] {
            let at = |data| Likelihood::new(data, objective, &[], 0.01).at(&point);
            let (a, b, plain) = (at(&twice), at(&weighted), at(&data));
            assert!((a.0 - b.0).abs() < 1e-12 && (a.1[20] - b.1[20]).abs() < 1e-12);
            assert!((a.0 - plain.0).abs() > 1e-6);
        }
    }

    #[test]
    fn without_weights_every_move_is_as_likely() {
        let data = testing::dataset(40);
        let likelihood = Likelihood::new(&data, Objective::Likelihood, &[], 0.0);
        let expected: f64 =
            data.positions().map(|position| (position.moves().len() as f64).ln()).sum::<f64>()
                / 40.0;
        assert!((likelihood.at(&[0.0; 74]).0 - expected).abs() < 1e-12);
    }
}
