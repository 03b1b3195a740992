//! What belongs to a game but not to a position.

mod handicap;
mod result;

pub use handicap::Handicap;
pub use result::{EndReason, GameResult, Outcome};
