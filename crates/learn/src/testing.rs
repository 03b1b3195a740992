//! Positions for tests: from games of a player who moves at random.

use tesuji_eval::FeatureSet;
use tesuji_records::Sample;

use crate::{Dataset, MoveOrder, random_samples};
use tesuji_math::Random;

/// Labelled positions of random games.
pub(crate) fn samples(count: usize) -> Vec<Sample> {
    random_samples(count, &mut Random::new(42))
}

/// Labelled positions with the features of the thesis.
pub(crate) fn dataset(count: usize) -> Dataset {
    let set = FeatureSet::named("paper").expect("the set is built in");
    Dataset::build(&set, &samples(count), MoveOrder::Thesis)
}
