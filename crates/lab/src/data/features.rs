//! Feature sets by name or from a file.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use tesuji_eval::{FeatureSet, Selection, Weights};

/// A feature set, and the selection that describes it if it comes from a file.
pub struct Features {
    /// The set.
    pub set: FeatureSet,
    selection: Option<Selection>,
}

impl Features {
    /// The set with this name, or the one that a TOML file selects.
    pub fn load(name: &str) -> Result<Self> {
        if !is_file(name) {
            return Ok(Self { set: FeatureSet::named(name)?, selection: None });
        }
        let text = fs::read_to_string(name).with_context(|| name.to_owned())?;
        let selection = Selection::parse(&text).with_context(|| name.to_owned())?;
        let set = selection.build().with_context(|| name.to_owned())?;
        Ok(Self { set, selection: Some(selection) })
    }

    /// Weights of these features, which know where the features come from.
    pub fn weights(&self, values: Vec<i32>) -> Result<Weights> {
        Ok(match &self.selection {
            Some(selection) => Weights::of_selection(selection.clone(), values)?,
            None => Weights::new(self.set.clone(), values)?,
        })
    }
}

/// Is this the name of a file rather than of a set?
pub fn is_file(name: &str) -> bool {
    !FeatureSet::NAMES.contains(&name) && Path::new(name).is_file()
}
