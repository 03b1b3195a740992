//! Settings of the genetic algorithm compared at the same number of evaluations.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::ga::{Parameters, ParametersError, Run};
use crate::{Dataset, Scorer, Weighting};
use tesuji_math::Random;

/// Settings with a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// What tables call it.
    pub name: String,
    /// The settings. The number of generations does not count.
    pub parameters: Parameters,
    /// How much each position counts while it learns; results are counts of positions.
    pub weighting: Weighting,
}

/// What a variant reached.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// The name of the variant.
    pub name: String,
    /// Positions that the best organism of each run solves.
    pub best: Vec<u32>,
    /// Positions of the test set that it solves.
    pub test: Vec<u32>,
    /// The mean of `best`.
    pub mean: f64,
    /// Organisms that each run scored, and lines that it searched, on all positions; a batch counts
    /// for its share.
    pub evaluations: u64,
    /// How long all runs took.
    pub seconds: f64,
}

/// Runs each variant `runs` times, with seeds that depend on `seed` and the number of the run
/// alone, until it has made `evaluations` or more.
///
/// An evaluation is an organism scored or a line searched: either looks at every row at most once.
/// On a batch it counts for the share of the positions that it looks at, so that the same price
/// buys more generations. The best organism of a run was always scored on all positions.
pub fn compare(
    variants: &[Variant],
    data: &Dataset,
    test: &Dataset,
    runs: u64,
    seed: u64,
    evaluations: u64,
) -> Result<Vec<Comparison>, ParametersError> {
    let compare_one = |variant: &Variant| {
        let start = Instant::now();
        // The price alone ends a run.
        let parameters = Parameters { generations: u32::MAX, ..variant.parameters.clone() };
        let map = parameters.gene_map(data.set())?;
        let weighted =
            (variant.weighting != Weighting::Equal).then(|| data.clone().weigh(variant.weighting));
        let data = weighted.as_ref().unwrap_or(data);
        let mut best = Vec::new();
        let mut tests = Vec::new();
        let mut made = 0;
        for index in 0..runs {
            let seed = Random::derived_seed(seed, index);
            let mut run = Run::new(parameters.clone(), data.set(), seed, &[])?;
            let mut scorer = Scorer::new(data);
            // A run with batches has no best organism before the end of the first.
            while run.evaluations() < evaluations || run.best().is_none() {
                run.step(&mut scorer, None)?;
            }
            made = run.evaluations();
            if let Some(champion) = run.best() {
                best.push(champion.correct);
                let weights = map.weights(&champion.genome);
                tests.push(Scorer::new(test).correct(&[weights])[0]);
            }
        }
        let mean = best.iter().map(|&best| f64::from(best)).sum::<f64>() / best.len().max(1) as f64;
        Ok(Comparison {
            name: variant.name.clone(),
            best,
            test: tests,
            mean,
            evaluations: made,
            seconds: start.elapsed().as_secs_f64(),
        })
    };
    variants.iter().map(compare_one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ga::{Batch, Selection};
    use crate::testing;

    fn variant(name: &str, parameters: Parameters) -> Variant {
        Variant { name: name.into(), parameters, weighting: Weighting::Equal }
    }

    #[test]
    fn variants_pay_the_same_price() {
        let data = testing::dataset(60);
        let test = data.select(&(0..20).collect::<Vec<_>>());
        let parameters = Parameters { population: 10, ..Parameters::default() };
        let selection = Selection::Tournament { size: 3 };
        let variants = [
            variant("roulette", parameters.clone()),
            variant("again", parameters.clone()),
            variant("tournament", Parameters { selection, ..parameters }),
        ];
        let table = compare(&variants, &data, &test, 2, 1, 45).unwrap();
        assert!(table.iter().all(|row| row.evaluations == 50 && row.best.len() == 2));
        assert_eq!(table[0].best, table[1].best);
        assert_eq!(table[0].test.len(), 2);
    }

    #[test]
    fn a_batch_costs_its_share_and_the_best_is_scored_on_everything() {
        let data = testing::dataset(100);
        let batch = |generations| Some(Batch { positions: 10, generations });
        // The price must count, not the number of generations.
        let plain = Parameters { population: 10, generations: 2, ..Parameters::default() };
        let variants = [
            variant("everything", plain.clone()),
            variant("a tenth", Parameters { batch: batch(4), ..plain.clone() }),
            variant("one long batch", Parameters { batch: batch(500), ..plain }),
        ];
        let table = compare(&variants, &data, &data, 3, 1, 50).unwrap();
        // A generation on a tenth costs 1 and every fourth 1 more: 10 · (4 + 1) generations.
        assert_eq!(table[0].evaluations, 50);
        assert_eq!(table[1].evaluations, 50);
        // It is not over before its best organism was scored on all positions.
        assert_eq!(table[2].evaluations, 501);
        for row in table {
            assert_eq!(row.best, row.test, "{}: counted on all positions", row.name);
        }
    }

    #[test]
    fn weights_decide_and_results_stay_counts() {
        let data = testing::dataset(300);
        let selection = Selection::Tournament { size: 4 };
        let parameters = Parameters { population: 20, selection, ..Parameters::default() };
        let with = |weighting| Variant { weighting, ..variant("weighted", parameters.clone()) };
        let variants = [
            with(Weighting::Equal),
            // The same weight for all changes nothing but the sum of weights.
            with(Weighting::Class([3, 3, 3])),
            with(Weighting::Class([1, 100, 100])),
        ];
        let table = compare(&variants, &data, &data, 2, 1, 400).unwrap();
        for row in &table {
            assert_eq!(row.best, row.test, "the test is not weighted");
        }
        assert_eq!(table[0].best, table[1].best);
        assert!(table[2].mean < table[0].mean, "{} {}", table[2].mean, table[0].mean);
    }
}
