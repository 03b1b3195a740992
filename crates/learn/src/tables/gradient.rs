//! The gradient of the loss, in fixed point: sums over many positions are the same in any order.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use tesuji_shogi::{Color, Position};

use super::fitted::{Fitted, WHOLE};

/// Units of the sums in one.
const ONE: f64 = (1_u64 << 40) as f64;

/// A sum in fixed point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sum(i64);

impl Sum {
    /// Adds a fraction.
    #[inline]
    pub fn add(&mut self, value: f64) {
        self.0 += (value * ONE) as i64;
    }

    /// The sum.
    pub fn get(self) -> f64 {
        self.0 as f64 / ONE
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: Self) {
        self.0 += other.0;
    }
}

/// What was counted beside the gradient.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Positions whose move was compared with its rivals.
    pub compared: u64,
    /// Those in which no rival scored more.
    pub predicted: u64,
    /// The sum of the losses of the comparisons.
    pub comparison_loss: Sum,
    /// Positions whose score was compared with the result of the game.
    pub judged: u64,
    /// Those in which the side with the better score won.
    pub result_predicted: u64,
    /// The sum of the log-losses of results.
    pub result_loss: Sum,
}

impl Tally {
    /// Prediction accuracy: the share of positions in which no rival scored more than the move that
    /// was played.
    pub fn accuracy(&self) -> f64 {
        self.predicted as f64 / self.compared.max(1) as f64
    }

    /// The share of the positions in which the side with the better score won.
    pub fn result_accuracy(&self) -> f64 {
        self.result_predicted as f64 / self.judged.max(1) as f64
    }

    /// The loss of a comparison: about how many rivals score more.
    pub fn mean_comparison_loss(&self) -> f64 {
        self.comparison_loss.get() / self.compared.max(1) as f64
    }

    /// The mean log-loss of a result.
    pub fn mean_result_loss(&self) -> f64 {
        self.result_loss.get() / self.judged.max(1) as f64
    }

    /// Adds another part of the count.
    pub fn merge(&mut self, other: &Self) {
        self.compared += other.compared;
        self.predicted += other.predicted;
        self.comparison_loss.merge(other.comparison_loss);
        self.judged += other.judged;
        self.result_predicted += other.result_predicted;
        self.result_loss.merge(other.result_loss);
    }
}

/// The gradient of the loss by cell: for each table its cells, then the bonus for the side to move.
pub struct Gradient<M> {
    tables: Vec<Vec<Sum>>,
    /// What was counted.
    pub tally: Tally,
    of: PhantomData<M>,
}

impl<M: Fitted> Default for Gradient<M> {
    fn default() -> Self {
        let tables = M::parts().iter().map(|_| vec![Sum::default(); M::CELLS + 1]).collect();
        Self { tables, tally: Tally::default(), of: PhantomData }
    }
}

impl<M: Fitted> Gradient<M> {
    /// Adds what a change of the score of a leaf does to the loss; the score is in the view of
    /// `player`.
    pub fn add_leaf(&mut self, leaf: &Position, player: Color, derivative: f64) {
        for (sums, share) in self.tables.iter_mut().zip(M::shares(leaf)) {
            if share == 0 {
                continue;
            }
            let derivative = derivative * f64::from(share) / f64::from(WHOLE);
            for (owner, derivative) in [(player, derivative), (!player, -derivative)] {
                M::for_each_cell(leaf, owner, |cell| sums[cell].add(derivative));
            }
            let on_move = if leaf.side_to_move() == player { derivative } else { -derivative };
            sums[M::CELLS].add(on_move);
        }
    }

    /// Adds another part of the sum.
    pub fn merge(mut self, other: &Self) -> Self {
        for (sums, more) in self.tables.iter_mut().flatten().zip(other.tables.iter().flatten()) {
            sums.merge(*more);
        }
        self.tally.merge(&other.tally);
        self
    }

    /// The sums of each table, one for each cell.
    pub fn tables(&self) -> &[Vec<Sum>] {
        &self.tables
    }
}

#[cfg(test)]
mod tests {
    use tesuji_eval::progress::Progress;
    use tesuji_eval::{PhaseTables, PieceTables};

    use super::*;

    /// The gradient times all cells, for each table.
    fn products<M: Fitted>(model: &M, leaf: &Position, player: Color, derivative: f64) -> Vec<f64> {
        let mut gradient = Gradient::<M>::default();
        gradient.add_leaf(leaf, player, derivative);
        let product = |(sums, tables): (&Vec<Sum>, &PieceTables)| {
            let (tempo, cells) = sums.split_last().unwrap();
            let worth = cells.iter().zip(tables.cells());
            let board: f64 = worth.map(|(sum, &cell)| sum.get() * f64::from(cell)).sum();
            board + tempo.get() * f64::from(tables.tempo())
        };
        gradient.tables().iter().zip(model.tables()).map(product).collect()
    }

    fn leaf() -> Position {
        let text = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        Position::from_sfen(text).unwrap()
    }

    #[test]
    fn gradients_times_cells_are_the_score() {
        let (tables, leaf) = (PieceTables::named("tables").unwrap(), leaf());
        for (player, sign) in [(Color::White, 1.0), (Color::Black, -1.0)] {
            let sum: f64 = products(&tables, &leaf, player, 0.5).iter().sum();
            assert_eq!(2.0 * sum, sign * f64::from(tables.score(&leaf)));
        }
    }

    #[test]
    fn each_phase_has_its_share_of_the_gradient() {
        let tables = PhaseTables::named("phase").unwrap();
        let opening = Position::startpos();
        // A silver in hand and three squares by the king attacked: some of both.
        let middle =
            "ln1g3nl/1ks1g1r2/1pppppb1p/p5pp1/9/P1PPP1P1P/1P1S1P3/1BKG1S3/LN1G3RL b NPs 35";
        let middle = Position::from_sfen(middle).unwrap();
        for leaf in [opening, middle, leaf()] {
            let progress = Progress::near_kings(&leaf);
            let (player, p) = (leaf.side_to_move(), progress.overall());
            let scores = [tables.opening(), tables.endgame()].map(|part| part.score(&leaf));
            let expected = [(1.0 - p) * f64::from(scores[0]), p * f64::from(scores[1])];
            let found = products(&tables, &leaf, player, 0.5);
            assert_eq!([2.0 * found[0], 2.0 * found[1]], expected);
            let sum = 2.0 * (found[0] + found[1]);
            assert!((sum - f64::from(tables.score(&leaf))).abs() <= 0.5, "{sum}");
        }
    }

    #[test]
    fn parts_add_up_in_any_order() {
        let mut parts = [Sum::default(); 2];
        let values = [0.1, 1e-9, -0.3, 0.7];
        values.iter().for_each(|&value| parts[0].add(value));
        values.iter().rev().for_each(|&value| parts[1].add(value));
        assert_eq!(parts[0], parts[1]);
        assert!((parts[0].get() - 0.500_000_001).abs() < 1e-11);
    }
}
