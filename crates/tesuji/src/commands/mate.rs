//! `tesuji mate`: finds forced mates, in one position or in a file of problems.

mod problems;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;
use serde_json::{Value, json};
use tesuji_search::Stop;
use tesuji_search::mate::{Limits, Outcome, Solution, Solver};
use tesuji_search::spec::check_table;
use tesuji_shogi::{BoardStyle, Move, Position};

use self::problems::{Problem, Problems};
use crate::flags::whole;
use crate::output;
use crate::progress::Progress;

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

/// Lines of hundreds of plies are followed by recursion.
const STACK_BYTES: usize = 64 << 20;

/// The bar on a terminal.
const TEMPLATE: &str = "{bar:40} {pos}/{len}  {msg}  {elapsed}";

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
        let threads = match args.threads {
            0 => thread::available_parallelism().map_or(1, NonZeroUsize::get),
            threads => threads,
        };
        let table_mib = args.hash as usize;
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
    let solutions = solve_all(plan)?;
    let summary = Summary::new(&solutions, started.elapsed());
    match (file, plan.json, &solutions[..]) {
        (None, true, [solution]) => output::print_json(&solution_json(&list[0], solution))?,
        (None, false, [solution]) => output::print(&solution_text(&list[0].position, solution))?,
        (_, true, _) => output::print_json(&summary.json(&plan.problems, &solutions))?,
        (_, false, _) => output::print(&summary.text(errors.len()))?,
    }
    Ok(if summary.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Solves the problems, each from an empty table, so that no answer depends on another.
fn solve_all(plan: &MateSettings) -> Result<Vec<Solution>> {
    let list = &plan.problems.list;
    check_table(plan.table_mib.saturating_mul(plan.threads.min(list.len())))?;
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    let work = |sender: mpsc::Sender<(usize, Solution)>| {
        let mut solver = Solver::new(plan.table_mib);
        while let Some((i, problem)) = {
            let i = next.fetch_add(1, Ordering::Relaxed);
            list.get(i).map(|problem| (i, problem))
        } {
            solver.forget();
            let solution = solver.solve(&problem.position, &plan.limits, Stop::never());
            if sender.send((i, solution)).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..plan.threads.min(list.len()) {
            let (work, sender) = (&work, sender.clone());
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, move || work(sender))?;
        }
        drop(sender);
        let mut progress = Progress::new(list.len() as u64, TEMPLATE);
        let mut solutions: Vec<Option<Solution>> = vec![None; list.len()];
        for (done, (i, solution)) in (1..).zip(results) {
            solutions[i] = Some(solution);
            if list.len() > 1 {
                progress.update(done, &|| format!("{done} of {} problems", list.len()));
            }
        }
        Ok(solutions.into_iter().flatten().collect())
    })
}

/// A file of problems in numbers.
struct Summary {
    of: usize,
    solved: usize,
    wrong: usize,
    unsolved: usize,
    no_mate: usize,
    within_50ms: usize,
    shortest_proved: usize,
    nodes: u64,
    /// The times of the problems added up.
    solving: Duration,
    elapsed: Duration,
}

impl Summary {
    fn new(solutions: &[Solution], elapsed: Duration) -> Self {
        let count = |test: &dyn Fn(&Solution) -> bool| solutions.iter().filter(|s| test(s)).count();
        let solved = |s: &Solution| matches!(s.outcome, Outcome::Mate(_));
        Self {
            of: solutions.len(),
            solved: count(&solved),
            wrong: count(&|s| matches!(s.outcome, Outcome::Flawed(_))),
            unsolved: count(&|s| s.outcome == Outcome::Unknown),
            no_mate: count(&|s| s.outcome == Outcome::NoMate),
            within_50ms: count(&|s| solved(s) && s.time <= Duration::from_millis(50)),
            shortest_proved: count(&|s| matches!(&s.outcome, Outcome::Mate(m) if m.is_shortest)),
            nodes: solutions.iter().map(|s| s.nodes).sum(),
            solving: solutions.iter().map(|s| s.time).sum(),
            elapsed,
        }
    }

    fn mean_ms(&self) -> f64 {
        self.solving.as_secs_f64() * 1e3 / self.of.max(1) as f64
    }

    fn json(&self, problems: &Problems, solutions: &[Solution]) -> Value {
        let list = problems.list.iter().zip(solutions);
        json!({
            "solved": self.solved,
            "wrong": self.wrong,
            "unsolved": self.unsolved,
            "nomate": self.no_mate,
            "of": self.of,
            "bad_lines": problems.errors.len(),
            "within_50ms": self.within_50ms,
            "shortest_proved": self.shortest_proved,
            "seconds": self.elapsed.as_secs_f64(),
            "mean_ms": self.mean_ms(),
            "nodes": self.nodes,
            "errors": problems.errors,
            "problems": list.map(|(problem, s)| solution_json(problem, s)).collect::<Vec<_>>(),
        })
    }

    fn text(&self, bad: usize) -> String {
        let mut text = format!(
            "{} of {} solved, {} of them within 50 ms, {} proved shortest\n",
            self.solved, self.of, self.within_50ms, self.shortest_proved
        );
        text += &format!(
            "{} without a mate, {} unsolved, {} wrong, {} not read\n",
            self.no_mate,
            self.unsolved,
            self.wrong,
            output::counted(bad as u64, "line")
        );
        let seconds = self.elapsed.as_secs_f64();
        text +=
            &format!("{seconds:.2} s, {:.2} ms a problem, {} nodes\n", self.mean_ms(), self.nodes);
        text
    }
}

fn line_text(line: &[Move]) -> String {
    line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

fn solution_json(problem: &Problem, solution: &Solution) -> Value {
    let mut json = json!({
        "sfen": problem.position.to_sfen(),
        "status": status(&solution.outcome),
        "ms": solution.time.as_secs_f64() * 1e3,
        "nodes": solution.nodes,
    });
    if let Some(line) = problem.line {
        json["line_number"] = line.into();
    }
    match &solution.outcome {
        Outcome::Mate(mate) => {
            json["length"] = mate.line.len().into();
            json["shortest"] = mate.is_shortest.into();
            json["line"] = line_text(&mate.line).into();
            json["proof_positions"] = mate.proof.len().into();
        }
        Outcome::Flawed(flaw) => json["flaw"] = flaw.to_string().into(),
        Outcome::NoMate | Outcome::Unknown => {}
    }
    json
}

const fn status(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Mate(_) => "solved",
        Outcome::NoMate => "nomate",
        Outcome::Unknown => "unsolved",
        Outcome::Flawed(_) => "wrong",
    }
}

fn solution_text(position: &Position, solution: &Solution) -> String {
    let board = position.display(BoardStyle::Letters);
    let found = match &solution.outcome {
        Outcome::Mate(mate) => {
            let plies = output::counted(mate.line.len() as u64, "move");
            let shortest = if mate.is_shortest { ", none is shorter" } else { "" };
            format!("mate in {plies}{shortest}\n{}\n", line_text(&mate.line))
        }
        Outcome::NoMate => "no mate, proved\n".into(),
        Outcome::Unknown => "not solved within the limits\n".into(),
        Outcome::Flawed(flaw) => format!("wrong: {flaw}\n"),
    };
    let (nodes, seconds) = (solution.nodes, solution.time.as_secs_f64());
    format!("{board}{found}{}, {seconds:.3} s\n", output::counted(nodes, "node"))
}
