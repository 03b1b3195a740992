//! The network of a model while it learns: scores, and how they change with its numbers.

use std::ops::Range;

use tesuji_eval::moves::{HALF_WIDTH, WIDTH};

use super::chooser::{Chooser, Shape};
use tesuji_math::Random;

/// A row of the network.
pub type Row = [f32; WIDTH];

/// Numbers of the network begin within this of zero.
const FIRST_SIZE: f32 = 0.05;
/// What every board has begins with this.
const FIRST_OF_ALL: f32 = 0.5;
/// How much the first half of a row counts begins with this, every other number with less than
/// zero.
const FIRST_OUTPUT: f32 = 0.3;

/// Where the numbers of the network lie among all parameters of a model: rows of features, rows of
/// pieces, and how much the first half of a row counts.
#[derive(Clone, Copy)]
pub struct Layout {
    features: usize,
    shape: Option<Shape>,
}

impl Layout {
    /// The layout of a kind of model.
    pub const fn of<M: Chooser>() -> Self {
        Self { features: M::FEATURES, shape: M::NETWORK }
    }

    /// Rows of features and of pieces.
    pub const fn rows(self) -> usize {
        match self.shape {
            Some(Shape { first_feature, pieces }) => self.features - first_feature + pieces,
            None => 0,
        }
    }

    /// All parameters.
    pub const fn parameters(self) -> usize {
        let output = if self.shape.is_some() { HALF_WIDTH } else { 0 };
        self.features + self.rows() * WIDTH + output
    }

    /// The parameters of a row.
    pub const fn row(self, row: u32) -> Range<usize> {
        let start = self.features + row as usize * WIDTH;
        start..start + WIDTH
    }

    /// How much the first half of a row counts.
    pub const fn output(self) -> Range<usize> {
        self.features + self.rows() * WIDTH..self.parameters()
    }

    /// The row of a feature, if it has one.
    #[inline(always)]
    pub fn row_of_feature(self, feature: u32) -> Option<u32> {
        feature.checked_sub(self.shape?.first_feature as u32)
    }

    /// The parameters of the rows of some features.
    pub fn rows_of_features(self, features: &Range<usize>) -> Range<usize> {
        let start = |feature: usize| {
            let first = self.shape.map_or(self.features, |shape| shape.first_feature);
            self.features + feature.saturating_sub(first) * WIDTH
        };
        start(features.start)..start(features.end)
    }

    /// The row of a piece.
    pub fn row_of_piece(self, piece: u32) -> u32 {
        self.shape.map_or(0, |shape| (self.features - shape.first_feature) as u32) + piece
    }

    /// Parameters to begin with. Rows are random, so that the numbers in them come to differ; the
    /// row of the last piece, which every board has, is so great that nothing counts as negative at
    /// first and all numbers learn.
    pub fn first_parameters(self, seed: u64) -> Vec<f32> {
        let mut random = Random::new(seed);
        let mut within = |size: f32| (random.unit() as f32 * 2.0 - 1.0) * size;
        let mut parameters = vec![0.0; self.parameters()];
        if let Some(shape) = self.shape {
            let output = self.output();
            parameters[self.features..output.start].fill_with(|| within(FIRST_SIZE));
            let always = self.row(self.row_of_piece(shape.pieces as u32 - 1));
            parameters[always].fill(FIRST_OF_ALL);
            for (number, parameter) in output.enumerate() {
                parameters[parameter] = if number % 2 == 0 { FIRST_OUTPUT } else { -FIRST_OUTPUT };
            }
        }
        parameters
    }
}

/// Adds a row times a factor.
#[inline(always)]
pub fn add(sum: &mut Row, row: &[f32], factor: f32) {
    for (sum, number) in sum.iter_mut().zip(row) {
        *sum += factor * number;
    }
}

/// What the network makes of the sums of a move and of a board.
#[inline(always)]
pub fn score(mv: &Row, board: &Row, output: &[f32]) -> f32 {
    let mut score = 0.0;
    for i in 0..HALF_WIDTH {
        score += (mv[i] + board[i]).max(0.0) * output[i];
    }
    for i in HALF_WIDTH..WIDTH {
        score += mv[i] * board[i].max(0.0);
    }
    score
}

/// How scores change with the sums of the board and with the output, added up over moves.
#[derive(Clone, Copy, Default)]
pub struct BoardGradient {
    /// With the sums of the board.
    pub board: Row,
    /// With how much the first half counts.
    pub output: [f32; HALF_WIDTH],
}

impl BoardGradient {
    /// How the loss changes with the sums of a move whose score changes it by `gradient`.
    #[inline(always)]
    pub fn add(&mut self, gradient: f32, mv: &Row, board: &Row, output: &[f32]) -> Row {
        let mut row = [0.0; WIDTH];
        for i in 0..HALF_WIDTH {
            let both = mv[i] + board[i];
            if both > 0.0 {
                self.output[i] += gradient * both;
                row[i] = gradient * output[i];
                self.board[i] += row[i];
            }
        }
        for i in HALF_WIDTH..WIDTH {
            if board[i] > 0.0 {
                row[i] = gradient * board[i];
                self.board[i] += gradient * mv[i];
            }
        }
        row
    }
}
