//! A training as a file between two passes, from which it goes on to the same bytes.

use serde::{Deserialize, Serialize};

use super::{Chooser, Imitator, MovePass};

/// What is written before the numbers, on one line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    history: Vec<MovePass>,
}

impl<M: Chooser> Imitator<'_, M> {
    /// All that decides how the training goes on.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = Head { history: self.history.clone() };
        let mut bytes = serde_json::to_vec(&head).expect("numbers can be written");
        bytes.push(b'\n');
        for list in [&self.parameters, &self.squares, &self.best] {
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    /// Goes on from where [`Imitator::to_bytes`] was called; `None` if the bytes are not those of
    /// such a training.
    #[must_use]
    pub fn resumed(mut self, bytes: &[u8]) -> Option<Self> {
        let line = bytes.iter().position(|&byte| byte == b'\n')?;
        let head: Head = serde_json::from_slice(&bytes[..line]).ok()?;
        let numbers = &bytes[line + 1..];
        let count = self.parameters.len();
        if numbers.len() != 3 * 4 * count {
            return None;
        }
        let mut read = numbers
            .chunks_exact(4)
            .map(|chunk| f32::from_le_bytes(chunk.try_into().unwrap_or_default()));
        let mut list = || -> Vec<f32> { read.by_ref().take(count).collect() };
        (self.parameters, self.squares, self.best) = (list(), list(), list());
        self.history = head.history;
        Some(self)
    }
}
