//! How many nodes organisms need for problems. What is known stands in the journal, so that a run
//! that goes on solves nothing twice.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_learn::tuning::{Effort, SearchGenes};
use tesuji_run::jobs::Task;
use tesuji_run::{Context, RunFolder};
use tesuji_search::spec::{SearchSpec, Setting};
use tesuji_search::{Info, Limits, Searcher, Stop};
use tesuji_shogi::Game;

use crate::data::problems::Problem;

/// Solves problems with one organism after the other. A job is a [`SolveJob`]; what comes out is
/// the number of nodes, or nothing for a problem that was not solved.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveProblems {
    /// The engine that all organisms are.
    pub engine: SearchSpec,
    /// The parameters by which each of them differs.
    pub organisms: Vec<Vec<Setting>>,
    /// The problems.
    pub problems: Vec<Problem>,
    /// Nodes that may be searched for a problem.
    pub cap: u64,
}

/// One organism and one problem, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveJob {
    /// The organism.
    pub organism: usize,
    /// The problem.
    pub problem: usize,
}

/// The engine of one thread.
pub struct SolveWorker(Box<dyn Searcher>);

impl Task for SolveProblems {
    const NAME: &'static str = "problems";
    type Job = SolveJob;
    type Output = Option<u64>;
    type Worker = SolveWorker;

    fn worker(&self) -> Result<SolveWorker> {
        Ok(SolveWorker(self.engine.load()?.engine()))
    }

    fn run(
        &self,
        SolveWorker(searcher): &mut SolveWorker,
        job: &SolveJob,
        stop: &AtomicBool,
    ) -> Result<Option<Option<u64>>> {
        let organism = self.organisms.get(job.organism).context("no such organism")?;
        let problem = self.problems.get(job.problem).context("no such problem")?;
        searcher.set_parameters(&self.engine.with(organism.iter().cloned()).params()?);
        let needed = solve(&mut **searcher, problem, self.cap);
        Ok((!stop.load(Ordering::Relaxed)).then_some(needed))
    }
}

/// The values of an organism as settings of the search, each within its range.
pub(super) fn settings(genes: &SearchGenes, values: &[i32]) -> Vec<Setting> {
    let named = genes.parameters().iter().zip(values);
    named
        .map(|(parameter, &value)| Setting {
            name: parameter.name.to_owned(),
            value: value.clamp(parameter.min, parameter.max),
        })
        .collect()
}

/// Which problems.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Part {
    /// Those to tune with.
    Tune,
    /// Those that are held out.
    Test,
}

/// A line of the journal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    part: Part,
    values: Vec<i32>,
    nodes: u64,
    solved: usize,
}

/// Solves problems with organisms, and remembers.
pub(super) struct Solving<'a> {
    genes: &'a SearchGenes,
    engine: &'a SearchSpec,
    cap: u64,
    context: Context<'a>,
    folder: &'a RunFolder,
    known: BTreeMap<(Part, Vec<i32>), Effort>,
}

impl<'a> Solving<'a> {
    pub(super) fn new(
        (genes, engine, cap): (&'a SearchGenes, &'a SearchSpec, u64),
        folder: &'a RunFolder,
        context: Context<'a>,
        entries: Vec<Entry>,
    ) -> Self {
        let known = entries.into_iter().map(|entry| {
            let Entry { part, values, nodes, solved } = entry;
            ((part, values), Effort { nodes, solved })
        });
        Self { genes, engine, cap, context, folder, known: known.collect() }
    }

