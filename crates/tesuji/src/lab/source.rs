//! Where labelled positions come from.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use tesuji_records::sample::tsv as table;
use tesuji_records::stream::{Input as Records, RawGames};
use tesuji_records::{Format, Sampler};
use tesuji_report::Input;
use tesuji_shogi::{Move, Position};

use super::{folder, positions};

/// The games that come with the program.
const SAMPLE: &str = include_str!("../../../../samples/games.tsv");
const SAMPLE_NAME: &str = "samples/games.tsv";

/// Flags that say where positions come from.
#[derive(Args, Debug)]
pub struct DataArgs {
    /// A table of positions with the master's moves.
    #[arg(long, value_name = "FILE", conflicts_with = "games")]
    positions: Option<PathBuf>,
    /// Files of games: positions are taken from the winner's moves.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// How many positions to take from a game.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    per_game: u64,
}

impl DataArgs {
    /// The source that the flags mean: without any, the games that come with the program.
    pub fn source(&self, seed: u64) -> Source {
        let (games, per_game) = (self.games.clone(), self.per_game as usize);
        match &self.positions {
            Some(path) => Source::Positions { path: path.clone() },
            None if games.is_empty() => Source::Sample { per_game, seed },
            None => Source::Games { games, per_game, seed },
        }
    }
}

/// Where labelled positions come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum Source {
    /// A table of positions with the master's moves.
    Positions {
        /// The file.
        path: PathBuf,
    },
    /// Random positions of the winners of games.
    Games {
        /// The files.
        games: Vec<PathBuf>,
        /// How many of each game.
        per_game: usize,
        /// By which they are chosen.
        seed: u64,
    },
    /// The same of the games that come with the program.
    Sample {
        /// How many of each game.
        per_game: usize,
        /// By which they are chosen.
        seed: u64,
    },
}

impl Source {
    /// A file, which holds a table of positions or games: of those, one position each.
    pub fn of_file(path: &Path, seed: u64) -> Result<Self> {
        let (format, mut bytes) = Records::File(path.to_owned()).open(None)?;
        if format == Format::Tsv && table::is_table(bytes.fill_buf()?) {
            return Ok(Self::Positions { path: path.to_owned() });
        }
        Ok(Self::Games { games: vec![path.to_owned()], per_game: 1, seed })
    }

    /// Reads the positions.
    pub fn load(&self) -> Result<Vec<(Position, Move)>> {
        let sampler =
            |per_game, seed| Sampler { per_game, seed, winner_only: true, ..Sampler::default() };
        match self {
            Self::Positions { path } => positions::read_table(path),
            Self::Games { games, per_game, seed } => {
                positions::sample_games(games, &sampler(*per_game, *seed))
            }
            Self::Sample { per_game, seed } => {
                let games = RawGames::new(SAMPLE_NAME, Format::Tsv, SAMPLE.as_bytes())
                    .map(|raw| raw.and_then(|raw| raw.read()));
                positions::sample(games, &sampler(*per_game, *seed))
            }
        }
    }

    /// The files by their content.
    pub fn inputs(&self) -> Result<Vec<Input>> {
        match self {
            Self::Positions { path } => Ok(vec![folder::input(path)?]),
            Self::Games { games, .. } => Records::from_paths(games)?
                .iter()
                .map(|input| match input {
                    Records::File(path) => folder::input(path),
                    Records::Stdin => {
                        bail!("-: a run must be able to read its games again, give a file")
                    }
                })
                .collect(),
            Self::Sample { .. } => Ok(vec![folder::of_bytes(SAMPLE_NAME, SAMPLE.as_bytes())]),
        }
    }

    /// What it is, for a person.
    pub fn describe(&self) -> String {
        let some = |per_game: usize| match per_game {
            1 => "one random position of the winner of each game".to_owned(),
            n => format!("{n} random positions of the winner of each game"),
        };
        match self {
            Self::Positions { path } => format!("the positions of {}", path.display()),
            Self::Games { games, per_game, .. } => {
                let names: Vec<String> =
                    games.iter().map(|path| path.display().to_string()).collect();
                format!("{} in {}", some(*per_game), names.join(", "))
            }
            Self::Sample { per_game, .. } => {
                format!("{} in the games that come with the program", some(*per_game))
            }
        }
    }
}
