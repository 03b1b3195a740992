//! Another process and the lines between it and us. Nothing here waits without an end, and nothing
//! is left behind: a process has a group of its own (on Unix), which ends with it, its children
//! too.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, sync_channel};
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
/// How long a process has to take in what it is told.
const ATTENTION: Duration = Duration::from_secs(5);
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
    input: Option<Input>,
    events: Receiver<ProcessEvent>,
    kept: Kept,
    /// The thread that reads complaints.
    complaints: Option<JoinHandle<()>>,
}

/// What a process is told. A pipe that nobody empties would hold whoever writes into it, so that a
/// thread of its own does; it ends with the process.
struct Input {
    lines: Sender<String>,
    written: Receiver<io::Result<()>>,
}

impl Input {
    fn new(mut pipe: ChildStdin) -> io::Result<Self> {
        let (lines, inbox) = mpsc::channel::<String>();
        let (outbox, written) = mpsc::channel();
        thread::Builder::new().name("engine input".to_owned()).spawn(move || {
            while let Ok(line) = inbox.recv() {
                let result = pipe.write_all(line.as_bytes()).and_then(|()| pipe.flush());
                if outbox.send(result).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { lines, written })
    }

    /// Says a line, which is to be taken in within this time.
    fn say(&self, line: &str, time: Duration) -> io::Result<()> {
        self.lines.send(format!("{line}\n")).map_err(|_| io::ErrorKind::BrokenPipe)?;
        match self.written.recv_timeout(time) {
            Ok(result) => result,
            Err(RecvTimeoutError::Timeout) => Err(io::ErrorKind::TimedOut.into()),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
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
    /// Starts a process. Three threads write and read what is said, and end with it.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = groups::spawn(command)?;
        let (sender, events) = sync_channel(WAITING_LINES);
        let kept = Kept::default();
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let complaints = child.stderr.take();
        let mut process = Self { child, input: None, events, kept: kept.clone(), complaints: None };
        process.input = input.map(Input::new).transpose()?;
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

    /// Says a line to the process. One that does not take it in is an error of the kind
    /// [`io::ErrorKind::TimedOut`], and hears nothing any more.
    pub fn say(&mut self, line: &str) -> io::Result<()> {
        self.say_within(line, ATTENTION)
    }

    fn say_within(&mut self, line: &str, time: Duration) -> io::Result<()> {
        self.kept.push('>', line);
        let input = self.input.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        let said = input.say(line, time);
        if said.is_err() {
            groups::wait_for_the_end();
            self.input = None;
        }
        said
    }

    /// The next thing that comes before the deadline.
    pub fn hear(&self, deadline: Instant) -> Result<ProcessEvent, TimedOut> {
        let wait = deadline.saturating_duration_since(Instant::now());
        let event = match self.events.recv_timeout(wait) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => return Err(TimedOut),
            Err(RecvTimeoutError::Disconnected) => ProcessEvent::Closed,
        };
        match &event {
            ProcessEvent::Line(line, _) => self.kept.push('<', line),
            ProcessEvent::EndlessLine | ProcessEvent::Closed => groups::wait_for_the_end(),
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

    /// Ends the process and all that it has started, without asking.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        groups::kill(self.child.id());
    }
}

/// Ends all processes that were started here and have not ended, for a program that is itself about
/// to end: they do not hear what is typed at its terminal. From now on whoever waits for one of
/// them waits for the end of the program: what is a crash otherwise is not to be taken for one.
pub fn kill_all() {
    groups::kill_all();
}

impl Drop for Process {
    fn drop(&mut self) {
        groups::wait_for_the_end();
        // A process that goes by itself may have something to put in order.
        let _ = self.say_within(&command::Command::Quit.to_string(), FAREWELL);
        self.input = None;
        let _ = self.ended();
        // It may have left children behind.
        self.kill();
        let _ = self.child.wait();
        groups::forget(self.child.id());
    }
}

/// Groups of processes, each named by the process that it began with.
mod groups {
    use std::collections::BTreeSet;
    use std::io;
    use std::process::{Child, Command};
    use std::sync::{Mutex, PoisonError};

    /// The groups that there are; `None` when the program ends and there are to be no more.
    static LIVING: Mutex<Option<BTreeSet<u32>>> = Mutex::new(Some(BTreeSet::new()));

    /// Starts a process in a group of its own.
    pub fn spawn(command: &mut Command) -> io::Result<Child> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut living = LIVING.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(groups) = &mut *living else { return Err(io::ErrorKind::Interrupted.into()) };
        let child = command.spawn()?;
        groups.insert(child.id());
        Ok(child)
    }

    /// Ends all processes of a group. Elsewhere than on Unix there are none beside the first.
    pub fn kill(group: u32) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        #[cfg(not(unix))]
        let _ = group;
    }

    /// A group has ended.
    pub fn forget(group: u32) {
        let mut living = LIVING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(groups) = &mut *living {
            groups.remove(&group);
        }
    }

    /// Does not return if all groups were ended because the program is about to end.
    pub fn wait_for_the_end() {
        while LIVING.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    }

    /// Ends all groups, and lets none begin any more.
    pub fn kill_all() {
        let living = LIVING.lock().unwrap_or_else(PoisonError::into_inner).take();
        living.into_iter().flatten().for_each(kill);
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
