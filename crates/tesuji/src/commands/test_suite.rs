//! `tesuji test-suite`: how many problems with known answers does the engine solve?

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use tesuji_lab::data::problems::{self, PROBLEMS_HELP};
use tesuji_lab::suite::TestSuite;
use tesuji_run::Context;

use super::search::LimitArgs;
use crate::engines::EngineArgs;
use crate::flags::whole;
use crate::output;
use crate::progress::Terminal;

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
          value_parser = whole::<u64>(1..=256))]
    threads: u64,
    #[command(flatten)]
    engine: EngineArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Solves all problems and prints.
pub fn run(args: &TestSuiteArgs) -> Result<ExitCode> {
    let threads = usize::try_from(args.threads)?;
    let engine = args.engine.load(threads)?;
    let suite = TestSuite {
        engine: args.engine.spec()?,
        limits: args.limits.limits()?,
        problems: problems::read(&args.file)?,
    };
    let started = Instant::now();
    let outcome = suite.solve(&Context { threads, observer: &Terminal })?;
    let seconds = started.elapsed().as_secs_f64();
    if args.json {
        let mut report = suite.report(&outcome);
        if let Value::Object(fields) = &mut report {
            fields.insert("seconds".to_owned(), json!(seconds));
            fields.insert("eval".to_owned(), json!(engine.evaluation.name()));
        }
        output::print_json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    let share = |solved: usize, of: usize| 100.0 * solved as f64 / of as f64;
    let (solved, of) = (outcome.solved(), outcome.attempts.len());
    let mut text = format!("solved {solved} of {of}, {:.1} %, {seconds:.1} s\n", share(solved, of));
    for (kind, (solved, of)) in &outcome.kinds {
        text += &format!("  {kind}: {solved} of {of}, {:.1} %\n", share(*solved, *of));
    }
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
