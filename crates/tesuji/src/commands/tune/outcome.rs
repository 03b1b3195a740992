//! What came of a tuning.

use std::time::Instant;

use anyhow::Result;
use serde_json::{Map, Value, json};
use tesuji_learn::tuning::{self, Effort, Generation, SearchGenes, Tuned};
use tesuji_report::{RunFolder, number};

use super::Plan;
use super::solving::{Part, Solving};
use crate::commands::arena::text::aligned;
use crate::progress::Progress;

/// What came of a tuning, and of what it was made.
pub struct Outcome<'a> {
    pub plan: &'a Plan,
    pub folder: &'a RunFolder,
    pub genes: SearchGenes,
    /// The values as they were.
    pub before: Vec<i32>,
    pub tuned: Tuned,
    /// What the values as they were needed, on the problems to tune with.
    pub effort_before: Effort,
    /// The same on those that were kept apart, before and after.
    pub test: [Effort; 2],
    /// How many problems there are of both kinds.
    pub problems: [usize; 2],
    seconds: f64,
}

impl<'a> Outcome<'a> {
    /// Carries out a plan, or what is left of it.
    pub fn new(plan: &'a Plan, folder: &'a RunFolder, threads: usize) -> Result<Self> {
        let started = Instant::now();
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { processors() } else { threads };
        let (genes, engine) = (plan.genes()?, plan.engine(threads)?);
        let problems = plan.problems()?;
        let before = genes.values(&engine.params);
        let mut solving = Solving::new(&genes, &engine, plan.cap, threads, folder)?;
        let all = u64::from(plan.parameters.generations);
        let progress = std::cell::RefCell::new(Progress::new(
            all,
            "{bar:40} {pos}/{len} generations  {msg}  {elapsed}",
        ));
        let done = std::cell::Cell::new(0_u64);
        let mut tell = |searched: usize, of: usize| {
            progress.borrow_mut().update(done.get(), &|| {
                format!("generation {}: {searched} of {of} searches", done.get() + 1)
            });
        };
        let tuned = tuning::evolve(
            &genes,
            &plan.parameters,
            plan.seed,
            (&before, plan.near),
            |new| solving.efforts(Part::Tune, &problems.tune, new, &mut tell),
            |generation| {
                done.set(generation.generation.into());
                progress.borrow().note(&describe(generation));
            },
        )?;
        let known = std::slice::from_ref(&before);
        let effort_before = solving.efforts(Part::Tune, &problems.tune, known, &mut tell)?[0];
        let both = [before.clone(), tuned.values.clone()];
        let found = solving.efforts(Part::Test, &problems.test, &both, &mut tell)?;
        Ok(Self {
            plan,
            folder,
            before,
            tuned,
            effort_before,
            test: [found[0], found[1]],
            problems: [problems.tune.len(), problems.test.len()],
            seconds: started.elapsed().as_secs_f64(),
            genes,
        })
    }

    /// Everything as JSON.
    pub fn json(&self) -> Value {
        let Tuned { values, effort, history } = &self.tuned;
        let side = |values: &[i32], tune: &Effort, test: &Effort| {
            json!({
                "parameters": self.named(values),
                "nodes": tune.nodes,
                "solved": tune.solved,
                "test_nodes": test.nodes,
                "test_solved": test.solved,
            })
        };
        json!({
            "before": side(&self.before, &self.effort_before, &self.test[0]),
            "after": side(values, effort, &self.test[1]),
            "fewer_nodes": fewer(&self.effort_before, effort),
            "fewer_test_nodes": fewer(&self.test[0], &self.test[1]),
            "problems": self.problems[0],
            "test_problems": self.problems[1],
            "cap": self.plan.cap,
            "engine": self.engine_text(),
            "generations": history,
            "seconds": self.seconds,
            "folder": self.folder.path(),
            "report_file": self.folder.report_path(),
        })
    }

    fn named(&self, values: &[i32]) -> Map<String, Value> {
        let names = self.genes.parameters().iter().map(|parameter| parameter.name.to_owned());
        names.zip(values.iter().map(|&value| value.into())).collect()
    }

    /// The tuned engine as the commands that play games name it.
    fn engine_text(&self) -> String {
        let changed = self.changes().map(|(name, _, after)| format!("{name}={after}"));
        format!("tesuji:{}", changed.collect::<Vec<_>>().join(","))
    }

    /// The parameters that were changed, with both values.
    pub fn changes(&self) -> impl Iterator<Item = (&'static str, i32, i32)> {
        let names = self.genes.parameters().iter().map(|parameter| parameter.name);
        let values = self.before.iter().zip(&self.tuned.values);
        names
            .zip(values)
            .map(|(name, (&before, &after))| (name, before, after))
            .filter(|(_, before, after)| before != after)
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self) -> String {
        let row = |name: &str, [before, after]: [&Effort; 2], of: usize| {
            vec![
                name.to_owned(),
                number::count(before.nodes),
                number::count(after.nodes),
                number::percent(-fewer(before, after), 1),
                format!("{} of {of}", before.solved),
                format!("{} of {of}", after.solved),
            ]
        };
        let head = ["", "nodes before", "after", "change", "solved before", "after"];
        let rows = [
            head.map(str::to_owned).to_vec(),
            row("tuned with", [&self.effort_before, &self.tuned.effort], self.problems[0]),
            row("kept apart", [&self.test[0], &self.test[1]], self.problems[1]),
        ];
        let mut text = aligned(&rows);
        for (name, before, after) in self.changes() {
            text += &format!("{name}: {before} → {after}\n");
        }
        text += &format!("engine   {}\n", self.engine_text());
        text + &format!("report   {}\n", self.folder.report_path().display())
    }
}

/// The share of the positions that are not searched any more.
fn fewer(before: &Effort, after: &Effort) -> f64 {
    1.0 - after.nodes as f64 / before.nodes.max(1) as f64
}

fn describe(generation: &Generation) -> String {
    let Generation { generation, best, mean, mean_solved, diversity } = generation;
    format!(
        "generation {generation}: best {} nodes, {} solved; mean {} nodes, {mean_solved:.1} solved, \
         {diversity:.0} bits apart",
        number::count(best.nodes),
        best.solved,
        number::count(*mean as u64),
    )
}
