//! Flags that several commands share.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tesuji_lab::data::Source;
use tesuji_run::plan::{self, Plan};
use tesuji_run::{Context, RunFolder};

use crate::progress::Terminal;

/// Flags that say where the work is done, with no part in what comes out.
#[derive(Args, Debug)]
pub struct RunFlags {
    /// How many threads to use; 0 = one per core.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Where the folder of the run is made.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    out: PathBuf,
    /// Continue a run that was stopped, to the same result; its folder knows all settings.
    #[arg(long, value_name = "RUN")]
    pub resume: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

impl RunFlags {
    /// The folder of the run that these flags mean, with the settings.
    pub fn open<P: Plan>(&self, plan: impl FnOnce() -> Result<P>) -> Result<(RunFolder, P)> {
        plan::open(self.resume.as_deref(), &self.out, &Terminal, plan)
    }

    /// Where the work is done, watched by the terminal.
    pub const fn context(&self) -> Context<'static> {
        Context { threads: self.threads, observer: &Terminal }
    }
}

/// Reads one of these names.
pub fn named<T: Clone + Send + Sync + 'static>(
    names: &[&'static str],
    read: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).try_map(move |name| read(&name).ok_or("unknown name"))
}

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
    /// Take positions of both players, not of the winner alone, and of draws.
    #[arg(long)]
    both_sides: bool,
}

impl DataArgs {
    /// The source that the flags mean: without any, the games that come with the program.
    pub fn source(&self, seed: u64) -> Source {
        let per_game = self.per_game.map(|per_game| per_game as usize);
        Source::new(self.positions.clone(), self.games.clone(), per_game, self.both_sides, seed)
    }
}
