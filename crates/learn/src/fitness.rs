//! Fitness: how many positions weights solve, which means that their best move is the master's.
//!
//! Most organisms fail a position on one of a few strong rivals of the master's move, and the same
//! rivals as in the generation before. Each position therefore remembers the rivals that refuted
//! somebody last, and they are tried first; what no organism survives is not looked at further.
//! What is remembered changes the time alone, never the result.

use rayon::prelude::*;

use crate::dataset::Labelled;
#[cfg(target_arch = "x86_64")]
use crate::kernel::Avx2;
use crate::kernel::{Block, Kernel, LANES, Plain};
use crate::subset::mask;
use crate::{Dataset, Subset};

/// Rivals that each position remembers.
const REMEMBERED: usize = 6;
const NOBODY: u16 = u16::MAX;

/// The last refuters of a position, the latest first.
#[derive(Clone, Copy)]
struct Refuters([u16; REMEMBERED]);

impl Refuters {
    const NONE: Self = Self([NOBODY; REMEMBERED]);

    fn move_to_front(&mut self, row: u16) {
        let place = self.0.iter().position(|&other| other == row).unwrap_or(REMEMBERED - 1);
        self.0[..=place].rotate_right(1);
        self.0[0] = row;
    }
}

/// What an organism solves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Solved {
    /// How many positions.
    pub correct: u32,
    /// The sum of their weights: by this organisms are selected. Positions that were given no
    /// weights count 1 each.
    pub weight: u32,
}

impl Solved {
    pub(crate) fn add(&mut self, other: Self) {
        self.correct += other.correct;
        self.weight += other.weight;
    }
}

/// Counts solved positions of a dataset for many organisms at a time.
pub struct Scorer<'a> {
    data: &'a Dataset,
    /// For each shard, for each of its positions.
    refuters: Vec<Vec<Refuters>>,
    /// Leave special instructions of the processor unused.
    plain: bool,
}

impl<'a> Scorer<'a> {
    /// A scorer that has seen nothing yet.
    pub fn new(data: &'a Dataset) -> Self {
        let remember = |shard| data.shard(shard).map(|_| Refuters::NONE).collect();
        let refuters = (0..data.shards()).map(remember).collect();
        Self { data, refuters, plain: false }
    }

    /// The data.
    pub fn data(&self) -> &'a Dataset {
        self.data
    }

    /// How many positions each organism solves. An organism is the weights of all features in the
    /// order of the set, a linked one's without its base's.
    ///
    /// The master's move must be the first of the best: an equal score loses to an earlier move and
    /// wins against a later one.
    ///
    /// # Panics
    /// If an organism does not have as many weights as there are features.
    pub fn correct(&mut self, organisms: &[Vec<i32>]) -> Vec<u32> {
        self.score(organisms, None).into_iter().map(|solved| solved.correct).collect()
    }

    /// The same with the weights of the positions, and of some of them alone if there is a subset.
    ///
    /// # Panics
    /// As [`Scorer::correct`].
    pub fn score(&mut self, organisms: &[Vec<i32>], within: Option<&Subset>) -> Vec<Solved> {
        let lanes = organisms.len().next_multiple_of(LANES);
        let add = |all: &mut Vec<Solved>, weight: u8, survivors: &[u32]| {
            all.resize(lanes, Solved::default());
            let one = Solved { correct: 1, weight: weight.into() };
            for (solved, &bits) in all.chunks_exact_mut(LANES).zip(survivors) {
                each_bit(bits, |lane| solved[lane].add(one));
            }
        };
        let mut all = vec![Solved::default(); organisms.len()];
        for shard in self.fold(organisms, within, add) {
            all.iter_mut().zip(shard).for_each(|(sum, solved)| sum.add(solved));
        }
        all
    }

    /// For each organism how many positions the first one solves and it does not, and how many it
    /// solves and the first one does not.
    ///
    /// # Panics
    /// As [`Scorer::correct`].
    pub fn changes(&mut self, organisms: &[Vec<i32>]) -> Vec<(u32, u32)> {
        let lanes = organisms.len().next_multiple_of(LANES);
        let add = |all: &mut Vec<(u32, u32)>, _, survivors: &[u32]| {
            all.resize(lanes, (0, 0));
            let first = survivors[0] & 1 != 0;
            for (changes, &bits) in all.chunks_exact_mut(LANES).zip(survivors) {
                if first {
                    each_bit(!bits, |lane| changes[lane].0 += 1);
                } else {
                    each_bit(bits, |lane| changes[lane].1 += 1);
                }
            }
        };
        let mut all = vec![(0, 0); organisms.len()];
        for shard in self.fold(organisms, None, add) {
            for (sum, changes) in all.iter_mut().zip(shard) {
                *sum = (sum.0 + changes.0, sum.1 + changes.1);
            }
        }
        all
    }

    /// Which positions an organism solves.
    ///
    /// # Panics
    /// As [`Scorer::correct`].
    pub fn solved(&mut self, organism: &[i32]) -> Vec<bool> {
        let add = |solved: &mut Vec<bool>, _, survivors: &[u32]| solved.push(survivors[0] & 1 != 0);
        self.fold(&[organism.to_vec()], None, add).concat()
    }

    /// Hands the weight and the survivors of each position to `add`: 32 organisms in each number.
    /// Gives what was gathered for each shard that has a position in the subset.
    fn fold<T: Default + Send>(
        &mut self,
        organisms: &[Vec<i32>],
        within: Option<&Subset>,
        add: impl Fn(&mut T, u8, &[u32]) + Sync,
    ) -> Vec<T> {
        let effective: Vec<Vec<i32>> =
            organisms.iter().map(|weights| self.data.set().effective_weights(weights)).collect();
        let Some(blocks) = blocks(&effective, self.data.largest_row()) else {
            return self.fold_slowly(&effective, within, add);
        };
        #[cfg(target_arch = "x86_64")]
        if let (false, Some(kernel)) = (self.plain, Avx2::detect()) {
            return self.fold_with(kernel, &blocks, organisms.len(), within, add);
        }
        self.fold_with(Plain, &blocks, organisms.len(), within, add)
    }

    fn fold_with<T: Default + Send>(
        &mut self,
        kernel: impl Kernel + Sync,
        blocks: &[Block],
        count: usize,
        within: Option<&Subset>,
        add: impl Fn(&mut T, u8, &[u32]) + Sync,
    ) -> Vec<T> {
        let data = self.data;
        let work = |(shard, refuters): (usize, &mut Vec<Refuters>)| {
            let mask = mask(within, shard);
            if mask == 0 {
                return None;
            }
            let mut gathered = T::default();
            let mut survivors = vec![0; blocks.len()];
            kernel.run(|kernel| {
                for (i, (position, refuters)) in data.shard(shard).zip(refuters).enumerate() {
                    if mask >> i & 1 != 0 {
                        everybody(&mut survivors, count);
                        refute(kernel, &position, refuters, blocks, &mut survivors);
                        add(&mut gathered, position.weight(), &survivors);
                    }
                }
            });
            Some(gathered)
        };
        self.refuters.par_iter_mut().enumerate().filter_map(work).collect()
    }

    /// For weights that are too large for the kernel, and for tests.
    fn fold_slowly<T: Default + Send>(
        &self,
        effective: &[Vec<i32>],
        within: Option<&Subset>,
        add: impl Fn(&mut T, u8, &[u32]) + Sync,
    ) -> Vec<T> {
        let work = |shard| {
            let mut gathered = T::default();
            let mask = mask(within, shard);
            let some = self.data.shard(shard).enumerate().filter(|(i, _)| mask >> i & 1 != 0);
            for (_, position) in some {
                let mut survivors = vec![0; effective.len().div_ceil(LANES)];
                for (i, weights) in effective.iter().enumerate() {
                    let right = position.master().is_some()
                        && best(&position, weights) == position.master();
                    survivors[i / LANES] |= u32::from(right) << (i % LANES);
                }
                add(&mut gathered, position.weight(), &survivors);
            }
            gathered
        };
        (0..self.refuters.len()).into_par_iter().map(work).collect()
    }
}

