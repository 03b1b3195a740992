//! How much each position counts when weights are selected.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::Dataset;

/// How much each position counts when organisms are selected and weights are fitted. Reports count
/// positions, whatever their weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weighting {
    /// All alike.
    #[default]
    Equal,
    /// Copies of the same board count together as much as a position without a copy.
    Distinct,
    /// By the kind of the master's move, in the order of [`crate::MoveClass::ALL`]; with 0 it does
    /// not count at all.
    Class([u8; 3]),
}

/// What a board counts with all of its copies: many numbers divide it.
const SHARED: usize = 240;

impl Dataset {
    /// Gives each position a weight.
    #[must_use]
    pub fn weigh(mut self, weighting: Weighting) -> Self {
        let mut copies: HashMap<u64, usize> = HashMap::new();
        if weighting == Weighting::Distinct {
            self.positions().for_each(|position| *copies.entry(position.group()).or_default() += 1);
        }
        for position in self.shards.iter_mut().flat_map(|shard| &mut shard.positions) {
            position.weight = match weighting {
                Weighting::Equal => 1,
                Weighting::Distinct => {
                    let copies = copies[&position.group];
                    ((SHARED + copies / 2) / copies).max(1) as u8
                }
                Weighting::Class(weights) => weights[position.class.index()],
            };
        }
        self
    }

    /// Does a position count more than another, or not at all?
    pub fn is_weighted(&self) -> bool {
        self.positions().any(|position| position.weight() != 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MoveClass, testing};

    #[test]
    fn copies_count_once_together() {
        let data = testing::dataset(30);
        // Ten boards once, ten twice and ten thrice; one of them 300 times more.
        let numbers: Vec<usize> = (0..30).chain(10..30).chain(20..30).chain([29; 300]).collect();
        let data = data.select(&numbers).weigh(Weighting::Distinct);
        let weight = |number| data.position(number).weight();
        assert!(data.is_weighted());
        assert_eq!((weight(0), weight(10), weight(20), weight(29)), (240, 120, 80, 1));
        assert_eq!(weight(50), 80, "a copy has the same weight");
        assert!(!data.weigh(Weighting::Equal).is_weighted());
    }

    #[test]
    fn weights_go_by_kind_and_are_kept() {
        let data = testing::dataset(80).weigh(Weighting::Class([1, 7, 3]));
        let kept = data.select(&(0..80).rev().collect::<Vec<_>>());
        for position in data.positions().chain(kept.positions()) {
            assert_eq!(position.weight(), [1, 7, 3][position.class().index()]);
        }
        assert!(data.positions().any(|position| position.class() == MoveClass::Drop));
    }
}
