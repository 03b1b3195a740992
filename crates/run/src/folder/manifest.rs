//! What a run was asked to do.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{MANIFEST, RunError};
use crate::atomic;

/// The identity of a run, as it stands in `manifest.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the format of the folder.
    pub format: u32,
    /// The command, such as `evolve`.
    pub command: String,
    /// The short id, which together with the time makes the folder's name unique.
    pub id: String,
    /// When the run began.
    pub started: String,
    /// The program's name and version.
    pub program: String,
    /// The command line as it was given.
    pub command_line: Vec<String>,
    /// The seed, where anything is random.
    pub seed: Option<u64>,
    /// The files that were read, by content.
    pub inputs: Vec<Input>,
    /// Every setting that has a part in the result, those left at their default included.
    pub settings: Value,
}

/// A file that a run reads, known by its content.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Input {
    /// The file as it was named.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// The SHA-256 hash of its content, in hexadecimal.
    pub sha256: String,
}

impl Manifest {
    /// The format that this version writes and reads.
    pub const FORMAT: u32 = 1;

    /// A manifest of a command with no inputs and no settings yet; the other fields are public.
    pub fn new(command: &str, short_id: &str, started: RunTime) -> Self {
        Self {
            format: Self::FORMAT,
            command: command.to_owned(),
            id: short_id.to_owned(),
            started: started.to_string(),
            program: String::new(),
            command_line: Vec::new(),
            seed: None,
            inputs: Vec::new(),
            settings: Value::Null,
        }
    }

    /// Reads the manifest of a run folder, which another process may be working in.
    pub fn read(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(MANIFEST);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(RunError::NotARun(folder.to_owned()));
            }
            Err(error) => return Err(RunError::io(&path)(error)),
        };
        let wrong = |problem: String| RunError::content(&path, None, problem);
        let value: Value = serde_json::from_slice(&text).map_err(|e| wrong(e.to_string()))?;
        // The version is looked at first: another version may have other fields.
        match value.get("format").and_then(Value::as_u64) {
            Some(format) if format == u64::from(Self::FORMAT) => {}
            Some(format) => {
                return Err(wrong(format!("format {format}, expected {}", Self::FORMAT)));
            }
            None => return Err(wrong("no format version, expected a run manifest".into())),
        }
        serde_json::from_value(value).map_err(|e| wrong(e.to_string()))
    }

    /// Says in one line how these inputs differ from those that the run began with, so that no run
    /// goes on with other data. Files may have moved; what counts is the content.
    pub fn changed_input(&self, now: &[Input]) -> Option<String> {
        if self.inputs.len() != now.len() {
            return Some(format!("the run has {} inputs, not {}", self.inputs.len(), now.len()));
        }
        let different = |(then, now): &(&Input, &Input)| then.sha256 != now.sha256;
        let (then, now) = self.inputs.iter().zip(now).find(different)?;
        Some(format!(
            "{}: its content is not that of {} when the run began (SHA-256 {}, expected {})",
            now.name, then.name, now.sha256, then.sha256
        ))
    }

    /// `<time>-<command>-<short id>`, such as `20260202T024000Z-evolve-3f9a2c`.
    pub(super) fn folder_name(&self) -> Result<String, RunError> {
        let stamp = self.started.replace(['-', ':'], "");
        for name in [&stamp, &self.command, &self.id] {
            let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
            if name.is_empty() || !plain {
                let expected = "the parts of a run's name are letters, digits and '-'";
                return Err(RunError::Name { name: name.clone(), expected });
            }
        }
        Ok(format!("{stamp}-{}-{}", self.command, self.id))
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), RunError> {
        let path = folder.join(MANIFEST);
        let bytes = pretty(self).map_err(|error| RunError::content(&path, None, error))?;
        atomic::write(&path, &bytes).map_err(RunError::io(&path))
    }
}

/// JSON for people, with a line break at the end.
pub(super) fn pretty(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// A moment to the second, in universal time. The caller reads the clock.
///
/// ```
/// use tesuji_run::RunTime;
/// assert_eq!(RunTime::from_unix(1_770_000_000).to_string(), "2026-02-02T02:40:00Z");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RunTime {
    seconds: u64,
}

impl RunTime {
    /// The moment this many seconds after the beginning of 1970. Moments after the year 9999
    /// become its last second.
    pub fn from_unix(seconds: u64) -> Self {
        Self { seconds: seconds.min(253_402_300_799) }
    }

    /// Year, month and day. Years are counted from March, so that the leap day is the last one.
    fn date(self) -> (u64, u64, u64) {
        const DAYS_IN_400_YEARS: u64 = 146_097;
        /// From 1 March of the year 0 to the beginning of 1970.
        const DAYS_BEFORE: u64 = 719_468;
        let days = self.seconds / 86_400 + DAYS_BEFORE;
        let day = days % DAYS_IN_400_YEARS;
        // Leap days before this day: one in 4 years, none in 100.
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        // Months from March have 31, 30, 31, 30, 31 days, five of them 153, and so on.
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let year = year + days / DAYS_IN_400_YEARS * 400 + u64::from(month >= 10);
        (year, if month < 10 { month + 3 } else { month - 9 }, day)
    }
}

impl fmt::Display for RunTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        let second = self.seconds % 86_400;
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}
