//! The games of a journal as files that other programs read.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use tesuji_arena::GameLine;
use tesuji_records::Format;
use tesuji_report::RunFolder;

use super::contest;
use crate::commands::convert::{Encoding, Output, Sink};

/// Writes all games of a journal into a file, or into a folder where the format holds one game a file;
/// the paths of what was written.
pub fn write(
    run_folder: &RunFolder,
    path: &Path,
    format: Format,
    names: &[String],
) -> Result<Vec<String>> {
    let event = &run_folder.manifest().command;
    let mut sink = Sink::new(&Output::new(path), format, Encoding::Utf8)?;
    for line in contest::journal(run_folder)? {
        sink.write_game(text(&line?, format, names, event)?.as_bytes())?;
    }
    sink.finish()
}

fn text(line: &GameLine, format: Format, names: &[String], event: &str) -> Result<String> {
    let record = line.record(names, event).map_err(|why| anyhow!("game {}: {why}", line.game))?;
    let written = format.write_game(&record).ok_or_else(|| anyhow!("{format} holds no games"))?;
    written.with_context(|| format!("game {}", line.game))
}
