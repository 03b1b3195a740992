//! The 74 features of the thesis, with the definitions of its text, in the order of its chromosome.

mod castle;
mod control;
mod distance;
mod king;
mod material;
mod mobility;
mod rook;
mod shape;

pub(crate) use distance::sum_of_distances;

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

/// The features about shapes, castles and rooks' files, which other sets take over.
pub(crate) fn shapes() -> Vec<Feature> {
    let mut features = Vec::from(shape::BISHOP_HEADS);
    features.push(castle::FORMATION);
    features.extend(shape::SHAPES);
    features.extend(rook::FEATURES);
    features
}

#[cfg(test)]
mod tests;
