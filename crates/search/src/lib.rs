//! Choosing a move: algorithms that search, the mate solver, and what time there is for it.

pub mod alphabeta;
pub mod bench;
pub mod book;
mod evaluator;
pub mod greedy;
mod guide;
pub mod limits;
pub mod mate;
pub mod params;
pub mod positions;
mod prior;
pub mod quiet;
pub mod registry;
mod rules;
pub mod score;
mod searcher;
pub mod spec;
mod stop;

pub use alphabeta::{AlphaBeta, AlphaBetaParams};
pub use evaluator::{Adjusted, Evaluator, Linear, Material, Phase, StateStack, Tables};
pub use limits::Limits;
pub use params::{Parameter, Parameters, Values};
pub use prior::{NoPrior, Prior};
pub use registry::Algorithm;
pub use score::Bound;
pub use searcher::{Info, SearchResult, Searcher, Settings};
pub use stop::Stop;
