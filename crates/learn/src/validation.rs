//! Held-out positions and cross-validation: weights are measured on positions that they were not
//! made from.
//!
//! Equal positions stay together: the same opening position on both sides would be learned by
//! heart.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Dataset, Scorer};
use tesuji_math::Random;

/// The numbers of the positions to learn from and of those held out, about `share` of them.
pub fn split(data: &Dataset, share: f64, seed: u64) -> (Vec<usize>, Vec<usize>) {
    let mut groups = groups(data, seed);
    let wanted = (share.clamp(0.0, 1.0) * data.len() as f64).round() as usize;
    let mut held_out = Vec::new();
    while held_out.len() < wanted {
        let Some(group) = groups.pop() else { break };
        held_out.extend(group);
    }
    let mut train: Vec<usize> = groups.into_iter().flatten().collect();
    train.sort_unstable();
    held_out.sort_unstable();
    (train, held_out)
}

/// Divides the positions into `count` folds of about the same size: for each the numbers of the
/// positions of all other folds and its own.
pub fn folds(data: &Dataset, count: usize, seed: u64) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut of_fold = vec![0; data.len()];
    let mut sizes = vec![0; count.max(1)];
    for group in groups(data, seed) {
        let smallest = (0..sizes.len()).min_by_key(|&fold| sizes[fold]).unwrap_or(0);
        sizes[smallest] += group.len();
        group.iter().for_each(|&position| of_fold[position] = smallest);
    }
    let fold = |fold| (0..data.len()).partition(|&position| of_fold[position] != fold);
    (0..sizes.len()).map(fold).collect()
}

/// Equal positions together, in random order.
fn groups(data: &Dataset, seed: u64) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (number, position) in data.positions().enumerate() {
        groups.entry(position.group()).or_default().push(number);
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    Random::new(seed).shuffle(&mut groups);
    groups
}

/// What weights made from all other folds solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fold {
    /// Positions that were learned from.
    pub train: usize,
    /// Those of them that are solved.
    pub train_correct: u32,
    /// Positions that were held out.
    pub test: usize,
    /// Those of them that are solved.
    pub test_correct: u32,
}

/// Learns weights from all folds but one and tries them on that one, for each fold in turn.
pub fn cross_validate(
    data: &Dataset,
    count: usize,
    seed: u64,
    mut learn: impl FnMut(&Dataset) -> Vec<i32>,
) -> Vec<Fold> {
    measure_folds(data, count, seed, |train| {
        let weights = [learn(train)];
        move |data: &Dataset| Scorer::new(data).correct(&weights)[0]
    })
}

/// The same for anything that is learned: `learn` gives what counts the positions that it solves.
pub(crate) fn measure_folds<S: Fn(&Dataset) -> u32>(
    data: &Dataset,
    count: usize,
    seed: u64,
    mut learn: impl FnMut(&Dataset) -> S,
) -> Vec<Fold> {
    let mut work = |(train, test): (Vec<usize>, Vec<usize>)| {
        let (train, test) = (data.select(&train), data.select(&test));
        let correct = learn(&train);
        Fold {
            train: train.len(),
            train_correct: correct(&train),
            test: test.len(),
            test_correct: correct(&test),
        }
    };
    folds(data, count, seed).into_iter().map(&mut work).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    /// Every position twice.
    fn twice() -> Dataset {
        let data = testing::dataset(60);
        data.select(&(0..120).map(|i| i % 60).collect::<Vec<_>>())
    }

    fn assert_apart(data: &Dataset, train: &[usize], test: &[usize]) {
        let mut all: Vec<usize> = train.iter().chain(test).copied().collect();
        all.sort_unstable();
        assert_eq!(all, (0..data.len()).collect::<Vec<_>>());
        let group = |&number: &usize| data.position(number).group();
        assert!(train.iter().all(|a| test.iter().all(|b| group(a) != group(b))));
    }

    #[test]
    fn equal_positions_stay_together() {
        let data = twice();
        let (train, test) = split(&data, 0.25, 1);
        assert_apart(&data, &train, &test);
        assert!((28..=40).contains(&test.len()), "{}", test.len());
        let folds = folds(&data, 5, 1);
        assert_eq!(folds.iter().map(|(_, test)| test.len()).sum::<usize>(), 120);
        for (train, test) in &folds {
            assert_apart(&data, train, test);
            assert!((20..=30).contains(&test.len()), "{}", test.len());
        }
    }

    #[test]
    fn each_fold_is_measured() {
        let data = twice();
        let results = cross_validate(&data, 3, 1, |train| vec![1; train.set().len()]);
        let all: u32 = results.iter().map(|fold| fold.test_correct).sum();
        assert_eq!(all, Scorer::new(&data).correct(&[vec![1; 74]])[0]);
    }
}
