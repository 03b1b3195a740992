//! Alpha-beta: principal variation search with iterative deepening, quiescence and a transposition
//! table, on one or more threads.

mod engine;
pub(crate) mod history;
mod params;
mod picker;
mod plausible;
mod prefetch;
pub(crate) mod reductions;
mod team;
pub(crate) mod transposition;
pub(crate) mod worker;

pub use engine::AlphaBeta;
pub use params::AlphaBetaParams;
pub use plausible::lore;
