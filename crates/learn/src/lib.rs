//! Finding weights for an evaluation: the training data in memory, the thesis's genetic algorithm
//! and better ones, the conditional logit they are compared with, and how well weights predict.
//!
//! Everything runs on the threads of the current rayon pool (see [`pool`]), and every result is the
//! same for any number of them.

mod accuracy;
pub mod analysis;
pub mod coevolution;
pub mod compare;
mod count;
pub mod dataset;
pub mod experts;
pub mod fitness;
pub mod ga;
pub mod games;
pub mod genome;
pub mod imitation;
mod kernel;
mod line;
pub mod logit;
pub mod mentor;
mod moves;
pub mod plausible;
pub mod prediction;
mod random_play;
mod state;
mod subset;
pub mod tables;
#[cfg(test)]
mod testing;
pub mod tuning;
pub mod validation;

pub use accuracy::{predict, predict_as};
pub use count::{Count, count};
pub use dataset::{Dataset, Weighting};
pub use fitness::{Scorer, Solved};
pub use line::LineSearch;
pub use moves::{MoveClass, MoveOrder};
pub use prediction::Prediction;
pub use random_play::random_samples;
pub use subset::Subset;

/// A thread pool for the work of this crate; 0 means one thread for every core. Work that is given
/// to [`rayon::ThreadPool::install`] runs on it.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()
}
