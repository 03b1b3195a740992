//! `tesuji mate`: finds forced mates, in one position or in a file of problems.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;
use tesuji_lab::mates::{Problems, Summary, solution_json, solution_text, solve};
use tesuji_run::Context;
use tesuji_search::mate::Limits;

use crate::flags::whole;
use crate::output;
use crate::progress::Terminal;

/// Find forced mates and prove them.
///
/// The side to move mates by checks alone. Every proof is replayed move by move by the rules before
/// it is shown; the line is the longest defence against it.
#[derive(Args, Debug)]
#[command(after_help = "A file of problems has one a line: an SFEN, or fields separated by tabs \
under a first line that names a column sfen.

Examples:
  tesuji mate '4k4/9/4P4/9/9/9/9/9/9 b 2G 1'
  tesuji mate '8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1' --ms 60000 --hash 512
  tesuji mate --file problems.tsv --ms 1000 --json
  tesuji mate --file problems.tsv --shortest --threads 2")]
pub struct MateArgs {
    /// `startpos` or an SFEN; `moves …` may follow.
    #[arg(required_unless_present = "file", conflicts_with = "file", value_name = "POSITION")]
    position: Vec<String>,
    /// Solve all problems of a file; - is standard input.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// The most time for a position, in milliseconds.
    #[arg(long, value_name = "N", default_value_t = 10_000, allow_negative_numbers = true,
          value_parser = whole::<u64>(1..=1_000_000_000_000))]
    ms: u64,
    /// The most nodes for a position.
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true,
          allow_negative_numbers = true, value_parser = whole::<u64>(1..=u64::MAX))]
    nodes: u64,
    /// The size of the table of each thread, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, allow_negative_numbers = true,
          value_parser = whole::<u32>(1..=65_536))]
    hash: u32,
    /// Look for the shortest mate, and prove that there is none shorter.
    #[arg(long)]
    shortest: bool,
    /// How many problems of a file to solve at a time; 0 = one per core.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "file",
          value_parser = whole::<usize>(0..=1_024))]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// What to solve.
#[derive(Debug)]
pub struct MateSettings {
    problems: Problems,
    limits: Limits,
    table_mib: usize,
    threads: usize,
    json: bool,
}

impl MateSettings {
    /// The plan that the flags mean.
    pub fn new(args: &MateArgs) -> Result<Self> {
        let problems = match &args.file {
            Some(path) => Problems::read(path)?,
            None => Problems::one(&args.position)?,
        };
        let limits = Limits {
            nodes: args.nodes,
            time: Some(Duration::from_millis(args.ms)),
            shortest: args.shortest,
            ..Limits::default()
        };
        let (table_mib, threads) = (args.hash as usize, args.threads);
        Ok(Self { problems, limits, table_mib, threads, json: args.json })
    }
}

/// Solves and prints.
pub fn run(plan: &MateSettings) -> Result<ExitCode> {
    let Problems { list, file, errors } = &plan.problems;
    for error in errors {
        output::complain(error);
    }
    if let Some(file) = file {
        ensure!(!list.is_empty(), "{file}: no problem in the file can be read");
    }
    let started = Instant::now();
    let context = Context { threads: plan.threads, observer: &Terminal };
    let solutions = solve(list, &plan.limits, plan.table_mib, &context)?;
    let summary = Summary::new(&solutions, started.elapsed());
    match (file, plan.json, &solutions[..]) {
        (None, true, [solution]) => output::print_json(&solution_json(&list[0], solution))?,
        (None, false, [solution]) => output::print(&solution_text(&list[0].position, solution))?,
        (_, true, _) => output::print_json(&summary.json(&plan.problems, &solutions))?,
        (_, false, _) => output::print(&summary.text(errors.len()))?,
    }
    Ok(if summary.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
