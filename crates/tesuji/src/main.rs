//! The `tesuji` command.

mod cli;
mod commands;
mod engines;
mod flags;
mod interruption;
mod output;
mod progress;
mod subject;

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;

fn main() -> ExitCode {
    let result = match Cli::try_parse_from(arguments()) {
        Ok(cli) => {
            tesuji_run::compression::set_max_unpacked(cli.max_unpacked);
            commands::run(cli.command)
        }
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

/// The arguments. Graphical interfaces start an engine by its file alone: under the name `tesuji-usi`
/// the program is `tesuji usi`.
fn arguments() -> Vec<OsString> {
    let mut arguments: Vec<OsString> = env::args_os().collect();
    if let [program] = arguments.as_slice()
        && Path::new(program).file_stem().is_some_and(|name| name == "tesuji-usi")
    {
        arguments.push("usi".into());
    }
    arguments
}
