//! How far the work has come: libraries say it, whoever called them decides who is told.

use crate::jobs::Executor;

/// Somebody who watches long work: a terminal, a page, nobody.
pub trait Observer: Sync {
    /// Work on so many units begins; `total` is 0 if nobody knows how many there are.
    fn begin(&self, total: u64, unit: &str) -> Box<dyn Progress + '_>;

    /// Something worth a line of its own.
    fn note(&self, line: &str);

    /// Something that is wrong and was left out, such as a bad game among good ones.
    fn complain(&self, line: &str) {
        self.note(line);
    }
}

/// Work under way.
pub trait Progress {
    /// So much is done, with a few words on what. It may be called as often as one likes: the words
    /// are asked for only when somebody is told.
    fn update(&mut self, done: u64, message: &dyn Fn() -> String);

    /// As [`Progress::update`], with a table for whoever has room for one, and a line for the
    /// others.
    fn update_table(&mut self, done: u64, line: &dyn Fn() -> String, _table: &dyn Fn() -> String) {
        self.update(done, line);
    }

    /// A line that stays, beside what changes.
    fn note(&self, line: &str);
}

/// Nobody is told.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Observer for Silent {
    fn begin(&self, _: u64, _: &str) -> Box<dyn Progress + '_> {
        Box::new(Self)
    }

    fn note(&self, _: &str) {}
}

impl Progress for Silent {
    fn update(&mut self, _: u64, _: &dyn Fn() -> String) {}

    fn note(&self, _: &str) {}
}

/// Where work is done: with how many threads, watched by whom. It has no part in what comes out.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Threads; 0 for one per core.
    pub threads: usize,
    /// Who is told how far the work has come.
    pub observer: &'a dyn Observer,
}

impl Context<'_> {
    /// Threads; one per core where 0 are wanted.
    pub fn thread_count(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }

    /// What does the jobs.
    pub fn executor(&self) -> Executor {
        Executor::threads(self.thread_count())
    }
}
