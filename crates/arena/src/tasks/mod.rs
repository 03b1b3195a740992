//! Games as jobs: plain values that any thread or machine can be given, see [`tesuji_run::jobs`].

mod games;
mod pairings;

pub use games::{GamesWorker, PlayGames};
pub use pairings::{PairingJob, PairingScore, PairingsWorker, PlayPairings};
