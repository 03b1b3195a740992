//! The 74 features as the thesis's program computed them.
//!
//! The program departs from the thesis's text in some twenty places. Its features are those of the
//! text with the differences listed in this module, and with the two pawn bonuses not linked to the
//! pawn's value. They exist to repeat the thesis's numbers row by row. Views carry its
//! numbering of pieces, and `MoveOrder::Thesis` breaks ties as it did; nothing else uses them.
//!
//! All values fit in 16 bits with room to spare. Where the program adds a number that is the same
//! for every move of a position (an out-of-range read in `ENEMY_KING_ATTACKS`), it is left out: no
//! choice of a move depends on it.

mod control;
mod distance;
mod general;
mod numbering;
mod order;
mod shape;

pub use numbering::Numbering;
pub use order::{move_code, move_order};

use crate::{Feature, Group, Measure, paper};

/// A feature that the program computed in another way than the text says.
struct Difference {
    name: &'static str,
    sentence: &'static str,
    measure: Measure,
}

/// The program's 74 features in the order of the chromosome.
pub(crate) fn features() -> Vec<Feature> {
    let mut features = paper::features();
    for feature in &mut features {
        if let Some((_, code)) = paper::READINGS.iter().find(|(name, _)| *name == feature.name) {
            feature.sentence = code.sentence;
            feature.measure = code.measure;
        }
        if let Some(difference) = differences().find(|other| other.name == feature.name) {
            feature.sentence = difference.sentence;
            feature.measure = difference.measure;
        }
        if feature.group == Group::Distance {
            feature.sentence = distance::SENTENCE;
            feature.measure = distance::measure(feature.name).unwrap_or(feature.measure);
        }
        if matches!(feature.name, "PROMOTED_PAWN_BONUS" | "PAWN_IN_HAND_BONUS") {
            feature.linked_to = None;
        }
    }
    features
}

/// All differences but those of the distances.
fn differences() -> impl Iterator<Item = &'static Difference> {
    general::DIFFERENCES.iter().chain(&shape::DIFFERENCES).chain(&control::DIFFERENCES)
}

#[cfg(test)]
mod tests;
