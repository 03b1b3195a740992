//! Every feature by its name, so that a set can be put together from any of them.

use std::collections::HashSet;

use crate::{Feature, dropped, extended, king_control, nearness, paper, progress};

/// Every feature that the program knows, each once: those of the thesis and its program, those it
/// dropped, what it names as future work, and our own, in this order.
pub fn all_features() -> Vec<Feature> {
    let mut names = HashSet::new();
    let every = (paper::features().into_iter())
        .chain(paper::READINGS.map(|(_, code)| code))
        .chain(dropped::features())
        .chain(king_control::FEATURES)
        .chain(progress::FEATURES)
        .chain(nearness::features())
        .chain(extended::features());
    every.filter(|feature| names.insert(feature.name)).collect()
}

/// The feature with this name.
pub fn feature_named(name: &str) -> Option<Feature> {
    all_features().into_iter().find(|feature| feature.name == name)
}
