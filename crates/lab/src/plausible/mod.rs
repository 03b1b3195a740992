//! Plausible moves in games: which of the moves that were played are generated, and what is saved.

mod accuracy;

pub use accuracy::{AccuracyOutcome, AccuracyPlan, Rates, accuracy, by_generator};
