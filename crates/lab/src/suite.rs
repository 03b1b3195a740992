//! Test suites: how many problems with known answers does an engine solve, and how fast?

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tesuji_run::Context;
use tesuji_run::jobs::Task;
use tesuji_search::spec::SearchSpec;
use tesuji_search::{Info, Limits, Searcher, Stop, score};
use tesuji_shogi::Game;

use crate::data::problems::Problem;

/// Searches problems. A job is the number of a problem.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestSuite {
    /// The engine.
    pub engine: SearchSpec,
    /// When a search ends.
    pub limits: Limits,
    /// The problems.
    pub problems: Vec<Problem>,
}

/// What the engine made of a problem.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// The move it chose.
    pub mv: Option<String>,
    /// Seconds until the right move was the best one for good; `None` if it was not.
    pub solved_after: Option<f64>,
    /// The depth that was reached.
    pub depth: u32,
    /// The score, as the search counts.
    pub score: i32,
    /// Nodes that were searched.
    pub nodes: u64,
    /// Seconds that the search took.
    pub seconds: f64,
}

/// The engine of one thread.
pub struct SuiteWorker(Box<dyn Searcher>);

impl Task for TestSuite {
    const NAME: &'static str = "test-suite";
    type Job = usize;
    type Output = Attempt;
    type Worker = SuiteWorker;

    fn worker(&self) -> Result<SuiteWorker> {
        Ok(SuiteWorker(self.engine.load()?.engine()))
    }

    fn run(
        &self,
        SuiteWorker(searcher): &mut SuiteWorker,
        job: &usize,
        _: &AtomicBool,
    ) -> Result<Option<Attempt>> {
        let problem = self.problems.get(*job).context("no such problem")?;
        Ok(Some(attempt(searcher.as_mut(), problem, &self.limits)))
    }
}

fn attempt(engine: &mut dyn Searcher, problem: &Problem, limits: &Limits) -> Attempt {
    let mut right_since = None;
    let mut watch = |report: &Info| {
        let right = problem.is_right(report.pv.first().copied());
        right_since = if right { right_since.or(Some(report.time)) } else { None };
    };
    engine.clear();
    let result = engine.search(&Game::new(problem.position), limits, Stop::never(), &mut watch);
    let solved_after = problem.is_right(result.best).then(|| right_since.unwrap_or(result.time));
    Attempt {
        mv: result.best.map(|mv| mv.to_string()),
        solved_after: solved_after.map(|time| time.as_secs_f64()),
        depth: result.depth,
        score: result.score,
        nodes: result.nodes,
        seconds: result.time.as_secs_f64(),
    }
}

/// What came of all problems, in their order.
pub struct SuiteOutcome {
    /// The attempts.
    pub attempts: Vec<Attempt>,
    /// Solved problems and all problems of each kind.
    pub kinds: BTreeMap<String, (usize, usize)>,
}

impl TestSuite {
    /// Attempts the problems.
    pub fn solve(&self, context: &Context<'_>) -> Result<SuiteOutcome> {
        let jobs: Vec<usize> = (0..self.problems.len()).collect();
        let mut attempts: Vec<Attempt> = Vec::new();
        let mut progress = context.observer.begin(jobs.len() as u64, "problems");
        context.executor().run(self, &jobs, |mut found| {
            attempts.append(&mut found);
            let solved = attempts.iter().filter(|attempt| attempt.solved_after.is_some()).count();
            let done = attempts.len();
            progress.update(done as u64, &|| format!("{solved} of {done} solved"));
            Ok(ControlFlow::Continue(()))
        })?;
        let mut kinds: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (problem, attempt) in self.problems.iter().zip(&attempts) {
            let (solved, of) = kinds.entry(problem.kind.clone()).or_default();
            *solved += usize::from(attempt.solved_after.is_some());
            *of += 1;
        }
        Ok(SuiteOutcome { attempts, kinds })
    }

    /// Everything as JSON. How long it took is left to the caller.
    pub fn report(&self, outcome: &SuiteOutcome) -> Value {
        let kinds: Map<String, Value> = outcome
            .kinds
            .iter()
            .map(|(kind, (solved, of))| (kind.clone(), json!({ "solved": solved, "of": of })))
            .collect();
        let problem = |(problem, attempt): (&Problem, &Attempt)| {
            let answers: Vec<String> = problem.answers.iter().map(ToString::to_string).collect();
            json!({
                "sfen": problem.position.to_sfen(),
                "kind": problem.kind,
                "answer": answers.join(" "),
                "move": attempt.mv,
                "solved": attempt.solved_after.is_some(),
                "solved_after": attempt.solved_after,
                "depth": attempt.depth,
                "score": score::to_json(attempt.score),
                "nodes": attempt.nodes,
                "seconds": attempt.seconds,
            })
        };
        json!({
            "solved": outcome.solved(),
            "of": outcome.attempts.len(),
            "kinds": kinds,
            "problems": self.problems.iter().zip(&outcome.attempts).map(problem).collect::<Vec<_>>(),
        })
    }
}

impl SuiteOutcome {
    /// How many problems were solved.
    pub fn solved(&self) -> usize {
        self.kinds.values().map(|(solved, _)| solved).sum()
    }
}

#[cfg(test)]
mod tests {
    use tesuji_run::jobs::Executor;
    use tesuji_search::spec::EvaluationSpec;

    use super::*;
    use crate::data::problems;

    /// Mate in one by a gold in hand, once with the right answer in the file and once with a wrong one.
    fn suite() -> TestSuite {
        const SFEN: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        let table = format!("#sfen\tanswer\tkind\n{SFEN}\tG*5b\tmate\n{SFEN}\tG*4a\twrong\n");
        let file = std::env::temp_dir().join(format!("tesuji-suite-{}.tsv", std::process::id()));
        std::fs::write(&file, table).unwrap();
        let problems = problems::read(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        let evaluation = Some(EvaluationSpec::named("material"));
        let engine = SearchSpec { evaluation, hash: Some(1), ..SearchSpec::default() };
        TestSuite { engine, limits: Limits { depth: Some(3), ..Limits::default() }, problems }
    }

    #[test]
    fn problems_are_counted_by_kind_and_travel_as_text() {
        let suite = suite();
        let outcome = suite.solve(&Context { threads: 1, observer: &tesuji_run::Silent }).unwrap();
        assert_eq!(outcome.solved(), 1);
        assert_eq!(outcome.kinds["mate"], (1, 1));
        assert_eq!(outcome.kinds["wrong"], (0, 1));
        let mut far = Vec::new();
        let jobs = [0, 1];
        let hand_on = |mut some: Vec<Attempt>| {
            far.append(&mut some);
            Ok(ControlFlow::Continue(()))
        };
        Executor::as_text(2).run(&suite, &jobs, hand_on).unwrap();
        let moves = |attempts: &[Attempt]| -> Vec<(Option<String>, u64)> {
            attempts.iter().map(|attempt| (attempt.mv.clone(), attempt.nodes)).collect()
        };
        assert_eq!(moves(&far), moves(&outcome.attempts));
    }
}
