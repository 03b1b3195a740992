//! Flags that several commands share.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tesuji_lab::data::Source;
use tesuji_report::{Lang, number};
use tesuji_run::plan::{self, Plan};
use tesuji_run::{Context, RunFolder};

use crate::progress::Terminal;

/// Flags that say where the work is done, with no part in what comes out.
#[derive(Args, Debug)]
pub struct RunFlags {
    /// How many threads to use; 0 = one per core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(0..=1_024))]
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

/// The language of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Language {
    /// English.
    En,
    /// Japanese.
    Ja,
}

impl Language {
    /// The language as reports know it.
    pub const fn lang(self) -> Lang {
        match self {
            Self::En => Lang::English,
            Self::Ja => Lang::Japanese,
        }
    }
}

/// Reads one of these names.
pub fn named<T: Clone + Send + Sync + 'static>(
    names: &[&'static str],
    read: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).try_map(move |name| read(&name).ok_or("unknown name"))
}

/// Reads a whole number within bounds, and says them in words where it is not.
pub fn whole<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    bounds: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let read = text.parse::<u64>().ok().filter(|number| bounds.contains(number));
        read.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            let [low, high] = [*bounds.start(), *bounds.end()].map(number::count);
            match *bounds.end() {
                u64::MAX => format!("expected a whole number, {low} or more"),
                _ => format!("expected a whole number from {low} to {high}"),
            }
        })
    }
}

/// Reads a number of folds: none, or enough of them to learn from some and measure with another.
pub fn folds(text: &str) -> Result<usize, String> {
    /// More would be little but repetition.
    const MOST: u64 = 1000;
    match text {
        "0" => Ok(0),
        _ => whole(2..=MOST)(text).map_err(|why: String| format!("{why}, or 0 for none")),
    }
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
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=1_000_000))]
    per_game: Option<u64>,
    /// Take positions of both players, not of the winner alone, and of draws.
    #[arg(long)]
    both_sides: bool,
}

impl DataArgs {
    /// How many positions are taken from a game, if that was said.
    pub fn per_game(&self) -> Option<usize> {
        self.per_game.map(|per_game| per_game as usize)
    }

    /// The source that the flags mean: without any, the games that come with the program.
    pub fn source(&self, seed: u64) -> Source {
        let per_game = self.per_game();
        Source::new(self.positions.clone(), self.games.clone(), per_game, self.both_sides, seed)
    }
}
