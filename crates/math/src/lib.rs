//! Random numbers, match statistics (Elo, SPRT), Bradley–Terry ratings and optimisers: all that is
//! known of numbers and nothing of shogi.

pub mod linear;
pub mod optimise;
pub mod random;
pub mod ratings;
pub mod stats;

pub use random::Random;
