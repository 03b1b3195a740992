//! Our own features, which go past those of the thesis: above all the pieces that each side can
//! take, then both kings' surroundings, places of pieces, mobility, and the opponent's checks.
//!
//! Features come in families: one definition for all classes of pieces, or for all ranks. What they
//! share is worked out once, in a [`Survey`] that the [`View`] keeps.
//!
//! Weights are never negative in the thesis's genetic algorithm, so a feature that speaks against a
//! position has its value the other way round; `penalties` lists which.

mod checks;
mod class;
mod control;
mod entry;
mod exchange;
mod king;
mod material;
mod mobility;
mod pawns;
mod penalties;
mod phase;
mod place;
mod shelter;
mod survey;
mod threat;

use penalties::is_penalty;
pub(crate) use survey::Survey;
use tesuji_shogi::Bitboard;

use crate::{Feature, Group, Measure, View};

/// All features of the set, family by family.
pub fn features() -> Vec<Feature> {
    let mut features = Vec::new();
    features.extend(material::features());
    features.extend(threat::features());
    features.extend(checks::features());
    features.extend(king::features());
    features.extend(shelter::features());
    features.extend(place::features());
    features.extend(mobility::features());
    features.extend(control::features());
    features.extend(pawns::features());
    features.extend(entry::features());
    features.extend(phase::features());
    features.extend(crate::paper::shapes());
    features
}

/// The value of one member of a family.
type Value = fn(&View<'_>, usize) -> i32;
/// The squares that one member of a family is about.
type Squares = fn(&View<'_>, usize) -> Bitboard;

/// A family of features: names and sentences of the members, and how each is worked out from its
/// place among them.
fn family<'a>(
    group: Group,
    bits: u8,
    members: &'a [(&'static str, &'static str)],
    value: Value,
    squares: Squares,
) -> impl Iterator<Item = Feature> + 'a {
    members.iter().enumerate().map(move |(member, &(name, sentence))| Feature {
        name,
        group,
        bits,
        linked_to: None,
        sentence,
        measure: Measure::Member { value, squares, member, penalty: is_penalty(name) },
    })
}

/// A family whose values are the sizes of its members' sets of squares.
fn counted<'a>(
    group: Group,
    bits: u8,
    members: &'a [(&'static str, &'static str)],
    squares: Squares,
) -> impl Iterator<Item = Feature> + 'a {
    members.iter().enumerate().map(move |(member, &(name, sentence))| Feature {
        name,
        group,
        bits,
        linked_to: None,
        sentence,
        measure: Measure::CountOf { squares, member, penalty: is_penalty(name) },
    })
}

#[cfg(test)]
mod tests;
