//! What all later steps of a scan go by: for every position its value, and which conditions hold.
//!
//! Games are read and conditions asked once. The answers are kept in a file without a name, which
//! goes with the program, so that memory does not grow with the number of games.

use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, Write};

use anyhow::{Context as _, Result};
use rayon::prelude::*;
use tesuji_eval::condition::{Answers, ConditionSet, Facts};
use tesuji_run::Observer;

use super::super::curve::HalfPoints;
use super::super::values::ValuedGame;
use super::ScanPlan;
use super::base::{BINS, Base, bin_of};
use super::candidates::Candidate;
use super::passes::for_each;

/// Games that are read from the file at once.
const BLOCK: usize = 512;
/// Games that are counted by one thread after the other; their sums are added up in their order, so
/// that the number of threads changes nothing.
const GROUP: usize = 32;
/// The bits of a word.
const BITS: usize = 64;

/// The values of the positions of a game, and the conditions that hold in them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MarkedGame {
    /// Its place among the games, from 0.
    pub number: u64,
    /// What Black got.
    pub result: HalfPoints,
    pub positions: Vec<Marked>,
    /// For each position the conditions that hold for Black, then those that hold for White, a bit
    /// each.
    holds: Vec<u64>,
}

/// A position by its ply, and its value in Black's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Marked {
    pub ply: u32,
    pub value: i32,
}

impl MarkedGame {
    /// Positions, each with the conditions that hold for Black and for White.
    pub fn marks(&self) -> impl Iterator<Item = (Marked, [&[u64]; 2])> {
        let size = self.holds.len() / self.positions.len().max(1);
        self.positions.iter().enumerate().map(move |(place, marked)| {
            let (black, white) = self.holds[place * size..][..size].split_at(size / 2);
            (*marked, [black, white])
        })
    }

    fn write(&self, to: &mut impl Write) -> std::io::Result<()> {
        let sizes = [self.positions.len() as u64, self.holds.len() as u64];
        let head = [self.number, self.result as u64, sizes[0], sizes[1]];
        let mut bytes = Vec::with_capacity(8 * (head.len() + self.positions.len()));
        bytes.extend(head.iter().flat_map(|word| word.to_le_bytes()));
        for Marked { ply, value } in &self.positions {
            bytes.extend(ply.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend(self.holds.iter().flat_map(|word| word.to_le_bytes()));
        to.write_all(&bytes)
    }

    /// The next game; `None` at the end.
    fn read(from: &mut impl Read) -> std::io::Result<Option<Self>> {
        let mut head = [0; 32];
        match from.read_exact(&mut head) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            other => other?,
        }
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        let half = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let mut words = head.chunks_exact(8).map(word);
        let [number, result, count, size] = [(); 4].map(|()| words.next().expect("four words"));
        let mut bytes = vec![0; 8 * (count + size) as usize];
        from.read_exact(&mut bytes)?;
        let (positions, holds) = bytes.split_at(8 * count as usize);
        let marked = |bytes: &[u8]| Marked {
            ply: half(&bytes[..4]),
            value: half(&bytes[4..]).cast_signed(),
        };
        Ok(Some(Self {
            number,
            result: result as HalfPoints,
            positions: positions.chunks_exact(8).map(marked).collect(),
            holds: holds.chunks_exact(8).map(word).collect(),
        }))
    }
}

/// All games of a scan that have a result.
pub struct Marks {
    file: File,
    pub games: u64,
    pub positions: u64,
    /// Games without a result.
    pub undecided: u64,
}

impl Marks {
    /// Reads the games, and asks the conditions of all candidates. Also gives the curve of all
    /// positions.
    pub fn new(
        plan: &ScanPlan,
        candidates: &[Candidate],
        observer: &dyn Observer,
    ) -> Result<(Self, Base)> {
        let file = tempfile::tempfile().context("a file for what conditions hold")?;
        let mut to = BufWriter::new(&file);
        let set = ConditionSet::new(candidates.iter().flat_map(|candidate| &candidate.both));
        let mut bins = vec![(0_u64, 0.0); BINS];
        let (mut games, mut positions, mut written) = (0, 0, Ok(()));
        let work = |game: &ValuedGame| mark(&set, game);
        let undecided = for_each(plan, observer, work, |result, mut game| {
            game.result = result;
            games += 1;
            positions += game.positions.len() as u64;
            for marked in &game.positions {
                let bin = &mut bins[bin_of(marked.value, plan.bin)];
                *bin = (bin.0 + 1, bin.1 + result as f64 / 2.0);
            }
            if written.is_ok() {
                written = game.write(&mut to);
            }
        })?;
        written.and_then(|()| to.flush()).context("writing what conditions hold")?;
        drop(to);
        Ok((Self { file, games, positions, undecided }, Base::new(&bins, plan.bin)))
    }

