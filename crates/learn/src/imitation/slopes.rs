//! How the loss of positions changes with the weights.

use std::marker::PhantomData;
use std::sync::Mutex;

use tesuji_shogi::Move;

use super::chooser::{Chooser, Sample, Sheet};
use super::tally::MoveTally;

/// Slopes of the features that have one.
pub type Sparse = Vec<(u32, f32)>;

/// Sums of slopes by feature.
pub struct Slopes {
    sums: Vec<f32>,
    /// Features whose sum may not be zero.
    touched: Vec<u32>,
}

impl Slopes {
    /// No slopes yet.
    pub fn new(features: usize) -> Self {
        Self { sums: vec![0.0; features], touched: Vec::new() }
    }

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

/// Room to work on positions for one kind of model.
pub struct Scratch<M> {
    sheet: Sheet,
    scores: Vec<(Move, f32)>,
    slopes: Slopes,
    model: PhantomData<fn() -> M>,
}

/// Moves that are less likely are left as they are: they cost time and teach nothing.
const UNLIKELY: f32 = 1e-5;

impl<M: Chooser> Default for Scratch<M> {
    fn default() -> Self {
        Self {
            sheet: Sheet::default(),
            scores: Vec::new(),
            slopes: Slopes::new(M::FEATURES),
            model: PhantomData,
        }
    }
}

impl<M: Chooser> Scratch<M> {
    /// Adds the slope of a position's loss, and counts what the weights choose.
    pub fn add(&mut self, sample: &Sample, weights: &[f32], tally: &mut MoveTally) {
        let Self { sheet, scores, slopes, .. } = self;
        let moves = sample.position.legal_moves();
        sheet.clear();
        M::describe(&sample.position, sample.past, &moves, sheet);
        scores.clear();
        scores.extend(moves.into_iter().zip(sheet.moves()).map(|(mv, features)| {
            (mv, features.map(|(feature, sign)| sign * weights[feature as usize]).sum())
        }));
        if !tally.add(scores, sample.played) {
            return;
        }
        let most = scores.iter().map(|&(_, score)| score).fold(f32::MIN, f32::max);
        let sum: f32 = scores.iter().map(|&(_, score)| (score - most).exp()).sum();
        for (&(mv, score), features) in scores.iter().zip(sheet.moves()) {
            let likely = (score - most).exp() / sum;
            let slope = likely - f32::from(u8::from(mv == sample.played));
            if slope.abs() > UNLIKELY {
                for (feature, sign) in features {
                    slopes.add_one(feature, sign * slope);
                }
            }
        }
    }

    /// The slopes of the positions that were added since the last time.
    pub fn take(&mut self) -> Sparse {
        let mut slopes = Sparse::with_capacity(self.slopes.touched.len());
        self.slopes.drain(|feature, slope| slopes.push((feature as u32, slope)));
        slopes
    }
}

/// Room that is used again by whoever needs some next.
pub struct Workshop<M>(Mutex<Vec<Scratch<M>>>);

impl<M: Chooser> Default for Workshop<M> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<M: Chooser> Workshop<M> {
    /// Works with some room that is empty.
    pub fn with<T>(&self, work: impl FnOnce(&mut Scratch<M>) -> T) -> T {
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
    use tesuji_eval::moves::{MoveModel, Past};

    use super::*;
    use crate::Random;
    use crate::testing;

    /// The loss of a position by itself.
    fn loss(sample: &Sample, weights: &[f32]) -> f64 {
        let mut tally = MoveTally::default();
        Scratch::<MoveModel>::default().add(sample, weights, &mut tally);
        tally.mean_loss()
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        let mut random = Random::new(5);
        let mut weights: Vec<f32> =
            (0..MoveModel::FEATURES).map(|_| random.unit() as f32 * 0.2).collect();
        for (position, played) in testing::samples(4) {
            let sample = Sample { position, past: Past::default(), played };
            let mut scratch = Scratch::<MoveModel>::default();
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
