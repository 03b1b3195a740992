//! Evaluation, what a shogi position is worth: named features, sets of them, weights, and
//! explanations.
//!
//! A feature is a number with a name, a meaning that can be told to a player, and the squares it
//! is about. A set of features is described once, here; training, play, explanation and reports
//! all use that description.

pub mod adjust;
pub mod calibration;
pub mod castles;
pub mod condition;
mod dropped;
mod explain;
mod extended;
mod feature;
pub mod formations;
mod formula;
mod groups;
mod king_control;
pub mod legacy;
mod load;
mod mirror;
mod model;
pub mod moves;
mod nearness;
mod numbers;
mod paper;
pub mod phase;
mod piece_square;
pub mod plausible;
pub mod positions;
mod predictor;
pub mod progress;
pub mod published;
mod registry;
mod selection;
mod set;
pub mod tables;
#[cfg(test)]
mod testing;
mod view;
mod weights;

pub use calibration::{Calibration, CalibrationEntry, CalibrationError, Calibrations};
pub use explain::{Change, Contrast, Explanation, MoveExplanation, Term};
pub use feature::{Feature, Group, Measure};
pub use formula::{Formula, FormulaGene};
pub use load::LoadError;
pub use model::{Model, ModelError};
pub use moves::MoveModel;
pub use numbers::{Notes, NumbersError};
pub use phase::PhaseTables;
pub use positions::PositionModel;
pub use predictor::{Predictor, PredictorError};
pub use registry::{all_features, feature_named};
pub use selection::{Change as SelectionChange, Selection, SelectionError};
pub use set::{After, FeatureSet, FeatureSetError};
pub use tables::{PieceTables, TablesError};
pub use view::View;
pub use weights::{Weights, WeightsError};
