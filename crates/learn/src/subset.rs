//! Some of the positions of a dataset, named and not copied.

use crate::dataset::SHARD;
use tesuji_math::Random;

/// Some of the positions of a dataset: a bit for each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subset {
    /// A word for each shard.
    shards: Vec<u64>,
    len: usize,
}

impl Subset {
    fn none(of: usize) -> Self {
        Self { shards: vec![0; of.div_ceil(SHARD)], len: 0 }
    }

    /// `count` positions drawn at random, or all if there are no more. Each choice is as likely as
    /// any other; the time depends on `count`, not on how many there are.
    pub fn draw(count: usize, of: usize, random: &mut Random) -> Self {
        let mut subset = Self::none(of);
        for last in of.saturating_sub(count)..of {
            let drawn = random.below(last + 1);
            subset.insert(if subset.contains(drawn) { last } else { drawn });
        }
        subset
    }

    fn insert(&mut self, position: usize) {
        self.len += usize::from(!self.contains(position));
        self.shards[position / SHARD] |= 1 << (position % SHARD);
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is there no position?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Is the position with this number among them?
    pub fn contains(&self, position: usize) -> bool {
        self.shard(position / SHARD) >> (position % SHARD) & 1 != 0
    }

    /// The numbers of the positions, ascending.
    pub fn positions(&self) -> impl Iterator<Item = usize> {
        (0..self.shards.len() * SHARD).filter(|&position| self.contains(position))
    }

    /// A bit for each position of a shard.
    pub(crate) fn shard(&self, number: usize) -> u64 {
        self.shards.get(number).copied().unwrap_or(0)
    }
}

/// A bit for each position of a shard that counts; all do without a subset.
pub(crate) fn mask(within: Option<&Subset>, shard: usize) -> u64 {
    within.map_or(u64::MAX, |subset| subset.shard(shard))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_positions_are_in_it() {
        let mut subset = Subset::none(201);
        [3, 64, 200, 3].into_iter().for_each(|position| subset.insert(position));
        assert_eq!((subset.len(), subset.positions().collect()), (3, vec![3, 64, 200]));
        assert!(subset.contains(64) && !subset.contains(65) && !subset.contains(5000));
    }

    #[test]
    fn every_position_is_drawn_as_often() {
        let mut random = Random::new(1);
        let mut counts = [0; 100];
        for _ in 0..3000 {
            let subset = Subset::draw(20, 100, &mut random);
            assert_eq!((subset.len(), subset.positions().count()), (20, 20));
            subset.positions().for_each(|position| counts[position] += 1);
        }
        assert!(counts.iter().all(|count| (500..700).contains(count)), "{counts:?}");
        assert_eq!(Subset::draw(20, 7, &mut random).len(), 7);
        assert!(Subset::draw(20, 0, &mut random).is_empty());
    }
}
