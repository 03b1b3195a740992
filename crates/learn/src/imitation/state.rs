//! Checkpoints: a training as a file between two passes, from which it goes on to the same bytes.

use serde::{Deserialize, Serialize};

use super::{Chooser, Imitator, MovePass};
use crate::state;

/// What is written before the numbers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    history: Vec<MovePass>,
}

impl<M: Chooser> Imitator<'_, M> {
    /// All that decides how the training goes on.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = Head { history: self.history.clone() };
        state::to_bytes(&head, &[&self.parameters, self.optimiser.squares(), &self.best])
    }

    /// Goes on from where [`Imitator::to_bytes`] was called; `None` if the bytes are not those of
    /// such a training.
    #[must_use]
    pub fn resumed(mut self, bytes: &[u8]) -> Option<Self> {
        let (head, lists): (Head, _) = state::from_bytes(bytes, self.parameters.len())?;
        let squares;
        [self.parameters, squares, self.best] = lists;
        self.optimiser.restore(squares);
        self.history = head.history;
        Some(self)
    }
}
