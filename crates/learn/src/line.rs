//! Line search along one weight: how many positions are solved for each value that it can have.
//!
//! While one weight changes and the others stay, the score of each move is a straight line. The
//! master's move beats a rival from some value on or up to some value, so that it beats all of them
//! in one interval. One pass over the rows finds the interval of every position, and with them the
//! exact number of solved positions for all values at once.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use crate::dataset::Labelled;
use crate::subset::mask;
use crate::{Dataset, Solved, Subset};

/// Improves weights one at a time.
pub struct LineSearch<'a> {
    data: &'a Dataset,
    within: Option<&'a Subset>,
    weights: Vec<i32>,
}

impl<'a> LineSearch<'a> {
    /// A search that starts from these weights.
    pub fn new(data: &'a Dataset, weights: Vec<i32>) -> Self {
        Self { data, within: None, weights }
    }

    /// Looks at some positions alone, if there is a subset.
    #[must_use]
    pub fn within(self, within: Option<&'a Subset>) -> Self {
        Self { within, ..self }
    }

    /// The weights, as good as they are by now.
    pub fn weights(&self) -> &[i32] {
        &self.weights
    }

    /// What is solved with each of these values of one weight.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn counts(&self, feature: usize, values: RangeInclusive<i32>) -> Vec<Solved> {
        let set = self.data.set();
        let mut others = self.weights.clone();
        others[feature] = 0;
        let mut alone = vec![0; others.len()];
        alone[feature] = 1;
        let values = i64::from(*values.start())..=i64::from(*values.end());
        let (first, count) = (*values.start(), values.clone().count());
        let line = Line {
            others: set.effective_weights(&others),
            alone: set.effective_weights(&alone),
            values,
        };
        // What begins to be solved at each value, and what ends before it.
        let mut changes = vec![[Solved::default(); 2]; count + 1];
        for (interval, weight) in self.intervals(&line).iter().flatten() {
            let one = Solved { correct: 1, weight: (*weight).into() };
            changes[(interval.start() - first) as usize][0].add(one);
            changes[(interval.end() - first) as usize + 1][1].add(one);
        }
        let mut now = Solved::default();
        let sum = |[begin, end]: &[Solved; 2]| {
            now.add(*begin);
            now.correct -= end.correct;
            now.weight -= end.weight;
            now
        };
        changes[..count].iter().map(sum).collect()
    }

    /// For each shard where its positions are solved on the line, and their weights.
    fn intervals(&self, line: &Line) -> Vec<Vec<(RangeInclusive<i64>, u8)>> {
        let work = |shard| {
            let mask = mask(self.within, shard);
            let some = self.data.shard(shard).enumerate().filter(|(i, _)| mask >> i & 1 != 0);
            some.filter_map(|(_, position)| Some((line.solved(&position)?, position.weight())))
                .collect()
        };
        (0..self.data.shards()).into_par_iter().map(work).collect()
    }

    /// Sets a weight to the one of these values with which the most weight is solved, in the middle
    /// of the first range of such values; leaves it alone if no value is better than the one it
    /// has. Gives what is solved then.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn improve(&mut self, feature: usize, values: RangeInclusive<i32>) -> Solved {
        let lowest = *values.start();
        let counts = self.counts(feature, values);
        let best = counts.iter().map(|solved| solved.weight).max().unwrap_or(0);
        let is_best = |solved: &Solved| solved.weight == best;
        let now = usize::try_from(self.weights[feature] - lowest).ok();
        if let Some(now) = now.and_then(|now| counts.get(now)).filter(|now| is_best(now)) {
            return *now;
        }
        let first = counts.iter().position(is_best).unwrap_or(0);
        let length = counts[first..].iter().take_while(|solved| is_best(solved)).count();
        let middle = first + length.saturating_sub(1) / 2;
        self.weights[feature] = lowest + middle as i32;
        counts.get(middle).copied().unwrap_or_default()
    }
}

/// Effective weights as a function of one weight: `others + value · alone`.
struct Line {
    others: Vec<i32>,
    alone: Vec<i32>,
    values: RangeInclusive<i64>,
}

impl Line {
    /// The values with which the position is solved, if there are any.
    fn solved(&self, position: &Labelled<'_>) -> Option<RangeInclusive<i64>> {
        let master = position.master()?;
        let (mut low, mut high) = self.values.clone().into_inner();
        for rival in (0..position.moves().len()).filter(|&rival| rival != master) {
            // The rival wins where this plus `value · slope` is above zero.
            let (mut lead, mut slope) = (i64::from(rival < master), 0_i64);
            for entry in position.row(rival) {
                let first = 2 * usize::from(entry.pair);
                for (i, difference) in (first..self.others.len()).zip(entry.differences) {
                    lead += i64::from(self.others[i]) * i64::from(difference);
                    slope += i64::from(self.alone[i]) * i64::from(difference);
                }
            }
            match slope {
                0 if lead > 0 => return None,
                0 => {}
                1.. => high = high.min((-lead).div_euclid(slope)),
                // Rounded up: the smallest value with `lead <= value · -slope`.
                _ => low = low.max(-(-lead).div_euclid(-slope)),
            }
            if low > high {
                return None;
            }
        }
        Some(low..=high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::{Scorer, Weighting};
    use tesuji_math::Random;

    #[test]
    fn every_value_counts_what_the_scorer_counts() {
        let data = testing::dataset(90).weigh(Weighting::Class([1, 3, 2]));
        let mut random = Random::new(5);
        let some = Subset::draw(70, data.len(), &mut random);
        let mut scorer = Scorer::new(&data);
        for feature in [0, 3, 7, 14, 20, 27, 47, 50] {
            let weights: Vec<i32> =
                (0..data.set().len()).map(|_| random.below(96) as i32 - 32).collect();
            let search = LineSearch::new(&data, weights.clone());
            let counts = search.counts(feature, -90..=255);
            let counts_of_some = search.within(Some(&some)).counts(feature, -90..=255);
            let all: Vec<Vec<i32>> = (-90..=255)
                .map(|value| {
                    let mut weights = weights.clone();
                    weights[feature] = value;
                    weights
                })
                .collect();
            assert_eq!(counts, scorer.score(&all, None), "feature {feature}");
            assert_eq!(counts_of_some, scorer.score(&all, Some(&some)), "feature {feature}");
        }
    }

    #[test]
    fn a_search_never_gets_worse() {
        let data = testing::dataset(60).weigh(Weighting::Class([1, 3, 2]));
        let score = |weights: &[i32]| Scorer::new(&data).score(&[weights.to_vec()], None)[0];
        for lowest in [0, -255] {
            let mut search = LineSearch::new(&data, vec![1; data.set().len()]);
            let mut last = score(search.weights()).weight;
            for feature in 0..data.set().len() {
                let solved = search.improve(feature, lowest..=255);
                assert!(solved.weight >= last);
                assert_eq!(solved, score(search.weights()));
                last = solved.weight;
            }
            assert_eq!(search.weights().iter().any(|&weight| weight < 0), lowest < 0);
        }
    }
}
