//! Matches, tournaments and self-play: games played into the journal of a run folder, and what is
//! made of the journal.

mod conditions;
mod faults;
pub mod files;
pub mod matches;
pub mod page;
pub mod selfplay;
mod setup;
pub mod text;
pub mod tournament;

pub use conditions::Conditions;
pub use faults::Faults;
pub use matches::{MatchPlan, MatchStanding};
pub use selfplay::{SelfplayCount, SelfplayPlan};
pub use setup::GamesSetup;
pub use tournament::{TournamentPlan, TournamentStanding};
