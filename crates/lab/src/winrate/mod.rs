//! Win ratio against value, for all positions of games and for those that meet a condition.
//!
//! A right evaluation predicts the result whatever else is true of a position. Where the curve of
//! the positions with a property parts from that of all, the evaluation does not know the property
//! (Takeuchi et al. 2006).

pub mod calibrate;
mod curve;
pub mod engine;
pub mod fit;
mod outcome;
mod pass;
mod regress;
mod reported;
pub mod scan;
mod values;

use anyhow::{Result, ensure};
use tesuji_eval::condition::Condition;
use tesuji_learn::pool;
use tesuji_run::Context;

pub use curve::{Cell, Curve, HalfPoints};
pub use engine::EngineScores;
pub use outcome::WinrateOutcome;
pub use regress::Method;
pub use values::{ValuePlan, ValueSource};

/// What is to be counted.
#[derive(Clone, Debug)]
pub struct WinratePlan {
    /// Games and evaluation.
    pub values: ValuePlan,
    /// The condition.
    pub when: Option<Condition>,
    /// The width of a bin in centipawns.
    pub bin: i32,
    /// Positions that a bin needs to be shown and compared.
    pub min_count: u64,
    /// Decides how results are shuffled, which shows what chance alone does.
    pub seed: u64,
}

/// Carries out a plan.
pub fn carry_out(plan: &WinratePlan, context: &Context<'_>) -> Result<WinrateOutcome> {
    let counted = pool(context.threads)?.install(|| pass::count(plan, context.observer))?;
    ensure!(counted.all.total.all() > 0, "no position of a game with a result");
    Ok(WinrateOutcome { plan: plan.clone(), counted })
}
