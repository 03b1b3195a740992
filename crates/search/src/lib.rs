//! Choosing a move: alpha-beta search, the mate solver, and what time there is for it.

mod engine;
mod evaluator;
mod history;
pub mod limits;
pub mod mate;
pub mod params;
mod picker;
pub mod positions;
mod prefetch;
pub mod quiet;
mod reductions;
pub mod score;
pub mod spec;
mod table;
mod team;
mod worker;

pub use engine::{Engine, Report, SearchResult, Searcher, Settings};
pub use evaluator::{Evaluator, Linear, Material, Tables};
pub use limits::Limits;
pub use params::SearchParams;
pub use table::Bound;
