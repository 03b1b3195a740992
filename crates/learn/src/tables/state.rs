//! Checkpoints: a training as a file between two passes, from which it goes on to the same bytes.

use serde::{Deserialize, Serialize};

use super::{Fitted, Pass, TableTrainer};
use crate::state;

/// What is written before the numbers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    steps: usize,
    best_cost: f64,
    history: Vec<Pass>,
}

impl<M: Fitted> TableTrainer<'_, M> {
    /// All that decides how the training goes on.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { steps, best_cost, .. } = *self;
        let head = Head { steps, best_cost, history: self.history.clone() };
        let [means, squares] = self.optimiser.means();
        state::to_bytes(&head, &[&self.parameters, means, squares, &self.best])
    }

    /// Goes on from where [`TableTrainer::to_bytes`] was called; `None` if the bytes are not those
    /// of such a training.
    #[must_use]
    pub fn resumed(mut self, bytes: &[u8]) -> Option<Self> {
        let (head, lists): (Head, _) = state::from_bytes(bytes, self.parameters.len())?;
        let (means, squares);
        [self.parameters, means, squares, self.best] = lists;
        self.optimiser.restore(means, squares);
        (self.steps, self.best_cost, self.history) = (head.steps, head.best_cost, head.history);
        Some(self)
    }
}
