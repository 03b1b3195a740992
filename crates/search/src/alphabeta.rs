//! Alpha-beta: principal variation search with iterative deepening, quiescence and a transposition
//! table, on one or more threads.

mod engine;
pub(crate) mod history;
pub mod params;
mod picker;
mod prefetch;
pub(crate) mod reductions;
mod team;
pub(crate) mod transposition;
pub(crate) mod worker;

pub use engine::Engine;
pub use params::SearchParams;
