//! Tuning of the search: its parameters, evolved so that problems need fewer nodes, or so that
//! games are won.

mod journal;
mod outcome;
mod page;
mod plan;
mod playing;
mod solving;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tesuji_run::{Context, RunFolder};

pub use outcome::{Course, Measured, TuneOutcome};
pub use page::{CURVE, curve, efforts, learned};
pub use plan::{Problems, TunePlan, genes};
pub use solving::{SolveJob, SolveProblems, SolveWorker};

/// What makes parameters good.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// Problems need few nodes: a genetic algorithm.
    Nodes,
    /// Games against each other are won: co-evolution.
    Games,
    /// Games between settings on either side are won: simultaneous perturbation (SPSA).
    Spsa,
}

/// Carries out a plan, or what is left of it, and writes what came out into the folder.
pub fn carry_out<'a>(
    plan: &'a TunePlan,
    folder: &'a RunFolder,
    context: &Context<'_>,
) -> Result<TuneOutcome<'a>> {
    let outcome = TuneOutcome::new(plan, folder, context)?;
    folder.write_json("result.json", &outcome.json())?;
    folder.write_report(&page::page(&outcome).to_html())?;
    Ok(outcome)
}
