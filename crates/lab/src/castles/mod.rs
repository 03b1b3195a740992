//! Castles, assaults and strategies in games: which are played and with what success, and what is
//! learned of them.

mod positional;
mod roads;
mod survey;
mod text;

pub use positional::{Positional, fit_positional};
pub use roads::{Learned, learn};
pub use survey::{Popularity, Survey, SurveyPlan, Swapped, survey, survey_any};
