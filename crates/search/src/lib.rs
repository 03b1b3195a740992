//! Choosing a move: algorithms that search, the mate solver, and what time there is for it.

pub mod alphabeta;
pub mod bench;
mod evaluator;
pub mod limits;
pub mod mate;
pub mod positions;
pub mod quiet;
pub mod score;
mod searcher;

pub use alphabeta::{Engine, SearchParams, params};
pub use evaluator::{Evaluator, Linear, Material, Tables};
pub use limits::Limits;
pub use score::Bound;
pub use searcher::{Info, SearchResult, Searcher, Settings};
