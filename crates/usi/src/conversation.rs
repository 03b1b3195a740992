//! The engine as graphical interfaces use it: the Universal Shogi Interface over two pipes.
//!
//! One thread reads lines, one searches, and the one that runs [`run`] keeps the conversation: it
//! alone knows the state and writes.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

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

/// A line is cut after this many bytes. The longest game takes far less.
const LONGEST_LINE: u64 = 1 << 20;

/// Keeps the conversation until it ends: by `quit`, or by the end of the input.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    explain: Explain,
) -> Result<()> {
    let (events, inbox) = mpsc::channel();
    let orders = engine_thread::start(events.clone())
        .map_err(|error| UsiError::Thread("to search", error))?;
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || read_lines(input, &events))
        .map_err(|error| UsiError::Thread("to read", error))?;
    let mut conversation = Conversation { output, orders, stop: Arc::default(), deadline: None };
    let mut session = Session::new(explain)?;
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
}

impl<W: Write> Conversation<W> {
    /// Waits for the next event, and stops the search if its time is up before.
    fn next(&mut self, inbox: &Receiver<Event>) -> Result<Event> {
        let event = loop {
            let Some(deadline) = self.deadline else { break inbox.recv().map_err(ended)? };
            let left = deadline.saturating_duration_since(Instant::now());
            match inbox.recv_timeout(left) {
                Err(RecvTimeoutError::Timeout) => {
                    self.stop.store(true, Ordering::Relaxed);
                    self.deadline = None;
                }
                event => break event.map_err(ended)?,
            }
        };
        if matches!(event, Event::Found(_) | Event::Solved(_)) {
            self.deadline = None;
        }
        Ok(event)
    }

    fn carry_out(&mut self, effect: Effect) -> Result<()> {
        match effect {
            Effect::Say(line) => {
                self.output.write_all((line + "\n").as_bytes())?;
                self.output.flush()?;
            }
            Effect::Begin(job) => {
                self.stop = Arc::default();
                let order = Order { job: *job, stop: Arc::clone(&self.stop) };
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
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(1..) => {
                let line = String::from_utf8_lossy(&bytes).into_owned();
                if events.send(Event::Line(line)).is_err() {
                    return;
                }
            }
            Ok(0) | Err(_) => break,
        }
    }
    let _ = events.send(Event::EndOfInput);
}
