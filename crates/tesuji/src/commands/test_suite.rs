//! `tesuji test-suite`: how many problems with known answers does the engine solve?

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use serde_json::{Map, Value, json};
use tesuji_search::{Limits, Report, SearchResult, Searcher};
use tesuji_shogi::{Game, Move, Position};

use super::search::{LimitArgs, score_json};
use crate::engines::{EngineArgs, EnginePlan};
use crate::output;
use crate::progress::Progress;

/// Let the engine solve problems whose answers are known.
#[derive(Args, Debug)]
#[command(
    after_help = "The file is tab-separated. Its first line begins with # and names the columns: sfen, \
answer (one move in USI notation, or several with spaces or commas between them) and, if there is \
one, kind. Other columns are not read.

Examples:
  tesuji test-suite problems.tsv --ms 1000
  tesuji test-suite problems.tsv --nodes 200000 --threads 2 --eval material --json"
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
pub struct Plan {
    problems: Vec<Problem>,
    limits: Limits,
    threads: usize,
    engine: EnginePlan,
    json: bool,
}

/// A position and the moves that are right.
#[derive(Debug)]
struct Problem {
    position: Position,
    answers: Vec<Move>,
    kind: String,
}

/// What the engine made of a problem.
struct Attempt {
    result: SearchResult,
    /// When the right move became the best one for good; `None` if it did not.
    solved_after: Option<Duration>,
}

impl Plan {
    /// The plan that the flags mean.
    pub fn new(args: &TestSuiteArgs) -> Result<Self> {
        let threads = usize::try_from(args.threads)?;
        Ok(Self {
            problems: read_problems(&args.file)?,
            limits: args.limits.limits()?,
            threads,
            engine: EnginePlan::new(&args.engine, threads)?,
            json: args.json,
        })
    }
}

fn read_problems(file: &Path) -> Result<Vec<Problem>> {
    let name = file.display();
    let text = fs::read_to_string(file).with_context(|| name.to_string())?;
    let mut lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    let header = lines.next().and_then(|(_, line)| line.strip_prefix('#')).unwrap_or_default();
    let columns: Vec<&str> = header.split('\t').map(str::trim).collect();
    let find = |column: &str| columns.iter().position(|&other| other == column);
    let (Some(sfen), Some(answer)) = (find("sfen"), find("answer")) else {
        bail!("{name}:1: expected a line that begins with # and names the columns sfen and answer");
    };
    let kind = find("kind");
    let problems: Vec<Problem> = lines
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            let fields: Vec<&str> = line.split('\t').collect();
            let field = |column: usize| fields.get(column).copied().unwrap_or_default();
            read_problem(field(sfen), field(answer), kind.map_or("", field))
                .map_err(|why| anyhow!("{name}:{number}: {why}"))
        })
        .collect::<Result<_>>()?;
    ensure!(!problems.is_empty(), "{name}: no problems in the file");
    Ok(problems)
}

fn read_problem(sfen: &str, answer: &str, kind: &str) -> Result<Problem> {
    let position = Position::from_sfen(sfen.trim())?;
    let words = answer.split([' ', ',']).filter(|word| !word.is_empty());
    let answers: Vec<Move> = words
        .map(|word| {
            let mv =
                word.parse().map_err(|_| anyhow!("{word:?} is no move such as 7g7f or P*5e"))?;
            ensure!(position.is_legal(mv), "the answer {word} is not a legal move");
            Ok(mv)
        })
        .collect::<Result<_>>()?;
    ensure!(!answers.is_empty(), "the problem has no answer");
    let kind = if kind.trim().is_empty() { "problem" } else { kind.trim() };
    Ok(Problem { position, answers, kind: kind.to_owned() })
}

/// Solves all problems and prints.
pub fn run(plan: &Plan) -> Result<ExitCode> {
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
fn attempt_all(plan: &Plan) -> Vec<Attempt> {
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
    let is_right = |mv: Option<Move>| mv.is_some_and(|mv| problem.answers.contains(&mv));
    let mut right_since = None;
    let mut watch = |report: &Report| {
        let right = is_right(report.line.first().copied());
        right_since = if right { right_since.or(Some(report.time)) } else { None };
    };
    engine.clear();
    let game = Game::new(problem.position);
    let result = engine.search(&game, limits, &AtomicBool::new(false), &mut watch);
    let solved_after = is_right(result.best).then(|| right_since.unwrap_or(result.time));
    Attempt { result, solved_after }
}

/// Solved problems and all problems of each kind.
fn by_kind(plan: &Plan, attempts: &[Attempt]) -> BTreeMap<String, (usize, usize)> {
    let mut kinds: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (problem, attempt) in plan.problems.iter().zip(attempts) {
        let (solved, of) = kinds.entry(problem.kind.clone()).or_default();
        *solved += usize::from(attempt.solved_after.is_some());
        *of += 1;
    }
    kinds
}

fn report(
    plan: &Plan,
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
