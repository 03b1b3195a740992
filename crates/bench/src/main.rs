//! Speed as a ratio to reference implementations, measured in the same run.
//!
//! `cargo run --release -p tesuji-bench -- perft --json`

mod attacks;
mod evolve;
mod models;
mod perft;
mod plausible;
mod reasons;
mod search;
mod timing;
mod winrate;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Measures Tesuji beside reference implementations")]
struct Cli {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Move generation and making moves, beside rsshogi and haitaka.
    Perft(Options),
    /// Attack counts of both sides, beside rsshogi.
    Attacks(Options),
    /// The search: evaluations, nodes a second beside another engine, a second thread.
    Search {
        #[command(flatten)]
        options: Options,
        #[command(flatten)]
        search: search::SearchOptions,
    },
    /// Models that choose moves, beside finding the legal moves.
    Models(Options),
    /// Plausible moves generated and rated, beside their exchange values.
    Plausible(Options),
    /// Reasons in words: does the first name the refutation of a blunder?
    Reasons {
        #[command(flatten)]
        options: Options,
        #[command(flatten)]
        reasons: reasons::ReasonsOptions,
    },
    /// Features and the genetic algorithm, beside plain products of a dense matrix.
    Evolve {
        #[command(flatten)]
        options: Options,
        /// The feature set.
        #[arg(long, default_value = "paper")]
        features: String,
    },
    /// Win ratios: two hundred conditions beside one.
    Winrate {
        #[command(flatten)]
        options: Options,
        #[command(flatten)]
        winrate: winrate::WinrateOptions,
    },
}

#[derive(clap::Args)]
struct Options {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// How often each figure is measured; the best counts.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

fn main() -> anyhow::Result<()> {
    let (report, json) = match Cli::parse().what {
        What::Perft(options) => (perft::run(options.rounds)?, options.json),
        What::Attacks(options) => (attacks::run(options.rounds)?, options.json),
        What::Search { options, search } => (search::run(options.rounds, &search)?, options.json),
        What::Reasons { options, reasons } => (reasons::run(&reasons)?, options.json),
        What::Plausible(options) => (plausible::run(options.rounds)?, options.json),
        What::Models(options) => (models::run(options.rounds)?, options.json),
        What::Evolve { options, features } => {
            (evolve::run(&features, options.rounds)?, options.json)
        }
        What::Winrate { options, winrate } => {
            (winrate::run(options.rounds, &winrate)?, options.json)
        }
    };
    if json {
        println!("{report}");
    } else {
        println!("{report:#}");
    }
    Ok(())
}
