//! Mates: problems out of files, solved on several threads.

mod problems;
mod summary;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::Result;
use tesuji_run::Context;
use tesuji_search::Stop;
use tesuji_search::mate::{Limits, Outcome, Solution, Solver};
use tesuji_search::spec::check_table;

pub use problems::{Problem, Problems};
pub use summary::{Summary, solution_json, solution_text};

/// Lines of hundreds of plies are followed by recursion.
const STACK_BYTES: usize = 64 << 20;

/// Solves the problems, each from an empty table, so that no answer depends on another.
pub fn solve(
    list: &[Problem],
    limits: &Limits,
    table_mib: usize,
    context: &Context<'_>,
) -> Result<Vec<Solution>> {
    let threads = context.thread_count().min(list.len());
    check_table(table_mib.saturating_mul(threads))?;
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    let work = |sender: mpsc::Sender<(usize, Solution)>| {
        let mut solver = Solver::new(table_mib);
        while let Some((i, problem)) = {
            let i = next.fetch_add(1, Ordering::Relaxed);
            list.get(i).map(|problem| (i, problem))
        } {
            solver.forget();
            let solution = solver.solve(&problem.position, limits, Stop::never());
            if sender.send((i, solution)).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            let (work, sender) = (&work, sender.clone());
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, move || work(sender))?;
        }
        drop(sender);
        let mut solutions: Vec<Option<Solution>> = vec![None; list.len()];
        let mut progress =
            (list.len() > 1).then(|| context.observer.begin(list.len() as u64, "problems"));
        let mut mates = 0;
        for (done, (i, solution)) in (1..).zip(results) {
            mates += usize::from(matches!(solution.outcome, Outcome::Mate(_)));
            solutions[i] = Some(solution);
            if let Some(progress) = &mut progress {
                progress.update(done, &|| format!("{mates} solved"));
            }
        }
        Ok(solutions.into_iter().flatten().collect())
    })
}
