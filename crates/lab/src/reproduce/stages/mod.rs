//! The three stages of the model paper one after the other: records, ten runs, co-evolution,
//! search, and what all of it wins against the start.

mod page;
mod settings;

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_arena::EngineSpec;
use tesuji_learn::coevolution::Round;
use tesuji_learn::tuning;
use tesuji_learn::{Dataset, ga};
use tesuji_math::stats::Tally;
use tesuji_run::{Context, RunFolder};

use super::Reproduction;
use crate::games::matches as match_games;
use crate::games::text::tally_json;
use crate::tune::{self, Course};
use crate::{coevolve, evolve};
use settings::PLAIN;
pub use settings::{Sizes, StagesPlan};
use tesuji_run::plan as folder;

/// What came of the first stage.
struct Imitation {
    /// Positions to learn from, and those of the test.
    of: (usize, usize),
    /// What the winner of each run solves of both.
    winners: Vec<(u32, Option<u32>)>,
    /// The generations of the best run.
    history: Vec<ga::Generation>,
}

/// What came of the second stage.
struct Coevolution {
    games: u32,
    busy: f64,
    rounds: Vec<Round>,
    against: String,
    verification: Tally,
}

/// What came of the third stage.
struct Tuning {
    history: Vec<tuning::Generation>,
    measured: Option<tune::Measured>,
    /// Parameters: name, before, after.
    parameters: Vec<(&'static str, i32, i32)>,
    engine: EngineSpec,
    verification: Option<Tally>,
}

/// A match at the end.
struct Match {
    title: &'static str,
    /// What the paper has beside it.
    paper: &'static str,
    tally: Tally,
}

/// Everything that was found.
struct Findings {
    imitation: Imitation,
    coevolution: Coevolution,
    tuning: Tuning,
    matches: Vec<Match>,
    seconds: Seconds,
}

/// How long each stage took when it was finished, as the folder keeps it: what was done before a
/// kill is not in it.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seconds {
    imitation: f64,
    coevolution: f64,
    tuning: f64,
    matches: f64,
}

impl Seconds {
    const FILE: &str = "seconds.json";

    /// Does some work, and if that is the first time writes down how long it took.
    fn time<T>(
        &mut self,
        folder: &RunFolder,
        slot: fn(&mut Self) -> &mut f64,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let started = Instant::now();
        let done = work()?;
        if *slot(self) == 0.0 {
            *slot(self) = started.elapsed().as_secs_f64();
            folder.write_json(Self::FILE, self)?;
        }
        Ok(done)
    }
}

/// Carries out all stages, each of which keeps what it found in a folder in `out`. The page finds
/// its pictures in a folder, or has none.
pub fn carry_out(
    plan: &StagesPlan,
    out: &Path,
    pictures: Option<&str>,
    context: &Context<'_>,
) -> Result<Reproduction> {
    let out = &std::path::absolute(out)?;
    let top = folder::step(out, plan)?;
    let mut seconds: Seconds = top.read_json(Seconds::FILE)?.unwrap_or_default();
    let winners = out.join("imitation");
    let imitation = seconds.time(
        &top,
        |seconds| &mut seconds.imitation,
        || imitate(plan, &winners, context),
    )?;
    let bred = out.join("coevolution");
    let coevolution = seconds.time(
        &top,
        |seconds| &mut seconds.coevolution,
        || coevolve(plan, &winners, &bred, context),
    )?;
    let tuning = seconds.time(
        &top,
        |seconds| &mut seconds.tuning,
        || tune(plan, &bred, &out.join("tuning"), context),
    )?;
    let matches = seconds.time(
        &top,
        |seconds| &mut seconds.matches,
        || matches(plan, [&winners, &bred], &tuning, out, context),
    )?;
    let findings = Findings { imitation, coevolution, tuning, matches, seconds };
    let numbers = findings.numbers();
    top.write_json("result.json", &numbers)?;
    let document = page::document(plan, findings);
    top.write_report(&document.page().to_html())?;
    Ok(Reproduction { page: document.markdown(pictures), pictures: document.pictures(), numbers })
}

