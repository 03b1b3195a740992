//! Selection, crossover and mutation: the next generation from the last, its fitness, and random
//! numbers.

use super::{Mutation, Parameters, Selection};
use crate::genome::{GeneMap, Genome};
use tesuji_math::Random;

/// A member of the next generation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offspring {
    /// What it is made of.
    pub genome: Genome,
    /// The numbers of its parents; one that lives on is both of them.
    pub parents: [usize; 2],
}

/// The next generation of one population: the best unchanged, then children of parents that were
/// chosen by what they solve. `rate` multiplies the rate of mutation.
pub fn breed(
    parents: &[Genome],
    correct: &[u32],
    parameters: &Parameters,
    map: &GeneMap,
    rate: f64,
    random: &mut Random,
) -> Vec<Offspring> {
    let order = best_first(correct);
    let survivor = |&i: &usize| Offspring { genome: parents[i].clone(), parents: [i, i] };
    let mut next: Vec<Offspring> = order.iter().take(parameters.elite).map(survivor).collect();
    let wheel = Wheel::new(parameters.selection, correct, &order);
    while next.len() < parents.len() {
        let chosen = [wheel.choose(random), wheel.choose(random)];
        let [mut first, mut second] = chosen.map(|i| parents[i].clone());
        if random.chance(parameters.crossover) {
            if parameters.one_point {
                first.cut(&mut second, random.below(first.len()));
            } else {
                first.cross(&mut second, parameters.swap, random);
            }
        }
        for (mut genome, other) in [(first, 1), (second, 0)] {
            mutate(&mut genome, parameters.mutation, rate, random);
            map.freeze(&mut genome);
            if next.len() < parents.len() {
                next.push(Offspring { genome, parents: [chosen[1 - other], chosen[other]] });
            }
        }
    }
    next
}

/// The numbers of the organisms, the best first, of equal ones the earlier.
pub(super) fn best_first(correct: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..correct.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(correct[i]));
    order
}

fn mutate(genome: &mut Genome, mutation: Mutation, factor: f64, random: &mut Random) {
    match mutation {
        Mutation::PerBit { rate } => genome.mutate(rate * factor, random),
        Mutation::PerIndividual { rate, bit } => {
            if random.chance(rate * factor) {
                genome.mutate(bit, random);
            }
        }
    }
}

/// Chooses parents.
enum Wheel<'a> {
    /// By the sums of shares up to each organism.
    Shares { ends: Vec<u64>, of: Option<&'a [usize]> },
    /// By tournament.
    Tournament { size: usize, correct: &'a [u32] },
}

/// Shares by rank are rounded to this part of one.
const RANK_UNIT: f64 = 1e6;

impl<'a> Wheel<'a> {
    fn new(selection: Selection, correct: &'a [u32], order: &'a [usize]) -> Self {
        let ends = |shares: &mut dyn Iterator<Item = u64>| {
            let mut sum = 0;
            shares
                .map(|share| {
                    sum += share;
                    sum
                })
                .collect()
        };
        match selection {
            Selection::Roulette => {
                let mut squares = correct.iter().map(|&correct| u64::from(correct).pow(2));
                Self::Shares { ends: ends(&mut squares), of: None }
            }
            Selection::Rank { pressure } => {
                let last = correct.len().saturating_sub(1).max(1) as f64;
                let share = |place: usize| pressure - 2.0 * (pressure - 1.0) * place as f64 / last;
                let mut shares =
                    (0..correct.len()).map(|place| (share(place) * RANK_UNIT).round() as u64);
                Self::Shares { ends: ends(&mut shares), of: Some(order) }
            }
            Selection::Tournament { size } => Self::Tournament { size, correct },
        }
    }

    fn choose(&self, random: &mut Random) -> usize {
        match self {
            Self::Shares { ends, of } => {
                let all = ends.last().copied().unwrap_or(0);
                // Where nobody has a share, everybody has the same one.
                let place = if all == 0 {
                    random.below(ends.len())
                } else {
                    let drawn = random.below_u64(all);
                    ends.partition_point(|&end| end <= drawn)
                };
                of.map_or(place, |order| order[place])
            }
            Self::Tournament { size, correct } => {
                let mut best = random.below(correct.len());
                for _ in 1..*size {
                    let other = random.below(correct.len());
                    if correct[other] > correct[best] {
                        best = other;
                    }
                }
                best
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(selection: Selection, correct: &[u32]) -> Vec<usize> {
        let order = best_first(correct);
        let wheel = Wheel::new(selection, correct, &order);
        let mut random = Random::new(1);
        let mut counts = vec![0; correct.len()];
        for _ in 0..10_000 {
            counts[wheel.choose(&mut random)] += 1;
        }
        counts
    }

    fn near(count: usize, expected: usize) -> bool {
        count.abs_diff(expected) < 250
    }

    #[test]
    fn roulette_goes_by_squares() {
        let counts = chosen(Selection::Roulette, &[10, 20, 0, 30]);
        // 100, 400, 0 and 900 of 1,400.
        assert!(
            near(counts[0], 714) && near(counts[1], 2857) && near(counts[3], 6429),
            "{counts:?}"
        );
        assert_eq!(counts[2], 0);
        assert!(chosen(Selection::Roulette, &[0; 4]).iter().all(|&count| near(count, 2500)));
    }

    #[test]
    fn rank_goes_by_place() {
        let counts = chosen(Selection::Rank { pressure: 2.0 }, &[5, 900, 6]);
        assert!(near(counts[1], 6667) && near(counts[2], 3333), "{counts:?}");
        assert_eq!(counts[0], 0);
    }

    #[test]
    fn tournaments_are_won_by_the_best() {
        let counts = chosen(Selection::Tournament { size: 2 }, &[1, 2]);
        assert!(near(counts[1], 7500), "{counts:?}");
    }
}
