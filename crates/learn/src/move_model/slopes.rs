//! How the loss of positions changes with the weights.

use std::sync::Mutex;

use tesuji_eval::moves::{Group, MoveModel, Scene, UNITS};
use tesuji_shogi::Move;

use super::Sample;
use super::tally::MoveTally;

/// Slopes of the features that have one.
pub type Sparse = Vec<(u32, f32)>;

/// Sums of slopes by feature.
pub struct Slopes {
    sums: Vec<f32>,
    /// Features whose sum may not be zero.
    touched: Vec<u32>,
}

impl Default for Slopes {
    fn default() -> Self {
        Self { sums: vec![0.0; Group::FEATURES], touched: Vec::new() }
    }
}

impl Slopes {
    #[inline(always)]
    fn add_one(&mut self, feature: u32, slope: f32) {
        let sum = &mut self.sums[feature as usize];
        if *sum == 0.0 {
            self.touched.push(feature);
        }
        *sum += slope;
    }

    /// Adds slopes in their order.
    pub fn add(&mut self, slopes: &Sparse) {
        for &(feature, slope) in slopes {
            self.add_one(feature, slope);
        }
    }

    /// Calls `visit` with each feature and its slope and begins anew.
    pub fn drain(&mut self, mut visit: impl FnMut(usize, f32)) {
        for feature in self.touched.drain(..) {
            // A sum that was zero in between is here twice; the second time nothing is left of it.
            let slope = std::mem::take(&mut self.sums[feature as usize]);
            if slope != 0.0 {
                visit(feature as usize, slope);
            }
        }
    }
}

/// Room to work on positions.
#[derive(Default)]
pub struct Scratch {
    /// The features of all moves, one after the other, and where those of each move end.
    features: Vec<u32>,
    ends: Vec<usize>,
    scores: Vec<(Move, f32)>,
    slopes: Slopes,
}

/// Moves that are less likely are left as they are: they cost time and teach nothing.
const UNLIKELY: f32 = 1e-5;

impl Scratch {
    /// Adds the slope of a position's loss, and counts what the weights choose.
    pub fn add(&mut self, sample: &Sample, weights: &[f32], tally: &mut MoveTally) {
        self.features.clear();
        self.ends.clear();
        self.scores.clear();
        let scene = Scene::new(&sample.position, sample.past);
        for mv in &sample.position.legal_moves() {
            let mut score = 0.0;
            scene.for_each_feature(mv, |feature| {
                self.features.push(feature as u32);
                score += weights[feature];
            });
            self.ends.push(self.features.len());
            self.scores.push((mv, score));
        }
        if !tally.add(&self.scores, sample.played) {
            return;
        }
        let most = self.scores.iter().map(|&(_, score)| score).fold(f32::MIN, f32::max);
        let sum: f32 = self.scores.iter().map(|&(_, score)| (score - most).exp()).sum();
        let mut start = 0;
        for (&(mv, score), &end) in self.scores.iter().zip(&self.ends) {
            let likely = (score - most).exp() / sum;
            let slope = likely - f32::from(u8::from(mv == sample.played));
            if slope.abs() > UNLIKELY {
                for &feature in &self.features[start..end] {
                    self.slopes.add_one(feature, slope);
                }
            }
            start = end;
        }
    }

    /// The slopes of the positions that were added since the last time.
    pub fn take(&mut self) -> Sparse {
        let mut slopes = Sparse::with_capacity(self.slopes.touched.len());
        self.slopes.drain(|feature, slope| slopes.push((feature as u32, slope)));
        slopes
    }

    /// The legal moves with the scores that a model gives them, as logarithms of odds.
    pub fn scores_of(model: &MoveModel, sample: &Sample) -> Vec<(Move, f32)> {
        let scene = Scene::new(&sample.position, sample.past);
        let score = |mv| model.score(&scene, mv) as f32 / UNITS as f32;
        sample.position.legal_moves().into_iter().map(|mv| (mv, score(mv))).collect()
    }
}

/// Room that is used again by whoever needs some next.
#[derive(Default)]
pub struct Workshop(Mutex<Vec<Scratch>>);

impl Workshop {
    /// Works with some room that is empty.
    pub fn with<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let free = self.0.lock().ok().and_then(|mut free| free.pop());
        let mut scratch = free.unwrap_or_default();
        let result = work(&mut scratch);
        if let Ok(mut free) = self.0.lock() {
            free.push(scratch);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use tesuji_eval::moves::Past;

    use super::*;
    use crate::Random;
    use crate::testing;

    /// The loss of a position by itself.
    fn loss(sample: &Sample, weights: &[f32]) -> f64 {
        let mut tally = MoveTally::default();
        Scratch::default().add(sample, weights, &mut tally);
        tally.mean_loss()
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        let mut random = Random::new(5);
        let mut weights: Vec<f32> =
            (0..Group::FEATURES).map(|_| random.unit() as f32 * 0.2).collect();
        for (position, played) in testing::samples(4) {
            let sample = Sample { position, past: Past::default(), played };
            let mut scratch = Scratch::default();
            scratch.add(&sample, &weights, &mut MoveTally::default());
            let slopes = scratch.take();
            assert!(scratch.take().is_empty());
            for &(feature, slope) in slopes.iter().step_by(slopes.len() / 20 + 1) {
                let (feature, step) = (feature as usize, 0.05);
                let weight = weights[feature];
                let mut at = |value: f32| {
                    weights[feature] = value;
                    loss(&sample, &weights)
                };
                let measured = (at(weight + step) - at(weight - step)) / f64::from(2.0 * step);
                weights[feature] = weight;
                assert!((measured - f64::from(slope)).abs() < 2e-3, "{measured} {slope}");
            }
        }
    }
}
