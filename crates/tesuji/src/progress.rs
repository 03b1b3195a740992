//! How far the work has come, on standard error.

use std::io::{self, IsTerminal, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use tesuji_records::stream::Input;
use tesuji_run::{Observer, progress};

use crate::output;

/// How often a line is written where there is no terminal to draw a bar on. Short work writes none.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// How often a bar is drawn anew.
const BAR_EVERY: Duration = Duration::from_millis(100);

/// The person at the terminal, who watches what libraries do.
pub struct Terminal;

impl Observer for Terminal {
    fn begin(&self, total: u64, unit: &str) -> Box<dyn progress::Progress + '_> {
        Box::new(if total == 0 {
            Progress::new(0, "{spinner} {msg}  {elapsed}")
        } else {
            Progress::new(
                total,
                &format!("{{bar:40}} {{pos}}/{{len}} {unit}  {{msg}}  {{elapsed}}"),
            )
        })
    }

    fn note(&self, line: &str) {
        output::note(line);
    }

    fn complain(&self, line: &str) {
        output::complain(line);
    }
}

impl progress::Progress for Progress {
    fn update(&mut self, done: u64, message: &dyn Fn() -> String) {
        Self::update(self, done, message);
    }

    fn update_table(&mut self, done: u64, line: &dyn Fn() -> String, table: &dyn Fn() -> String) {
        if let Some(bar) = &self.bar {
            if !self.has_table {
                self.has_table = true;
                bar.set_style(style("{msg}\n{bar:40} {pos}/{len}  {elapsed}"));
            }
            Self::update(self, done, table);
        } else {
            Self::update(self, done, line);
        }
    }

    fn note(&self, line: &str) {
        Self::note(self, line);
    }
}

/// A bar on a terminal, a line now and then elsewhere.
pub struct Progress {
    bar: Option<ProgressBar>,
    total: u64,
    last: Instant,
    /// Is a table drawn above the bar?
    has_table: bool,
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Progress {
    /// Progress toward `total`, which is 0 if it is not known.
    pub fn new(total: u64, template: &str) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = if total > 0 { ProgressBar::new(total) } else { ProgressBar::no_length() };
            bar.with_style(style(template))
        });
        Self { bar, total, last: Instant::now(), has_table: false }
    }

    /// Progress through the bytes of files. Nobody knows how many standard input has.
    pub fn through(inputs: &[Input]) -> Self {
        match inputs.iter().map(Input::size).sum::<Option<u64>>() {
            Some(total) if total > 0 => {
                Self::new(total, "{bar:40} {bytes}/{total_bytes}  {msg}  {elapsed}")
            }
            _ => Self::new(0, "{spinner} {bytes}  {msg}  {elapsed}"),
        }
    }

    /// Says how much is done, with a few words on what. It may be called as often as one likes.
    pub fn update(&mut self, done: u64, message: &dyn Fn() -> String) {
        let every = if self.bar.is_some() { BAR_EVERY } else { LINE_EVERY };
        if self.last.elapsed() < every {
            return;
        }
        self.last = Instant::now();
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(output::visible(&message()).into_owned());
        } else {
            let share = done.saturating_mul(100).checked_div(self.total);
            let share = share.map(|percent| format!("{percent}%  ")).unwrap_or_default();
            output::note(&format!("{share}{}", message()));
        }
    }

    /// Writes a line that stays, above the bar.
    pub fn note(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| output::note(line)),
            None => output::note(line),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Counts bytes on their way.
#[derive(Clone, Default)]
pub struct ByteCount(Arc<AtomicU64>);

impl ByteCount {
    /// How many have come by.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// A reader that counts what it reads.
    pub fn tap(&self, bytes: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        Box::new(Counted { bytes, count: self.clone() })
    }
}

struct Counted {
    bytes: Box<dyn Read + Send>,
    count: ByteCount,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.count.0.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
