//! `tesuji test-suite`: how many problems with known answers does the engine solve?

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use serde_json::{Map, Value, json};
use tesuji_search::{Info, Limits, SearchResult, Searcher, Stop};
use tesuji_shogi::Game;

use super::search::{LimitArgs, score_json};
use crate::engines::EngineArgs;
use crate::output;
use crate::progress::Progress;
use tesuji_lab::data::problems::{self, PROBLEMS_HELP, Problem};
use tesuji_search::spec::EnginePlan;

/// Let the engine solve problems whose answers are known.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{PROBLEMS_HELP}

Examples:
  tesuji test-suite problems.tsv --ms 1000
  tesuji test-suite problems.tsv --nodes 200000 --threads 2 --eval material --json")
)]
pub struct TestSuiteArgs {
    /// The problems.
    file: PathBuf,
    #[command(flatten)]
    limits: LimitArgs,
    /// How many problems to solve side by side, each on one thread.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: u64,
    #[command(flatten)]
    engine: EngineArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Problems, and how to solve them.
#[derive(Debug)]
pub struct SuiteSettings {
    problems: Vec<Problem>,
    limits: Limits,
    threads: usize,
    engine: EnginePlan,
    json: bool,
}

/// What the engine made of a problem.
struct Attempt {
    result: SearchResult,
    /// When the right move became the best one for good; `None` if it did not.
    solved_after: Option<Duration>,
}

impl SuiteSettings {
    /// The plan that the flags mean.
    pub fn new(args: &TestSuiteArgs) -> Result<Self> {
        let threads = usize::try_from(args.threads)?;
        Ok(Self {
            problems: problems::read(&args.file)?,
            limits: args.limits.limits()?,
            threads,
            engine: args.engine.plan(threads)?,
            json: args.json,
        })
    }
}

/// Solves all problems and prints.
pub fn run(plan: &SuiteSettings) -> Result<ExitCode> {
    let started = Instant::now();
    let attempts = attempt_all(plan);
    let seconds = started.elapsed().as_secs_f64();
    let solved = attempts.iter().filter(|attempt| attempt.solved_after.is_some()).count();
    let kinds = by_kind(plan, &attempts);
    if plan.json {
        output::print_json(&report(plan, &attempts, &kinds, solved, seconds))?;
        return Ok(ExitCode::SUCCESS);
    }
    let share = |solved: usize, of: usize| 100.0 * solved as f64 / of as f64;
    let of = attempts.len();
    let mut text = format!("solved {solved} of {of}, {:.1} %, {seconds:.1} s\n", share(solved, of));
    for (kind, (solved, of)) in &kinds {
        text += &format!("  {kind}: {solved} of {of}, {:.1} %\n", share(*solved, *of));
    }
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Attempts the problems, several side by side; the attempts are in their order.
fn attempt_all(plan: &SuiteSettings) -> Vec<Attempt> {
    let next = AtomicUsize::new(0);
    let progress = Mutex::new((
        Progress::new(plan.problems.len() as u64, "{bar:40} {pos}/{len}  {msg}  {elapsed}"),
        0,
        0,
    ));
    let tell = |attempt: &Attempt| {
        let Ok(mut guard) = progress.lock() else { return };
        let (progress, done, solved) = &mut *guard;
        *done += 1;
        *solved += u64::from(attempt.solved_after.is_some());
        progress.update(*done, &|| format!("{solved} of {done} solved"));
    };
    let work = || {
        let mut engine = plan.engine.engine();
        let mut attempts: Vec<(usize, Attempt)> = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(problem) = plan.problems.get(index) else { return attempts };
            let attempt = attempt(engine.as_mut(), problem, &plan.limits);
            tell(&attempt);
            attempts.push((index, attempt));
        }
    };
    let mut attempts: Vec<(usize, Attempt)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..plan.threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    attempts.sort_by_key(|(index, _)| *index);
    attempts.into_iter().map(|(_, attempt)| attempt).collect()
}

fn attempt(engine: &mut dyn Searcher, problem: &Problem, limits: &Limits) -> Attempt {
    let mut right_since = None;
    let mut watch = |report: &Info| {
        let right = problem.is_right(report.pv.first().copied());
        right_since = if right { right_since.or(Some(report.time)) } else { None };
    };
    engine.clear();
    let game = Game::new(problem.position);
    let result = engine.search(&game, limits, Stop::never(), &mut watch);
    let solved_after = problem.is_right(result.best).then(|| right_since.unwrap_or(result.time));
    Attempt { result, solved_after }
}

/// Solved problems and all problems of each kind.
fn by_kind(plan: &SuiteSettings, attempts: &[Attempt]) -> BTreeMap<String, (usize, usize)> {
    let mut kinds: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (problem, attempt) in plan.problems.iter().zip(attempts) {
        let (solved, of) = kinds.entry(problem.kind.clone()).or_default();
        *solved += usize::from(attempt.solved_after.is_some());
        *of += 1;
    }
    kinds
}

fn report(
    plan: &SuiteSettings,
    attempts: &[Attempt],
    kinds: &BTreeMap<String, (usize, usize)>,
    solved: usize,
    seconds: f64,
) -> Value {
    let kinds: Map<String, Value> = kinds
        .iter()
        .map(|(kind, (solved, of))| (kind.clone(), json!({ "solved": solved, "of": of })))
        .collect();
    let problems: Vec<Value> = plan
        .problems
        .iter()
        .zip(attempts)
        .map(|(problem, Attempt { result, solved_after })| {
            let answers: Vec<String> = problem.answers.iter().map(ToString::to_string).collect();
            json!({
                "sfen": problem.position.to_sfen(),
                "kind": problem.kind,
                "answer": answers.join(" "),
                "move": result.best.map(|mv| mv.to_string()),
                "solved": solved_after.is_some(),
                "solved_after": solved_after.map(|time| time.as_secs_f64()),
                "depth": result.depth,
                "score": score_json(result.score),
                "nodes": result.nodes,
                "seconds": result.time.as_secs_f64(),
            })
        })
        .collect();
    json!({
        "solved": solved,
        "of": attempts.len(),
        "kinds": kinds,
        "seconds": seconds,
        "eval": plan.engine.evaluation.name(),
        "problems": problems,
    })
}
