//! Random choices that stay the same for ever: they are not left to the distributions of a library,
//! which may change.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use serde::{Deserialize, Serialize};

/// A source of random numbers that can be written to a file and read again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The source with this seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The seed of one of many runs or parts that share a seed.
    pub fn derived_seed(seed: u64, index: u64) -> u64 {
        Self::stream(seed, index).bits()
    }

    /// The source of the part with this number, among many that share a seed.
    pub fn stream(seed: u64, number: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(Self::base(seed).wrapping_add(number)))
    }

    /// Keeps part 1 of seed 0 apart from part 0 of seed 1.
    fn base(seed: u64) -> u64 {
        Xoshiro256PlusPlus::seed_from_u64(seed).next_u64()
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.below_u64(bound as u64) as usize
    }

    /// A number below `bound`; 0 if that is 0.
    pub fn below_u64(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// A number from 0 up to but not including 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// `true` with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Puts a list in random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }

    /// The numbers below `count` in random order.
    pub fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        self.shuffle(&mut order);
        order
    }

    /// One of the weighted choices: the greater its weight the likelier it is; `None` if there is
    /// no weight at all.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().sum();
        let mut rest = self.unit() * total;
        for (i, weight) in weights.iter().enumerate() {
            rest -= weight;
            if rest < 0.0 {
                return Some(i);
            }
        }
        weights.iter().rposition(|&weight| weight > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_goes_on_where_it_was_written() {
        let mut random = Random::new(7);
        random.bits();
        let text = serde_json::to_string(&random).unwrap();
        let mut read: Random = serde_json::from_str(&text).unwrap();
        assert_eq!(random.bits(), read.bits());
    }

    #[test]
    fn derived_seeds_differ() {
        let mut seeds: Vec<u64> =
            (0..4).flat_map(|seed| (0..10).map(move |i| Random::derived_seed(seed, i))).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 40);
    }

    #[test]
    fn a_shuffle_keeps_everything() {
        let mut list: Vec<usize> = (0..50).collect();
        Random::new(3).shuffle(&mut list);
        assert_ne!(list, (0..50).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn an_order_has_every_number_once() {
        let mut order = Random::stream(3, 0).order(50);
        assert_ne!(order, (0..50).collect::<Vec<_>>());
        assert_eq!(order, Random::stream(3, 0).order(50));
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn weights_decide_how_often() {
        let mut random = Random::stream(1, 1);
        let mut counts = [0; 3];
        for _ in 0..3000 {
            counts[random.weighted(&[1.0, 0.0, 2.0]).unwrap()] += 1;
        }
        assert!(counts[1] == 0 && (900..1100).contains(&counts[0]), "{counts:?}");
        assert_eq!(random.weighted(&[]), None);
    }
}