/// The first of the best moves, by plain arithmetic; `None` if there is no move. These are weights
/// as they are multiplied: see [`tesuji_eval::FeatureSet::effective_weights`].
pub fn best(position: &Labelled<'_>, effective: &[i32]) -> Option<usize> {
    let mut best: Option<(usize, i64)> = None;
    for (number, score) in position.scores(effective).into_iter().enumerate() {
        if best.is_none_or(|(_, highest)| score > highest) {
            best = Some((number, score));
        }
    }
    best.map(|(number, _)| number)
}

/// Takes those organisms from the survivors that prefer another move to the master's.
#[inline(always)]
fn refute(
    kernel: impl Kernel,
    position: &Labelled<'_>,
    refuters: &mut Refuters,
    blocks: &[Block],
    survivors: &mut [u32],
) {
    let Some(master) = position.master() else { return survivors.fill(0) };
    // Whether anybody fell, and whether anybody is left.
    let mut confront = |number: usize| {
        let row = position.row(number);
        let bias = i32::from(number < master);
        let (mut fell, mut left) = (0, 0);
        for (alive, block) in survivors.iter_mut().zip(blocks) {
            if *alive != 0 {
                let refuted = *alive & kernel.positive(row, block, bias);
                *alive ^= refuted;
                fell |= refuted;
                left |= *alive;
            }
        }
        (fell != 0, left != 0)
    };
    for number in refuters.0.into_iter().take_while(|&number| number != NOBODY) {
        let (fell, left) = confront(number.into());
        if fell {
            refuters.move_to_front(number);
        }
        if !left {
            return;
        }
    }
    for number in (0..position.moves().len()).filter(|&number| number != master) {
        let (fell, left) = confront(number);
        if fell {
            refuters.move_to_front(number as u16);
        }
        if !left {
            return;
        }
    }
}

/// A bit for each of `count` organisms.
fn everybody(survivors: &mut [u32], count: usize) {
    survivors.fill(u32::MAX);
    if !count.is_multiple_of(LANES)
        && let Some(last) = survivors.last_mut()
    {
        *last = (1 << (count % LANES)) - 1;
    }
}

#[inline(always)]
fn each_bit(mut bits: u32, mut each: impl FnMut(usize)) {
    while bits != 0 {
        each(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// The weights as the kernel wants them; `None` if they, or scores made with them, are too large.
fn blocks(effective: &[Vec<i32>], largest_row: u64) -> Option<Vec<Block>> {
    effective.chunks(LANES).map(|weights| Block::new(weights, largest_row)).collect()
}

#[cfg(test)]
mod tests;
