//! Feature sets chosen in a TOML file.
//!
//! ```toml
//! name = "mine"
//! base = "paper"
//! without = ["BOXED_IN_BISHOP_PENALTY"]
//!
//! [features.ROOK_MOBILITY]
//! bits = 8
//! group = "rook"
//! ```
//!
//! A selection starts from all features of its base, or from those listed in `only`, leaves out
//! those listed in `without`, adds those listed in `with`, which may be any that the program knows,
//! and changes widths, groups and links feature by feature.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Feature, FeatureSet, FeatureSetError, Group, feature_named};

/// A choice of features, as a file says it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// The name of the new set.
    pub name: String,
    /// The set to choose from.
    pub base: String,
    /// The features to take, in this order; all of the base if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// The features to leave out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// Features of other sets to add, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// What to change in single features.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub features: BTreeMap<String, Change>,
}

/// A change of a feature.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Another width of the weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits: Option<u8>,
    /// Another group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Is its weight added to that of its base? `false` gives it a weight of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linked: Option<bool>,
}

/// A selection cannot be read or does not fit its base.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SelectionError {
    /// The text is not a selection.
    #[error("{0}")]
    Text(String),
    /// The features do not fit together.
    #[error(transparent)]
    Set(#[from] FeatureSetError),
    /// A width that no weight can have.
    #[error("{name}: expected 1 to 16 bits, found {bits}")]
    Bits {
        /// The feature.
        name: String,
        /// The width.
        bits: u8,
    },
    /// A group that does not exist.
    #[error("{name}: no group is named {group:?}")]
    Group {
        /// The feature.
        name: String,
        /// The group.
        group: String,
    },
}

impl Selection {
    /// Reads a selection. The error names the line.
    pub fn parse(text: &str) -> Result<Self, SelectionError> {
        toml::from_str(text).map_err(|error| SelectionError::Text(error.message().into()))
    }

    /// The set that the selection means.
    pub fn build(&self) -> Result<FeatureSet, SelectionError> {
        let base = FeatureSet::named(&self.base)?;
        let find = |name: &String| {
            base.index_of(name).ok_or_else(|| FeatureSetError::UnknownFeature {
                set: self.base.clone(),
                name: name.clone(),
            })
        };
        for name in &self.without {
            find(name)?;
        }
        let added = |name: &String| {
            feature_named(name).ok_or_else(|| FeatureSetError::UnknownFeature {
                set: "no set".into(),
                name: name.clone(),
            })
        };
        let added: Vec<Feature> = self.with.iter().map(added).collect::<Result<_, _>>()?;
        for name in self.features.keys().filter(|name| !self.with.contains(name)) {
            find(name)?;
        }
        let chosen: Vec<usize> = if self.only.is_empty() {
            (0..base.len()).collect()
        } else {
            self.only.iter().map(find).collect::<Result<_, _>>()?
        };
        let left = |feature: &Feature| !self.without.iter().any(|name| name == feature.name);
        let features = chosen
            .into_iter()
            .map(|i| base.features()[i])
            .filter(left)
            .chain(added)
            .map(|feature| self.changed(feature))
            .collect::<Result<_, _>>()?;
        Ok(FeatureSet::new(&self.name, features)?)
    }

    fn changed(&self, mut feature: Feature) -> Result<Feature, SelectionError> {
        let Some(change) = self.features.get(feature.name) else { return Ok(feature) };
        let name = feature.name.to_owned();
        if let Some(bits) = change.bits {
            if !(1..=16).contains(&bits) {
                return Err(SelectionError::Bits { name, bits });
            }
            feature.bits = bits;
        }
        if change.linked == Some(false) {
            feature.linked_to = None;
        }
        if let Some(group) = &change.group {
            feature.group = Group::from_name(group)
                .ok_or_else(|| SelectionError::Group { name, group: group.clone() })?;
        }
        Ok(feature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_leaves_out_and_changes() {
        let text = "name = 'mine'\nbase = 'paper'\nwithout = ['CLAIMED_FILES']\n\
                    [features.ROOK_MOBILITY]\nbits = 8\ngroup = 'rook'\n";
        let selection = Selection::parse(text).unwrap();
        let set = selection.build().unwrap();
        assert_eq!((set.name(), set.len()), ("mine", 73));
        assert_eq!(set.index_of("CLAIMED_FILES"), None);
        let mobility = &set.features()[set.index_of("ROOK_MOBILITY").unwrap()];
        assert_eq!((mobility.bits, mobility.group), (8, Group::Rook));
        let written = toml::to_string(&selection).unwrap();
        assert_eq!(Selection::parse(&written).unwrap(), selection);
    }

    #[test]
    fn a_selection_adds_and_unlinks() {
        let text = "name = 'mine'\nbase = 'paper'\nwith = ['KING_ATTACKS_SAFE', 'AT_1_ENEMY']\n\
                    [features.PROMOTED_ROOK_BONUS]\nlinked = false\n\
                    [features.AT_1_ENEMY]\nbits = 8\n";
        let set = Selection::parse(text).unwrap().build().unwrap();
        assert_eq!((set.len(), set.features()[75].bits), (76, 8));
        let bonus = set.index_of("PROMOTED_ROOK_BONUS").unwrap();
        assert_eq!(set.effective_weights(&[100; 76])[bonus], 100);
    }

    #[test]
    fn only_takes_features_in_the_order_given() {
        let text = "name = 'two'\nbase = 'paper'\nonly = ['ROOK_VALUE', 'PAWN_VALUE']";
        let set = Selection::parse(text).unwrap().build().unwrap();
        let names: Vec<&str> = set.features().iter().map(|feature| feature.name).collect();
        assert_eq!(names, ["ROOK_VALUE", "PAWN_VALUE"]);
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| match Selection::parse(text) {
            Ok(selection) => selection.build().map(|_| ()).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        let cases = [
            ("base = 'paper'", "missing field `name`"),
            ("name = 'a'\nbase = 'nothing'", "no feature set is named \"nothing\""),
            ("name = 'a'\nbase = 'paper'\nonly = ['X']", "paper has no feature \"X\""),
            ("name = 'a'\nbase = 'paper'\nwithout = ['X']", "paper has no feature \"X\""),
            (
                "name = 'a'\nbase = 'paper'\nwithout = ['PAWN_VALUE']",
                "PROMOTED_PAWN_BONUS is linked to PAWN_VALUE, which is not in the set",
            ),
            (
                "name = 'a'\nbase = 'paper'\n[features.PAWN_VALUE]\nbits = 40",
                "PAWN_VALUE: expected 1 to 16 bits, found 40",
            ),
            (
                "name = 'a'\nbase = 'paper'\n[features.PAWN_VALUE]\ngroup = 'x'",
                "PAWN_VALUE: no group is named \"x\"",
            ),
            ("name = 'a'\nbase = 'paper'\nonly = ['ROOK_VALUE', 'ROOK_VALUE']", "twice"),
        ];
        for (text, expected) in cases {
            assert!(error(text).contains(expected), "{text:?} gave {:?}", error(text));
        }
    }
}
