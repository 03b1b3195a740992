//! `tesuji usi`: the engine for GUIs.

use std::io::{self, BufReader};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;

use crate::{output, usi};

/// Speak USI on standard input and output, for GUIs.
#[derive(Args, Debug)]
#[command(
    after_help = "docs/usi.md says how to add the engine to a GUI, and what its options mean."
)]
pub struct UsiArgs {}

/// Talks until `quit` or the end of the input.
pub fn run() -> Result<ExitCode> {
    // A GUI that went away is noticed by the end of the input.
    let say: Arc<dyn Fn(&str) + Send + Sync> = Arc::new(|line| {
        let _ = output::print(&format!("{line}\n"));
    });
    usi::talk(BufReader::new(io::stdin()), say);
    Ok(ExitCode::SUCCESS)
}
