//! `tesuji usi`: the engine for graphical interfaces.

use std::io::{self, BufReader};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use tesuji_eval::Model;
use tesuji_search::spec::Evaluation;
use tesuji_shogi::Game;

use super::explain;

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
    tesuji_usi::run(BufReader::new(io::stdin()), io::stdout(), explained)?;
    Ok(ExitCode::SUCCESS)
}

/// The answer to `eval`: feature by feature or piece by piece, where the evaluation can tell.
fn explained(evaluation: &Evaluation, game: &Game) -> String {
    let (position, name) = (game.position(), evaluation.name());
    match evaluation.model() {
        Some(Model::Features(weights)) => {
            explain::position_text(position, game.last_move(), name, weights) + "\n"
        }
        Some(Model::Tables(tables)) => explain::pieces::text(position, tables) + "\n",
        None => String::new(),
    }
}
