//! `tesuji evolve --mentor`: weights whose scores are those of a stronger evaluation, or of another
//! engine.

use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use tesuji_lab::mentor::{self, MentorPlan};
use tesuji_learn::ga::Parameters;
use tesuji_learn::mentor::{DRAWN, parameters};

use super::EvolveArgs;
use crate::output;

/// The plan that the flags mean.
fn plan(args: &EvolveArgs) -> Result<MentorPlan> {
    let mentor = args.mentor.as_deref().unwrap_or_default();
    let mut parameters = args.parameters(parameters)?;
    let drawn = parameters.batch.take().map_or(DRAWN, |batch| batch.positions);
    parameters.check()?;
    ensure!(drawn > 0, "--batch is 0, expected at least one position");
    // They would change nothing here, and a setting without a meaning is a mistake.
    let Parameters { restart, adaptive, islands, local_search, .. } = &parameters;
    let plain = restart.is_none() && adaptive.is_none() && islands.is_none();
    ensure!(
        plain && local_search.is_none(),
        "--restart, --adaptive, --islands and --local-search are not for --mentor"
    );
    Ok(MentorPlan {
        data: args.data.source(args.seed),
        test: args.test()?,
        features: args.features.clone(),
        mentor: mentor.parse().with_context(|| format!("engine {mentor:?}"))?,
        depth: args.mentor_depth,
        drawn,
        seed: args.seed,
        parameters,
    })
}

/// Evolves, writes the folder and prints what came out.
pub fn run(args: &EvolveArgs) -> Result<ExitCode> {
    let work = &args.work;
    let (folder, plan) = work.open(|| plan(args))?;
    let outcome = mentor::carry_out(&plan, &folder, &work.context())?;
    outcome.write(&folder)?;
    output::either(work.json, || outcome.json(&folder), || outcome.text(&folder))
}
