//! One file a command: raw flags, the plan that is made of them, and what carries it out.

pub mod ablate;
pub mod analyse;
mod arena;
pub mod bench;
pub mod book;
pub mod castles;
pub mod coevolve;
pub mod completions;
pub mod convert;
pub mod evolve;
pub mod explain;
pub mod import;
pub mod match_games;
pub mod mate;
pub mod moves;
pub mod perft;
pub mod plan;
pub mod plausible;
pub mod play;
pub mod predict;
pub mod reproduce;
pub mod search;
pub mod selfplay;
pub mod show;
pub mod test_suite;
pub mod tournament;
pub mod train;
pub mod tune;
pub mod usi;
pub mod winrate;

use std::process::ExitCode;

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};
use tesuji_records::Format;
use tesuji_records::stream::RecordError;

use crate::cli::Command;

/// Carries out a command.
pub fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Usi(args) => usi::run(&args),
        Command::Search(args) => search::run(&search::SearchSettings::new(&args)?),
        Command::Bench(args) => bench::run(&bench::BenchSettings::new(&args)?),
        Command::TestSuite(args) => test_suite::run(&args),
        Command::Plausible(args) => plausible::run(&args),
        Command::Play(args) => play::run(&play::PlaySettings::new(&args)?),
        Command::Perft(args) => perft::run(&perft::PerftSettings::new(&args)?),
        Command::Show(args) => show::run(&args),
        Command::Castles(args) => castles::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Mate(args) => mate::run(&mate::MateSettings::new(&args)?),
        Command::Convert(args) => convert::run(&convert::ConvertSettings::new(&args)?),
        Command::Import(args) => import::run(&import::ImportSettings::new(&args)?),
        Command::Predict(args) => predict::run(&args),
        Command::Winrate(args) => winrate::run(*args),
        Command::Evolve(args) => evolve::run(&args),
        Command::Coevolve(args) => coevolve::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Ablate(args) => ablate::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Match(args) => match_games::run(&args),
        Command::Tournament(args) => tournament::run(&args),
        Command::Selfplay(args) => selfplay::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Completions(args) => completions::run(&args),
    }
}

/// Reads the name of a format.
pub fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .try_map(|name| Format::from_name(&name).ok_or("unknown format"))
}

/// How many bad games the JSON lists; their number is always exact.
const LISTED_ERRORS: usize = 10_000;

/// A bad game in JSON.
fn error_json(error: &RecordError) -> Value {
    json!({
        "file": &*error.file,
        "line": error.line,
        "ply": error.ply(),
        "message": error.kind.to_string(),
    })
}
