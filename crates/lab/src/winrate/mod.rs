//! Win ratio against value, for all positions of games and for those that meet a condition.
//!
//! A right evaluation predicts the result whatever else is true of a position. Where the curve of
//! the positions with a property parts from that of all, the evaluation does not know the property
//! (Takeuchi et al. 2006).

mod curve;
pub mod engine;
mod outcome;
mod pass;
mod reported;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use tesuji_eval::condition::Condition;
use tesuji_learn::pool;
use tesuji_run::Context;
use tesuji_search::spec::Evaluation;

pub use curve::{Cell, Curve, HalfPoints};
pub use engine::{EngineScores, Scores};
pub use outcome::WinrateOutcome;
pub use reported::reported;

/// What is to be counted.
#[derive(Clone, Debug)]
pub struct WinratePlan {
    /// Files of games.
    pub games: Vec<PathBuf>,
    /// The evaluation by its name or file.
    pub evaluation: String,
    /// The condition.
    pub when: Option<Condition>,
    /// Are positions played out by quiescence before they are evaluated?
    pub quiet: bool,
    /// The width of a bin in centipawns.
    pub bin: i32,
    /// Positions that a bin needs to be shown and compared.
    pub min_count: u64,
    /// Decides how results are shuffled, which shows what chance alone does.
    pub seed: u64,
}

/// Carries out a plan.
pub fn carry_out(plan: &WinratePlan, context: &Context<'_>) -> Result<WinrateOutcome> {
    let evaluation = Evaluation::load(&plan.evaluation)?;
    let counted = pool(context.threads)?
        .install(|| evaluation.visit(pass::Pass { plan, observer: context.observer }))?;
    ensure!(counted.all.total.all() > 0, "no position of a game with a result");
    Ok(WinrateOutcome { plan: plan.clone(), counted })
}
