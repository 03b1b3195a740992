//! `tesuji winrate`: win ratio against value, and where a condition parts the curves.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use tesuji_eval::condition::Condition;
use tesuji_lab::winrate::{self, WinratePlan};
use tesuji_run::Context;
use tesuji_search::spec::DEFAULT_EVALUATION;

use crate::flags::whole;
use crate::output;
use crate::progress::Terminal;

/// Show how often Black wins by the value of positions, for all of them and for those that meet a
/// condition.
///
/// Where the two curves part, the evaluation does not know the condition. Positions before each move
/// of games with a result count; a drawn game is half a win, and its positions are counted apart
/// (`drawn` in JSON). Errors take the positions of a game as one observation.
#[derive(Args, Debug)]
#[command(after_help = "Conditions:
  progress(B), progress(W)   the danger of a king, 0 to 1; progress: how far the game has come
  hand(B), hand(B,rook)      pieces in hand; board(B,dragon): pieces on the board
  castle(W) = mino           the castle that stands, its family, or none
  check, entered(B), turn = B, ply, phase = opening|middle|end, king_file(B), king_rank(B)
  any feature for a player, such as CASTLE_FORMATION(B)
  + - < <= = != >= > and or not ( )

Examples:
  tesuji winrate --games games.tsv --eval material --when 'progress(B)-progress(W) >= 0.25'
  tesuji winrate --games games.tsv --quiet --when 'hand(B,rook) = 2 and not check' --json")]
pub struct WinrateArgs {
    /// Files of games.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// The evaluation: material, the name of one that comes with the program, or a file.
    #[arg(long, value_name = "NAME|FILE", default_value = DEFAULT_EVALUATION)]
    eval: String,
    /// The condition.
    #[arg(long, value_name = "CONDITION")]
    when: Option<String>,
    /// Play positions out by quiescence before they are evaluated.
    #[arg(long)]
    quiet: bool,
    /// The width of a bin in centipawns.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole::<u32>(1..=100_000))]
    bin: u32,
    /// Positions that a bin needs to be shown and compared.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u64>(1..=1_000_000_000))]
    min_count: u64,
    /// Decides how results are shuffled to show what chance does.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many threads to use; 0 = one per core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(0..=1_024))]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Counts and prints.
pub fn run(args: &WinrateArgs) -> Result<ExitCode> {
    let when = match args.when.as_deref().map(Condition::parse).transpose() {
        Ok(when) => when,
        Err(error) => {
            output::complain(&error.to_string());
            error.marked().iter().for_each(|line| output::note(line));
            return Ok(ExitCode::FAILURE);
        }
    };
    let plan = WinratePlan {
        games: args.games.clone(),
        evaluation: args.eval.clone(),
        when,
        quiet: args.quiet,
        bin: i32::try_from(args.bin)?,
        min_count: args.min_count,
        seed: args.seed,
    };
    let context = Context { threads: args.threads, observer: &Terminal };
    let found = winrate::carry_out(&plan, &context)?;
    output::either(args.json, || found.json(), || found.text())
}
