//! Castles, assaults and strategies in games: which are played, with what success, and where a plan
//! for a castle broke.

mod coach;
mod positional;
mod roads;
mod survey;

pub use coach::{Break, CoachedGame, CoachedSide, coach};
pub use positional::{Positional, fit_positional};
pub use roads::{Learned, learn};
pub use survey::{Popularity, Survey, SurveyPlan, survey, survey_any};
