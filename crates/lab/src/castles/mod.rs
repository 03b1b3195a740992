//! Castles, assaults and strategies in games: which are played, with what success, and where a plan
//! for a castle broke.

mod coach;
mod survey;

pub use coach::{Break, CoachedGame, CoachedSide, coach};
pub use survey::{Popularity, Survey, SurveyPlan, survey};
