//! Optimisers, one type each: L-BFGS for smooth functions, AdaGrad and Adam for steps on batches,
//! SPSA for noisy results without a gradient; and how a learning rate decays.
//!
//! They do the same operations in the same order every time, so that what is trained with them is
//! the same to the last bit.

mod adaptive;
mod lbfgs;
pub mod spsa;

pub use adaptive::{AdaGrad, Adam, linear_decay};
pub use lbfgs::Lbfgs;
