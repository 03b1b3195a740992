//! Plausible moves and their merit: what each legal move is for, and how much speaks for it.
//!
//! A [`Scene`] holds what all moves of a position share. 21 [`Generator`]s in five classes say for
//! each move whether they would produce it, each with a value that depends on the pieces and squares
//! concerned; the sum of these values and of what the move costs is its merit ([`Merits`]). A move
//! that no generator produces, or whose merit is negative, is not plausible.

mod costs;
mod cut;
mod details;
mod development;
mod few;
mod generator;
mod groups;
mod hand;
mod merits;
mod odds;
pub mod patterns;
mod rating;
mod rules;
mod scene;
mod step;

pub use cut::{Bar, Cut, CutError};
pub use details::{Detail, How};
pub use development::{Development, Lore, Openings};
pub use generator::{Class, Generator, Generators};
pub use groups::{Group, LEVELS, feature_set_id};
pub use merits::{Merits, UNITS};
pub use patterns::Patterns;
pub use rating::{Parts, Rater, Rating, Reason};
pub use scene::Scene;
pub use step::Step;
