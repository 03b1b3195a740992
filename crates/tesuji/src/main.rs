//! The `tesuji` command.

mod cli;
mod commands;
mod engines;
mod lab;
mod output;
mod position;
mod progress;
mod subject;
mod usi;
mod weights;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;

fn main() -> ExitCode {
    let result = match Cli::try_parse() {
        Ok(cli) => commands::run(cli.command),
        Err(error) => return cli::report_usage(&error),
    };
    match result {
        Ok(code) => code,
        // Whoever reads has enough: `tesuji … | head` is no failure.
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}
