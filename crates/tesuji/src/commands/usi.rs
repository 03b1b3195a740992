//! `tesuji usi`: the engine for graphical interfaces.

use std::io::{self, BufReader};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use tesuji_analysis::explain;
use tesuji_eval::Model;
use tesuji_search::spec::Evaluation;
use tesuji_shogi::Game;

/// Play as an engine of a graphical interface (USI protocol on standard input and output).
#[derive(Args, Debug)]
#[command(after_help = "docs/usi.md says how to add the engine to graphical interfaces, and what \
can be set.

Examples:
  tesuji usi
  tesuji usi --parameters       (also lists the parameters of the search as options)
  printf 'position startpos moves 7g7f\\neval\\n' | tesuji usi")]
pub struct UsiArgs {
    /// List the parameters of the search among the options, for programs that tune them.
    ///
    /// They can be set without this as well.
    #[arg(long)]
    parameters: bool,
}

/// Keeps the conversation.
pub fn run(args: &UsiArgs) -> Result<ExitCode> {
    let (input, output) = (BufReader::new(io::stdin()), io::stdout());
    tesuji_usi::run(input, output, explained, args.parameters)?;
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
        Some(Model::Phase(tables)) => explain::pieces::phase_text(position, tables) + "\n",
        None => String::new(),
    }
}
