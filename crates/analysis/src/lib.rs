//! Analysis of games and positions: win rates, best lines, blunders and what they conceded, and an
//! evaluation taken apart feature by feature, in words.
//!
//! [`judge`](judge()) is given [`AnalysisSettings`] with the game in them, and a
//! [`Context`](tesuji_run::Context) that says with how many threads and watched by whom. Its
//! [`GameAnalysis`] serialises as `docs/formats/analysis.md` says, and makes a page and a text.
//! [`judge_in`] does the same in the folder of a run, where a kill loses nothing that was searched.
//! [`explain`](explain()) takes a position, or what a move changes, apart with the weights of named
//! features; its [`PositionExplanation`] serialises as `docs/formats/explain-json.md` says.
//!
//! Nothing here knows flags or a terminal: a command, a page and a worker call the same functions.

pub mod explain;
pub mod formations;
pub mod judge;
pub mod notation;
pub mod plausible;
pub mod reasons;
pub mod score;
pub mod subject;

pub use explain::{ExplainSettings, PositionExplanation, explain};
pub use judge::{AnalysisSettings, GameAnalysis, SavedGame, judge, judge_in};
pub use subject::Subject;
