//! Labelled positions to measure with: those of the thesis and of professional games, or random
//! ones where they are not at hand.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tesuji_learn::random_samples;
use tesuji_math::Random;
use tesuji_records::Sampler;
use tesuji_records::stream::{Games, Input};
use tesuji_shogi::{Move, Position};

/// A position and the move that was played there.
pub type Sample = (Position, Move);

/// The positions of the two measurements, and where they come from.
pub struct Samples {
    /// What the report says of them.
    pub source: String,
    /// As many as the thesis learned from.
    pub thesis: Vec<Sample>,
    /// Many more, in random order, so that the first of them are like all of them.
    pub many: Vec<Sample>,
}

const THESIS: usize = 5_000;
const MANY: usize = 50_000;

/// Positions of each professional game.
const PER_GAME: usize = 16;

/// Reads the positions from the folder that `TESUJI_DATA` names, or makes some.
pub fn load() -> Result<Samples> {
    let folder = std::env::var_os("TESUJI_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let mut random = Random::new(1);
    let (source, thesis, mut many) = if folder.is_dir() {
        let source = format!("cain_train.tsv; {PER_GAME} winner's moves a game of pro_games.tsv");
        let table = read_table(&folder.join("cain_train.tsv"))?;
        (source, table, read_games(folder.join("pro_games.tsv"))?)
    } else {
        let source = "random play: the folder with games is not there, set TESUJI_DATA".to_owned();
        (source, random_samples(THESIS, &mut random), random_samples(MANY, &mut random))
    };
    ensure!(many.len() >= MANY, "only {} positions in pro_games.tsv, expected {MANY}", many.len());
    random.shuffle(&mut many);
    many.truncate(MANY);
    Ok(Samples { source, thesis, many })
}

/// A table with a position and a move in each line. A few of the moves are illegal.
fn read_table(path: &Path) -> Result<Vec<Sample>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let rows = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#'));
    rows.map(|(number, line): (usize, _)| {
        read_row(line).with_context(|| format!("{}:{number}", path.display()))
    })
    .collect()
}

fn read_row(line: &str) -> Result<Sample> {
    let (sfen, mv) = line.split_once('\t').context("expected a position and a move")?;
    Ok((Position::from_sfen(sfen)?, mv.parse()?))
}

/// Several moves of the winner of each game.
fn read_games(path: PathBuf) -> Result<Vec<Sample>> {
    let sampler = Sampler { per_game: PER_GAME, winner_only: true, ..Sampler::default() };
    let mut samples = Vec::new();
    for (number, game) in (0..).zip(Games::new(Input::from_paths(&[path])?, None)) {
        let chosen = sampler.choose(&game?.value, number);
        samples.extend(chosen.iter().filter_map(|sample| Some((sample.position, sample.mv?))));
    }
    Ok(samples)
}
