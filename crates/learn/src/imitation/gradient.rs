//! The gradient of the cross-entropy loss by the parameters.

use std::marker::PhantomData;
use std::sync::Mutex;

use tesuji_eval::moves::{HALF_WIDTH, WIDTH};
use tesuji_shogi::Move;

use super::chooser::{Chooser, FeatureLists, MoveExample};
use super::network::{self, BoardGradient, Layout, Row};
use super::tally::MoveTally;

/// A sparse gradient: of features, of rows, of the output.
#[derive(Default)]
pub struct SparseGradient {
    features: Vec<(u32, f32)>,
    rows: Vec<(u32, Row)>,
    output: [f32; HALF_WIDTH],
}

/// A sum of gradients, dense but with lists of what is not zero.
pub struct GradientSum {
    layout: Layout,
    features: Vec<f32>,
    /// Features whose sum may not be zero.
    touched_features: Vec<u32>,
    rows: Vec<Row>,
    is_touched: Vec<bool>,
    touched_rows: Vec<u32>,
    output: [f32; HALF_WIDTH],
}

impl GradientSum {
    /// An empty sum.
    pub fn new<M: Chooser>() -> Self {
        let layout = Layout::of::<M>();
        Self {
            layout,
            features: vec![0.0; M::FEATURES],
            touched_features: Vec::new(),
            rows: vec![[0.0; WIDTH]; layout.rows()],
            is_touched: vec![false; layout.rows()],
            touched_rows: Vec::new(),
            output: [0.0; HALF_WIDTH],
        }
    }

    #[inline(always)]
    fn add_feature(&mut self, feature: u32, gradient: f32) {
        let sum = &mut self.features[feature as usize];
        if *sum == 0.0 {
            self.touched_features.push(feature);
        }
        *sum += gradient;
    }

    #[inline(always)]
    fn add_row(&mut self, row: u32, gradients: &Row, factor: f32) {
        let touched = &mut self.is_touched[row as usize];
        if !*touched {
            *touched = true;
            self.touched_rows.push(row);
        }
        network::add(&mut self.rows[row as usize], gradients, factor);
    }

    fn add_output(&mut self, gradients: &[f32; HALF_WIDTH]) {
        self.output.iter_mut().zip(gradients).for_each(|(sum, gradient)| *sum += gradient);
    }

    /// Adds gradients in their order.
    pub fn add(&mut self, gradients: &SparseGradient) {
        for &(feature, gradient) in &gradients.features {
            self.add_feature(feature, gradient);
        }
        for (row, gradients) in &gradients.rows {
            self.add_row(*row, gradients, 1.0);
        }
        self.add_output(&gradients.output);
    }

    /// The sum so far; begins anew.
    fn take(&mut self) -> SparseGradient {
        let Self { features, rows, is_touched, .. } = self;
        let features = self.touched_features.drain(..).filter_map(|feature| {
            // A sum that was zero in between is here twice; the second time nothing is left of it.
            let gradient = std::mem::take(&mut features[feature as usize]);
            (gradient != 0.0).then_some((feature, gradient))
        });
        let rows = self.touched_rows.drain(..).map(|row| {
            is_touched[row as usize] = false;
            (row, std::mem::replace(&mut rows[row as usize], [0.0; WIDTH]))
        });
        let output = std::mem::take(&mut self.output);
        SparseGradient { features: features.collect(), rows: rows.collect(), output }
    }

    /// Calls `visit` with each parameter that has a gradient, the gradient, and whether the
    /// parameter is one of the network; begins anew.
    pub fn drain(&mut self, mut visit: impl FnMut(usize, f32, bool)) {
        let layout = self.layout;
        let SparseGradient { features, rows, output } = self.take();
        for (feature, gradient) in features {
            visit(feature as usize, gradient, false);
        }
        for (row, gradients) in rows {
            for (parameter, gradient) in layout.row(row).zip(gradients) {
                visit(parameter, gradient, true);
            }
        }
        for (parameter, gradient) in layout.output().zip(output) {
            visit(parameter, gradient, true);
        }
    }
}

/// Scratch memory for the work on positions of one kind of model.
pub struct Scratch<M> {
    lists: FeatureLists,
    scores: Vec<(Move, f32)>,
    /// The sums of each move in the network.
    sums: Vec<Row>,
    gradients: GradientSum,
    model: PhantomData<fn() -> M>,
}

/// The network, which costs most, is not trained on moves that are less likely.
const UNLIKELY_FOR_NETWORK: f32 = 1e-3;

impl<M: Chooser> Default for Scratch<M> {
    fn default() -> Self {
        Self {
            lists: FeatureLists::default(),
            scores: Vec::new(),
            sums: Vec::new(),
            gradients: GradientSum::new::<M>(),
            model: PhantomData,
        }
    }
}

impl<M: Chooser> Scratch<M> {
    const LAYOUT: Layout = Layout::of::<M>();

