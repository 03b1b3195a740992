//! Where labelled positions come from.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use tesuji_records::Sample;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use tesuji_records::sample::tsv as table;
use tesuji_records::stream::{Input as Records, RawGames};
use tesuji_records::{Format, Sampler};
use tesuji_run::compression;
use tesuji_run::{Input, Observer, plan};

use super::features::is_file;
use super::positions;

/// The games that come with the program.
const SAMPLE: &[u8] = include_bytes!("../../../../samples/games.tsv.zst");
const SAMPLE_NAME: &str = "samples/games.tsv.zst";
/// Plies at their beginning in which moves were drawn from several, to be learned from by nobody.
const SAMPLE_VARIED_PLIES: u16 = 20;
/// Positions that are taken of each of them: about as many together as the thesis had.
const SAMPLE_PER_GAME: usize = 4;

/// Where labelled positions come from: a table, games, or both. If neither is given they come from
/// the games that come with the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// A table of positions with the master's moves.
    pub positions: Option<PathBuf>,
    /// Files of games; random positions of their winners, or of both sides, are taken.
    pub games: Vec<PathBuf>,
    /// How many positions of each game.
    pub per_game: usize,
    /// Positions of both sides, not of the winner alone.
    #[serde(default)]
    pub both_sides: bool,
    /// By which they are chosen.
    pub seed: u64,
}

impl Source {
    /// A table of positions.
    pub fn of_positions(path: PathBuf) -> Self {
        Self { positions: Some(path), games: Vec::new(), per_game: 1, both_sides: false, seed: 0 }
    }

    /// Some positions of the winner of each game of a file.
    pub fn of_games(path: &Path, per_game: usize, seed: u64) -> Self {
        let games = vec![path.to_owned()];
        Self { positions: None, games, per_game, both_sides: false, seed }
    }

    /// A file, which holds a table of positions or games: of those, one position each.
    pub fn of_file(path: &Path, seed: u64) -> Result<Self> {
        let (format, mut bytes) = Records::File(path.to_owned()).open(None)?;
        if format == Format::Tsv && table::is_table(bytes.fill_buf()?) {
            return Ok(Self::of_positions(path.to_owned()));
        }
        Ok(Self::of_games(path, 1, seed))
    }

    fn is_sample(&self) -> bool {
        self.positions.is_none() && self.games.is_empty()
    }

    /// The games that come with the program, if neither a table nor games are given; of those
    /// more positions are taken than of others.
    pub fn new(
        positions: Option<PathBuf>,
        games: Vec<PathBuf>,
        per_game: Option<usize>,
        both_sides: bool,
        seed: u64,
    ) -> Self {
        let is_sample = positions.is_none() && games.is_empty();
        let per_game = per_game.unwrap_or(if is_sample { SAMPLE_PER_GAME } else { 1 });
        Self { positions, games, per_game, both_sides, seed }
    }

    /// Reads the positions. Bad games are left out, and the observer is told.
    pub fn load(&self, observer: &dyn Observer) -> Result<Vec<Sample>> {
        let (per_game, seed) = (self.per_game, self.seed);
        let winner_only = !self.both_sides;
        let sampler = Sampler { per_game, seed, winner_only, ..Sampler::default() };
        if self.is_sample() {
            let sampler = Sampler { skip_first: SAMPLE_VARIED_PLIES, ..sampler };
            let bytes = BufReader::new(compression::unpacked(Box::new(SAMPLE))?);
            let games = RawGames::new(SAMPLE_NAME, Format::Tsv, bytes);
            return positions::sample(games, &sampler, observer);
        }
        let mut samples = match &self.positions {
            Some(path) => positions::read_table(path)?,
            None => Vec::new(),
        };
        if !self.games.is_empty() {
            samples.append(&mut positions::sample_games(&self.games, &sampler, observer)?);
        }
        Ok(samples)
    }

    /// Can there be positions? A table is read whole; of games as many as it takes to find one.
    pub fn check(&self, observer: &dyn Observer) -> Result<()> {
        if let Some(path) = &self.positions {
            positions::read_table(path)?;
        }
        if !self.games.is_empty() {
            let sampler = Sampler { winner_only: !self.both_sides, ..Sampler::default() };
            positions::check_games(&self.games, &sampler, observer)?;
        }
        Ok(())
    }

    /// The files by their content.
    pub fn inputs(&self) -> Result<Vec<Input>> {
        if self.is_sample() {
            return Ok(vec![plan::of_bytes(SAMPLE_NAME, SAMPLE)]);
        }
        let mut inputs = Vec::new();
        if let Some(path) = &self.positions {
            inputs.push(plan::input(path)?);
        }
        inputs.append(&mut game_inputs(&self.games)?);
        Ok(inputs)
    }

    /// What it is, for a person.
    pub fn describe(&self) -> String {
        let side = if self.both_sides { "either side" } else { "the winner" };
        let some = match self.per_game {
            1 => format!("one random position of {side} of each game"),
            n => format!("{n} random positions of {side} of each game"),
        };
        if self.is_sample() {
            return format!("{some} in the games that come with the program");
        }
        let mut parts = Vec::new();
        if let Some(path) = &self.positions {
            parts.push(format!("the positions of {}", path.display()));
        }
        if !self.games.is_empty() {
            let names: Vec<String> =
                self.games.iter().map(|path| path.display().to_string()).collect();
            parts.push(format!("{some} in {}", names.join(", ")));
        }
        parts.join(" and ")
    }
}

/// Files of games by their content.
pub fn game_inputs(paths: &[PathBuf]) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for games in Records::from_paths(paths)? {
        let Records::File(path) = games else {
            bail!("-: a run must be able to read its games again, give a file");
        };
        inputs.push(plan::input(&path)?);
    }
    Ok(inputs)
}

/// The files that learning reads: positions, those that are held out, and the selection of
/// features if a file says which.
pub fn learning_inputs(data: &Source, test: Option<&Source>, features: &str) -> Result<Vec<Input>> {
    let mut inputs = data.inputs()?;
    if let Some(test) = test {
        inputs.append(&mut test.inputs()?);
    }
    if is_file(features) {
        inputs.push(plan::input(Path::new(features))?);
    }
    Ok(inputs)
}
