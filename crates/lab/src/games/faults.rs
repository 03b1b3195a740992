//! What engines did wrong.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tesuji_arena::{FaultKind, GameLine};

/// Faults of all games so far, by engine and kind. Engines have the numbers of the journal.
#[derive(Default)]
pub struct Faults(BTreeMap<(usize, FaultKind), u64>);

impl Faults {
    /// Counts the fault of a game, if there was one.
    pub fn add(&mut self, line: &GameLine) {
        if let Some(fault) = line.at_fault() {
            *self.0.entry(fault).or_default() += 1;
        }
    }

    /// All faults.
    pub fn count(&self) -> u64 {
        self.0.values().sum()
    }

    /// The faults of an engine.
    pub fn count_of(&self, engine: usize) -> u64 {
        self.of(engine).map(|(_, count)| count).sum()
    }

    /// All faults as a JSON object from kinds to counts, without kinds that did not happen.
    pub fn by_kind(&self) -> Value {
        by_kind(self.0.iter().map(|(&(_, kind), &count)| (kind, count)))
    }

    /// The faults of an engine in the same way.
    pub fn by_kind_of(&self, engine: usize) -> Value {
        by_kind(self.of(engine))
    }

    fn of(&self, engine: usize) -> impl Iterator<Item = (FaultKind, u64)> {
        let of_engine = self.0.iter().filter(move |((number, _), _)| *number == engine);
        of_engine.map(|(&(_, kind), &count)| (kind, count))
    }
}

fn by_kind(faults: impl Iterator<Item = (FaultKind, u64)>) -> Value {
    let mut sums: BTreeMap<FaultKind, u64> = BTreeMap::new();
    for (kind, count) in faults {
        *sums.entry(kind).or_default() += count;
    }
    sums.into_iter().map(|(kind, count)| (kind.name().to_owned(), json!(count))).collect()
}
