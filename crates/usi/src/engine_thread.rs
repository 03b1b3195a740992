//! The thread that searches: it has the engine and the mate solver, and does one job after another.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::{self, Receiver, Sender};
use std::{io, thread};

use tesuji_search::mate::{Limits, Solver};
use tesuji_search::spec::Evaluation;
use tesuji_search::{self as search, Algorithm, SearchResult, Searcher, Stop};
use tesuji_shogi::Game;

use crate::options::Setup;
use crate::session::{Event, Job};

/// A job, and how it is ended early.
pub struct Order {
    /// The job.
    pub job: Job,
    /// Set when the job is to end.
    pub stop: Arc<AtomicBool>,
    /// How many nodes there are so far.
    pub nodes: Arc<AtomicU64>,
}

/// Lines of a mate are followed over a thousand plies, one call inside the other.
const STACK: usize = 256 << 20;

/// Starts the thread: what it finds comes out as events.
pub fn start(events: Sender<Event>) -> io::Result<Sender<Order>> {
    let (orders, inbox) = mpsc::channel();
    thread::Builder::new()
        .name("engine".to_owned())
        .stack_size(STACK)
        .spawn(move || EngineThread { events, made: None, solver: None }.work(&inbox))?;
    Ok(orders)
}

/// An engine, and what it was made from.
struct Made {
    evaluation: Arc<Evaluation>,
    mebibytes: usize,
    search: &'static Algorithm,
    engine: Box<dyn Searcher>,
    /// Has it searched since it was made or cleared? Clearing a large table takes a while.
    used: bool,
}

/// There is an engine or a solver, not both, so that memory stays as it was set.
struct EngineThread {
    events: Sender<Event>,
    made: Option<Made>,
    /// The solver and the size of its table.
    solver: Option<(usize, Solver)>,
}

impl EngineThread {
    /// Does jobs until nobody gives any, or nobody listens.
    fn work(mut self, inbox: &Receiver<Order>) {
        while let Ok(Order { job, stop, nodes }) = inbox.recv() {
            let wires = Stop::new(&stop).counting(&nodes);
            let event = match job {
                Job::Prepare { setup, forget } => {
                    let made = self.engine(setup);
                    if forget && made.used {
                        made.engine.clear();
                        made.used = false;
                    }
                    Event::Ready
                }
                Job::Search { setup, game, limits } => {
                    let events = self.events.clone();
                    if let Some(result) = book_answer(&setup, &game, &limits, &events) {
                        if self.events.send(Event::Found(result)).is_err() {
                            return;
                        }
                        continue;
                    }
                    let made = self.engine(setup);
                    made.used = true;
                    Event::Found(made.engine.search(&game, &limits, wires, &mut |report| {
                        let _ = events.send(Event::Info(report.clone()));
                    }))
                }
                Job::Mate { setup, position, time } => {
                    let limits = Limits { time, ..Limits::default() };
                    let solver = self.solver(setup.mebibytes);
                    Event::Solved(solver.solve(&position, &limits, wires).outcome)
                }
            };
            if self.events.send(event).is_err() {
                return;
            }
        }
    }

    /// The engine of this setup: the one there is if it fits, or a new one.
    fn engine(&mut self, setup: Setup) -> &mut Made {
        let Setup { evaluation, mebibytes, search, params, formations, settings, .. } = setup;
        self.solver = None;
        // The old table goes before a new one is made.
        self.made.take_if(|made| {
            !Arc::ptr_eq(&made.evaluation, &evaluation)
                || made.mebibytes != mebibytes
                || made.search.name != search.name
        });
        let events = &self.events;
        let made = self.made.get_or_insert_with(|| {
            let mut engine = evaluation.engine(search, 0);
            largest(mebibytes, events, |size| engine.resize_table(size));
            Made { evaluation, mebibytes, search, engine, used: false }
        });
        made.engine.set_parameters(&params);
        made.engine.set_formations(formations);
        *made.engine.settings() = settings;
        made
    }

    /// The mate solver with a table of this size.
    fn solver(&mut self, mebibytes: usize) -> &mut Solver {
        self.made = None;
        self.solver.take_if(|(size, _)| *size != mebibytes);
        let events = &self.events;
        let solver = || (mebibytes, largest(mebibytes, events, Solver::try_new));
        &mut self.solver.get_or_insert_with(solver).1
    }
}

/// The answer of the book, if it has one; who listens is told where it is from.
fn book_answer(
    setup: &Setup,
    game: &Game,
    limits: &search::Limits,
    events: &Sender<Event>,
) -> Option<SearchResult> {
    let answer = setup.opening.as_ref()?.answer(game, limits, setup.settings.seed)?;
    let result = answer.result();
    let _ = events.send(Event::Remark(answer.to_string()));
    for line in &result.lines {
        let _ = events.send(Event::Info(line.clone()));
    }
    Some(result)
}

/// Makes something with a table of this size, or of the half, and so on, where the system refuses
/// the memory: an engine with a small table is better than none.
fn largest<T, E>(
    mebibytes: usize,
    events: &Sender<Event>,
    mut make: impl FnMut(usize) -> Result<T, E>,
) -> T {
    let mut size = mebibytes;
    loop {
        if let Ok(made) = make(size) {
            if size < mebibytes {
                let _ = events.send(Event::Remark(format!(
                    "USI_Hash: the system refuses the memory for {mebibytes} MiB; the table has \
                     {size} MiB"
                )));
            }
            return made;
        }
        size /= 2;
    }
}
