//! A training as a file between two passes, from which it goes on to the same bytes.

use serde::{Deserialize, Serialize};

use super::{Pass, TableTrainer};

/// What is written before the numbers, on one line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    steps: usize,
    best_cost: f64,
    history: Vec<Pass>,
}

impl TableTrainer<'_> {
    /// All that decides how the training goes on.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head =
            Head { steps: self.steps, best_cost: self.best_cost, history: self.history.clone() };
        let mut bytes = serde_json::to_vec(&head).expect("numbers can be written");
        bytes.push(b'\n');
        for list in [&self.parameters, &self.slopes, &self.squares, &self.best] {
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    /// Goes on from where [`TableTrainer::to_bytes`] was called; `None` if the bytes are not those of
    /// such a training.
    #[must_use]
    pub fn resumed(mut self, bytes: &[u8]) -> Option<Self> {
        let line = bytes.iter().position(|&byte| byte == b'\n')?;
        let head: Head = serde_json::from_slice(&bytes[..line]).ok()?;
        let numbers = &bytes[line + 1..];
        let count = self.parameters.len();
        if numbers.len() != 4 * 4 * count {
            return None;
        }
        let mut read = numbers
            .chunks_exact(4)
            .map(|chunk| f32::from_le_bytes(chunk.try_into().unwrap_or_default()));
        let mut list = || -> Vec<f32> { read.by_ref().take(count).collect() };
        (self.parameters, self.slopes, self.squares, self.best) = (list(), list(), list(), list());
        (self.steps, self.best_cost, self.history) = (head.steps, head.best_cost, head.history);
        Some(self)
    }
}
