//! The engine as graphical interfaces use it: the Universal Shogi Interface.
//!
//! One thread reads lines, one thinks, and the one that runs [`run`] keeps the conversation: it alone
//! knows the state and writes.

mod command;
pub mod lines;
mod options;
mod session;
mod thinker;

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};

use self::session::{Effect, Event, Session};
use self::thinker::Order;
use crate::output;

/// A line is cut after this many bytes. The longest game takes far less.
const LONGEST_LINE: u64 = 1 << 20;

/// Keeps the conversation on standard input and output until it ends.
pub fn run() -> Result<()> {
    let (events, inbox) = mpsc::channel();
    let orders = thinker::start(events.clone()).context("no thread to think")?;
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || read_lines(&events))
        .context("no thread to read")?;
    let mut conversation = Conversation { orders, stop: Arc::default(), deadline: None };
    let mut session = Session::new()?;
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
struct Conversation {
    orders: Sender<Order>,
    /// Ends the search that goes on.
    stop: Arc<AtomicBool>,
    /// When to end it.
    deadline: Option<Instant>,
}

impl Conversation {
    /// Waits for the next event, and stops the search if its time is up before.
    fn next(&mut self, inbox: &Receiver<Event>) -> Result<Event> {
        let event = loop {
            let Some(deadline) = self.deadline else { break inbox.recv()? };
            let left = deadline.saturating_duration_since(Instant::now());
            match inbox.recv_timeout(left) {
                Err(RecvTimeoutError::Timeout) => {
                    self.stop.store(true, Ordering::Relaxed);
                    self.deadline = None;
                }
                event => break event?,
            }
        };
        if matches!(event, Event::Found(_) | Event::Solved(_)) {
            self.deadline = None;
        }
        Ok(event)
    }

    fn carry_out(&mut self, effect: Effect) -> Result<()> {
        match effect {
            Effect::Say(line) => output::print(&(line + "\n"))?,
            Effect::Begin(job) => {
                self.stop = Arc::default();
                let order = Order { job: *job, stop: Arc::clone(&self.stop) };
                self.orders.send(order).map_err(|_| anyhow!("the thinking thread has ended"))?;
            }
            Effect::Stop => self.stop.store(true, Ordering::Relaxed),
            Effect::StopAfter(time) => self.deadline = Instant::now().checked_add(time),
            Effect::Exit => {}
        }
        Ok(())
    }
}

/// Passes lines on until there are none, whatever bytes are in them.
fn read_lines(events: &Sender<Event>) {
    let mut input = io::stdin().lock();
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
