//! The likelihood up to its second derivatives: Newton's method, and the errors of fitted weights.
//!
//! Weights here are those of the features themselves, a linked one's without its base's, as in
//! [`super::Fit`].

use rayon::prelude::*;
use tesuji_math::linear::{Matrix, dot};

use crate::Dataset;
use crate::dataset::Labelled;

/// Parts that positions are divided into for the threads. Sums depend on it, and so it does not
/// depend on them.
const PARTS: usize = 16;
/// Moves less likely than this add nothing that counts to the second derivatives.
const UNLIKELY: f64 = 1e-6;
const MOST_STEPS: usize = 30;
/// Newton's method ends where a step promises less than this for a position.
const SMALL: f64 = 1e-9;

/// The negative log-likelihood of labelled moves at some weights, summed, with its derivatives.
#[derive(Clone, PartialEq, Debug)]
pub struct Curvature {
    /// Positions with a legal master's move.
    pub positions: usize,
    /// The negative log-likelihood.
    pub loss: f64,
    /// Its derivative by each weight.
    pub gradient: Vec<f64>,
    /// Its second derivatives: the information of the positions.
    pub information: Matrix,
}

impl Curvature {
    /// Of nothing.
    pub fn zero(features: usize) -> Self {
        let information = Matrix::zero(features);
        Self { positions: 0, loss: 0.0, gradient: vec![0.0; features], information }
    }

    /// Of some positions of a data set, given by their numbers.
    pub fn of(data: &Dataset, positions: &[usize], weights: &[f64]) -> Self {
        let links = links(data);
        let effective = effective(&links, weights);
        let size = positions.len().div_ceil(PARTS).max(1);
        let parts: Vec<Self> = positions
            .par_chunks(size)
            .map(|chunk| {
                let mut part = Self::zero(effective.len());
                let mut moves = Moves::default();
                for &number in chunk {
                    part.add(&data.position(number), &effective, &mut moves);
                }
                part
            })
            .collect();
        let mut sum = Self::zero(effective.len());
        parts.iter().for_each(|part| sum.merge(part));
        sum.complete();
        sum.unlinked(&links)
    }

    /// Adds the positions of another one at the same weights.
    pub fn merge(&mut self, other: &Self) {
        self.positions += other.positions;
        self.loss += other.loss;
        self.gradient.iter_mut().zip(&other.gradient).for_each(|(sum, part)| *sum += part);
        self.information.add(&other.information, 1.0);
    }

    fn add(&mut self, position: &Labelled<'_>, effective: &[f64], moves: &mut Moves) {
        let Some(loss) = moves.score(position, effective) else { return };
        self.positions += 1;
        self.loss += loss;
        moves.mean(position, effective.len());
        self.gradient.iter_mut().zip(&moves.mean).for_each(|(sum, mean)| *sum += mean);
        for number in 0..moves.chances.len() {
            let chance = moves.chances[number];
            if chance > UNLIKELY {
                moves.unpack(position, number);
                for (place, &(i, a)) in moves.row.iter().enumerate() {
                    let row = self.information.row_mut(i);
                    let scaled = chance * a;
                    moves.row[..=place].iter().for_each(|&(k, b)| row[k] += scaled * b);
                }
            }
        }
        for (i, &a) in moves.mean.iter().enumerate().filter(|(_, a)| **a != 0.0) {
            let row = &mut self.information.row_mut(i)[..=i];
            row.iter_mut().zip(&moves.mean).for_each(|(sum, b)| *sum -= a * b);
        }
    }

    /// Copies the lower half of the second derivatives, which is all that is summed, to the upper.
    fn complete(&mut self) {
        for i in 0..self.information.size() {
            for k in 0..i {
                let cell = self.information.row(i)[k];
                self.information.row_mut(k)[i] = cell;
            }
        }
    }

