//! `tesuji usi`: the engine for graphical interfaces.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::usi;

/// Play as an engine of a graphical interface (USI protocol on standard input and output).
#[derive(Args, Debug)]
#[command(after_help = "docs/usi.md says how to add the engine to graphical interfaces, and what \
can be set.

Examples:
  tesuji usi
  printf 'position startpos moves 7g7f\\neval\\n' | tesuji usi")]
pub struct UsiArgs {}

/// Keeps the conversation.
pub fn run(_: &UsiArgs) -> Result<ExitCode> {
    usi::run()?;
    Ok(ExitCode::SUCCESS)
}
