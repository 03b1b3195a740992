//! The command line as a whole.

use std::io;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};

use crate::commands::{
    ablate, analyse, bench, book, castles, coevolve, completions, convert, evolve, explain, import,
    match_games, mate, moves, perft, plan, plausible, play, predict, reproduce, search, selfplay,
    show, test_suite, tournament, train, tune, usi, winrate,
};
use crate::output;

/// A shogi engine and the laboratory that makes it.
#[derive(Parser, Debug)]
#[command(name = "tesuji", version, max_term_width = 100, infer_subcommands = true)]
pub struct Cli {
    /// What one compressed file may unpack to: a number of bytes, with K, M or G behind it for
    /// the larger units.
    #[arg(long, value_name = "SIZE", global = true, default_value = "64G", value_parser = size,
          help_heading = "Limits")]
    pub max_unpacked: u64,
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    Usi(usi::UsiArgs),
    Search(search::SearchArgs),
    Bench(bench::BenchArgs),
    TestSuite(test_suite::TestSuiteArgs),
    Play(play::PlayArgs),
    Perft(perft::PerftArgs),
    Show(show::ShowArgs),
    Analyse(Box<analyse::AnalyseArgs>),
    Explain(explain::ExplainArgs),
    Castles(castles::CastlesArgs),
    Plan(plan::PlanArgs),
    Moves(Box<moves::MovesArgs>),
    Mate(mate::MateArgs),
    Convert(convert::ConvertArgs),
    Import(import::ImportArgs),
    Predict(predict::PredictArgs),
    Plausible(plausible::PlausibleArgs),
    Winrate(Box<winrate::WinrateArgs>),
    Evolve(Box<evolve::EvolveArgs>),
    Coevolve(Box<coevolve::CoevolveArgs>),
    Tune(Box<tune::TuneArgs>),
    Train(Box<train::TrainArgs>),
    Ablate(ablate::AblateArgs),
    Reproduce(reproduce::ReproduceArgs),
    Match(Box<match_games::MatchArgs>),
    Tournament(Box<tournament::TournamentArgs>),
    Selfplay(Box<selfplay::SelfplayArgs>),
    Book(book::BookArgs),
    Completions(completions::CompletionsArgs),
}

/// Reads `500`, `500K`, `500M` or `500G`.
fn size(text: &str) -> Result<u64, String> {
    let units = [('K', 10), ('M', 20), ('G', 30)];
    let unit = units.into_iter().find(|(letter, _)| text.to_ascii_uppercase().ends_with(*letter));
    let (digits, shift) = unit.map_or((text, 0), |(_, shift)| (&text[..text.len() - 1], shift));
    let bytes = digits.parse().ok().and_then(|number: u64| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "expected a size such as 500M or 64G".into())
}

/// Prints help and version as they are, and any mistake on one line.
pub fn report_usage(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            match error.print() {
                // A reader that closed the pipe does not want to know.
                Err(failed) if failed.kind() != io::ErrorKind::BrokenPipe => {
                    output::complain(&failed.to_string());
                    ExitCode::FAILURE
                }
                _ => ExitCode::SUCCESS,
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::from(2)
        }
        _ => {
            output::complain(&one_line(error));
            ExitCode::from(2)
        }
    }
}

/// The first paragraph of clap's message, which holds the mistake, and the word that was perhaps
/// meant; usage and other hints follow it.
fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let paragraph = text.lines().take_while(|line| !line.trim().is_empty());
    let words: Vec<&str> = paragraph.flat_map(str::split_whitespace).collect();
    let line = words.join(" ");
    let meant = meant(error).map(|word| format!("; did you mean {word}?")).unwrap_or_default();
    format!("{}{meant} (see --help)", line.strip_prefix("error: ").unwrap_or(&line))
}

/// The command, flag or value that is most like the one that was given.
fn meant(error: &clap::Error) -> Option<&str> {
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(word) => Some(word.as_str()),
        // The best comes last.
        ContextValue::Strings(words) => words.last().map(String::as_str),
        _ => None,
    })
}
