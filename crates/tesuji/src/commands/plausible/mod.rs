//! `tesuji plausible`: how well plausible move generation keeps what masters play.

mod accuracy;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Plausible moves: what is kept of the moves that masters played, and what is saved.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji plausible accuracy --games games.tsv
  tesuji plausible accuracy --games games.tsv --cut best:25 --merit hand --json")]
pub struct PlausibleArgs {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    Accuracy(accuracy::AccuracyArgs),
}

/// Carries out what is asked.
pub fn run(args: &PlausibleArgs) -> Result<ExitCode> {
    match &args.task {
        Task::Accuracy(args) => accuracy::run(args),
    }
}
