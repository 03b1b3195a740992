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
        if let Some(game) = or_complain(game, observer)? {
            visit(&game.value);
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
    for game in Games::new(Input::from_paths(paths)?, None) {
        let game = or_complain(game, observer)?;
        if game.is_some_and(|game| !sampler.choose(&game.value, 0).is_empty()) {
            return Ok(());
        }
    }
    bail!(NO_POSITIONS);
}

const NO_POSITIONS: &str = "no positions in the games";

/// Takes positions out of games as the sampler says. Bad games are named to the observer and left
/// out.
pub fn sample(
    games: impl Iterator<Item = Result<RawGame, RecordError>>,
    sampler: &Sampler,
    observer: &dyn Observer,
) -> Result<Vec<Sample>> {
    let mut rows = Vec::new();
    let choose = |game: &GameRecord, number| sampler.choose(game, number);
    let games = (0..).zip(games);
    in_parallel(games, observer, choose, |some| rows.extend(some.into_iter().flatten()))?;
    ensure!(!rows.is_empty(), NO_POSITIONS);
    Ok(rows)
}

/// Games that are read side by side.
const AT_ONCE: usize = 512;

/// Reads games and works on each with its number, some hundreds side by side, and hands over what came
/// of them in their order. Bad games are named to the observer and left out.
pub fn in_parallel<T: Send>(
    mut games: impl Iterator<Item = (u64, Result<RawGame, RecordError>)>,
    observer: &dyn Observer,
    work: impl Fn(&GameRecord, u64) -> T + Sync,
    mut take: impl FnMut(Vec<T>),
) -> Result<()> {
    loop {
        let some: Vec<(u64, Result<RawGame, RecordError>)> = games.by_ref().take(AT_ONCE).collect();
        if some.is_empty() {
            return Ok(());
        }
        let done: Vec<Result<T, RecordError>> =
            some.into_par_iter().map(|(number, game)| Ok(work(&game?.read()?, number))).collect();
        let mut good = Vec::with_capacity(done.len());
        for one in done {
            good.extend(or_complain(one, observer)?);
        }
        take(good);
    }
}

/// What came of a game; nothing of a bad one, which is named to the observer.
pub fn or_complain<T>(game: Result<T, RecordError>, observer: &dyn Observer) -> Result<Option<T>> {
    match game {
        Err(error) if error.is_bad_game() => {
            observer.complain(&error.to_string());
            Ok(None)
        }
        game => Ok(Some(game?)),
    }
}
