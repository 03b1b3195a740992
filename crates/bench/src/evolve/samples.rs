//! Labelled positions to measure with: those of the thesis and of professional games, or random
//! ones where they are not at hand.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use tesuji_lab::data::positions;
use tesuji_learn::random_samples;
use tesuji_math::Random;
use tesuji_records::stream::{Games, Input};
use tesuji_records::{Sample, Sampler};

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
        let table = positions::read_table(&folder.join("cain_train.tsv"))?;
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

/// Several moves of the winner of each game.
fn read_games(path: PathBuf) -> Result<Vec<Sample>> {
    let sampler = Sampler { per_game: PER_GAME, winner_only: true, ..Sampler::default() };
    let mut samples = Vec::new();
    for (number, game) in (0..).zip(Games::new(Input::from_paths(&[path])?, None)) {
        samples.extend(sampler.choose(&game?.value, number));
    }
    Ok(samples)
}
