//! `tesuji castles learn`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;
use serde_json::json;
use tesuji_eval::formations::Atlas;
use tesuji_lab::castles::{fit_positional, learn};
use tesuji_run::{Context, atomic};

use super::FormationFlags;
use crate::flags::whole;
use crate::output;
use crate::progress::Terminal;

/// Learn the maps of castles and assaults from the roads that players took to them, and positional
/// maps from the results of games.
#[derive(Args, Debug)]
pub struct LearnArgs {
    /// Files of games.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// Files of games whose results positional maps are fitted to, if not the same.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    results: Vec<PathBuf>,
    /// The file that is written.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    formations: FormationFlags,
    /// How many threads to use; 0 = one per core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(0..=1_024))]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Learns them.
pub fn run(args: &LearnArgs) -> Result<ExitCode> {
    // What was learned before has no part in it.
    let atlas = Atlas::new(args.formations.load()?.formations().clone());
    let context = Context { threads: args.threads, observer: &Terminal };
    let learned = learn(&args.games, &atlas, &context)?;
    let results = if args.results.is_empty() { &args.games } else { &args.results };
    let positional = fit_positional(results, &context)?;
    let [train, _] = positional.positions;
    let note = format!(
        "Maps of castles and assaults learned from the roads of {} games that reached one {} times, \
         positional maps from the results of {train} positions: tesuji castles learn.",
        learned.games, learned.reached
    );
    let name = args.output.display();
    let maps = learned.maps.with_positional(&positional.maps);
    let text = maps.to_text(&note);
    atomic::write(&args.output, text.as_bytes()).with_context(|| format!("{name}"))?;
    let value = || {
        json!({
            "games": learned.games,
            "reached": learned.reached,
            "maps": maps.len(),
            "positions": positional.positions,
            "held_out_loss": positional.held_out,
            "file": args.output,
        })
    };
    let text = || {
        let (games, reached, maps) = (learned.games, learned.reached, maps.len());
        let [plain, with] = positional.held_out;
        format!(
            "{name}: {maps} maps of {games} games; a formation was reached {reached} times\n\
             positional maps: loss {plain:.4} by material, {with:.4} with them, on other games\n"
        )
    };
    output::either(args.json, value, text)
}
