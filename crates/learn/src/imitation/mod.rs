//! Imitation learning from whole games: a conditional logit (softmax) over all legal moves.
//!
//! A step works out, with the weights as they are, how likely each legal move of some positions is,
//! and moves the weights toward the moves that were played. The positions are worked on in parallel
//! in pieces that do not depend on the number of threads, and what comes of them is added up in
//! their order: the weights are the same at any number of threads.

mod chooser;
mod gradient;
mod network;
mod state;
mod tally;

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use chooser::{Chooser, FeatureLists, MoveExample, Shape, with_reasons};
use gradient::{GradientSum, ScratchPool};
use network::Layout;
pub use tally::MoveTally;

use crate::games::{Place, TrainingGame, TrainingGames};
use tesuji_math::Random;
use tesuji_math::optimise::{AdaGrad, linear_decay};

/// The settings of imitation learning, by AdaGrad on batches.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imitation {
    /// The most passes over the games.
    pub passes: usize,
    /// Positions in a step.
    pub batch: usize,
    /// The learning rate at first; in the end a tenth of it.
    pub rate: f64,
    /// The learning rate of the network, as a share of the other.
    pub network_rate: f64,
    /// What AdaGrad's sums of squared gradients begin with: the larger, the less rare features
    /// move.
    pub initial_accumulator: f64,
    /// L2 regularisation of the weights.
    pub l2: f64,
    /// The first move of a game that counts, in training and in measuring.
    pub from_ply: u16,
    /// Early stopping: passes without a better one after which the training ends.
    pub patience: usize,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Imitation {
    /// What did well for the move model.
    pub const DEFAULT: Self = Self {
        passes: 2,
        batch: 64,
        rate: 0.04,
        network_rate: 0.25,
        initial_accumulator: 1e-3,
        l2: 1e-4,
        from_ply: 10,
        patience: 1,
        seed: 1,
    };
}

impl Imitation {
    /// What did well for the model of positions, which has no network.
    pub const OF_POSITIONS: Self = Self { batch: 256, rate: 0.1, ..Self::DEFAULT };

    /// What did well for positional patterns, which are learned from the first move on.
    pub const OF_PATTERNS: Self = Self { from_ply: 1, passes: 4, ..Self::OF_POSITIONS };

    /// What did well for the merit of moves.
    pub const OF_MERITS: Self = Self { from_ply: 1, passes: 3, ..Self::OF_POSITIONS };
}

impl Default for Imitation {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Games whose positions are mixed with each other.
const MIXED_GAMES: usize = 64;
/// The share of the rate that is left in the end.
const LAST_RATE: f64 = 0.1;
/// Positions that are worked on in one piece.
const PIECE: usize = 16;

/// The accuracy and loss of a pass.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovePass {
    /// Its number, from 1.
    pub number: usize,
    /// On the training games, while learning.
    pub train: MoveTally,
    /// On the held-out games, with the weights as the model has them.
    pub test: MoveTally,
}

impl MovePass {
    /// Is the loss on held-out games lower?
    fn is_better(&self, other: &Self) -> bool {
        self.test.mean_loss() < other.test.mean_loss()
    }
}

/// A training under way, between two passes.
pub struct Imitator<'a, M> {
    settings: Imitation,
    games: &'a TrainingGames,
    parameters: Vec<f32>,
    optimiser: AdaGrad,
    history: Vec<MovePass>,
    /// The parameters after the best pass.
    best: Vec<f32>,
    /// Features that get no weights.
    without: Range<usize>,
    pool: ScratchPool<M>,
}

impl<'a, M: Chooser> Imitator<'a, M> {
    /// A training that begins with no weights and a random network.
    pub fn new(settings: Imitation, games: &'a TrainingGames) -> Self {
        let layout = Layout::of::<M>();
        let parameters = layout.first_parameters(settings.seed);
        Self {
            settings,
            games,
            optimiser: AdaGrad::new(parameters.len(), settings.initial_accumulator as f32),
            history: Vec::new(),
            best: vec![0.0; parameters.len()],
            parameters,
            without: 0..0,
            pool: ScratchPool::default(),
        }
    }

    /// Leaves these features without weights, as if the model did not have them.
    #[must_use]
    pub fn without(mut self, features: Range<usize>) -> Self {
        let rows = Layout::of::<M>().rows_of_features(&features);
        self.parameters[rows].fill(0.0);
        self.without = features;
        self
    }

    /// The passes that are done.
    pub fn history(&self) -> &[MovePass] {
        &self.history
    }

    /// The pass with the lowest loss on held-out games.
    pub fn best(&self) -> Option<&MovePass> {
        // The first of equal ones, as the weights are.
        self.history.iter().reduce(|best, pass| if pass.is_better(best) { pass } else { best })
    }

    /// Is there nothing more to be done?
    pub fn is_done(&self) -> bool {
        let since_best = self.history.len() - self.best().map_or(0, |pass| pass.number);
        self.history.len() >= self.settings.passes || since_best > self.settings.patience
    }

    /// The model of the best pass; one without weights before the first.
    pub fn best_model(&self) -> M {
        M::with_parameters(&self.best)
    }