fn imitate(plan: &StagesPlan, out: &Path, context: &Context<'_>) -> Result<Imitation> {
    context.observer.note("stage 1: weights that imitate masters");
    let plan = plan.imitation();
    let run_folder = folder::step(out, &plan)?;
    let outcome = evolve::carry_out(&plan, Some(&run_folder), context)?;
    outcome.write(&run_folder)?;
    Ok(Imitation {
        of: (outcome.positions, outcome.test.as_ref().map_or(0, Dataset::len)),
        winners: outcome.winners.iter().map(|winner| (winner.correct, winner.test)).collect(),
        history: outcome.winners[outcome.best].history.clone(),
    })
}

fn coevolve(
    plan: &StagesPlan,
    winners: &Path,
    out: &Path,
    context: &Context<'_>,
) -> Result<Coevolution> {
    context.observer.note("stage 2: the winners play each other");
    let plan = plan.coevolution(winners)?;
    let run_folder = folder::step(out, &plan)?;
    let outcome = coevolve::carry_out(&plan, &run_folder, context)?;
    Ok(Coevolution {
        games: outcome.evolved.rounds.iter().map(|round| round.games).sum(),
        busy: outcome.evolved.busy,
        against: outcome.founders[0].name.clone(),
        verification: outcome.verification,
        rounds: outcome.evolved.rounds,
    })
}

fn tune(plan: &StagesPlan, weights: &Path, out: &Path, context: &Context<'_>) -> Result<Tuning> {
    context.observer.note("stage 3: the search");
    let plan = plan.tuning(weights)?;
    let run_folder = folder::step(out, &plan)?;
    let outcome = tune::carry_out(&plan, &run_folder, context)?;
    let names = outcome.genes.parameters().iter().map(|parameter| parameter.name);
    let values = outcome.before.iter().zip(&outcome.after);
    Ok(Tuning {
        parameters: names.zip(values).map(|(name, (&a, &b))| (name, a, b)).collect(),
        engine: outcome.engine(),
        history: match outcome.course {
            Course::Nodes(history) => history,
            Course::Games(_) | Course::Spsa(_) => Vec::new(),
        },
        measured: outcome.measured,
        verification: outcome.verification,
    })
}

/// What all stages win against the start, and the tuned search against ours.
fn matches(
    plan: &StagesPlan,
    [winners, bred]: [&Path; 2],
    tuning: &Tuning,
    out: &Path,
    context: &Context<'_>,
) -> Result<Vec<Match>> {
    let last = tuning.engine.clone().named("tuned");
    let start = StagesPlan::engine(winners, Some(PLAIN), "start");
    let ours = StagesPlan::engine(bred, None, "ours");
    let mut found = Vec::new();
    for (id, title, paper, engines) in [
        (
            "against-start",
            "all three stages against the best of the first, with the plain search",
            "180–120 (+70), the same search on both sides",
            [&last, &start],
        ),
        (
            "against-ours",
            "the tuned search against the one that was made by hand, same weights",
            "152.5–147.5",
            [&last, &ours],
        ),
    ] {
        context.observer.note(title);
        let plan = plan.game_match(engines);
        let run_folder = folder::step(&out.join(id), &plan)?;
        let tally = match_games::play(&plan, &run_folder, context)?.tally;
        found.push(Match { title, paper, tally });
    }
    Ok(found)
}

impl Findings {
    fn numbers(&self) -> Value {
        let Self { imitation, coevolution, tuning, matches, seconds } = self;
        let parameters = tuning.parameters.iter().map(|&(name, before, after)| {
            (name.to_owned(), json!({ "before": before, "after": after }))
        });
        let winners = imitation.winners.iter();
        json!({
            "imitation": {
                "of": imitation.of.0,
                "test_of": imitation.of.1,
                "correct": winners.clone().map(|winner| winner.0).collect::<Vec<_>>(),
                "test_correct": winners.map(|winner| winner.1).collect::<Vec<_>>(),
            },
            "coevolution": {
                "games": coevolution.games,
                "busy": coevolution.busy,
                "match": tally_json(&coevolution.verification),
            },
            "tuning": {
                "generations": tuning.history,
                "measured": tuning.measured.as_ref().map(tune::Measured::json),
                "parameters": parameters.collect::<serde_json::Map<String, Value>>(),
                "engine": tuning.engine,
                "match": tuning.verification.as_ref().map(tally_json),
            },
            "matches": matches.iter().map(|one| {
                json!({ "title": one.title, "result": tally_json(&one.tally) })
            }).collect::<Vec<_>>(),
            "seconds": seconds,
        })
    }
}
