//! How far the work has come, on standard error.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::output;

/// How often a line is written where there is no terminal to draw a bar on. Short work writes none.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// A bar on a terminal, a line now and then elsewhere.
pub struct Progress {
    bar: Option<ProgressBar>,
    total: u64,
    last_line: Instant,
}

impl Progress {
    /// Progress toward `total`, which is 0 if it is not known.
    pub fn new(total: u64, template: &str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template(template)
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = if total > 0 { ProgressBar::new(total) } else { ProgressBar::no_length() };
            bar.with_style(style)
        });
        Self { bar, total, last_line: Instant::now() }
    }

    /// Says how much is done, with a few words on what.
    pub fn update(&mut self, done: u64, message: &dyn Fn() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(message());
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
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
