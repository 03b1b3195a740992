//! Evolution: weights of features, found by a genetic algorithm that imitates masters, or fitted as
//! a conditional logit.

mod drawn;
mod experts;
mod fits;
mod outcome;
pub mod page;
mod plan;
mod polish;
mod runs;

use std::time::Instant;

use anyhow::Result;
use tesuji_learn::{Dataset, MoveOrder, pool};
use tesuji_run::{Context, RunFolder};

pub use drawn::Counted;
pub use experts::Panel;
pub use outcome::{EvolveOutcome, Mean, Seconds, Winner, held_out};
pub use plan::{EvolvePlan, Learner, Start, parse_weighting, read_parameters};
pub use polish::{HeldOut, Polished, Remedy};
pub(crate) use runs::learn_once;

use crate::data::Features;

/// Carries out a plan; with a folder it can be stopped at any moment and goes on from there.
pub fn carry_out(
    plan: &EvolvePlan,
    folder: Option<&RunFolder>,
    context: &Context<'_>,
) -> Result<EvolveOutcome> {
    pool(context.threads)?.install(|| on_this_pool(plan, folder, context))
}

fn on_this_pool(
    plan: &EvolvePlan,
    folder: Option<&RunFolder>,
    context: &Context<'_>,
) -> Result<EvolveOutcome> {
    let started = Instant::now();
    let observer = context.observer;
    let features = Features::load(&plan.features)?;
    let (plan, samples, all) = drawn::draw(plan, plan.positions(observer)?);
    let plan = &plan;
    let data = Dataset::build(&features.set, &samples, MoveOrder::Thesis).weigh(plan.weighting);
    let test = match &plan.test {
        Some(source) => {
            Some(Dataset::build(&features.set, &source.load(observer)?, MoveOrder::Thesis))
        }
        None => None,
    };
    let mut learned = match plan.learner {
        Learner::Genetic => runs::carry_out(plan, &data, test.as_ref(), folder, observer)?,
        Learner::Likelihood | Learner::Accuracy => {
            fits::carry_out(plan, &data, test.as_ref(), folder)?
        }
    };
    if plan.experts {
        learned.experts = Some(Panel::train(plan, &data, test.as_ref())?);
    }
    if all.is_some() {
        observer.begin(1, "steps").update(0, &|| "counting on all positions".to_owned());
    }
    let mut outcome =
        EvolveOutcome::new(plan, features, samples, data, test, learned, all.as_ref());
    if plan.learner == Learner::Genetic {
        let polished = polish::carry_out(plan, &outcome.data, outcome.winner(), folder, observer)?;
        outcome.set_polished(polished);
    }
    outcome.seconds.total = started.elapsed().as_secs_f64();
    Ok(outcome)
}