    /// What each organism needs for the problems.
    pub(super) fn efforts(
        &mut self,
        part: Part,
        problems: &[Problem],
        organisms: &[Vec<i32>],
        tell: &mut dyn FnMut(usize, usize),
    ) -> Result<Vec<Effort>> {
        let mut new: Vec<Vec<i32>> = Vec::new();
        for values in organisms {
            if !self.known.contains_key(&(part, values.clone())) && !new.contains(values) {
                new.push(values.clone());
            }
        }
        let (count, cap, all) = (problems.len(), self.cap, new.len() * problems.len());
        let task = SolveProblems {
            engine: self.engine.clone(),
            organisms: new.iter().map(|values| settings(self.genes, values)).collect(),
            problems: problems.to_vec(),
            cap,
        };
        let job = |number| SolveJob { organism: number / count, problem: number % count };
        let jobs: Vec<SolveJob> = (0..all).map(job).collect();
        let (mut effort, mut done) = (Effort { nodes: 0, solved: 0 }, 0);
        let (folder, known) = (self.folder, &mut self.known);
        self.context.executor().run(&task, &jobs, |results| {
            for needed in results {
                effort.nodes += needed.unwrap_or(cap);
                effort.solved += usize::from(needed.is_some());
                done += 1;
                if done % count == 0 {
                    let values = new[done / count - 1].clone();
                    let Effort { nodes, solved } = effort;
                    folder.append(&Entry { part, values: values.clone(), nodes, solved })?;
                    known.insert((part, values), effort);
                    effort = Effort { nodes: 0, solved: 0 };
                }
            }
            tell(done, all);
            Ok(ControlFlow::Continue(()))
        })?;
        ensure!(done == all, "a problem could not be searched");
        let find = |values: &Vec<i32>| self.known[&(part, values.clone())];
        Ok(organisms.iter().map(find).collect())
    }
}

/// Nodes that are searched until the answer is the best move of an iteration and of the next one;
/// `None` if that does not come about.
fn solve(searcher: &mut dyn Searcher, problem: &Problem, cap: u64) -> Option<u64> {
    let stop = AtomicBool::new(false);
    let mut since: Option<(u32, u64)> = None;
    let mut watch = |info: &Info| {
        if !problem.is_right(info.pv.first().copied()) {
            since = None;
            return;
        }
        let (depth, _) = *since.get_or_insert((info.depth, info.nodes));
        if info.depth > depth {
            stop.store(true, Ordering::Relaxed);
        }
    };
    searcher.clear();
    let game = Game::new(problem.position);
    let result = searcher.search(&game, &Limits::nodes(cap), Stop::new(&stop), &mut watch);
    let right = problem.is_right(result.best);
    right.then(|| since.map_or(result.nodes, |(_, nodes)| nodes).min(cap))
}

#[cfg(test)]
mod tests {
    use tesuji_run::jobs::Executor;
    use tesuji_search::Algorithm;
    use tesuji_search::spec::EvaluationSpec;

    use super::*;

    fn outputs(executor: Executor, task: &SolveProblems) -> Vec<Option<u64>> {
        let organisms = task.organisms.len();
        let jobs = (0..organisms).flat_map(|organism| {
            (0..task.problems.len()).map(move |problem| SolveJob { organism, problem })
        });
        let mut all = Vec::new();
        let done = executor.run(task, &jobs.collect::<Vec<_>>(), |outputs| {
            all.extend(outputs);
            Ok(ControlFlow::Continue(()))
        });
        done.unwrap();
        all
    }

    /// A gold on the head mates; for the other problem no answer is the best move.
    #[test]
    fn problems_need_the_same_nodes_on_another_machine() {
        let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        let problem = |sfen: &str, answer: &str| {
            let json = serde_json::json!({ "sfen": sfen, "answers": [answer], "kind": "problem" });
            serde_json::from_value::<Problem>(json).unwrap()
        };
        let genes = SearchGenes::new(Algorithm::standard().parameters, ["null_move", "aspiration"])
            .unwrap();
        let task = SolveProblems {
            engine: SearchSpec {
                evaluation: Some(EvaluationSpec::named("material")),
                hash: Some(1),
                ..SearchSpec::default()
            },
            organisms: [[1, 50], [0, 5000]].map(|values| settings(&genes, &values)).to_vec(),
            problems: vec![problem(mate, "G*5b"), problem(mate, "5i5h")],
            cap: 500,
        };
        assert_eq!(task.organisms[1][1].value, 1000, "within the range");
        let here = outputs(Executor::threads(1), &task);
        assert!(here[0].is_some() && here[1].is_none(), "{here:?}");
        assert_eq!(outputs(Executor::as_text(2), &task), here);
    }
}
