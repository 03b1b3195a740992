//! What a removal changes, with an error that knows that some boards are there several times.

use std::collections::BTreeMap;

use tesuji_math::stats::{holm, normal_cumulative};

/// A change of solved positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    /// Held-out positions, mean of the repetitions.
    pub positions: f64,
    /// Its standard error, over boards.
    pub error: f64,
    /// The chance of one at least so large if there were none.
    pub p: f64,
}

/// The sum of lists of shares, each with its sign. Copies of a board are one observation, and so are
/// the repetitions of a position, whose mean is in the lists.
pub(super) fn effect(groups: &[u64], lists: &[(f64, &[f64])]) -> Effect {
    let mut of_board: BTreeMap<u64, f64> = BTreeMap::new();
    for (i, &group) in groups.iter().enumerate() {
        let change: f64 = lists.iter().map(|(sign, list)| sign * list[i]).sum();
        *of_board.entry(group).or_default() += change;
    }
    let positions: f64 = of_board.values().sum();
    let mean = positions / of_board.len().max(1) as f64;
    let error = of_board.values().map(|change| (change - mean).powi(2)).sum::<f64>().sqrt();
    let p: f64 =
        if error > 0.0 { 2.0 * normal_cumulative(-(positions / error).abs()) } else { 1.0 };
    Effect { positions, error, p: p.clamp(0.0, 1.0) }
}

/// The chances that hold for all of them together (Holm).
pub(super) fn adjusted(effects: &[Effect]) -> Vec<f64> {
    let chances: Vec<f64> = effects.iter().map(|effect| effect.p).collect();
    holm(&chances)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_a_board_are_one_observation() {
        let (with, without) = (vec![1.0; 8], vec![0.0; 8]);
        let lists = [(1.0, &*with), (-1.0, &*without)];
        let one = effect(&[7; 8], &lists);
        assert_eq!((one.positions, one.error, one.p), (8.0, 0.0, 1.0));
        // Ten boards of which half change: 5 ± the root of 10 · 0.25.
        let with: Vec<f64> = (0..10).map(|i| f64::from(i % 2)).collect();
        let found = effect(&(0..10).collect::<Vec<_>>(), &[(1.0, &with)]);
        assert_eq!(found.positions, 5.0);
        assert!((found.error - 2.5_f64.sqrt()).abs() < 1e-9, "{found:?}");
        assert!((found.p - 0.00157).abs() < 1e-4, "{found:?}");
    }
}
