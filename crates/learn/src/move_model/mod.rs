//! The move model learned from whole games: a conditional logit over all legal moves.
//!
//! A step works out, with the weights as they are, how likely each legal move of some positions is,
//! and moves the weights toward the moves that were played. The positions are worked on in parallel in
//! pieces that do not depend on the number of threads, and what comes of them is added up in their
//! order: the weights are the same at any number of threads.

mod slopes;
mod tally;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tesuji_eval::moves::{Group, MoveModel, Past, UNITS};
use tesuji_shogi::{Move, Position};

use slopes::{Scratch, Slopes, Workshop};
pub use tally::MoveTally;

use crate::Random;
use crate::tables::{TrainingGame, TrainingGames};

/// How the move model is trained.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveTraining {
    /// The most passes over the games.
    pub passes: usize,
    /// Positions in a step.
    pub batch: usize,
    /// How far a weight moves in its first step, about.
    pub rate: f64,
    /// The square of the slopes that every feature is taken to have had: rare ones move less for it.
    pub caution: f64,
    /// How strongly weights are held back.
    pub l2: f64,
    /// The first move of a game that counts, in training and in measuring.
    pub from_ply: u16,
    /// Passes without a better one after which the training ends.
    pub patience: usize,
    /// Where all chance comes from.
    pub seed: u64,
}

impl Default for MoveTraining {
    fn default() -> Self {
        Self {
            passes: 4,
            batch: 256,
            rate: 0.1,
            caution: 1e-5,
            l2: 1e-6,
            from_ply: 10,
            patience: 1,
            seed: 1,
        }
    }
}

/// A position to learn from.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    position: Position,
    past: Past,
    played: Move,
}

/// Games whose positions are mixed with each other.
const MIXED_GAMES: usize = 64;
/// Positions that are worked on in one piece.
const PIECE: usize = 16;

/// What came of a pass.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovePass {
    /// Its number, from 1.
    pub number: usize,
    /// On the games that were learned from, while learning.
    pub train: MoveTally,
    /// On those that were not, with the weights as the model has them.
    pub test: MoveTally,
}

/// A training under way, between two passes.
pub struct MoveTrainer<'a> {
    settings: MoveTraining,
    games: &'a TrainingGames,
    weights: Vec<f32>,
    /// Sums of the squares of the slopes.
    squares: Vec<f32>,
    history: Vec<MovePass>,
    best: Option<(MovePass, Vec<f32>)>,
    workshop: Workshop,
}

impl<'a> MoveTrainer<'a> {
    /// A training that begins with no weights.
    pub fn new(settings: MoveTraining, games: &'a TrainingGames) -> Self {
        Self {
            settings,
            games,
            weights: vec![0.0; Group::FEATURES],
            squares: vec![settings.caution as f32; Group::FEATURES],
            history: Vec::new(),
            best: None,
            workshop: Workshop::default(),
        }
    }

    /// The passes that are done.
    pub fn history(&self) -> &[MovePass] {
        &self.history
    }

    /// The pass whose model was best on games that are not learned from.
    pub fn best(&self) -> Option<&MovePass> {
        self.best.as_ref().map(|(pass, _)| pass)
    }

    /// Is there nothing more to be done?
    pub fn is_done(&self) -> bool {
        let since_best = self.history.len() - self.best().map_or(0, |pass| pass.number);
        self.history.len() >= self.settings.passes || since_best > self.settings.patience
    }

    /// The model of the best pass; one without weights before the first.
    pub fn best_model(&self) -> MoveModel {
        model_of(self.best.as_ref().map_or(&self.weights, |(_, weights)| weights))
    }

    /// One pass over the games, and a look at those that are not learned from. Calls `step` with the
    /// number of games that are done and that of all.
    pub fn pass(&mut self, step: &mut dyn FnMut(usize, usize)) -> MovePass {
        let seed = Random::derived_seed(self.settings.seed, self.history.len() as u64);
        let mut random = Random::new(seed);
        let mut order: Vec<&TrainingGame> = self.games.train.iter().collect();
        random.shuffle(&mut order);
        let mut train = MoveTally::default();
        let mut slopes = Slopes::default();
        let mut done = 0;
        for games in order.chunks(MIXED_GAMES) {
            let from_ply = self.settings.from_ply;
            let mut samples: Vec<Sample> =
                games.iter().flat_map(|game| samples_of(game, from_ply)).collect();
            random.shuffle(&mut samples);
            for batch in samples.chunks(self.settings.batch.max(1)) {
                train.merge(&self.step(batch, &mut slopes));
            }
            done += games.len();
            step(done, order.len());
        }
        let test = measure(&model_of(&self.weights), &self.games.test, self.settings.from_ply);
        let pass = MovePass { number: self.history.len() + 1, train, test };
        self.history.push(pass);
        if self.best().is_none_or(|best| test.mean_loss() < best.test.mean_loss()) {
            self.best = Some((pass, self.weights.clone()));
        }
        pass
    }

    /// Moves the weights by what some positions say.
    fn step(&mut self, batch: &[Sample], slopes: &mut Slopes) -> MoveTally {
        let (weights, workshop) = (&self.weights, &self.workshop);
        let pieces: Vec<_> = batch
            .par_chunks(PIECE)
            .map(|samples| {
                workshop.with(|scratch| {
                    let mut tally = MoveTally::default();
                    for sample in samples {
                        scratch.add(sample, weights, &mut tally);
                    }
                    (scratch.take(), tally)
                })
            })
            .collect();
        let mut tally = MoveTally::default();
        for (piece, counted) in &pieces {
            slopes.add(piece);
            tally.merge(counted);
        }
        let share = 1.0 / batch.len() as f32;
        let (rate, l2) = (self.settings.rate as f32, self.settings.l2 as f32);
        slopes.drain(|feature, slope| {
            let (weight, square) = (&mut self.weights[feature], &mut self.squares[feature]);
            let slope = slope * share + l2 * *weight;
            *square += slope * slope;
            *weight -= rate * slope / square.sqrt();
        });
        tally
    }
}

/// The model with these weights, in units.
fn model_of(weights: &[f32]) -> MoveModel {
    let units = weights.iter().map(|weight| (weight * UNITS as f32).round() as i16);
    MoveModel::new(units.collect()).expect("as many weights as features")
}

/// The positions of a game from a move on, with the moves before.
fn samples_of(game: &TrainingGame, from_ply: u16) -> impl Iterator<Item = Sample> + '_ {
    let with_past = game.positions().scan(Past::default(), |past, (position, played)| {
        let sample = Sample { position, past: *past, played };
        *past = past.then(played);
        Some(sample)
    });
    with_past.filter(move |sample| sample.position.ply() >= from_ply)
}

/// How well a model predicts the moves of games from a move on.
pub fn measure(model: &MoveModel, games: &[TrainingGame], from_ply: u16) -> MoveTally {
    let tallies: Vec<MoveTally> = games
        .par_iter()
        .map(|game| {
            let mut tally = MoveTally::default();
            for sample in samples_of(game, from_ply) {
                let scores = Scratch::scores_of(model, &sample);
                tally.add(&scores, sample.played);
            }
            tally
        })
        .collect();
    tallies.iter().fold(MoveTally::default(), |mut sum, tally| {
        sum.merge(tally);
        sum
    })
}
