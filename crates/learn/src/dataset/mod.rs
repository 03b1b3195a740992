//! Labelled positions in memory: for every legal move the features of the position it leads to.
//!
//! Which move scores best depends only on differences between the moves of a position. Each row is
//! therefore kept as its differences to the row of the master's move, and only those that are not
//! zero: about 41 bytes for the 74 features of the thesis.

mod column;
mod shard;
mod weighting;

use std::time::{Duration, Instant};

pub use column::Column;
use rayon::prelude::*;
pub use shard::Entry;
use shard::{LegalMoves, Shard};
use tesuji_eval::FeatureSet;
use tesuji_records::Sample;
use tesuji_shogi::Move;
pub use weighting::Weighting;

use crate::{MoveClass, MoveOrder};

/// Positions that one thread works on at a time. The results of a computation may not depend on
/// the number of threads, but sums of real numbers depend on this. A word has a bit for each.
pub(crate) const SHARD: usize = u64::BITS as usize;

/// How long the parts of [`Dataset::build`] took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BuildTimes {
    /// Finding and sorting the legal moves.
    pub legal_moves: Duration,
    /// Playing each of them, working out the features, packing.
    pub features: Duration,
}

/// Labelled positions with the features after each of their legal moves.
#[derive(Clone)]
pub struct Dataset {
    set: FeatureSet,
    order: MoveOrder,
    shards: Vec<Shard>,
    columns: Vec<Column>,
    positions: usize,
    rows: usize,
    illegal: usize,
    largest_row: u64,
    times: BuildTimes,
}

/// A position of a [`Dataset`].
#[derive(Clone, Copy)]
pub struct Labelled<'a> {
    shard: &'a Shard,
    labelled: shard::Labelled,
}

impl<'a> Labelled<'a> {
    /// Positions with the same board, hands and side to move have the same number.
    pub fn group(&self) -> u64 {
        self.labelled.group
    }

    /// The kind of the master's move.
    pub fn class(&self) -> MoveClass {
        self.labelled.class
    }

    /// How much it counts when weights are selected.
    pub fn weight(&self) -> u8 {
        self.labelled.weight
    }

    /// The number of the master's move among the legal moves; `None` if it is not among them.
    pub fn master(&self) -> Option<usize> {
        self.labelled.master.map(usize::from)
    }

    /// The legal moves in order.
    pub fn moves(&self) -> &'a [Move] {
        let first = self.labelled.first_row as usize;
        &self.shard.moves[first..first + usize::from(self.labelled.rows)]
    }

    /// How the features after the move with this number differ from those after the master's move,
    /// or the first one if the master's is illegal.
    #[inline]
    pub fn row(&self, number: usize) -> &'a [Entry] {
        self.shard.row(self.labelled.first_row as usize + number)
    }

    /// The same as one number a feature, without its packing.
    pub fn differences(&self, number: usize, width: usize) -> Vec<i32> {
        let mut row = vec![0; width.next_multiple_of(2)];
        for entry in self.row(number) {
            let first = 2 * usize::from(entry.pair);
            row[first] += i32::from(entry.differences[0]);
            row[first + 1] += i32::from(entry.differences[1]);
        }
        row.truncate(width);
        row
    }

    /// The score of each legal move, less that of the master's (or first) move. These are weights
    /// as they are multiplied: see [`FeatureSet::effective_weights`].
    pub fn scores(&self, effective: &[i32]) -> Vec<i64> {
        let product = |entry: &Entry| {
            let pair = effective[2 * usize::from(entry.pair)..].iter().zip(entry.differences);
            pair.take(2).map(|(&weight, value)| i64::from(weight) * i64::from(value)).sum::<i64>()
        };
        (0..self.moves().len()).map(|row| self.row(row).iter().map(product).sum()).collect()
    }
}

impl Dataset {
    /// Works out all rows: what each legal move changes, beside the move of the sample. A sample
    /// without a legal move of its own can never be solved. It works on the threads of the current pool. Any number of threads gives the
    /// same bytes.
    pub fn build(set: &FeatureSet, samples: &[Sample], order: MoveOrder) -> Self {
        let start = Instant::now();
        let legal: Vec<LegalMoves> =
            samples.par_chunks(SHARD).map(|samples| LegalMoves::new(samples, order)).collect();
        let legal_moves = start.elapsed();
        let start = Instant::now();
        let built: Vec<(Shard, Vec<Column>)> = samples
            .par_chunks(SHARD)
            .zip(legal)
            .map(|(samples, legal)| {
                let mut columns = vec![Column::default(); set.len()];
                (Shard::build(set, samples, &legal, &mut columns), columns)
            })
            .collect();
        let mut columns = vec![Column::default(); set.len()];
        let mut shards = Vec::with_capacity(built.len());
        for (shard, of_shard) in built {
            columns.iter_mut().zip(&of_shard).for_each(|(all, one)| all.merge(one));
            shards.push(shard);
        }
        let times = BuildTimes { legal_moves, features: start.elapsed() };
        Self::of_shards(set.clone(), order, shards, columns, times)
    }

