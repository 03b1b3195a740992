//! Random choices that stay the same for ever: they are not left to the distributions of a library,
//! which may change.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// A source of random numbers for one game or one opening.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The source of the part with this number, among many that share a seed.
    pub fn new(seed: u64, number: u64) -> Self {
        // The first step keeps part 1 of seed 0 apart from part 0 of seed 1.
        let base = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64();
        Self(Xoshiro256PlusPlus::seed_from_u64(base.wrapping_add(number)))
    }

    /// A number below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// A number from 0 up to but not including 1.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The numbers below `count` in random order.
    pub fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }

    /// One of the weighted choices: the greater its weight the likelier it is; `None` if there is no
    /// weight at all.
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
    fn an_order_has_every_number_once() {
        let mut order = Random::new(3, 0).order(50);
        assert_ne!(order, (0..50).collect::<Vec<_>>());
        assert_eq!(order, Random::new(3, 0).order(50));
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn weights_decide_how_often() {
        let mut random = Random::new(1, 1);
        let mut counts = [0; 3];
        for _ in 0..3000 {
            counts[random.weighted(&[1.0, 0.0, 2.0]).unwrap()] += 1;
        }
        assert!(counts[1] == 0 && (900..1100).contains(&counts[0]), "{counts:?}");
        assert_eq!(random.weighted(&[]), None);
    }
}
