//! The transposition table: what is known of positions that were searched before.
//!
//! Threads share it without locks. An entry is two numbers, the second mixed into the first, so
//! that an entry whose halves come from different writers is not recognised.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use tesuji_shogi::Move;

use super::prefetch::prefetch;
use crate::score::Bound;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The best move, if one was found.
    pub mv: Option<Move>,
    /// The score, counted from the position itself.
    pub score: i32,
    /// The evaluation of the position.
    pub eval: i32,
    /// How deep it was searched, in quarters of a ply.
    pub depth: i32,
    /// What the score says.
    pub bound: Bound,
}

#[derive(Default)]
struct Cell {
    /// The key, mixed with the data.
    check: AtomicU64,
    data: AtomicU64,
}

/// Entries that a position may have; one line of the cache.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Cell; 4]);

/// The table.
pub struct Table {
    buckets: Vec<Bucket>,
    /// The number of the search, to tell old entries.
    age: AtomicU8,
}

/// Ages are counted modulo this.
const AGES: u8 = 64;
fn pack(known: &TtEntry, age: u8) -> u64 {
    let mv = u64::from(known.mv.map_or(0, Move::to_u16));
    let score = u64::from(known.score as i16 as u16);
    let eval = u64::from(known.eval as i16 as u16);
    // Whole plies are enough.
    let depth = (known.depth / 4).clamp(0, 255) as u64;
    mv | score << 16 | eval << 32 | depth << 48 | (known.bound as u64) << 56 | u64::from(age) << 58
}

fn unpack(data: u64) -> TtEntry {
    TtEntry {
        mv: Move::from_u16(data as u16),
        score: i32::from((data >> 16) as i16),
        eval: i32::from((data >> 32) as i16),
        depth: (data >> 48 & 255) as i32 * 4,
        bound: Bound::from_bits(data >> 56),
    }
}

fn age_of(data: u64) -> u8 {
    (data >> 58) as u8
}

impl Table {
    /// A table of at most this many mebibytes, and at least one bucket, for which there must be
    /// memory.
    pub fn new(mebibytes: usize) -> Self {
        Self::try_new(mebibytes).expect("there is memory for the table")
    }

    /// The same, or an error where there is no memory for it.
    pub fn try_new(mebibytes: usize) -> Result<Self, TryReserveError> {
        let count = ((mebibytes << 20) / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count)?;
        buckets.resize_with(count, Bucket::default);
        Ok(Self { buckets, age: AtomicU8::new(0) })
    }

    /// A table that keeps nothing.
    pub fn none() -> Self {
        Self { buckets: Vec::new(), age: AtomicU8::new(0) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for cell in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
            *cell = Cell::default();
        }
        self.age = AtomicU8::new(0);
    }

    /// Tells that a new search begins: entries of earlier ones make room first.
    pub fn next_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    fn bucket(&self, key: u64) -> Option<&Bucket> {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        self.buckets.get(index as usize)
    }

    /// Tells that the position with this key will be asked for soon.
    #[inline]
    pub(crate) fn expect(&self, key: u64) {
        if let Some(bucket) = self.bucket(key) {
            prefetch(bucket);
        }
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        for cell in &self.bucket(key)?.0 {
            let data = cell.data.load(Ordering::Relaxed);
            if cell.check.load(Ordering::Relaxed) ^ data == key && data != 0 {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Keeps what is known of a position. Of the same position a deeper result stays, unless the
    /// new one is exact; otherwise the oldest and shallowest entry makes room.
    #[inline]
    pub fn store(&self, key: u64, known: TtEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let Some(bucket) = self.bucket(key) else { return };
        let mut place = &bucket.0[0];
        let mut least = i32::MAX;
        let mut known = known;
        for cell in &bucket.0 {
            let data = cell.data.load(Ordering::Relaxed);
            if data == 0 {
                if least > i32::MIN {
                    (place, least) = (cell, i32::MIN);
                }
                continue;
            }
            let old = unpack(data);
            if cell.check.load(Ordering::Relaxed) ^ data == key {
                if known.bound != Bound::Exact
                    && age_of(data) == age
                    && known.depth + 12 < old.depth
                    && old.bound != Bound::None
                {
                    return;
                }
                known.mv = known.mv.or(old.mv);
                place = cell;
                break;
            }
            let years = i32::from((age + AGES - age_of(data)) % AGES);
            let worth = old.depth - 32 * years;
            if worth < least {
                (place, least) = (cell, worth);
            }
        }
        let data = pack(&known, age);
        place.data.store(data, Ordering::Relaxed);
        place.check.store(key ^ data, Ordering::Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let cells = sample.iter().flat_map(|bucket| &bucket.0);
        let used = cells
            .map(|cell| cell.data.load(Ordering::Relaxed))
            .filter(|&data| data != 0 && age_of(data) == age)
            .count();
        (used * 1000 / (sample.len() * 4).max(1)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(score: i32, depth: i32, bound: Bound) -> TtEntry {
        TtEntry { mv: "7g7f".parse().ok(), score, eval: -12, depth, bound }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1);
        assert_eq!(size_of_val(&table.buckets[..]), 1 << 20);
        assert_eq!(table.probe(77), None);
        for (i, bound) in [Bound::Upper, Bound::Lower, Bound::Exact].into_iter().enumerate() {
            let entry = known(-31_000 + i as i32, 4 * i as i32, bound);
            let key = 0x1234_5678_9abc_def0 + i as u64;
            table.store(key, entry);
            assert_eq!(table.probe(key), Some(entry));
        }
    }

    #[test]
    fn a_result_without_a_move_keeps_the_old_move() {
        let table = Table::new(1);
        table.store(5, known(10, 8, Bound::Lower));
        table.store(5, TtEntry { mv: None, ..known(20, 12, Bound::Upper) });
        assert_eq!(table.probe(5).unwrap().mv, "7g7f".parse().ok());
        assert_eq!(table.probe(5).unwrap().score, 20);
    }

    #[test]
    fn old_and_shallow_entries_make_room() {
        let table = Table::new(0);
        for key in 1..=4 {
            table.store(key, known(key as i32, 4 * key as i32, Bound::Exact));
        }
        table.store(9, known(9, 4, Bound::Exact));
        assert!(table.probe(1).is_none() && table.probe(2).is_some() && table.probe(9).is_some());
        assert_eq!(table.hashfull(), 1000);
        table.next_search();
        assert_eq!(table.hashfull(), 0);
    }
}
