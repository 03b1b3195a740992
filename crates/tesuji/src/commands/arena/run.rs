//! A run of games, begun or resumed: its folder, its files and what it prints.

use crate::progress::Terminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use serde_json::Value;
use tesuji_records::Format;
use tesuji_run::RunFolder;

use super::contest::Contest;
use super::flags::{self, WorkFlags};
use super::games;
use crate::output;
use tesuji_run::plan as folder;

/// The settings of a command that plays games.
pub trait GamesPlan: folder::Plan {
    /// Who plays, and how.
    fn contest(&self) -> &Contest;

    /// A file for the games beside the one in the run folder.
    fn games_file(&self) -> Option<&Path>;
}

/// A run that plays games.
pub struct Run<P> {
    pub plan: P,
    pub folder: RunFolder,
    /// Games at a time.
    pub threads: usize,
    games_file: Option<PathBuf>,
    json: bool,
    started: Instant,
}

impl<P: GamesPlan> Run<P> {
    /// Begins a run with a plan, or resumes the one that the flags name. A file for the games that
    /// is given now counts before the one that the run began with: it has no part in the games.
    pub fn open(
        work: &WorkFlags,
        games_file: Option<&Path>,
        plan: impl FnOnce() -> Result<P>,
    ) -> Result<Self> {
        let started = Instant::now();
        if let Some(path) = games_file {
            flags::games_format(path)?;
            if work.resume.is_none() {
                games::check_place(path)?;
            }
        }
        let (folder, plan) = folder::open(work.resume.as_deref(), &work.out, &Terminal, plan)?;
        let games_file = games_file.or(plan.games_file()).map(Path::to_owned);
        Ok(Self { plan, folder, threads: work.threads(), games_file, json: work.json, started })
    }

    /// The path of the run folder, as reports have it.
    pub fn name(&self) -> String {
        self.folder.path().display().to_string()
    }

    /// How long this process has worked on it.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Writes the games into the run folder, and into the file that was asked for; the paths of both.
    pub fn write_games(&self, format: Format, names: &[String]) -> Result<Vec<String>> {
        let own = self.folder.file(&format!("games.{format}"));
        let mut written = games::write(&self.folder, &own, format, names)?;
        if let Some(path) = &self.games_file {
            written.extend(games::write(&self.folder, path, flags::games_format(path)?, names)?);
        }
        Ok(written)
    }

    /// Keeps the report and prints it, or a text with the files that were written.
    pub fn finish(
        &self,
        report: &Value,
        files: &[String],
        text: impl FnOnce() -> String,
    ) -> Result<ExitCode> {
        self.folder.write_json("result.json", report)?;
        if self.json {
            output::print_json(report)?;
        } else {
            output::print(&format!("{}{}\n", text(), files.join("\n")))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