    /// The same by the weights of the features themselves: a base's weight is in all that are
    /// linked to it.
    fn unlinked(self, links: &[Option<usize>]) -> Self {
        let features = links.len();
        let fold = |numbers: &mut Vec<f64>| {
            for (i, link) in links.iter().enumerate() {
                if let Some(base) = link {
                    numbers[*base] += numbers[i];
                }
            }
            numbers.truncate(features);
        };
        let mut gradient = self.gradient;
        fold(&mut gradient);
        let half: Vec<Vec<f64>> = (0..features)
            .map(|i| {
                let mut row = self.information.row(i).to_vec();
                fold(&mut row);
                row
            })
            .collect();
        let mut information = Matrix::zero(features);
        for (i, row) in half.iter().enumerate() {
            let targets = [Some(i), links[i]];
            for target in targets.into_iter().flatten() {
                information.row_mut(target).iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
            }
        }
        Self { gradient, information, ..self }
    }
}

/// The moves of a position by their likelihood, in memory that is used again.
#[derive(Default)]
struct Moves {
    chances: Vec<f64>,
    mean: Vec<f64>,
    row: Vec<(usize, f64)>,
}

impl Moves {
    /// The chances of all moves; gives the loss, or nothing if the master's move is illegal.
    fn score(&mut self, position: &Labelled<'_>, effective: &[f64]) -> Option<f64> {
        position.master()?;
        self.chances.clear();
        self.chances.extend((0..position.moves().len()).map(|number| {
            let products = position.row(number).iter().map(|entry| {
                let first = 2 * usize::from(entry.pair);
                let [a, b] = entry.differences.map(f64::from);
                a * effective[first] + b * effective[first + 1]
            });
            products.sum::<f64>()
        }));
        // Scores are differences to the master's move, whose own is 0.
        let most = self.chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.chances.iter_mut().for_each(|score| *score = (*score - most).exp());
        let sum: f64 = self.chances.iter().sum();
        self.chances.iter_mut().for_each(|chance| *chance /= sum);
        Some(most + sum.ln())
    }

    /// The differences of a move by feature, in their order and without those that are zero.
    fn unpack(&mut self, position: &Labelled<'_>, number: usize) {
        self.row.clear();
        let mut last = None;
        for entry in position.row(number) {
            // A large difference is split over several entries.
            if last != Some(entry.pair) {
                let first = 2 * usize::from(entry.pair);
                self.row.extend([(first, 0.0), (first + 1, 0.0)]);
                last = Some(entry.pair);
            }
            let place = self.row.len() - 2;
            self.row[place].1 += f64::from(entry.differences[0]);
            self.row[place + 1].1 += f64::from(entry.differences[1]);
        }
        self.row.retain(|&(_, difference)| difference != 0.0);
    }

    /// The mean of the differences to the master's move: the gradient of the loss.
    fn mean(&mut self, position: &Labelled<'_>, width: usize) {
        self.mean.clear();
        self.mean.resize(width, 0.0);
        for (number, chance) in self.chances.iter().enumerate() {
            for entry in position.row(number) {
                let first = 2 * usize::from(entry.pair);
                let [a, b] = entry.differences.map(f64::from);
                self.mean[first] += chance * a;
                self.mean[first + 1] += chance * b;
            }
        }
    }
}

fn links(data: &Dataset) -> Vec<Option<usize>> {
    let set = data.set();
    let link =
        |feature: &tesuji_eval::Feature| feature.linked_to.and_then(|base| set.index_of(base));
    set.features().iter().map(link).collect()
}

/// Weights as they are multiplied, of an even number of features: rows speak of pairs.
fn effective(links: &[Option<usize>], weights: &[f64]) -> Vec<f64> {
    let linked = links.iter().zip(weights);
    let mut effective: Vec<f64> =
        linked.map(|(link, weight)| weight + link.map_or(0.0, |base| weights[base])).collect();
    effective.resize(effective.len().next_multiple_of(2), 0.0);
    effective
}

/// The negative log-likelihood of the master's move in each of these positions; 0 where it is
/// illegal.
pub fn losses(data: &Dataset, positions: &[usize], weights: &[f64]) -> Vec<f64> {
    let effective = effective(&links(data), weights);
    let loss = |moves: &mut Moves, &number: &usize| {
        moves.score(&data.position(number), &effective).unwrap_or(0.0)
    };
    positions.par_iter().map_init(Moves::default, loss).collect()
}

