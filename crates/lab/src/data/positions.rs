//! Labelled positions for learning and measuring: tables of positions, and positions out of games.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tesuji_records::stream::{Games, Input, RecordError};
use tesuji_records::{GameRecord, Sampler};
use tesuji_run::Observer;
use tesuji_shogi::{Move, Position};

/// Reads a table whose `#` line names a column `sfen` and one for the move; without such a line the
/// first two columns are meant. The move may be illegal, which is for the reader of the result to
/// count; a row without a position or a move is an error.
pub fn read_table(path: &Path) -> Result<Vec<(Position, Move)>> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| name.to_string())?;
    let (mut sfen, mut mv) = (0, 1);
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let fields: Vec<&str> = line.split('\t').collect();
        if let Some(title) = line.strip_prefix('#') {
            let titles: Vec<&str> = title.split('\t').map(str::trim).collect();
            let find = |names: &[&str]| titles.iter().position(|title| names.contains(title));
            sfen = find(&["sfen"]).unwrap_or(sfen);
            mv = find(&["move", "usi_move", "answer"]).unwrap_or(mv);
        } else if !line.trim().is_empty() {
            let row = read_row(&fields, sfen, mv);
            rows.push(row.with_context(|| format!("{name}:{number}"))?);
        }
    }
    if rows.is_empty() {
        bail!("{name}: no positions in the file");
    }
    Ok(rows)
}

fn read_row(fields: &[&str], sfen: usize, mv: usize) -> Result<(Position, Move)> {
    let (Some(sfen), Some(mv)) = (fields.get(sfen), fields.get(mv)) else {
        bail!("expected a position and a move with a tab between");
    };
    Ok((Position::from_sfen(sfen)?, mv.parse().with_context(|| format!("{mv:?}"))?))
}

/// Leaves out the positions that are also among the others: the same board, hands and side to move.
pub fn leave_out(samples: &mut Vec<(Position, Move)>, others: &[(Position, Move)]) {
    let known: HashSet<u64> = others.iter().map(|(position, _)| position.key()).collect();
    samples.retain(|(position, _)| !known.contains(&position.key()));
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
) -> Result<Vec<(Position, Move)>> {
    let games = Games::new(Input::from_paths(paths)?, None);
    sample(games.map(|game| game.map(|game| game.value)), sampler, observer)
}

/// Takes positions out of games as the sampler says. Bad games are named to the observer and left
/// out.
pub fn sample(
    games: impl Iterator<Item = Result<GameRecord, RecordError>>,
    sampler: &Sampler,
    observer: &dyn Observer,
) -> Result<Vec<(Position, Move)>> {
    let mut rows = Vec::new();
    for (number, game) in (0..).zip(games) {
        match game {
            Ok(game) => {
                let samples = sampler.choose(&game, number);
                rows.extend(
                    samples.iter().filter_map(|sample| Some((sample.position, sample.mv?))),
                );
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
