//! The gradient of the loss, in fixed point: sums over many positions are the same in any order.

use serde::{Deserialize, Serialize};
use tesuji_eval::tables::for_each_cell;
use tesuji_eval::tables::parts::ALL_CELLS;
use tesuji_shogi::{Color, Position};

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

/// The gradient of the loss by cell, the bonus for the side to move last.
pub struct Gradient {
    cells: Vec<Sum>,
    /// What was counted.
    pub tally: Tally,
}

impl Default for Gradient {
    fn default() -> Self {
        Self { cells: vec![Sum::default(); ALL_CELLS + 1], tally: Tally::default() }
    }
}

impl Gradient {
    /// Adds what a change of the score of a leaf does to the loss; the score is in the view of
    /// `player`.
    pub fn add_leaf(&mut self, leaf: &Position, player: Color, derivative: f64) {
        for (owner, derivative) in [(player, derivative), (!player, -derivative)] {
            for_each_cell(leaf, owner, |cell| self.cells[cell].add(derivative));
        }
        let on_move = if leaf.side_to_move() == player { derivative } else { -derivative };
        self.cells[ALL_CELLS].add(on_move);
    }

    /// Adds another part of the sum.
    pub fn merge(mut self, other: &Self) -> Self {
        for (cell, &more) in self.cells.iter_mut().zip(&other.cells) {
            cell.merge(more);
        }
        self.tally.merge(&other.tally);
        self
    }

    /// The sums, one for each cell.
    pub fn cells(&self) -> &[Sum] {
        &self.cells
    }
}

#[cfg(test)]
mod tests {
    use tesuji_eval::PieceTables;

    use super::*;

    #[test]
    fn gradients_times_cells_are_the_score() {
        let tables = PieceTables::named("tables").unwrap();
        let text = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        let leaf = Position::from_sfen(text).unwrap();
        for (player, sign) in [(Color::White, 1.0), (Color::Black, -1.0)] {
            let mut gradient = Gradient::default();
            gradient.add_leaf(&leaf, player, 0.5);
            let (tempo, cells) = gradient.cells().split_last().unwrap();
            let board: f64 =
                cells.iter().zip(tables.cells()).map(|(s, &cell)| s.get() * f64::from(cell)).sum();
            let sum = board + tempo.get() * f64::from(tables.tempo());
            assert_eq!(2.0 * sum, sign * f64::from(tables.score(&leaf)));
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
