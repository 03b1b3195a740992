//! Numbered jobs, and an executor that hands their results on in order.
//!
//! A [`Task`] is a plain value that says what all jobs of some work share: who plays, with which
//! limits. A job is a plain value too: this game, that position. Both can be written as text and
//! read on another machine, and so can what comes out. Nothing but the task and the job has a part
//! in the result: neither the number of threads nor the order in which jobs are done.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What all jobs of some work share. Whoever reads the text of a task can do its jobs.
pub trait Task: Serialize + DeserializeOwned + Sync {
    /// The name by which another machine knows what kind of task it is.
    const NAME: &'static str;

    /// One piece of work.
    type Job: Serialize + DeserializeOwned + Clone + Send + Sync;

    /// What comes out of a job.
    type Output: Serialize + DeserializeOwned + Send;

    /// What a thread keeps from job to job, such as engines that take time to start.
    type Worker;

    /// Makes the worker of a thread.
    fn worker(&self) -> Result<Self::Worker>;

    /// Does a job. `None` if it was given up because `stop` was set: nobody wants it any more.
    fn run(
        &self,
        worker: &mut Self::Worker,
        job: &Self::Job,
        stop: &AtomicBool,
    ) -> Result<Option<Self::Output>>;
}

/// Searches follow lines of mates over many plies, one call inside the other.
const STACK: usize = 64 << 20;

/// Jobs of [`Executor::run_each`] that may be done before one that takes long, and how often it is
/// looked whether it is done.
const AHEAD: u64 = 1024;
const MOMENT: Duration = Duration::from_millis(1);

/// Does jobs, and hands on what comes out in the order of the jobs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Executor {
    threads: usize,
    as_text: bool,
}

impl Executor {
    /// Threads of this process.
    pub const fn threads(threads: usize) -> Self {
        Self { threads, as_text: false }
    }

    /// Threads that are told everything as text and answer with text, as other machines would be.
    /// It shows that a task needs nothing but what it says.
    pub const fn as_text(threads: usize) -> Self {
        Self { threads, as_text: true }
    }