    /// Adds the gradient of a position's loss, and counts what the model chooses.
    pub fn add(&mut self, sample: &MoveExample, parameters: &[f32], tally: &mut MoveTally) {
        let board = self.score(sample, parameters);
        if !tally.add(&self.scores, sample.played) {
            return;
        }
        let Self { lists, scores, sums, gradients, .. } = self;
        let output = &parameters[Self::LAYOUT.output()];
        let most = scores.iter().map(|&(_, score)| score).fold(f32::MIN, f32::max);
        let total: f32 = scores.iter().map(|&(_, score)| (score - most).exp()).sum();
        let mut board_gradient = BoardGradient::default();
        for (number, features) in lists.moves().enumerate() {
            let (mv, score) = scores[number];
            let likely = (score - most).exp() / total;
            let gradient = likely - f32::from(u8::from(mv == sample.played));
            if gradient.abs() <= M::UNLIKELY {
                continue;
            }
            let with_network = M::NETWORK.is_some() && gradient.abs() > UNLIKELY_FOR_NETWORK;
            let row_gradient =
                with_network.then(|| board_gradient.add(gradient, &sums[number], &board, output));
            for (feature, sign) in features {
                gradients.add_feature(feature, sign * gradient);
                if let Some(row_gradient) = &row_gradient
                    && let Some(row) = Self::LAYOUT.row_of_feature(feature)
                {
                    gradients.add_row(row, row_gradient, sign);
                }
            }
        }
        if M::NETWORK.is_some() {
            for &piece in lists.pieces() {
                gradients.add_row(Self::LAYOUT.row_of_piece(piece), &board_gradient.board, 1.0);
            }
            gradients.add_output(&board_gradient.output);
        }
    }

    /// Scores all moves; the sums of the board in the network.
    fn score(&mut self, sample: &MoveExample, parameters: &[f32]) -> Row {
        let Self { lists, scores, sums, .. } = self;
        let moves = sample.position.legal_moves();
        lists.clear();
        M::describe(&sample.position, sample.past, &moves, lists);
        let row = |row: u32| &parameters[Self::LAYOUT.row(row)];
        let mut board = [0.0; WIDTH];
        for &piece in lists.pieces() {
            network::add(&mut board, row(Self::LAYOUT.row_of_piece(piece)), 1.0);
        }
        scores.clear();
        sums.clear();
        for (mv, features) in moves.into_iter().zip(lists.moves()) {
            let (mut score, mut sum) = (0.0, [0.0; WIDTH]);
            for (feature, sign) in features {
                score += sign * parameters[feature as usize];
                if let Some(number) = Self::LAYOUT.row_of_feature(feature) {
                    network::add(&mut sum, row(number), sign);
                }
            }
            if M::NETWORK.is_some() {
                score += network::score(&sum, &board, &parameters[Self::LAYOUT.output()]);
            }
            scores.push((mv, score));
            sums.push(sum);
        }
        board
    }

    /// The gradients of the positions that were added since the last time.
    pub fn take(&mut self) -> SparseGradient {
        self.gradients.take()
    }
}

/// A pool of scratch memory, used again by whoever needs some next.
pub struct ScratchPool<M>(Mutex<Vec<Scratch<M>>>);

impl<M: Chooser> Default for ScratchPool<M> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<M: Chooser> ScratchPool<M> {
    /// Works with scratch memory that is empty.
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
    use crate::testing;
    use tesuji_math::Random;

    /// The loss of a position by itself.
    fn loss(sample: &MoveExample, parameters: &[f32]) -> f64 {
        let mut tally = MoveTally::default();
        Scratch::<MoveModel>::default().add(sample, parameters, &mut tally);
        tally.mean_loss()
    }

    #[test]
    fn gradients_are_those_of_the_loss() {
        let mut random = Random::new(5);
        let layout = Layout::of::<MoveModel>();
        let mut parameters: Vec<f32> =
            (0..layout.parameters()).map(|_| random.unit() as f32 * 0.1 - 0.02).collect();
        for sample in testing::samples(3) {
            let (position, played) = (sample.position, sample.mv.unwrap());
            let sample = MoveExample { position, past: Past::default(), played };
            let mut gradients = GradientSum::new::<MoveModel>();
            let mut scratch = Scratch::<MoveModel>::default();
            scratch.add(&sample, &parameters, &mut MoveTally::default());
            gradients.add(&scratch.take());
            let mut all = Vec::new();
            gradients.drain(|parameter, gradient, of_network| {
                all.push((parameter, gradient, of_network));
            });
            gradients.drain(|_, gradient, _| assert_eq!(gradient, 0.0));
            for &(parameter, gradient, of_network) in all.iter().step_by(all.len() / 40 + 1) {
                assert_eq!(of_network, parameter >= MoveModel::FEATURES);
                let step = if of_network { 0.01 } else { 0.05 };
                let value = parameters[parameter];
                let mut at = |changed: f32| {
                    parameters[parameter] = changed;
                    loss(&sample, &parameters)
                };
                let measured = (at(value + step) - at(value - step)) / f64::from(2.0 * step);
                parameters[parameter] = value;
                let tolerance = 4e-3 + 0.02 * measured.abs();
                assert!(
                    (measured - f64::from(gradient)).abs() < tolerance,
                    "{measured} {gradient}"
                );
            }
        }
    }
}
