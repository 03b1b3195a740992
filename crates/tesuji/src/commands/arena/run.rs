//! A run of games, begun or resumed: its folder, its files and what it prints.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use serde_json::{Value, json};
use tesuji_lab::games::files;
use tesuji_records::Format;
use tesuji_run::{Context, Plan, RunFolder, plan};

use super::flags::WorkFlags;
use crate::progress::Terminal;
use crate::{interruption, output};

/// A run that plays games.
pub struct Run<P> {
    pub plan: P,
    pub folder: RunFolder,
    /// Games at a time.
    threads: usize,
    games_file: Option<PathBuf>,
    json: bool,
    started: Instant,
}

impl<P: Plan> Run<P> {
    /// Begins a run with a plan, or resumes the one that the flags name. A file for the games that
    /// is given now counts before the one that the run began with: it has no part in the games.
    pub fn open(
        work: &WorkFlags,
        games_file: Option<&Path>,
        plan: impl FnOnce() -> Result<P>,
    ) -> Result<Self> {
        let started = Instant::now();
        if let Some(path) = games_file {
            files::format_of(path)?;
            if work.resume.is_none() {
                files::check_place(path)?;
            }
        }
        let (folder, plan) = plan::open(work.resume.as_deref(), &work.out, &Terminal, plan)?;
        let path = folder.path().display();
        output::note(&format!("the run is kept in {path}"));
        let resume = output::shell_word(&path.to_string());
        interruption::on_stop(format!(
            "stopped; go on with: tesuji {} --resume {resume}",
            P::COMMAND
        ));
        let (threads, games_file) = (work.concurrency, games_file.map(Path::to_owned));
        Ok(Self { plan, folder, threads, games_file, json: work.json, started })
    }

    /// Where the games are played, and who watches.
    pub fn context(&self) -> Context<'static> {
        Context { threads: self.threads, observer: &Terminal }
    }

    /// A report of several parts, with where the run is before them and how long this process has
    /// worked on it after them.
    pub fn report<const N: usize>(&self, parts: [Value; N]) -> Value {
        let mut report = json!({ "folder": self.folder.path().display().to_string() });
        if let Value::Object(fields) = &mut report {
            for part in parts {
                fields.extend(part.as_object().cloned().unwrap_or_default());
            }
        }
        report["seconds"] = self.started.elapsed().as_secs_f64().into();
        report
    }

    /// Writes the games into the run folder, and into the file that was asked for now or when the
    /// run began; the paths of both.
    pub fn write_games(
        &self,
        format: Format,
        names: &[String],
        planned: Option<&Path>,
    ) -> Result<Vec<String>> {
        let own = self.folder.file(&format!("games.{format}"));
        let mut written = files::write(&self.folder, &own, format, names)?;
        if let Some(path) = self.games_file.as_deref().or(planned) {
            written.extend(files::write(&self.folder, path, files::format_of(path)?, names)?);
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
            let mut files = files.to_vec();
            if self.folder.report_path().exists() {
                files.push(self.folder.report_path().display().to_string());
            }
            output::print(&format!("{}{}\n", text(), files.join("\n")))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
