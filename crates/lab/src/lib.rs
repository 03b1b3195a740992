//! The experiments: evolution, co-evolution, tuning, training, matches, and the papers repeated.
//!
//! Every experiment is a plan (a plain value that a run folder keeps), a function that carries it
//! out with a [`tesuji_run::Context`], and an outcome with its numbers as JSON and a page. Flags
//! and the text for the terminal belong to the binary.

pub mod ablation;
pub mod book;
pub mod castles;
pub mod coevolve;
pub mod data;
pub mod evolve;
pub mod games;
pub mod mates;
pub mod mentor;
pub mod pairings;
pub mod plausible;
pub mod predict;
pub mod reproduce;
pub mod sink;
pub mod style;
pub mod suite;
pub mod train;
pub mod trainer;
pub mod tune;
pub mod winrate;
