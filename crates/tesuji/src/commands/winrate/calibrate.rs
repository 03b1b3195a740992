//! `tesuji winrate calibrate`: by which curve does a score become a chance?

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;
use serde_json::json;
use tesuji_lab::winrate::ValuePlan;
use tesuji_lab::winrate::calibrate::{self, Calibrated};
use tesuji_run::atomic;
use tesuji_search::spec::Evaluation;

use super::{ValueFlags, command_line};
use crate::flags::whole;
use crate::output;

/// Positions of a game that are searched if nobody says.
const PER_GAME: usize = 2;

/// Find the curve by which scores of an evaluation become chances to win: how many centipawns make
/// a win e times as likely as a loss, the score of an even position, and the share of upsets.
///
/// Positions of the games are searched with the evaluation, or with each that comes with the program
/// if none is named. Games with even numbers are fitted; on the others chances are held against what
/// came of them.
#[derive(Args, Debug)]
pub struct CalibrateArgs {
    #[command(flatten)]
    values: ValueFlags,
    /// Nodes for a position; 0 = static values.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = whole::<u64>(0..=1_000_000_000))]
    nodes: u64,
    /// Also write the file of curves that comes with the program.
    #[arg(long, value_name = "FILE.toml")]
    out: Option<PathBuf>,
}

/// Calibrates, writes and prints.
pub fn run(args: &CalibrateArgs) -> Result<ExitCode> {
    let values = &args.values;
    let mut found = Vec::new();
    if values.engine.is_some() || values.resume.is_some() {
        let plan = values.plan("")?;
        found.push(calibrate::carry_out(plan.source.name(), &plan, &values.context())?);
    } else {
        let names: Vec<&str> = match &values.eval {
            Some(name) => vec![name],
            None => Evaluation::names().collect(),
        };
        for name in names {
            found.push(calibrate::carry_out(name, &args.plan(name)?, &values.context())?);
        }
    }
    if let Some(path) = &args.out {
        let text = calibrate::file(&found, &command_line());
        atomic::write(path, text.as_bytes()).with_context(|| path.display().to_string())?;
    }
    output::either(
        values.json,
        || json!({ "evaluations": found.iter().map(Calibrated::json).collect::<Vec<_>>() }),
        || found.iter().map(Calibrated::text).collect(),
    )
}

impl CalibrateArgs {
    /// Searches with an evaluation, or its static values.
    fn plan(&self, name: &str) -> Result<ValuePlan> {
        if self.nodes == 0 || name == "reported" {
            return self.values.plan(name);
        }
        // The table is cleared before every game, and small searches need no large one.
        let engine = format!("tesuji:eval={name:?},nodes={},hash=1", self.nodes);
        let per_game = self.values.per_game.unwrap_or(PER_GAME);
        let (games, source) = self.values.scores_of(&engine, Some(per_game))?;
        Ok(ValuePlan { games, source, quiet: false, mate_nodes: self.values.mate_cut, every: 1 })
    }
}
