//! How many positions organisms need for problems. What is known stands in the journal, so that a run
//! that goes on asks nothing twice.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_arena::runner;
use tesuji_learn::tuning::{Effort, SearchGenes};
use tesuji_report::RunFolder;
use tesuji_search::{Info, Limits, Searcher, Stop, Values};
use tesuji_shogi::Game;

use crate::engines::EnginePlan;
use crate::lab::problems::Problem;

/// Which problems.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    Tune,
    Test,
}

/// A line of the journal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    part: Part,
    values: Vec<i32>,
    nodes: u64,
    solved: usize,
}

/// Solves problems with organisms, and remembers.
pub struct Solving<'a> {
    pub genes: &'a SearchGenes,
    pub engine: &'a EnginePlan,
    pub cap: u64,
    pub threads: usize,
    folder: &'a RunFolder,
    known: BTreeMap<(Part, Vec<i32>), Effort>,
}

impl<'a> Solving<'a> {
    pub fn new(
        genes: &'a SearchGenes,
        engine: &'a EnginePlan,
        cap: u64,
        threads: usize,
        folder: &'a RunFolder,
        entries: Vec<Entry>,
    ) -> Self {
        let known = entries.into_iter().map(|entry| {
            let Entry { part, values, nodes, solved } = entry;
            ((part, values), Effort { nodes, solved })
        });
        Self { genes, engine, cap, threads, folder, known: known.collect() }
    }

    /// What each organism needs for the problems.
    pub fn efforts(
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
        let params: Vec<Values> =
            new.iter().map(|values| self.genes.params(&self.engine.params, values)).collect();
        let (count, cap, engine) = (problems.len(), self.cap, self.engine);
        let all = (new.len() * count) as u64;
        let job = |searcher: &mut Box<dyn Searcher>, number: u64, stop: &AtomicBool| {
            let number = usize::try_from(number).ok()?;
            let (params, problem) = (params.get(number / count)?, &problems[number % count]);
            searcher.set_parameters(params);
            let needed = solve(&mut **searcher, problem, cap);
            (!stop.load(Ordering::Relaxed)).then_some(needed)
        };
        let (mut effort, mut done) = (Effort { nodes: 0, solved: 0 }, 0);
        let (folder, known) = (self.folder, &mut self.known);
        runner::run(
            self.threads,
            0..all,
            || engine.engine(),
            job,
            |results| {
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
                tell(done, new.len() * count);
                Ok::<_, anyhow::Error>(ControlFlow::Continue(()))
            },
        )?;
        ensure!(done == new.len() * count, "a problem could not be searched");
        let find = |values: &Vec<i32>| self.known[&(part, values.clone())];
        Ok(organisms.iter().map(find).collect())
    }
}

/// Positions that are searched until the answer is the best move of an iteration and of the next one;
/// `None` if that does not come about.
fn solve(searcher: &mut dyn Searcher, problem: &Problem, cap: u64) -> Option<u64> {
    let stop = AtomicBool::new(false);
    let mut since: Option<(u32, u64)> = None;
    let mut watch = |report: &Info| {
        if !problem.is_right(report.pv.first().copied()) {
            since = None;
            return;
        }
        let (depth, _) = *since.get_or_insert((report.depth, report.nodes));
        if report.depth > depth {
            stop.store(true, Ordering::Relaxed);
        }
    };
    searcher.clear();
    let game = Game::new(problem.position);
    let result = searcher.search(&game, &Limits::nodes(cap), Stop::new(&stop), &mut watch);
    let right = problem.is_right(result.best);
    right.then(|| since.map_or(result.nodes, |(_, nodes)| nodes).min(cap))
}
