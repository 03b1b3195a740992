//! Co-evolution: evaluations that play each other, bred from those that play best.

mod outcome;
pub mod page;
mod plan;

use anyhow::Result;
use tesuji_run::{Context, RunFolder};

pub use outcome::CoevolveOutcome;
pub use plan::{CoevolvePlan, Founder};

/// Carries out a plan, or what is left of it, and writes what came out into the folder.
pub fn carry_out<'a>(
    plan: &'a CoevolvePlan,
    folder: &'a RunFolder,
    context: &Context<'_>,
) -> Result<CoevolveOutcome<'a>> {
    let outcome = CoevolveOutcome::new(plan, folder, context)?;
    folder.write(outcome::WEIGHTS, outcome.winner.to_text().as_bytes())?;
    folder.write_json("result.json", &outcome.json())?;
    folder.write_report(&page::page(&outcome).to_html())?;
    Ok(outcome)
}
