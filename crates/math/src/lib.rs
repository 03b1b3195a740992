//! Numbers that belong to no game: random choices that stay the same for ever, the statistics of
//! matches, ratings, optimisers.

pub mod optimise;
pub mod random;
pub mod ratings;
pub mod stats;

pub use random::Random;