/// A fit by Newton's method, with a penalty on large weights.
pub struct Newton<'a> {
    data: &'a Dataset,
    /// The penalty on the square of each weight, a position.
    penalty: Vec<f64>,
}

impl<'a> Newton<'a> {
    /// `l2` acts on weights times the spread of their features in all of the data, as in
    /// [`super::Settings`].
    pub fn new(data: &'a Dataset, l2: f64) -> Self {
        let penalty = data.columns().iter().map(|column| l2 * column.spread().powi(2)).collect();
        Self { data, penalty }
    }

    /// The penalty on the square of each weight, for each position. Features that never change
    /// have none.
    pub fn penalty(&self) -> &[f64] {
        &self.penalty
    }

    /// The most likely weights for some positions, and the curvature there.
    pub fn fit(&self, positions: &[usize], start: &[f64]) -> (Vec<f64>, Curvature) {
        let mut weights = start.to_vec();
        let mut at = Curvature::of(self.data, positions, &weights);
        for _ in 0..MOST_STEPS {
            let step = self.step(&at, &weights);
            let slope = dot(&self.gradient(&at, &weights), &step);
            let count = at.positions.max(1) as f64;
            if -slope < SMALL * count {
                break;
            }
            let value = self.value(&at, &weights);
            let mut length = 1.0;
            let better = loop {
                let tried: Vec<f64> = weights
                    .iter()
                    .zip(&step)
                    .map(|(weight, step)| weight + length * step)
                    .collect();
                let there = Curvature::of(self.data, positions, &tried);
                if self.value(&there, &tried) < value {
                    break Some((tried, there));
                }
                length /= 2.0;
                if length < 1e-4 {
                    break None;
                }
            };
            let Some(better) = better else { break };
            (weights, at) = better;
        }
        (weights, at)
    }

    fn value(&self, at: &Curvature, weights: &[f64]) -> f64 {
        let squares =
            weights.iter().zip(&self.penalty).map(|(weight, penalty)| weight * weight * penalty);
        at.loss + squares.sum::<f64>() * at.positions as f64 / 2.0
    }

    fn gradient(&self, at: &Curvature, weights: &[f64]) -> Vec<f64> {
        let count = at.positions as f64;
        let penalised = at.gradient.iter().zip(weights).zip(&self.penalty);
        penalised.map(|((gradient, weight), penalty)| gradient + count * penalty * weight).collect()
    }

    fn step(&self, at: &Curvature, weights: &[f64]) -> Vec<f64> {
        let downhill: Vec<f64> = self.gradient(at, weights).iter().map(|x| -x).collect();
        match self.information(at).cholesky() {
            Some(cholesky) => cholesky.solve(&downhill),
            None => vec![0.0; downhill.len()],
        }
    }

    /// The second derivatives with those of the penalty. A feature that never changes gets a 1, so
    /// that its weight stays.
    pub fn information(&self, at: &Curvature) -> Matrix {
        let mut information = at.information.clone();
        let count = at.positions as f64;
        let diagonal = |&penalty: &f64| if penalty > 0.0 { count * penalty } else { 1.0 };
        information.add_diagonal(&self.penalty.iter().map(diagonal).collect::<Vec<_>>());
        information
    }

