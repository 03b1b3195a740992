//! Which settings of the genetic algorithm win, at the same price.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::ga::{Parameters, ParametersError, Run};
use crate::{Dataset, Random, Scorer};

/// Settings with a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// What tables call it.
    pub name: String,
    /// The settings. The number of generations does not count.
    pub parameters: Parameters,
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
    /// Organisms that each run scored, and lines that it searched.
    pub evaluations: u64,
    /// How long all runs took.
    pub seconds: f64,
}

/// Runs each variant `runs` times, with seeds that depend on `seed` and the number of the run
/// alone, until it has made `evaluations` or more.
///
/// An evaluation is an organism scored or a line searched: either looks at every row at most once.
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
        let map = variant.parameters.gene_map(data.set())?;
        let mut best = Vec::new();
        let mut tests = Vec::new();
        let mut made = 0;
        for index in 0..runs {
            let seed = Random::derived_seed(seed, index);
            let mut run = Run::new(variant.parameters.clone(), data.set(), seed, &[])?;
            let mut scorer = Scorer::new(data);
            while run.evaluations() < evaluations {
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
    use crate::ga::Selection;
    use crate::testing;

    #[test]
    fn variants_pay_the_same_price() {
        let data = testing::dataset(60);
        let test = data.select(&(0..20).collect::<Vec<_>>());
        let parameters = Parameters { population: 10, ..Parameters::default() };
        let selection = Selection::Tournament { size: 3 };
        let variants = [
            Variant { name: "roulette".into(), parameters: parameters.clone() },
            Variant { name: "again".into(), parameters: parameters.clone() },
            Variant {
                name: "tournament".into(),
                parameters: Parameters { selection, ..parameters },
            },
        ];
        let table = compare(&variants, &data, &test, 2, 1, 45).unwrap();
        assert!(table.iter().all(|row| row.evaluations == 50 && row.best.len() == 2));
        assert_eq!(table[0].best, table[1].best);
        assert_eq!(table[0].test.len(), 2);
    }
}
