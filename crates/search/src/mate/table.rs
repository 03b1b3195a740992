//! What the solver knows of positions, in bounded memory.

use std::collections::TryReserveError;

use tesuji_shogi::{Hand, Move};

/// Proof and disproof numbers from here on are as good as infinite.
pub(super) const INFINITE: u32 = 1 << 30;

/// A length that no mate has: the search is not limited.
pub(super) const UNLIMITED: u16 = u16::MAX;

/// Where a position is kept: the board with the side to move, and what the attacker holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub key: u64,
    pub hand: Hand,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// There is a mate within `length` plies for every hand that covers `needs`.
    Mate { length: u16, needs: Hand, mv: Option<Move> },
    /// There is no mate within `length` plies for any hand that `allows` covers.
    NoMate { length: u16, allows: Hand },
    /// Neither, as far as the search went.
    Open { pn: u32, dn: u32 },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Kind {
    Open,
    Mate,
    NoMate,
}

/// 32 bytes, two to a cache line.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    hand: Hand,
    pn: u32,
    dn: u32,
    /// How many nodes were searched for this.
    work: u32,
    length: u16,
    /// The move that mates.
    mv: Option<Move>,
    generation: u8,
    kind: Kind,
}

/// A board's entries are looked for in this many neighbours.
const BUCKET: usize = 16;

/// The table. Every entry carries the generation in which it was written, so that forgetting
/// everything takes no time.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
    buckets: usize,
    generation: u8,
}

impl Table {
    /// A table of at most this many MiB, but at least one bucket.
    pub fn try_new(mib: usize) -> Result<Self, TryReserveError> {
        let buckets = ((mib << 20) / (BUCKET * size_of::<Entry>())).max(1);
        let mut entries = Vec::new();
        entries.try_reserve_exact(buckets * BUCKET)?;
        entries.resize(buckets * BUCKET, Entry::NONE);
        Ok(Self { entries, buckets, generation: 1 })
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.entries.fill(Entry::NONE);
            self.generation = 1;
        }
    }

    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let start = ((u128::from(key) * self.buckets as u128) >> 64) as usize * BUCKET;
        start..start + BUCKET
    }

    /// What is known of a position when a mate must come within `length` plies.
    pub fn look_up(&self, place: Place, length: u16) -> Option<Known> {
        let mut open = None;
        for entry in &self.entries[self.bucket(place.key)] {
            // Buckets fill from the front, and nothing is taken out of them.
            if entry.generation != self.generation {
                break;
            }
            if entry.key != place.key {
                continue;
            }
            match entry.kind {
                Kind::Mate if entry.length <= length && place.hand.covers(entry.hand) => {
                    let Entry { length, hand, mv, .. } = *entry;
                    return Some(Known::Mate { length, needs: hand, mv });
                }
                Kind::NoMate if entry.length >= length && entry.hand.covers(place.hand) => {
                    return Some(Known::NoMate { length: entry.length, allows: entry.hand });
                }
                Kind::Open if entry.length == length && entry.hand == place.hand => {
                    let Entry { pn, dn, .. } = *entry;
                    open = Some(Known::Open { pn, dn });
                }
                _ => {}
            }
        }
        open
    }

    /// Keeps what was found by searching `work` nodes with this limit.
    pub fn store(&mut self, place: Place, limit: u16, known: Known, work: u32) {
        let mut entry = Entry::new(place, limit, known, work, self.generation);
        let bucket = self.bucket(place.key);
        let generation = self.generation;
        let mut victim = bucket.start;
        let mut least = u32::MAX;
        for i in bucket {
            let old = &self.entries[i];
            if old.generation != generation {
                victim = i;
                break;
            }
            if old.replaced_by(&entry) {
                entry.work = entry.work.saturating_add(old.work);
                victim = i;
                break;
            }
            if old.work < least {
                least = old.work;
                victim = i;
            }
        }
        self.entries[victim] = entry;
    }
}

impl Entry {
    const NONE: Self = Self {
        key: 0,
        hand: Hand::EMPTY,
        pn: 0,
        dn: 0,
        work: 0,
        length: 0,
        mv: None,
        generation: 0,
        kind: Kind::Open,
    };

    fn new(place: Place, limit: u16, known: Known, work: u32, generation: u8) -> Self {
        let entry = Self { key: place.key, work, generation, ..Self::NONE };
        match known {
            Known::Mate { length, needs, mv } => {
                Self { kind: Kind::Mate, hand: needs, length, mv, ..entry }
            }
            Known::NoMate { length, allows } => {
                Self { kind: Kind::NoMate, hand: allows, length, ..entry }
            }
            Known::Open { pn, dn } => Self { hand: place.hand, length: limit, pn, dn, ..entry },
        }
    }

    /// Does the newer entry say all that this one does?
    fn replaced_by(&self, newer: &Self) -> bool {
        if self.key != newer.key {
            return false;
        }
        match (newer.kind, self.kind) {
            (Kind::Mate, Kind::Mate) => self.hand.covers(newer.hand) && newer.length <= self.length,
            (Kind::NoMate, Kind::NoMate) => {
                newer.hand.covers(self.hand) && newer.length >= self.length
            }
            (Kind::Mate, Kind::Open) => self.hand.covers(newer.hand) && newer.length <= self.length,
            (Kind::NoMate, Kind::Open) => {
                newer.hand.covers(self.hand) && newer.length >= self.length
            }
            (Kind::Open, Kind::Open) => self.hand == newer.hand && self.length == newer.length,
            _ => false,
        }
    }
}

/// Positions that have no mate only because of what was played before: every way to a mate runs
/// into a repetition. Such a disproof holds on the same path alone, so it is kept by the path.
#[derive(Debug)]
pub(super) struct LoopTable {
    entries: Vec<LoopEntry>,
    generation: u32,
}

#[derive(Clone, Copy, Debug)]
struct LoopEntry {
    path: u64,
    generation: u32,
    /// The ply of the earliest position that is repeated.
    since: i32,
}

impl LoopTable {
    const SIZE: usize = 1 << 14;

    pub fn new() -> Self {
        let none = LoopEntry { path: 0, generation: 0, since: 0 };
        Self { entries: vec![none; Self::SIZE], generation: 1 }
    }

    pub const fn forget(&mut self) {
        self.generation += 1;
    }

    pub fn look_up(&self, path: u64) -> Option<i32> {
        let entry = self.entries[path as usize % Self::SIZE];
        (entry.path == path && entry.generation == self.generation).then_some(entry.since)
    }

    pub fn store(&mut self, path: u64, since: i32) {
        let generation = self.generation;
        self.entries[path as usize % Self::SIZE] = LoopEntry { path, generation, since };
    }
}
