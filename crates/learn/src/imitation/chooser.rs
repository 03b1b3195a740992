//! Models that choose among the legal moves by a sum of weights.

use tesuji_eval::moves::{MoveModel, Past, Scene};
use tesuji_shogi::{Move, MoveList, Position};

/// A position to learn from.
#[derive(Clone, Copy)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The moves before.
    pub past: Past,
    /// What the master played.
    pub played: Move,
}

impl Sample {
    /// The positions of a game, each with the move that was played there, as samples with a past.
    pub fn of_game(
        positions: impl Iterator<Item = (Position, Move)>,
    ) -> impl Iterator<Item = Self> {
        positions.scan(Past::default(), |past, (position, played)| {
            let sample = Self { position, past: *past, played };
            *past = past.then(played);
            Some(sample)
        })
    }
}

/// A model that scores each legal move with the sum of the weights of its features.
pub trait Chooser: Sync + Send {
    /// How many features there are.
    const FEATURES: usize;
    /// Units of a score in the logarithm of odds.
    const UNITS: i32;

    /// The model with these weights, in units.
    ///
    /// # Panics
    /// If there are not [`Chooser::FEATURES`] of them.
    fn with_weights(weights: Vec<i16>) -> Self;

    /// Writes down the features of each move in the order of the list. What all moves have in common
    /// may be left out.
    fn describe(position: &Position, past: Past, moves: &MoveList, sheet: &mut Sheet);

    /// What the model makes of each move in the order of the list, in units.
    fn scores(&self, position: &Position, past: Past, moves: &MoveList) -> Vec<i32>;
}

impl Chooser for MoveModel {
    const FEATURES: usize = tesuji_eval::moves::Group::FEATURES;
    const UNITS: i32 = tesuji_eval::moves::UNITS;

    fn with_weights(weights: Vec<i16>) -> Self {
        Self::new(weights).expect("as many weights as features")
    }

    fn describe(position: &Position, past: Past, moves: &MoveList, sheet: &mut Sheet) {
        let scene = Scene::new(position, past);
        for mv in moves {
            scene.for_each_feature(mv, |feature| sheet.add(feature));
            sheet.end_move();
        }
    }

    fn scores(&self, position: &Position, past: Past, moves: &MoveList) -> Vec<i32> {
        let scene = Scene::new(position, past);
        moves.into_iter().map(|mv| self.score(&scene, mv)).collect()
    }
}

/// The features of the moves of a position, one move after the other.
#[derive(Default)]
pub struct Sheet {
    /// Twice the number of a feature, and 1 more if it is taken away.
    entries: Vec<u32>,
    /// Where those of each move end.
    ends: Vec<usize>,
}

impl Sheet {
    /// The move has this feature.
    #[inline(always)]
    pub fn add(&mut self, feature: usize) {
        self.entries.push((feature as u32) << 1);
    }

    /// The move takes this feature away.
    #[inline(always)]
    pub fn subtract(&mut self, feature: usize) {
        self.entries.push((feature as u32) << 1 | 1);
    }

    /// All has been said of a move.
    #[inline(always)]
    pub fn end_move(&mut self) {
        self.ends.push(self.entries.len());
    }

    /// Begins anew.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.ends.clear();
    }

    /// For each move its features, with 1 or -1 for those that it has or takes away.
    pub fn moves(&self) -> impl Iterator<Item = impl Iterator<Item = (u32, f32)> + '_> + '_ {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| {
            self.entries[start..end]
                .iter()
                .map(|&entry| (entry >> 1, 1.0 - 2.0 * (entry & 1) as f32))
        })
    }
}
