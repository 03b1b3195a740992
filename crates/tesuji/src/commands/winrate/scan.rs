//! `tesuji winrate scan`: which conditions does an evaluation not know?

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;
use tesuji_eval::FeatureSet;
use tesuji_lab::winrate::scan::{self, ScanPlan, read_list};
use tesuji_search::spec::DEFAULT_EVALUATION;

use super::{BinFlags, ValueFlags};
use crate::flags::whole;
use crate::output;

/// Try hundreds of conditions and name those under which the evaluation is most surely wrong.
///
/// A condition counts in positions where it holds for one player alone. Each that is named tells
/// something beyond those before it; p is corrected for all that were tried, and takes the positions
/// of a game as one observation.
#[derive(Args, Debug)]
pub struct ScanArgs {
    #[command(flatten)]
    values: ValueFlags,
    /// A list of conditions in place of the one that comes with the program, one a line, written
    /// for Black.
    #[arg(long, value_name = "FILE")]
    conditions: Option<PathBuf>,
    /// The feature set whose upper and lower tenths are tried too, or none.
    #[arg(long, value_name = "SET", default_value = "extended")]
    features: String,
    /// How many conditions are named.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>(1..=100))]
    top: usize,
    /// Games that a condition needs.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u64>(2..=1_000_000_000))]
    min_games: u64,
    /// Shuffle the results between games, by --seed: it shows what chance alone names.
    #[arg(long)]
    shuffle: bool,
    #[command(flatten)]
    bins: BinFlags,
}

/// Scans and prints.
pub fn run(args: &ScanArgs) -> Result<ExitCode> {
    let conditions = match &args.conditions {
        None => scan::shipped()?,
        Some(path) => {
            let name = path.display().to_string();
            read_list(&name, &fs::read_to_string(path).context(name.clone())?)?
        }
    };
    let features = match &*args.features {
        "none" => None,
        name => Some(FeatureSet::named(name)?),
    };
    let BinFlags { bin, min_count, seed } = args.bins;
    let plan = ScanPlan {
        values: args.values.plan(DEFAULT_EVALUATION),
        conditions,
        features,
        top: args.top,
        bin,
        min_count,
        min_games: args.min_games,
        shuffle: args.shuffle.then_some(seed),
    };
    let found = scan::carry_out(&plan, &args.values.context())?;
    output::either(args.values.json, || found.json(), || found.text())
}
