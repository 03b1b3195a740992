//! The engine as graphical interfaces use it: the Universal Shogi Interface over two pipes.
//!
//! One thread reads lines, one searches, and the one that runs [`run`] keeps the conversation: it
//! alone knows the state and writes.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_search::spec::SpecError;
use thiserror::Error;

use crate::engine_thread::{self, Order};
use crate::session::{Effect, Event, Explain, Session};

/// A conversation cannot begin or go on.
#[derive(Debug, Error)]
pub enum UsiError {
    /// The evaluation that comes with the program cannot be had.
    #[error(transparent)]
    Engine(#[from] SpecError),
    /// There is no thread to search or to read.
    #[error("no thread {0}")]
    Thread(&'static str, #[source] io::Error),
    /// Nobody reads the answers any more.
    #[error("cannot write an answer")]
    Output(#[from] io::Error),
    /// A thread has ended while it was needed.
    #[error("the thread that {0} has ended")]
    Ended(&'static str),
}

type Result<T> = std::result::Result<T, UsiError>;

/// A line with more bytes is dropped. The longest game takes far less.
const LONGEST_LINE: u64 = 1 << 20;

/// A search says something at least as often as this.
const LONGEST_SILENCE: Duration = Duration::from_millis(900);

/// Keeps the conversation until it ends: by `quit`, or by the end of the input. `list_parameters` is
/// for those who tune the search: see [`Session::new`].
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    explain: Explain,
    list_parameters: bool,
) -> Result<()> {
    let (events, inbox) = mpsc::channel();
    let orders = engine_thread::start(events.clone())
        .map_err(|error| UsiError::Thread("to search", error))?;
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || read_lines(input, &events))
        .map_err(|error| UsiError::Thread("to read", error))?;
    let mut conversation =
        Conversation { output, orders, stop: Arc::default(), deadline: None, work: None };
    let mut session = Session::new(explain, list_parameters)?;
    loop {
        let event = conversation.next(&inbox)?;
        for effect in session.handle(event) {
            if matches!(effect, Effect::Exit) {
                return Ok(());
            }
            conversation.carry_out(effect)?;
        }
    }
}

/// The wires between the session and the world.
struct Conversation<W> {
    output: W,
    orders: Sender<Order>,
    /// Ends the search that goes on.
    stop: Arc<AtomicBool>,
    /// When to end it.
    deadline: Option<Instant>,
    /// What the engine thread is at.
    work: Option<Work>,
}

/// A job of the engine thread that goes on.
struct Work {
    began: Instant,
    /// When something was said last.
    last: Instant,
    /// The nodes so far.
    nodes: Arc<AtomicU64>,
}

impl<W: Write> Conversation<W> {
    /// Waits for the next event, and stops the search if its time is up before.
    fn next(&mut self, inbox: &Receiver<Event>) -> Result<Event> {
        let event = loop {
            let pulse = self.work.as_ref().map(|work| work.last + LONGEST_SILENCE);
            let Some(wake) = [self.deadline, pulse].into_iter().flatten().min() else {
                break inbox.recv().map_err(ended)?;
            };
            match inbox.recv_timeout(wake.saturating_duration_since(Instant::now())) {
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(event) = self.wake_up() {
                        break event;
                    }
                }
                event => break event.map_err(ended)?,
            }
        };
        if matches!(event, Event::Found(_) | Event::Solved(_)) {
            self.deadline = None;
        }
        if matches!(event, Event::Found(_) | Event::Solved(_) | Event::Ready) {
            self.work = None;
        }
        Ok(event)
    }

    /// Does what is due: the end of a search, or a sign of life from it.
    fn wake_up(&mut self) -> Option<Event> {
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| deadline <= now) {
            self.stop.store(true, Ordering::Relaxed);
            self.deadline = None;
        }
        let work = self.work.as_mut().filter(|work| work.last + LONGEST_SILENCE <= now)?;
        work.last = now;
        let nodes = work.nodes.load(Ordering::Relaxed);
        Some(Event::Silence { nodes, time: now - work.began })
    }

    fn carry_out(&mut self, effect: Effect) -> Result<()> {
        match effect {
            Effect::Say(line) => {
                self.output.write_all((line + "\n").as_bytes())?;
                self.output.flush()?;
                if let Some(work) = &mut self.work {
                    work.last = Instant::now();
                }
            }
            Effect::Begin(job) => {
                self.stop = Arc::default();
                let (now, nodes) = (Instant::now(), Arc::<AtomicU64>::default());
                let (stop, told) = (Arc::clone(&self.stop), Arc::clone(&nodes));
                self.work = Some(Work { began: now, last: now, nodes });
                let order = Order { job: *job, stop, nodes: told };
                self.orders.send(order).map_err(|_| UsiError::Ended("searches"))?;
            }
            Effect::Stop => self.stop.store(true, Ordering::Relaxed),
            Effect::StopAfter(time) => self.deadline = Instant::now().checked_add(time),
            Effect::Exit => {}
        }
        Ok(())
    }
}

fn ended<E>(_: E) -> UsiError {
    UsiError::Ended("reads")
}

/// Passes lines on until there are none, whatever bytes are in them.
fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let event = match input.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            // What is left of such a line would be taken for another one.
            Ok(_) if bytes.len() as u64 > LONGEST_LINE && !bytes.ends_with(b"\n") => {
                if input.skip_until(b'\n').is_err() {
                    break;
                }
                Event::Overlong
            }
            Ok(_) => Event::Line(String::from_utf8_lossy(&bytes).into_owned()),
        };
        if events.send(event).is_err() {
            return;
        }
    }
    let _ = events.send(Event::EndOfInput);
}