    fn of_shards(
        set: FeatureSet,
        order: MoveOrder,
        shards: Vec<Shard>,
        columns: Vec<Column>,
        times: BuildTimes,
    ) -> Self {
        let positions = shards.iter().map(|shard| shard.positions.len()).sum();
        let rows = shards.iter().map(|shard| shard.moves.len()).sum();
        let illegal = shards
            .iter()
            .flat_map(|shard| &shard.positions)
            .filter(|position| position.master.is_none())
            .count();
        let largest_row = shards.par_iter().map(largest_row).max().unwrap_or(0);
        Self { set, order, shards, columns, positions, rows, illegal, largest_row, times }
    }

    /// Some of the positions, in the order given. Statistics of features stay those of the whole.
    pub fn select(&self, positions: &[usize]) -> Self {
        self.gather(positions, |_| true)
    }

    /// Some of the positions with some of their moves; the master's must be among them.
    fn gather(&self, positions: &[usize], keep: impl Fn(Move) -> bool + Sync) -> Self {
        let shards = positions
            .par_chunks(SHARD)
            .map(|chunk| {
                let mut shard = Shard::default();
                for &position in chunk {
                    shard.push_from(&self.shards[position / SHARD], position % SHARD, &keep);
                }
                shard
            })
            .collect();
        let times = BuildTimes::default();
        Self::of_shards(self.set.clone(), self.order, shards, self.columns.clone(), times)
    }

    /// The positions in which the master's move is legal and of this kind, with the moves of this
    /// kind alone. Statistics of features stay those of the whole.
    pub fn only(&self, class: MoveClass) -> Self {
        let of_class = |&number: &usize| {
            let position = self.position(number);
            position.class() == class && position.master().is_some()
        };
        let numbers: Vec<usize> = (0..self.len()).filter(of_class).collect();
        self.gather(&numbers, |mv| MoveClass::of(mv) == class)
    }

    /// The features.
    pub fn set(&self) -> &FeatureSet {
        &self.set
    }

    /// The order of the moves of a position.
    pub fn order(&self) -> MoveOrder {
        self.order
    }

    /// How many labelled positions there are, those with an illegal move among them.
    pub fn len(&self) -> usize {
        self.positions
    }

    /// Is there no position?
    pub fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// How many resulting positions there are: legal moves of all positions.
    pub fn resulting_positions(&self) -> usize {
        self.rows
    }

    /// How many positions have an illegal move for the master's. Nobody can solve them.
    pub fn illegal_rows(&self) -> usize {
        self.illegal
    }

    /// Statistics of each feature.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// How long building took.
    pub fn times(&self) -> BuildTimes {
        self.times
    }

    /// The memory that the rows take.
    pub fn bytes(&self) -> usize {
        self.shards.iter().map(Shard::bytes).sum()
    }

    /// A position by its number.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn position(&self, number: usize) -> Labelled<'_> {
        let shard = &self.shards[number / SHARD];
        Labelled { shard, labelled: shard.positions[number % SHARD] }
    }

    /// All positions in order.
    pub fn positions(&self) -> impl Iterator<Item = Labelled<'_>> {
        (0..self.shards.len()).flat_map(|number| self.shard(number))
    }

    /// How many shards there are: groups of positions that one thread works on at a time.
    pub(crate) fn shards(&self) -> usize {
        self.shards.len()
    }

    /// The positions of a shard.
    pub(crate) fn shard(&self, number: usize) -> impl Iterator<Item = Labelled<'_>> {
        let shard = &self.shards[number];
        shard.positions.iter().map(move |&labelled| Labelled { shard, labelled })
    }

    /// The largest sum of a row's differences, signs left out.
    pub(crate) fn largest_row(&self) -> u64 {
        self.largest_row
    }
}

fn largest_row(shard: &Shard) -> u64 {
    let sum = |entries: &[Entry]| {
        entries
            .iter()
            .flat_map(|entry| entry.differences)
            .map(|d| u64::from(d.unsigned_abs()))
            .sum()
    };
    (0..shard.moves.len()).map(|row| sum(shard.row(row))).max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
