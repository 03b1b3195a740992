//! The parameters of the search as genes.

use std::ops::RangeInclusive;

use tesuji_search::{Parameter, Values};
use thiserror::Error;

use crate::genome::GeneMap;
use tesuji_math::Random;

/// Bits of an organism that mutate: one in twenty of the 70 that the model paper had.
const MUTATED: f64 = 3.5;

/// The 18 parameters of the model paper, as they are called here: the extension of a passed pawn on
/// the seventh rank is that of a piece about to promote.
pub const PAPER: [&str; 18] = [
    "null_move",
    "null_reduction",
    "null_adaptive",
    "null_adaptive_depth",
    "reverse_futility_depth",
    "reverse_futility_margin_1",
    "reverse_futility_margin_2",
    "reverse_futility_margin_3",
    "multi_cut",
    "multi_cut_reduction",
    "multi_cut_depth",
    "multi_cut_moves",
    "multi_cut_cuts",
    "check_extension",
    "one_reply_extension",
    "recapture_extension",
    "promotion_extension",
    "mate_threat_extension",
];

/// A parameter that the search does not have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is no parameter of the search")]
pub struct UnknownParameter(String);

/// Some parameters of the search, each a gene over its whole range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchGenes {
    parameters: Vec<&'static Parameter>,
    map: GeneMap,
}

impl SearchGenes {
    /// Those of the parameters with these names, in their order.
    pub fn new<'a>(
        declared: &'static [Parameter],
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, UnknownParameter> {
        let find = |name: &str| {
            let found = declared.iter().find(|parameter| parameter.name == name);
            found.ok_or_else(|| UnknownParameter(name.to_owned()))
        };
        let parameters: Result<Vec<_>, _> = names.into_iter().map(find).collect();
        Ok(Self::of(parameters?))
    }

    /// Every parameter.
    pub fn all(declared: &'static [Parameter]) -> Self {
        Self::of(declared.iter().collect())
    }

    fn of(parameters: Vec<&'static Parameter>) -> Self {
        let ranges = parameters.iter().map(|parameter| parameter.min..=parameter.max);
        Self { map: GeneMap::of_ranges(ranges), parameters }
    }

    /// The parameters.
    pub fn parameters(&self) -> &[&'static Parameter] {
        &self.parameters
    }

    /// The values that each parameter may have.
    pub fn ranges(&self) -> Vec<RangeInclusive<i32>> {
        self.parameters.iter().map(|parameter| parameter.min..=parameter.max).collect()
    }

    /// Where each stands in a genome.
    pub fn map(&self) -> &GeneMap {
        &self.map
    }

    /// The values that some settings have for these parameters.
    pub fn values(&self, params: &Values) -> Vec<i32> {
        let value =
            |parameter: &&Parameter| params.get(parameter.name).unwrap_or(parameter.default);
        self.parameters.iter().map(value).collect()
    }

    /// How likely it is that a bit mutates.
    pub fn rate(&self) -> f64 {
        (MUTATED / self.map.bits().max(1) as f64).min(0.5)
    }

    /// The first organisms: `start`, and mutations of it or random ones.
    pub fn founders(
        &self,
        start: &[i32],
        near: bool,
        count: usize,
        random: &mut Random,
    ) -> Vec<Vec<i32>> {
        let first = self.map.genome(start);
        let mut founders = vec![start.to_vec()];
        while founders.len() < count {
            let mut genome = first.clone();
            if near {
                genome.mutate(self.rate(), random);
            } else {
                genome = self.map.random(random);
            }
            founders.push(self.map.weights(&genome));
        }
        founders
    }

    /// The settings with other values for these parameters.
    pub fn params(&self, base: &Values, values: &[i32]) -> Values {
        let mut params = base.clone();
        for (parameter, &value) in self.parameters.iter().zip(values) {
            params.set(parameter.name, value.clamp(parameter.min, parameter.max));
        }
        params
    }
}

#[cfg(test)]
mod tests {
    use tesuji_search::Algorithm;

    use super::*;

    #[test]
    fn every_setting_is_a_genome_and_back() {
        let algorithm = Algorithm::standard();
        let genes = SearchGenes::all(algorithm.parameters);
        for name in algorithm.presets {
            let params = algorithm.preset(name).unwrap();
            let genome = genes.map().genome(&genes.values(&params));
            let values = genes.map().weights(&genome);
            assert_eq!(genes.params(&algorithm.defaults(), &values), params);
        }
    }

    #[test]
    fn others_keep_their_values() {
        let algorithm = Algorithm::standard();
        let genes = SearchGenes::new(algorithm.parameters, PAPER).unwrap();
        assert_eq!(genes.parameters().len(), 18);
        let mut base = algorithm.defaults();
        assert!(base.set("aspiration", 77));
        let least: Vec<i32> = genes.parameters().iter().map(|parameter| parameter.min).collect();
        let params = genes.params(&base, &least);
        assert_eq!((params.get("aspiration"), params.get("null_move")), (Some(77), Some(0)));
        assert!(SearchGenes::new(algorithm.parameters, ["null_move", "nonsense"]).is_err());
    }
}