    /// One pass over the training games, and a measurement on those held out. Calls `step` with the
    /// number of games that are done and that of all.
    pub fn pass(&mut self, step: &mut dyn FnMut(usize, usize)) -> MovePass {
        let seed = Random::derived_seed(self.settings.seed, self.history.len() as u64);
        let mut random = Random::new(seed);
        let mut order: Vec<Place> = self.games.train.clone();
        random.shuffle(&mut order);
        let mut train = MoveTally::default();
        let mut gradients = GradientSum::new::<M>();
        let mut done = 0;
        let mut mean = Mean::default();
        for games in order.chunks(MIXED_GAMES) {
            let from_ply = self.settings.from_ply;
            let mut samples: Vec<MoveExample> = games
                .iter()
                .flat_map(|&game| samples_of(&self.games.get(game), from_ply))
                .collect();
            random.shuffle(&mut samples);
            let passes = self.history.len() as f64 + done as f64 / order.len() as f64;
            let decay = linear_decay(LAST_RATE, passes, self.settings.passes as f64);
            let rate = (self.settings.rate * decay) as f32;
            for batch in samples.chunks(self.settings.batch.max(1)) {
                train.merge(&self.step(batch, rate, &mut gradients));
            }
            done += games.len();
            if 2 * done > order.len() {
                mean.add(&self.parameters);
            }
            step(done, order.len());
        }
        let learned = self.learned(mean.get());
        let test = measure(&M::with_parameters(&learned), self.games, self.settings.from_ply);
        let pass = MovePass { number: self.history.len() + 1, train, test };
        if self.best().is_none_or(|best| pass.is_better(best)) {
            self.best = learned;
        }
        self.history.push(pass);
        pass
    }

    /// The parameters, with zero for those that never had a gradient: they are random still.
    fn learned(&self, parameters: Vec<f32>) -> Vec<f32> {
        let keep = |(number, parameter)| {
            if self.optimiser.has_moved(number) { parameter } else { 0.0 }
        };
        parameters.into_iter().enumerate().map(keep).collect()
    }

    /// Moves the parameters by what some positions say.
    fn step(&mut self, batch: &[MoveExample], rate: f32, gradients: &mut GradientSum) -> MoveTally {
        let (parameters, pool) = (&self.parameters, &self.pool);
        let pieces: Vec<_> = batch
            .par_chunks(PIECE)
            .map(|samples| {
                pool.with(|scratch| {
                    let mut tally = MoveTally::default();
                    for sample in samples {
                        scratch.add(sample, parameters, &mut tally);
                    }
                    (scratch.take(), tally)
                })
            })
            .collect();
        let mut tally = MoveTally::default();
        for (piece, counted) in &pieces {
            gradients.add(piece);
            tally.merge(counted);
        }
        let share = 1.0 / batch.len() as f32;
        let Imitation { l2, network_rate, .. } = self.settings;
        let without_rows = Layout::of::<M>().rows_of_features(&self.without);
        gradients.drain(|number, gradient, of_network| {
            if self.without.contains(&number) || without_rows.contains(&number) {
                return;
            }
            let parameter = &mut self.parameters[number];
            let gradient = gradient * share + l2 as f32 * *parameter;
            let rate = if of_network { rate * network_rate as f32 } else { rate };
            self.optimiser.step(number, parameter, gradient, rate);
        });
        tally
    }
}

/// Averaged parameters (Polyak): the mean of several steps is less noisy than the last.
#[derive(Default)]
struct Mean {
    sums: Vec<f32>,
    count: f32,
}

impl Mean {
    fn add(&mut self, parameters: &[f32]) {
        self.sums.resize(parameters.len(), 0.0);
        for (sum, parameter) in self.sums.iter_mut().zip(parameters) {
            *sum += parameter;
        }
        self.count += 1.0;
    }

    fn get(self) -> Vec<f32> {
        self.sums.into_iter().map(|sum| sum / self.count).collect()
    }
}

/// The positions of a game from a move on, with the moves before.
pub(crate) fn samples_of(game: &TrainingGame, from_ply: u16) -> Vec<MoveExample> {
    MoveExample::of_game(game.positions())
        .filter(|sample| sample.position.ply() >= from_ply)
        .collect()
}

/// The accuracy and loss of a model on the held-out games, from a move on.
pub fn measure<M: Chooser>(model: &M, games: &TrainingGames, from_ply: u16) -> MoveTally {
    let tallies: Vec<MoveTally> = games
        .test
        .par_iter()
        .map(|&place| {
            let mut tally = MoveTally::default();
            for sample in samples_of(&games.get(place), from_ply) {
                let moves = sample.position.legal_moves();
                let units = model.scores(&sample.position, sample.past, &moves);
                let odds = units.iter().map(|&score| score as f32 / M::UNITS as f32);
                tally.add(&moves.into_iter().zip(odds).collect::<Vec<_>>(), sample.played);
            }
            tally
        })
        .collect();
    tallies.iter().fold(MoveTally::default(), |mut sum, tally| {
        sum.merge(tally);
        sum
    })
}