    /// Does the jobs and hands on what came out, in their order and as soon as nothing before it is
    /// missing: several at a time where several are there.
    ///
    /// Whatever the executor, `hand_on` is given the same results in the same order; where it
    /// breaks off, nothing after that is handed on. The first error, in the order of the jobs, ends
    /// the work.
    pub fn run<T: Task>(
        &self,
        task: &T,
        jobs: &[T::Job],
        hand_on: impl FnMut(Vec<T::Output>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let job = |number: u64| jobs[number as usize].clone();
        self.run_numbered(task, jobs.len() as u64, job, hand_on)
    }

    /// The same for jobs that are made when their turn comes: there may be more than memory holds.
    pub fn run_numbered<T: Task>(
        &self,
        task: &T,
        count: u64,
        job: impl Fn(u64) -> T::Job + Sync,
        hand_on: impl FnMut(Vec<T::Output>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let next = AtomicU64::new(0);
        let take = |_: &AtomicBool| {
            let number = next.fetch_add(1, Ordering::Relaxed);
            (number < count).then(|| (number, job(number)))
        };
        let threads = (self.threads.max(1) as u64).min(count);
        self.run_taken(task, threads, take, hand_on)
    }

    /// The same for jobs that come one after the other, nobody knows how many. While one takes
    /// long, only so many of those behind it are done: what waits for it stays small.
    pub fn run_each<T: Task>(
        &self,
        task: &T,
        jobs: impl Iterator<Item = T::Job> + Send,
        mut hand_on: impl FnMut(Vec<T::Output>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let handed_on = AtomicU64::new(0);
        let jobs = Mutex::new((0..).zip(jobs.fuse()).peekable());
        let take = |stop: &AtomicBool| {
            let mut jobs = jobs.lock().unwrap_or_else(PoisonError::into_inner);
            let number = jobs.peek()?.0;
            while number >= handed_on.load(Ordering::Relaxed) + AHEAD {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                thread::sleep(MOMENT);
            }
            jobs.next()
        };
        self.run_taken(task, self.threads.max(1) as u64, take, |some| {
            handed_on.fetch_add(some.len() as u64, Ordering::Relaxed);
            hand_on(some)
        })
    }

    /// Does the jobs that `take` gives, numbered from 0 without a gap, until it gives none.
    fn run_taken<T: Task>(
        self,
        task: &T,
        threads: u64,
        take: impl Fn(&AtomicBool) -> Option<(u64, T::Job)> + Sync,
        mut hand_on: impl FnMut(Vec<T::Output>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let stop = AtomicBool::new(false);
        let (sender, results) = channel();
        thread::scope(|scope| {
            for number in 0..threads {
                let (sender, stop, take) = (sender.clone(), &stop, &take);
                let builder = thread::Builder::new().name(format!("job {number}"));
                let spawned = builder.stack_size(STACK).spawn_scoped(scope, move || {
                    let _panic = StopOnPanic(stop);
                    self.work(task, take, stop, &|number, result| {
                        sender.send((number, result)).is_ok()
                    });
                });
                if let Err(error) = spawned {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error.into());
                }
            }
            drop(sender);
            let done = in_order(&results, &mut hand_on);
            stop.store(true, Ordering::Relaxed);
            done
        })
    }

    /// What one thread does: one job after the other, until there is none or nobody listens.
    fn work<T: Task>(
        self,
        task: &T,
        take: &impl Fn(&AtomicBool) -> Option<(u64, T::Job)>,
        stop: &AtomicBool,
        tell: &dyn Fn(u64, Result<T::Output>) -> bool,
    ) {
        let copy = self.as_text.then(|| through_text(task));
        let task = match &copy {
            None => Ok(task),
            Some(Ok(copy)) => Ok(copy),
            Some(Err(error)) => Err(anyhow!("{error:#}")),
        };
        let mut worker = None;
        while !stop.load(Ordering::Relaxed) {
            let Some((number, job)) = take(stop) else { return };
            let done = match &task {
                Ok(task) => self.one(*task, &mut worker, &job, stop),
                Err(error) => Err(anyhow!("{error:#}")),
            };
            if done.transpose().is_none_or(|result| !tell(number, result)) {
                return;
            }
        }
    }

    fn one<T: Task>(
        self,
        task: &T,
        worker: &mut Option<T::Worker>,
        job: &T::Job,
        stop: &AtomicBool,
    ) -> Result<Option<T::Output>> {
        let worker = match worker {
            Some(worker) => worker,
            None => worker.insert(task.worker()?),
        };
        if !self.as_text {
            return task.run(worker, job, stop);
        }
        let output = task.run(worker, &through_text(job)?, stop)?;
        output.map(|output| through_text(&output)).transpose()
    }
}

/// Stops all threads if one panics: its result never comes, and others would wait for it.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// A value as another machine would read it.
fn through_text<T: Serialize + DeserializeOwned>(value: &T) -> Result<T> {
    let text = serde_json::to_string(value)?;
    serde_json::from_str(&text).with_context(|| format!("written and not read again: {text}"))
}

/// Hands on results in the order of their numbers.
fn in_order<T>(
    results: &Receiver<(u64, Result<T>)>,
    hand_on: &mut impl FnMut(Vec<T>) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let mut wanted = 0;
    let mut waiting: BTreeMap<u64, Result<T>> = BTreeMap::new();
    while let Ok((number, result)) = results.recv() {
        waiting.insert(number, result);
        waiting.extend(results.try_iter());
        let (mut ready, mut failed) = (Vec::new(), None);
        while let Some(result) = waiting.remove(&wanted) {
            wanted += 1;
            match result {
                Ok(output) => ready.push(output),
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        // What was done before a failure counts.
        if !ready.is_empty() && hand_on(ready)?.is_break() {
            break;
        }
        if let Some(error) = failed {
            return Err(error);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// Squares numbers; the worker counts how many it has squared.
    #[derive(Serialize, Deserialize)]
    struct Squares {
        fails_at: Option<u64>,
        /// What is lost on the way to another machine.
        #[serde(skip, default)]
        secret: u64,
    }

    impl Task for Squares {
        const NAME: &'static str = "squares";
        type Job = u64;
        type Output = u64;
        type Worker = u64;

        fn worker(&self) -> Result<u64> {
            Ok(0)
        }

        fn run(&self, done: &mut u64, job: &u64, stop: &AtomicBool) -> Result<Option<u64>> {
            *done += 1;
            thread::sleep(Duration::from_micros(500 * (job * 7 % 5)));
            if self.fails_at == Some(*job) {
                return Err(anyhow!("job {job}"));
            }
            Ok((!stop.load(Ordering::Relaxed)).then_some(job * job + self.secret))
        }
    }

    fn task(fails_at: Option<u64>) -> Squares {
        Squares { fails_at, secret: 0 }
    }

    fn handed_on(executor: Executor, task: &Squares, enough: usize) -> (Vec<u64>, Result<()>) {
        let jobs: Vec<u64> = (3..40).collect();
        let mut all = Vec::new();
        let done = executor.run(task, &jobs, |results| {
            for result in results {
                if all.len() == enough {
                    return Ok(ControlFlow::Break(()));
                }
                all.push(result);
            }
            Ok(ControlFlow::Continue(()))
        });
        (all, done)
    }

    #[test]
    fn the_order_is_the_same_for_every_executor() {
        let squares = |numbers: std::ops::Range<u64>| numbers.map(|n| n * n).collect::<Vec<_>>();
        for threads in [1, 2, 5, 100] {
            for executor in [Executor::threads(threads), Executor::as_text(threads)] {
                let (all, done) = handed_on(executor, &task(None), 100);
                assert!(done.is_ok());
                assert_eq!(all, squares(3..40));
                assert_eq!(handed_on(executor, &task(None), 10).0, squares(3..13));
            }
        }
    }

    #[test]
    fn what_came_before_a_failure_is_handed_on() {
        for executor in [Executor::threads(1), Executor::threads(4), Executor::as_text(2)] {
            let (all, done) = handed_on(executor, &task(Some(20)), 100);
            assert_eq!(done.unwrap_err().to_string(), "job 20");
            assert_eq!(all.len(), 17);
        }
    }

    #[test]
    fn an_error_of_the_receiver_ends_everything() {
        let jobs: Vec<u64> = (0..10).collect();
        let done = Executor::threads(2).run(&task(None), &jobs, |_| Err(anyhow!("no room")));
        assert_eq!(done.unwrap_err().to_string(), "no room");
    }

    /// A task whose first job takes long, and may panic in the end.
    #[derive(Serialize, Deserialize)]
    struct SlowFirst {
        panics: bool,
    }

    impl Task for SlowFirst {
        const NAME: &'static str = "slow-first";
        type Job = u64;
        type Output = u64;
        type Worker = ();

        fn worker(&self) -> Result<()> {
            Ok(())
        }

        fn run(&self, (): &mut (), job: &u64, _: &AtomicBool) -> Result<Option<u64>> {
            if *job == 0 {
                thread::sleep(Duration::from_millis(200));
                assert!(!self.panics, "as it was told");
            }
            Ok(Some(*job))
        }
    }

    #[test]
    fn jobs_that_come_one_by_one_do_not_run_away() {
        let taken = AtomicU64::new(0);
        let jobs = (0..5000).inspect(|_| {
            taken.fetch_add(1, Ordering::Relaxed);
        });
        let (mut all, mut at_first) = (Vec::new(), 0);
        let done = Executor::threads(3).run_each(&SlowFirst { panics: false }, jobs, |some| {
            if all.is_empty() {
                at_first = taken.load(Ordering::Relaxed);
            }
            all.extend(some);
            Ok(ControlFlow::Continue(()))
        });
        assert!(done.is_ok());
        assert!(all.into_iter().eq(0..5000));
        assert!(at_first < AHEAD + 100, "{at_first} jobs were taken");
        let mut few = Vec::new();
        let squared = Executor::as_text(2).run_each(&task(Some(7)), 3..40, |some| {
            few.extend(some);
            Ok(ControlFlow::Continue(()))
        });
        assert_eq!((squared.unwrap_err().to_string(), few), ("job 7".into(), vec![9, 16, 25, 36]));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn nobody_waits_for_a_job_that_panicked() {
        let task = SlowFirst { panics: true };
        let _ = Executor::threads(3).run_each(&task, 0.., |_| Ok(ControlFlow::Continue(())));
    }

    /// A task that hides something from its text is found out.
    #[test]
    fn as_text_shows_what_a_task_does_not_say() {
        let hiding = Squares { fails_at: None, secret: 1 };
        assert_eq!(handed_on(Executor::threads(1), &hiding, 1).0, [10]);
        assert_eq!(handed_on(Executor::as_text(1), &hiding, 1).0, [9]);
    }
}
