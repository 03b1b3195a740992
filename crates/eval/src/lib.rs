//! What a shogi position is worth: named features, sets of them, and castles.
//!
//! A feature is a number with a name, a meaning that can be told to a player, and the squares it
//! talks about. A set of features is described once, here; training, play, explanation and reports
//! all use that description.

pub mod castles;
mod dropped;
mod extended;
mod feature;
mod paper;
mod registry;
mod set;
mod view;

pub use feature::{Feature, Group, Measure};
pub use registry::{all_features, feature_named};
pub use set::{FeatureSet, FeatureSetError};
pub use view::View;
