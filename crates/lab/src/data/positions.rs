//! Labelled positions for learning and measuring: tables of positions, and positions out of games.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use tesuji_records::sample::tsv;
use tesuji_records::stream::{Games, Input, RecordError};
use tesuji_records::{GameRecord, Sample, Sampler};
use tesuji_run::Observer;

/// Reads a table of labelled positions. A move may be illegal, which is for whoever counts to
/// count; a row without a position or a move is an error.
pub fn read_table(path: &Path) -> Result<Vec<Sample>> {
    let name = path.display();
    let file = File::open(path).with_context(|| name.to_string())?;
    let mut samples = Vec::new();
    for sample in tsv::Reader::new(BufReader::new(file)).with_illegal_moves() {
        let sample = sample.map_err(|error| anyhow!("{name}:{}: {}", error.line, error.kind))?;
        let place = samples.len() + 1;
        ensure!(sample.mv.is_some(), "{name}: position {place} has no move");
        samples.push(sample);
    }
    ensure!(!samples.is_empty(), "{name}: no positions in the file");
    Ok(samples)
}

/// Leaves out the positions that are also among the others: the same board, hands and side to move.
pub fn leave_out(samples: &mut Vec<Sample>, others: &[Sample]) {
    let known: HashSet<u64> = others.iter().map(|sample| sample.position.key()).collect();
    samples.retain(|sample| !known.contains(&sample.position.key()));
}

/// Calls `visit` with each game of files. Bad ones are named to the observer and left out.
pub fn for_each_game(
    paths: &[PathBuf],
    observer: &dyn Observer,
    mut visit: impl FnMut(&GameRecord),
) -> Result<()> {
    for game in Games::new(Input::from_paths(paths)?, None) {
        match game {
            Ok(game) => visit(&game.value),
            Err(error) if error.is_bad_game() => observer.complain(&error.to_string()),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Takes positions out of the games of files as the sampler says.
pub fn sample_games(
    paths: &[PathBuf],
    sampler: &Sampler,
    observer: &dyn Observer,
) -> Result<Vec<Sample>> {
    let games = Games::new(Input::from_paths(paths)?, None);
    sample(games.map(|game| game.map(|game| game.value)), sampler, observer)
}

/// Takes positions out of games as the sampler says. Bad games are named to the observer and left
/// out.
pub fn sample(
    games: impl Iterator<Item = Result<GameRecord, RecordError>>,
    sampler: &Sampler,
    observer: &dyn Observer,
) -> Result<Vec<Sample>> {
    let mut rows = Vec::new();
    for (number, game) in (0..).zip(games) {
        match game {
            Ok(game) => {
                rows.extend(sampler.choose(&game, number));
            }
            Err(error) if error.is_bad_game() => observer.complain(&error.to_string()),
            Err(error) => return Err(error.into()),
        }
    }
    if rows.is_empty() {
        bail!("no positions in the games");
    }
    Ok(rows)
}
