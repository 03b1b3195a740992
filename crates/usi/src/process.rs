//! Another process and the lines between it and us. Nothing here waits without an end.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::command;

/// The longest line that is read.
const LONGEST_LINE: usize = 1 << 16;
/// Lines that may wait to be read; then the process has to wait.
const WAITING_LINES: usize = 1 << 10;
/// Lines that are kept, and how much of each.
const KEPT_LINES: usize = 12;
const KEPT_CHARS: usize = 240;
/// How long a process has to end by itself once it was asked to.
const FAREWELL: Duration = Duration::from_millis(300);

/// What comes from a process.
pub enum ProcessEvent {
    /// A line, and when it came.
    Line(String, Instant),
    /// A line that had no end.
    EndlessLine,
    /// There will be no more.
    Closed,
}

/// Why nothing came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimedOut;

/// A running process. It is ended when this is dropped.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    events: Receiver<ProcessEvent>,
    kept: Kept,
    /// The thread that reads complaints.
    complaints: Option<JoinHandle<()>>,
}

/// The last lines of the conversation.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<VecDeque<String>>>);

impl Kept {
    fn push(&self, mark: char, line: &str) {
        let line = line.chars().filter(|c| !c.is_control()).take(KEPT_CHARS).collect::<String>();
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT_LINES {
            lines.pop_front();
        }
        lines.push_back(format!("{mark} {line}"));
    }
}

impl Process {
    /// Starts a process. Two threads read what it says, and end with it.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (sender, events) = sync_channel(WAITING_LINES);
        let kept = Kept::default();
        let input = child.stdin.take();
        let output = child.stdout.take();
        let complaints = child.stderr.take();
        let mut process = Self { child, input, events, kept: kept.clone(), complaints: None };
        let named = |name: &str| thread::Builder::new().name(name.to_owned());
        if let Some(output) = output {
            named("engine output").spawn(move || listen(output, &sender))?;
        }
        if let Some(complaints) = complaints {
            let overhear = move || overhear(complaints, &kept);
            process.complaints = Some(named("engine complaints").spawn(overhear)?);
        }
        Ok(process)
    }

    /// Says a line to the process.
    pub fn say(&mut self, line: &str) -> io::Result<()> {
        self.kept.push('>', line);
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())?;
        input.flush()
    }

    /// The next thing that comes before the deadline.
    pub fn hear(&self, deadline: Instant) -> Result<ProcessEvent, TimedOut> {
        let wait = deadline.saturating_duration_since(Instant::now());
        let event = match self.events.recv_timeout(wait) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => return Err(TimedOut),
            Err(RecvTimeoutError::Disconnected) => ProcessEvent::Closed,
        };
        if let ProcessEvent::Line(line, _) = &event {
            self.kept.push('<', line);
        }
        Ok(event)
    }

    /// The last lines that went to and fro.
    pub fn last_lines(&self) -> Vec<String> {
        self.kept.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// How the process has ended, if it does so within a moment. Its last complaints are there by
    /// then.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        let status = within_a_moment(|| self.child.try_wait().ok().flatten())?;
        within_a_moment(|| {
            let reading = self.complaints.as_ref().is_some_and(|thread| !thread.is_finished());
            (!reading).then_some(())
        });
        Some(status)
    }

    /// Ends the process without asking.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A process that goes by itself may have something to put in order.
        let _ = self.say(&command::Command::Quit.to_string());
        self.input = None;
        if self.ended().is_none() {
            self.kill();
        }
        let _ = self.child.wait();
    }
}

/// Asks again and again until there is an answer, but not for long.
fn within_a_moment<T>(mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + FAREWELL;
    loop {
        let answer = ask();
        if answer.is_some() || Instant::now() >= deadline {
            return answer;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Sends on what comes, line by line. A line without an end is not kept in memory.
fn listen(output: impl Read, sender: &SyncSender<ProcessEvent>) {
    let mut reader = BufReader::new(output);
    loop {
        let mut bytes = Vec::new();
        let read = reader.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes);
        let event = match read {
            Ok(0) | Err(_) => ProcessEvent::Closed,
            Ok(LONGEST_LINE) if bytes.last() != Some(&b'\n') => ProcessEvent::EndlessLine,
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes);
                ProcessEvent::Line(line.trim_end().to_owned(), Instant::now())
            }
        };
        let over = !matches!(event, ProcessEvent::Line(..));
        if sender.send(event).is_err() || over {
            return;
        }
    }
}

/// Keeps the last complaints, so that whoever reads of a crash sees why.
fn overhear(complaints: impl Read, kept: &Kept) {
    let mut reader = BufReader::new(complaints);
    loop {
        let mut bytes = Vec::new();
        match reader.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => kept.push('!', String::from_utf8_lossy(&bytes).trim_end()),
        }
    }
}
