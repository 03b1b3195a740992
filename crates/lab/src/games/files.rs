//! The games of a journal as files that other programs read.

use std::path::Path;
use std::{fs, io};

use anyhow::{Context, Result, anyhow, bail, ensure};
use tesuji_arena::GameLine;
use tesuji_records::{Contents, Format};
use tesuji_run::RunFolder;

use super::setup;
use crate::sink::{Encoding, Output, Sink, encode_usual, file_name};

/// The format of a file for games, by its name.
pub fn format_of(path: &Path) -> Result<Format> {
    match Format::of_path(path) {
        Some(format) if format.contents() != Contents::Samples => Ok(format),
        _ => bail!("{}: expected a name that ends in .csa, .kif, .usi or .tsv", path.display()),
    }
}

/// Writes all games of a journal into a file, or into a folder where the format holds one game a
/// file; the paths of what was written. A folder that has these games already, from before the run
/// was resumed, stays as it is.
pub fn write(
    run_folder: &RunFolder,
    path: &Path,
    format: Format,
    names: &[String],
) -> Result<Vec<String>> {
    if check_place(path).is_err() && has_games(run_folder, path, format, names)? {
        return Ok(vec![path.display().to_string()]);
    }
    check_place(path)?;
    let output = Output::new(path);
    let mut sink = Sink::new(&output, format, || Box::new(io::sink()))?;
    let usual = Encoding::usual(format, &output);
    for game in texts(run_folder, format, names)? {
        sink.write_game(encode_usual(usual, format, game?))?;
    }
    sink.finish()
}

/// Games go into a new file, over an old one, or into a folder without other files.
pub fn check_place(path: &Path) -> Result<()> {
    let mut found = fs::read_dir(path).into_iter().flatten();
    ensure!(
        found.next().is_none(),
        "{}: a folder with other files in it, expected an empty one or a new name",
        path.display()
    );
    Ok(())
}

/// Are the games of the journal, and nothing else, in the folder?
fn has_games(
    run_folder: &RunFolder,
    path: &Path,
    format: Format,
    names: &[String],
) -> Result<bool> {
    let mut games = 0;
    let usual = Encoding::usual(format, &Output::File(path.into()));
    for game in texts(run_folder, format, names)? {
        games += 1;
        let game = encode_usual(usual, format, game?);
        let found = fs::read(path.join(file_name(games, format, game.encoding)));
        if found.ok() != Some(game.bytes) {
            return Ok(false);
        }
    }
    Ok(fs::read_dir(path)?.count() as u64 == games)
}

/// The games of the journal in a format.
fn texts(
    run_folder: &RunFolder,
    format: Format,
    names: &[String],
) -> Result<impl Iterator<Item = Result<String>>> {
    let event = &run_folder.manifest().command;
    let games = setup::journal(run_folder)?;
    Ok(games.map(move |line| text(&line?, format, names, event)))
}

fn text(line: &GameLine, format: Format, names: &[String], event: &str) -> Result<String> {
    let record = line.record(names, event).map_err(|why| anyhow!("game {}: {why}", line.game))?;
    let written = format.write_game(&record).ok_or_else(|| anyhow!("{format} holds no games"))?;
    written.with_context(|| format!("game {}", line.game))
}
