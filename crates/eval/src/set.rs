//! Sets of features, described once for training, play, explanation and reports.

use sha2::{Digest, Sha256};
use tesuji_shogi::{Color, Move, Position};
use thiserror::Error;

use crate::formula::Formula;
use crate::legacy::{self, Numbering};
use crate::{Feature, Group, Measure, View, dropped, extended, paper};

/// A list of features that belong together.
#[derive(Clone, Debug)]
pub struct FeatureSet {
    name: String,
    features: Vec<Feature>,
    /// For each feature, the number of the one that it is linked to.
    links: Vec<Option<usize>>,
    /// How weights come out of genes, where they are not the genes themselves.
    formula: Option<Box<Formula>>,
}

/// Raised whenever the definition of a feature changes, so that weights made before are not taken
/// for weights of the new features.
const DEFINITIONS: u32 = 2;

/// A feature set cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum FeatureSetError {
    /// There is no set with this name.
    #[error("no feature set is named {name:?}, expected one of {expected}")]
    UnknownSet { name: String, expected: String },
    /// The base has no feature with this name.
    #[error("{set} has no feature {name:?}")]
    UnknownFeature { set: String, name: String },
    /// A feature is linked to one that is not in the set.
    #[error("{name} is linked to {base}, which is not in the set")]
    LinkOutside { name: String, base: String },
    /// The same feature twice.
    #[error("{name} is in the set twice")]
    Twice { name: String },
}

impl FeatureSet {
    /// The names that [`FeatureSet::named`] knows.
    pub const NAMES: [&'static str; 8] = [
        "paper",
        "paper-code",
        "legacy",
        "dropped",
        "extended",
        "hand-discount",
        "king-zone",
        "king-zone-fixed",
    ];

    /// One of the sets that come with the program.
    pub fn named(name: &str) -> Result<Self, FeatureSetError> {
        match name {
            "paper" => Self::new(name, paper::features()),
            "paper-code" => Self::new(name, paper::features_by_code()),
            "legacy" => Self::new(name, legacy::features()),
            "dropped" => Self::new(name, dropped::features()),
            "extended" => Self::new(name, extended::features()),
            "hand-discount" => Ok(Formula::hand_discount()?),
            "king-zone" => Ok(Formula::king_zone(true)?),
            "king-zone-fixed" => Ok(Formula::king_zone(false)?),
            _ => Err(FeatureSetError::UnknownSet {
                name: name.into(),
                expected: Self::NAMES.join(", "),
            }),
        }
    }

    /// A set of these features.
    pub fn new(name: &str, features: Vec<Feature>) -> Result<Self, FeatureSetError> {
        let find = |name: &str| features.iter().position(|feature| feature.name == name);
        let mut links = Vec::with_capacity(features.len());
        for (i, feature) in features.iter().enumerate() {
            if find(feature.name) != Some(i) {
                return Err(FeatureSetError::Twice { name: feature.name.into() });
            }
            links.push(match feature.linked_to {
                None => None,
                Some(base) => Some(find(base).ok_or_else(|| FeatureSetError::LinkOutside {
                    name: feature.name.into(),
                    base: base.into(),
                })?),
            });
        }
        Ok(Self { name: name.into(), features, links, formula: None })
    }

    /// The same with weights that a formula makes out of genes.
    pub(crate) fn with_formula(self, formula: Formula) -> Self {
        Self { formula: Some(Box::new(formula)), ..self }
    }

    /// How weights come out of genes, where they are not the genes themselves.
    pub fn formula(&self) -> Option<&Formula> {
        self.formula.as_deref()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its identity: the name and a hash of everything that decides what a list of weights means,
    /// the definitions of castles among it where a feature counts their pieces.
    pub fn id(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(format!("definitions {DEFINITIONS}\n"));
        for feature in &self.features {
            let link = feature.linked_to.unwrap_or("-");
            hash.update(format!("{}\t{link}\n", feature.name));
            if let Measure::Castle(castles) = feature.measure {
                hash.update(castles().definitions());
            }
        }
        let digest = hash.finalize();
        let short: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        format!("{}-{short}", self.name)
    }

    /// The features in order.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// How many features there are.
    pub fn len(&self) -> usize {
        self.features.len()
    }

    /// Is the set empty?
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// The number of the feature with this name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.features.iter().position(|feature| feature.name == name)
    }

    /// The numbers of the features of a group.
    pub fn of_group(&self, group: Group) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(move |&i| self.features[i].group == group)
    }

    /// The weights by which the values are multiplied: a linked feature's with its base's added.
    pub fn effective_weights(&self, weights: &[i32]) -> Vec<i32> {
        let linked =
            |(i, link): (usize, &Option<usize>)| weights[i] + link.map_or(0, |base| weights[base]);
        self.links.iter().enumerate().map(linked).collect()
    }

    /// The values of all features, from the view of `player`.
    pub fn values(&self, position: &Position, player: Color) -> Vec<i16> {
        let view = View::new(position, player);
        self.features.iter().map(|feature| clamped(feature.value(&view))).collect()
    }

    /// The values in the view of `player` minus those in the other's.
    pub fn differences(&self, position: &Position, player: Color) -> Vec<i16> {
        let own = View::new(position, player);
        let other = own.turned();
        self.features.iter().map(|feature| clamped(feature.difference(&own, &other))).collect()
    }

    /// The values after each of the moves, from the view of the player who moves: one row a move,
    /// appended to `rows`.
    pub fn append_rows(&self, root: &Position, moves: &[Move], rows: &mut Vec<i16>) {
        rows.reserve(moves.len() * self.len());
        let after = self.after(root);
        moves.iter().for_each(|&mv| after.append_row(mv, rows));
    }

    /// For the values after moves of a position, one after the other.
    pub fn after<'a>(&'a self, root: &'a Position) -> After<'a> {
        After { set: self, root, numbering: Numbering::of(root) }
    }
}

/// The values of a set after moves of one position.
pub struct After<'a> {
    set: &'a FeatureSet,
    root: &'a Position,
    numbering: Numbering,
}

impl After<'_> {
    /// Appends the values after a move, from the view of the player who moves.
    pub fn append_row(&self, mv: Move, row: &mut Vec<i16>) {
        let mut after = *self.root;
        after.play_unchecked(mv);
        let player = self.root.side_to_move();
        let view = View::numbered(&after, player, self.numbering.after(mv));
        row.extend(self.set.features.iter().map(|feature| clamped(feature.value(&view))));
    }
}

/// Values are small; one that is not would be a mistake in a feature.
fn clamped(value: i32) -> i16 {
    debug_assert!(i16::try_from(value).is_ok());
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::castles::CountedCastles;

    #[test]
    fn other_castles_are_another_set() {
        let paper = FeatureSet::named("paper").unwrap();
        let with = |castles: fn() -> &'static CountedCastles| {
            let mut features = paper.features().to_vec();
            for feature in &mut features {
                if let Measure::Castle(own) = &mut feature.measure {
                    *own = castles;
                }
            }
            FeatureSet::new("paper", features).unwrap().id()
        };
        assert_eq!(with(CountedCastles::common), paper.id());
        assert_ne!(with(CountedCastles::thesis), paper.id());
    }
}