    /// The covariance of fitted weights if whole clusters of positions (the games) are drawn by
    /// chance: what is said in one game is not independent.
    pub fn covariance(&self, clusters: &[Vec<usize>], weights: &[f64]) -> Option<Matrix> {
        let all: Vec<usize> = clusters.concat();
        let inverse =
            self.information(&Curvature::of(self.data, &all, weights)).cholesky()?.inverse();
        let links = links(self.data);
        let effective = effective(&links, weights);
        let push = |cluster: &Vec<usize>| {
            let mut sum = vec![0.0; effective.len()];
            let (mut moves, mut count) = (Moves::default(), 0.0);
            for &number in cluster {
                let position = self.data.position(number);
                if moves.score(&position, &effective).is_some() {
                    moves.mean(&position, effective.len());
                    sum.iter_mut().zip(&moves.mean).for_each(|(sum, mean)| *sum += mean);
                    count += 1.0;
                }
            }
            for (i, link) in links.iter().enumerate() {
                if let Some(base) = link {
                    sum[*base] += sum[i];
                }
            }
            sum.truncate(links.len());
            for ((sum, weight), penalty) in sum.iter_mut().zip(weights).zip(&self.penalty) {
                *sum += count * penalty * weight;
            }
            sum
        };
        let pushes: Vec<Vec<f64>> = clusters.par_iter().map(push).collect();
        let mut spread = Matrix::zero(links.len());
        let count = clusters.len() as f64;
        let correction = count / (count - 1.0).max(1.0);
        pushes.iter().for_each(|push| spread.add_square(push, correction));
        Some(inverse.product(&spread).product(&inverse))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logit::{Settings, fit};
    use crate::testing;
    use tesuji_math::Random;

    #[test]
    fn derivatives_are_those_of_the_value() {
        let data = testing::dataset(40);
        let all: Vec<usize> = (0..40).collect();
        let weights: Vec<f64> = (0..74).map(|i| f64::from(i % 7) * 0.05 - 0.1).collect();
        let at = Curvature::of(&data, &all, &weights);
        assert!((losses(&data, &all, &weights).iter().sum::<f64>() - at.loss).abs() < 1e-9);
        const STEP: f64 = 1e-5;
        for feature in [0, 1, 9, 20, 33, 73] {
            let moved = |by: f64| {
                let mut weights = weights.clone();
                weights[feature] += by;
                Curvature::of(&data, &all, &weights)
            };
            let (ahead, back) = (moved(STEP), moved(-STEP));
            let slope = (ahead.loss - back.loss) / (2.0 * STEP);
            assert!((slope - at.gradient[feature]).abs() < 1e-5, "{feature}");
            for other in 0..74 {
                let bend = (ahead.gradient[other] - back.gradient[other]) / (2.0 * STEP);
                let found = at.information.row(feature)[other];
                assert!((bend - found).abs() < 1e-3 * (1.0 + bend.abs()), "{feature} {other}");
            }
        }
    }

    #[test]
    fn newton_finds_what_the_other_fit_finds() {
        let data = testing::dataset(300);
        let all: Vec<usize> = (0..300).collect();
        let (weights, at) = Newton::new(&data, 1e-2).fit(&all, &[0.0; 74]);
        let slow = fit(&data, &Settings { l2: 1e-2, iterations: 3000, ..Settings::default() });
        assert!((at.loss / 300.0 - slow.loss).abs() < 1e-4, "{} {}", at.loss / 300.0, slow.loss);
        let worst =
            weights.iter().zip(&slow.weights).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 0.02, "{worst}");
    }

    /// Errors by the formula are those of fits to games that are drawn again.
    #[test]
    fn errors_are_those_of_games_drawn_again() {
        let data = testing::dataset(600);
        let clusters: Vec<Vec<usize>> = (0..100).map(|i| (6 * i..6 * i + 6).collect()).collect();
        let newton = Newton::new(&data, 0.1);
        let (weights, _) = newton.fit(&clusters.concat(), &[0.0; 74]);
        let covariance = newton.covariance(&clusters, &weights).unwrap();
        let mut random = Random::new(5);
        let drawn: Vec<Vec<f64>> = (0..60)
            .map(|_| {
                let again: Vec<usize> =
                    (0..100).flat_map(|_| clusters[random.below(100)].clone()).collect();
                newton.fit(&again, &weights).0
            })
            .collect();
        let mut ratios = Vec::new();
        for feature in 0..74 {
            let values: Vec<f64> = drawn.iter().map(|weights| weights[feature]).collect();
            let error = tesuji_math::stats::Group::of(&values).variance.sqrt();
            if error > 0.0 {
                ratios.push(covariance.row(feature)[feature].sqrt() / error);
            }
        }
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        assert!((0.8..1.2).contains(&mean), "{mean}");
    }
}
