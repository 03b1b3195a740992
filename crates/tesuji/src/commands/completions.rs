//! `tesuji completions`: scripts that complete the command line.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::output;

/// Print a script that completes the command line in a shell.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  tesuji completions bash > ~/.local/share/bash-completion/completions/tesuji"
)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Prints the script.
pub fn run(args: &CompletionsArgs) -> Result<ExitCode> {
    // Into memory first: writing to a closed pipe would panic there.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tesuji", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
