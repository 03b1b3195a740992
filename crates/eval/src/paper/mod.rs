//! The 74 features of the thesis, with the definitions of its text, in the order of its chromosome.

mod castle;
mod control;
mod distance;
mod king;
mod material;
mod mobility;
mod rook;
mod shape;

pub(crate) use distance::{distance_between, sum_of_distances};

use crate::Feature;

/// The 74 features in the order of the thesis's chromosome.
pub fn features() -> Vec<Feature> {
    let mut features = Vec::with_capacity(74);
    features.extend(material::FEATURES);
    features.push(king::THREAT_PENALTY);
    features.extend(mobility::FEATURES);
    features.push(king::ENEMY_KING_ATTACKS);
    features.extend(shape::BISHOP_HEADS);
    features.push(king::DEFENDERS);
    features.push(king::ESCAPE_ROUTES);
    features.extend(control::CAMPS);
    features.push(castle::FORMATION);
    features.extend(shape::SHAPES);
    features.extend(rook::FEATURES);
    features.push(control::BLOCKED_FLOW_SAFE);
    features.extend(control::BALANCES);
    features.extend(distance::FEATURES);
    features
}

/// Two features that the thesis's text describes in one way and its program computed in another:
/// the name of the text's, and the program's.
pub(crate) const READINGS: [(&str, Feature); 2] = [
    ("ROOK_ATTACK_KING_ADJ_FILE_9821", rook::INNER_FILE),
    ("TOTAL_ATTACKING", control::TOTAL_ATTACKS),
];

/// The 74 features, these two as the program has them.
pub(crate) fn features_by_code() -> Vec<Feature> {
    features().into_iter().map(by_code).collect()
}

fn by_code(feature: Feature) -> Feature {
    READINGS.iter().find(|(name, _)| *name == feature.name).map_or(feature, |(_, code)| *code)
}

/// The features about shapes, castles and rooks' files, which other sets take over.
pub(crate) fn shapes() -> Vec<Feature> {
    let mut features = Vec::from(shape::BISHOP_HEADS);
    features.push(castle::FORMATION);
    features.extend(shape::SHAPES);
    features.extend(rook::FEATURES.map(by_code));
    features
}

#[cfg(test)]
mod tests;
