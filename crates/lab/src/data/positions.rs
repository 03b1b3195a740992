//! Labelled positions for learning and measuring: tables of positions, and positions out of games.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use rayon::prelude::*;
use tesuji_records::sample::tsv;
use tesuji_records::stream::{Games, Input, RawGame, RecordError};
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
    sample(Games::new(Input::from_paths(paths)?, None).raw(), sampler, observer)
}

/// Is there a position that the sampler would take?
pub fn check_games(paths: &[PathBuf], sampler: &Sampler, observer: &dyn Observer) -> Result<()> {
    for game in Games::new(Input::from_paths(paths)?, None).raw() {
        if !or_complain(choose(sampler, 0, game), observer)?.is_empty() {
            return Ok(());
        }
    }
    bail!(NO_POSITIONS);
}

const NO_POSITIONS: &str = "no positions in the games";
/// Games that are read side by side.
const AT_ONCE: usize = 512;

/// Takes positions out of games as the sampler says. Bad games are named to the observer and left
/// out.
pub fn sample(
    games: impl Iterator<Item = Result<RawGame, RecordError>>,
    sampler: &Sampler,
    observer: &dyn Observer,
) -> Result<Vec<Sample>> {
    let mut rows = Vec::new();
    let mut games = (0..).zip(games);
    loop {
        let some: Vec<(u64, Result<RawGame, RecordError>)> = games.by_ref().take(AT_ONCE).collect();
        if some.is_empty() {
            break;
        }
        let read: Vec<Result<Vec<Sample>, RecordError>> =
            some.into_par_iter().map(|(number, game)| choose(sampler, number, game)).collect();
        for chosen in read {
            rows.append(&mut or_complain(chosen, observer)?);
        }
    }
    ensure!(!rows.is_empty(), NO_POSITIONS);
    Ok(rows)
}

/// The positions of a game.
fn choose(
    sampler: &Sampler,
    number: u64,
    game: Result<RawGame, RecordError>,
) -> Result<Vec<Sample>, RecordError> {
    Ok(sampler.choose(&game?.read()?, number))
}

/// The positions of a game; none of a bad one, which is named to the observer.
fn or_complain(
    chosen: Result<Vec<Sample>, RecordError>,
    observer: &dyn Observer,
) -> Result<Vec<Sample>> {
    match chosen {
        Err(error) if error.is_bad_game() => {
            observer.complain(&error.to_string());
            Ok(Vec::new())
        }
        chosen => Ok(chosen?),
    }
}
