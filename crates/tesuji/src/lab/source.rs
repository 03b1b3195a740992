//! Where labelled positions come from.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use tesuji_records::sample::tsv as table;
use tesuji_records::stream::{Input as Records, RawGames};
use tesuji_records::{Format, Sampler};
use tesuji_run::Input;
use tesuji_run::compression;
use tesuji_shogi::{Move, Position};

use super::positions;
use tesuji_run::plan as folder;

/// The games that come with the program.
const SAMPLE: &[u8] = include_bytes!("../../../../samples/games.tsv.zst");
const SAMPLE_NAME: &str = "samples/games.tsv.zst";
/// Plies at their beginning in which moves were drawn from several, to be learned from by nobody.
const SAMPLE_VARIED_PLIES: u16 = 20;
/// Positions that are taken of each of them: about as many together as the thesis had.
const SAMPLE_PER_GAME: usize = 4;

/// Flags that say where positions come from.
#[derive(Args, Debug)]
pub struct DataArgs {
    /// A table of positions with the master's moves.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Files of games: positions are taken from the winner's moves.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// How many positions to take from a game: 1, or 4 of the games that come with the program.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    per_game: Option<u64>,
    /// Take positions of both players, not of the winner alone; of draws too then.
    #[arg(long)]
    both_sides: bool,
}

impl DataArgs {
    /// The source that the flags mean: without any, the games that come with the program.
    pub fn source(&self, seed: u64) -> Source {
        let is_sample = self.positions.is_none() && self.games.is_empty();
        let default = if is_sample { SAMPLE_PER_GAME } else { 1 };
        Source {
            positions: self.positions.clone(),
            games: self.games.clone(),
            per_game: self.per_game.map_or(default, |per_game| per_game as usize),
            both_sides: self.both_sides,
            seed,
        }
    }
}

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

    /// Reads the positions.
    pub fn load(&self) -> Result<Vec<(Position, Move)>> {
        let (per_game, seed) = (self.per_game, self.seed);
        let winner_only = !self.both_sides;
        let sampler = Sampler { per_game, seed, winner_only, ..Sampler::default() };
        if self.is_sample() {
            let sampler = Sampler { skip_first: SAMPLE_VARIED_PLIES, ..sampler };
            let bytes = BufReader::new(compression::unpacked(Box::new(SAMPLE))?);
            let games = RawGames::new(SAMPLE_NAME, Format::Tsv, bytes)
                .map(|raw| raw.and_then(|raw| raw.read()));
            return positions::sample(games, &sampler);
        }
        let mut samples = match &self.positions {
            Some(path) => positions::read_table(path)?,
            None => Vec::new(),
        };
        if !self.games.is_empty() {
            samples.append(&mut positions::sample_games(&self.games, &sampler)?);
        }
        Ok(samples)
    }

    /// The files by their content.
    pub fn inputs(&self) -> Result<Vec<Input>> {
        if self.is_sample() {
            return Ok(vec![folder::of_bytes(SAMPLE_NAME, SAMPLE)]);
        }
        let mut inputs = Vec::new();
        if let Some(path) = &self.positions {
            inputs.push(folder::input(path)?);
        }
        for games in Records::from_paths(&self.games)? {
            let Records::File(path) = games else {
                bail!("-: a run must be able to read its games again, give a file");
            };
            inputs.push(folder::input(&path)?);
        }
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
