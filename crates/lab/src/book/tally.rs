//! How often moves were played in positions, counted by several threads at once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use tesuji_search::book::{Book, BookMove, Draft};
use tesuji_shogi::{Move, Position};

/// Parts that are locked one by one: threads that count seldom wait for each other.
const SHARDS: usize = 64;

/// The end of a list of moves.
const END: u32 = u32::MAX;

/// Keys of positions are random enough.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A position: where its text is, and the first of its moves.
#[derive(Clone, Copy)]
struct Slot {
    text: usize,
    first: u32,
    length: u16,
    ply: u16,
}

/// A move of a position, and where the next one of the same position is.
#[derive(Clone, Copy)]
struct Counted {
    /// The key of the position after the move.
    child: u64,
    count: u32,
    next: u32,
    mv: Move,
}

/// Some of the positions, about a hundred bytes each.
#[derive(Default)]
struct Shard {
    slots: HashMap<u64, Slot, BuildHasherDefault<KeyHasher>>,
    texts: String,
    moves: Vec<Counted>,
}

impl Shard {
    fn add(&mut self, position: &Position, mv: Move, child: u64) {
        let Self { slots, texts, moves } = self;
        let ply = position.ply();
        let slot = slots.entry(position.key()).or_insert_with(|| {
            let text = texts.len();
            position.write_placement(texts);
            Slot { text, first: END, length: (texts.len() - text) as u16, ply }
        });
        slot.ply = slot.ply.min(ply);
        let mut place = slot.first;
        while place != END {
            let known = &mut moves[place as usize];
            if known.mv == mv {
                known.count = known.count.saturating_add(1);
                return;
            }
            place = known.next;
        }
        let next = std::mem::replace(&mut slot.first, moves.len() as u32);
        moves.push(Counted { child, count: 1, next, mv });
    }

    fn moves_of(&self, slot: Slot) -> impl Iterator<Item = &Counted> {
        let mut place = slot.first;
        std::iter::from_fn(move || {
            let known = self.moves.get(place as usize)?;
            place = known.next;
            Some(known)
        })
    }

    fn text(&self, slot: Slot) -> &str {
        &self.texts[slot.text..slot.text + usize::from(slot.length)]
    }
}

/// What was played, by position. Sums do not depend on who counted first.
pub struct Tally {
    shards: Vec<Mutex<Shard>>,
}

impl Tally {
    /// Nothing was played yet.
    pub fn new() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    /// A move was played, after which the position has this key.
    pub fn add(&self, position: &Position, mv: Move, child: u64) {
        let shard = &self.shards[shard_of(position.key())];
        shard.lock().unwrap_or_else(PoisonError::into_inner).add(position, mv, child);
    }

    /// The book of all moves that were played at least so often.
    pub fn into_book(self, min_count: u32) -> Book {
        let shards: Vec<Shard> = self
            .shards
            .into_iter()
            .map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect();
        let mut kept: Vec<Kept<'_>> = shards
            .par_iter()
            .flat_map_iter(|shard| shard.slots.values().map(move |&slot| (shard, slot)))
            .filter(|(shard, slot)| shard.moves_of(*slot).any(|known| known.count >= min_count))
            .map(|(shard, slot)| Kept { head: head(shard.text(slot)), shard, slot })
            .collect();
        kept.par_sort_unstable_by(|a, b| a.head.cmp(&b.head).then_with(|| a.text().cmp(b.text())));
        let parts = kept.par_chunks(AT_ONCE).map(|some| some_of_book(&shards, some, min_count));
        Book::in_a_row(&parts.collect::<Vec<Book>>())
    }
}

/// Positions that a thread puts into a book before it takes others.
const AT_ONCE: usize = 4096;

/// A position that is frequent enough.
struct Kept<'a> {
    /// The beginning of its text, which nearly always tells two positions apart: texts lie all over
    /// the memory, and to look at them takes longer than all the rest of sorting.
    head: [u64; 4],
    shard: &'a Shard,
    slot: Slot,
}

impl Kept<'_> {
    fn text(&self) -> &str {
        self.shard.text(self.slot)
    }
}

/// The first bytes of a text as numbers that are in the same order.
fn head(text: &str) -> [u64; 4] {
    let mut bytes = text.bytes();
    std::array::from_fn(|_| {
        (0..8).fold(0, |number, _| number << 8 | u64::from(bytes.next().unwrap_or(0)))
    })
}

fn some_of_book(shards: &[Shard], kept: &[Kept<'_>], min_count: u32) -> Book {
    let mut draft = Draft::default();
    for one in kept {
        let often = one.shard.moves_of(one.slot).filter(|known| known.count >= min_count);
        let moves = often.map(|known| BookMove {
            reply: usual_move(shards, known.child, min_count),
            ..BookMove::played(known.mv, known.count)
        });
        draft.add(one.text(), one.slot.ply, moves);
    }
    draft.finish()
}

const fn shard_of(key: u64) -> usize {
    // Bits that a hash table of this size looks at little.
    (key >> 40) as usize % SHARDS
}

/// The move that was played most in the position with this key.
fn usual_move(shards: &[Shard], key: u64, min_count: u32) -> Option<Move> {
    let shard = &shards[shard_of(key)];
    let often = shard.moves_of(*shard.slots.get(&key)?).filter(|known| known.count >= min_count);
    // Of two that were played alike, the one that the book has first.
    let best = often.max_by_key(|known| (known.count, u16::MAX - known.mv.to_u16()));
    best.map(|known| known.mv)
}
