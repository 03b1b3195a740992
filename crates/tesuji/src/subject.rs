//! Flags that name a position.

use anyhow::Result;
use clap::Args;
use tesuji_analysis::subject::SubjectQuery;
use tesuji_records::Format;

pub use tesuji_analysis::subject::{Subject, position_json, state_text};

use crate::commands::format_parser;

/// What may stand in a file, for the help of commands with these arguments.
pub const FILES_HELP: &str = "Files may hold games, packed positions (psv, hcpe), or a table of \
    positions, which is tab-separated with a first line that names a column sfen.";

/// The flags that say which position of a file is meant.
#[derive(Args, Debug)]
struct PlaceArgs {
    /// The position after this many moves of the game; after the last one if not given.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    ply: Option<usize>,
    /// The number of the game in the file, from 1, or of the position in a file of positions.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    game: u64,
    /// The format of the file, if neither name nor content tells.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,
}

impl PlaceArgs {
    fn load(&self, subject: &[String]) -> Result<Subject> {
        let Self { ply, game, from } = *self;
        SubjectQuery { subject: subject.to_vec(), ply, game, from }.load()
    }
}

/// The flags that name a position.
#[derive(Args, Debug)]
pub struct SubjectArgs {
    /// `startpos` or an SFEN, which `moves …` may follow, or a file; - is standard input.
    #[arg(required = true, value_name = "POSITION|FILE")]
    subject: Vec<String>,
    #[command(flatten)]
    place: PlaceArgs,
}

impl SubjectArgs {
    /// Reads the position.
    pub fn load(&self) -> Result<Subject> {
        self.place.load(&self.subject)
    }
}

/// The same where `--positions` may stand in place of it.
#[derive(Args, Debug)]
pub struct OptionalSubjectArgs {
    /// `startpos` or an SFEN, which `moves …` may follow, or a file; - is standard input.
    #[arg(required_unless_present = "positions", value_name = "POSITION|FILE")]
    subject: Vec<String>,
    #[command(flatten)]
    place: PlaceArgs,
}

impl OptionalSubjectArgs {
    /// Reads the position.
    pub fn load(&self) -> Result<Subject> {
        self.place.load(&self.subject)
    }
}
