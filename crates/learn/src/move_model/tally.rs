//! How well moves are predicted.

use serde::{Deserialize, Serialize};
use tesuji_shogi::Move;

use crate::MoveClass;
use crate::tables::Sum;

/// How often the move that was played is among the first. Arrays go by [`MoveClass::index`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveTally {
    /// Positions.
    pub of: u64,
    /// Those in which the move that was played is the first.
    pub correct: u64,
    /// Those in which it is among the first 5.
    pub top_5: u64,
    /// Those in which it is among the first 10.
    pub top_10: u64,
    /// Positions in which a move of each kind was played.
    pub of_class: [u64; 3],
    /// Those in which it is the first.
    pub correct_of_class: [u64; 3],
    /// The sum of the logarithmic losses.
    pub loss: Sum,
}

impl MoveTally {
    /// Counts a position by the scores of its legal moves, which are logarithms of odds. Of equal
    /// moves the one with the lower number comes first. A position whose move is not legal is not
    /// counted: then the answer is `false`.
    pub fn add(&mut self, scores: &[(Move, f32)], played: Move) -> bool {
        let Some(&(_, own)) = scores.iter().find(|&&(mv, _)| mv == played) else {
            return false;
        };
        let before = |&&(mv, score): &&(Move, f32)| {
            score > own || (score == own && mv.to_u16() < played.to_u16())
        };
        let rank = scores.iter().filter(before).count();
        let within = |first: usize| u64::from(rank < first);
        let class = MoveClass::of(played).index();
        self.of += 1;
        self.correct += within(1);
        self.top_5 += within(5);
        self.top_10 += within(10);
        self.of_class[class] += 1;
        self.correct_of_class[class] += within(1);
        let own = f64::from(own);
        let odds: f64 = scores.iter().map(|&(_, score)| (f64::from(score) - own).exp()).sum();
        self.loss.add(odds.ln());
        true
    }

    /// Adds another part of the count.
    pub fn merge(&mut self, other: &Self) {
        self.of += other.of;
        self.correct += other.correct;
        self.top_5 += other.top_5;
        self.top_10 += other.top_10;
        for class in 0..3 {
            self.of_class[class] += other.of_class[class];
            self.correct_of_class[class] += other.correct_of_class[class];
        }
        self.loss.merge(other.loss);
    }

    fn share(&self, count: u64) -> f64 {
        count as f64 / self.of.max(1) as f64
    }

    /// The share of positions in which the move that was played is the first.
    pub fn top1(&self) -> f64 {
        self.share(self.correct)
    }

    /// The share of positions in which it is among the first 5.
    pub fn top5(&self) -> f64 {
        self.share(self.top_5)
    }

    /// The share of positions in which it is among the first 10.
    pub fn top10(&self) -> f64 {
        self.share(self.top_10)
    }

    /// The same for moves of one kind: the share in which it is the first.
    pub fn top1_of(&self, class: MoveClass) -> f64 {
        let i = class.index();
        self.correct_of_class[i] as f64 / self.of_class[i].max(1) as f64
    }

    /// The logarithmic loss of a position.
    pub fn mean_loss(&self) -> f64 {
        self.loss.get() / self.of.max(1) as f64
    }
}
