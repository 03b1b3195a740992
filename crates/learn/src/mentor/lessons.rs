//! Training positions with the mentor's scores.

use rayon::prelude::*;
use tesuji_eval::FeatureSet;
use tesuji_shogi::Position;

/// Positions as the differences of their features, with the mentor's scores, both in the view of
/// the side to move.
pub struct Lessons {
    set: FeatureSet,
    /// One row of as many values as there are features for each position.
    rows: Vec<i16>,
    scores: Vec<i32>,
}

impl Lessons {
    /// Works out the features, on the threads of the current pool.
    pub fn new(set: &FeatureSet, lessons: &[(Position, i32)]) -> Self {
        let rows: Vec<Vec<i16>> = lessons
            .par_iter()
            .map(|(position, _)| set.differences(position, position.side_to_move()))
            .collect();
        let scores = lessons.iter().map(|&(_, score)| score).collect();
        Self { set: set.clone(), rows: rows.concat(), scores }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// The features.
    pub const fn set(&self) -> &FeatureSet {
        &self.set
    }

    /// The mean absolute error of some weights against the mentor's scores, in centipawns, on the
    /// lessons with these numbers. The sum is one of whole numbers, so that it is the same in any
    /// order.
    pub fn error(&self, weights: &[i32], numbers: &[usize]) -> f64 {
        let effective = self.set.effective_weights(weights);
        let sum: u64 = numbers.iter().map(|&number| self.difference(&effective, number)).sum();
        sum as f64 / numbers.len().max(1) as f64
    }

    /// The difference on one lesson; the score is half of what the sides differ by, as in search.
    fn difference(&self, effective: &[i32], number: usize) -> u64 {
        let width = effective.len();
        let row = &self.rows[number * width..(number + 1) * width];
        let sum: i32 =
            row.iter().zip(effective).map(|(&value, &weight)| i32::from(value) * weight).sum();
        u64::from((sum / 2).abs_diff(self.scores[number]))
    }
}

#[cfg(test)]
mod tests {
    use tesuji_eval::Weights;

    use super::*;

    #[test]
    fn the_error_is_that_of_the_evaluation() {
        let weights = Weights::named("evolved").unwrap();
        let texts = [
            "ln1g3nl/1ks1g1r2/1pppppb1p/p5pp1/9/P1PPP1P1P/1P1S1P3/1BKG1S3/LN1G3RL b NPs 35",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        ];
        let positions = texts.map(|text| Position::from_sfen(text).unwrap());
        let scores = positions
            .each_ref()
            .map(|position| weights.difference(position, position.side_to_move()) / 2);
        let lessons = [(positions[0], scores[0] + 30), (positions[1], scores[1] - 50)];
        let lessons = Lessons::new(weights.set(), &lessons);
        assert_eq!(lessons.error(weights.values(), &[0]), 30.0);
        assert_eq!(lessons.error(weights.values(), &[0, 1]), 40.0);
    }
}