    /// Works on groups of games side by side, and hands over what came of them in their order.
    pub fn for_each_group<T: Send>(
        &mut self,
        work: impl Fn(&[MarkedGame]) -> T + Sync,
        mut take: impl FnMut(T),
    ) -> Result<()> {
        self.file.rewind()?;
        let mut from = BufReader::with_capacity(1 << 20, &self.file);
        loop {
            let mut block = Vec::with_capacity(BLOCK);
            while block.len() < BLOCK
                && let Some(game) = MarkedGame::read(&mut from)?
            {
                block.push(game);
            }
            if block.is_empty() {
                return Ok(());
            }
            let done: Vec<T> = block.par_chunks(GROUP).map(&work).collect();
            done.into_iter().for_each(&mut take);
        }
    }
}

/// Asks the conditions in all positions of a game, each for Black and then for White.
fn mark(set: &ConditionSet, game: &ValuedGame) -> MarkedGame {
    let words = (set.len() / 2).div_ceil(BITS);
    let mut holds = vec![0; 2 * words * game.positions.len()];
    let mut answers = Answers::default();
    for (place, valued) in game.positions.iter().enumerate() {
        let (black, white) = holds[2 * place * words..][..2 * words].split_at_mut(words);
        let facts = Facts::new(&valued.position);
        let mut all = set.hold(&facts, &mut answers);
        for bit in 0..set.len() / 2 {
            for words in [&mut *black, &mut *white] {
                let holds = all.next().is_some_and(|holds| holds);
                words[bit / BITS] |= u64::from(holds) << (bit % BITS);
            }
        }
    }
    let marked =
        game.positions.iter().map(|valued| Marked { ply: valued.ply as u32, value: valued.value });
    let (number, result) = (game.number, game.result);
    MarkedGame { number, result, positions: marked.collect(), holds }
}

/// Visits the bits that only one of the two has: 1 for the first, −1 for the second.
#[inline]
pub fn each_alone([black, white]: [&[u64]; 2], mut visit: impl FnMut(usize, i32)) {
    for (place, (black, white)) in black.iter().zip(white).enumerate() {
        let mut alone = black ^ white;
        while alone != 0 {
            let bit = alone.trailing_zeros() as usize;
            visit(BITS * place + bit, if black >> bit & 1 != 0 { 1 } else { -1 });
            alone &= alone - 1;
        }
    }
}

/// Is this bit set?
#[inline]
pub fn is_set(words: &[u64], bit: usize) -> bool {
    words[bit / BITS] >> (bit % BITS) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_as_they_were_written() {
        let game = |number: u64, count: u32| MarkedGame {
            number,
            result: (number % 3) as usize,
            positions: (0..count).map(|ply| Marked { ply, value: -7 * ply as i32 }).collect(),
            holds: (0..4 * u64::from(count)).map(|word| word << 40 | number).collect(),
        };
        let games = [game(0, 3), game(5, 0), game(6, 40)];
        let mut bytes = Vec::new();
        games.iter().for_each(|game| game.write(&mut bytes).unwrap());
        let mut from = bytes.as_slice();
        for game in &games {
            assert_eq!(MarkedGame::read(&mut from).unwrap().as_ref(), Some(game));
        }
        assert_eq!(MarkedGame::read(&mut from).unwrap(), None);
        let (marked, [black, white]) = games[2].marks().nth(1).unwrap();
        assert_eq!(marked, Marked { ply: 1, value: -7 });
        assert_eq!([black, white], [[4, 5], [6, 7]].map(|pair| pair.map(|w: u64| w << 40 | 6)));
        assert!(is_set(white, 41) && is_set(white, 42) && !is_set(white, 43));
        let mut alone = Vec::new();
        each_alone([&[0b101, 0], &[0b100, 0b10]], |bit, sign| alone.push((bit, sign)));
        assert_eq!(alone, [(0, 1), (65, -1)]);
        assert!(is_set(white, 64 + 40) && is_set(white, 1) && !is_set(white, 0));
    }
}
