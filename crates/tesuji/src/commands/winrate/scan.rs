//! `tesuji winrate scan`: which conditions does an evaluation not know?

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;
use tesuji_eval::FeatureSet;
use tesuji_lab::winrate::scan::{self, ScanOutcome, ScanPlan, read_list};
use tesuji_lab::winrate::{ValuePlan, ValueSource};
use tesuji_run::atomic;
use tesuji_search::spec::DEFAULT_EVALUATION;

use super::{BinFlags, ValueFlags};
use crate::flags::whole;
use crate::output;

/// Try hundreds of conditions and name those under which an evaluation, or an engine, is most surely
/// wrong.
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
    /// Look at every Nth position of a game; 1 = at all of them, which takes N times as long and
    /// tells little more.
    #[arg(long, value_name = "N", default_value_t = scan::EVERY, value_parser = whole::<usize>(1..=1_000))]
    every: usize,
    /// Shuffle the results between games, by --seed: it shows what chance alone names.
    #[arg(long)]
    shuffle: bool,
    /// Also write a page with curves and boards.
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    #[command(flatten)]
    bins: BinFlags,
}

/// Scans and prints.
pub fn run(args: &ScanArgs) -> Result<ExitCode> {
    let values = args.values.plan(DEFAULT_EVALUATION)?;
    // The positions that an engine was asked for are few enough, and all are taken.
    let is_engine = matches!(values.source, ValueSource::Engine(..));
    let values = ValuePlan { every: if is_engine { 1 } else { args.every }, ..values };
    let found = args.scan(values)?;
    if let Some(path) = &args.report {
        let page = found.page().to_html();
        atomic::write(path, page.as_bytes()).with_context(|| path.display().to_string())?;
    }
    output::either(args.values.json, || found.json(), || found.text())
}

impl ScanArgs {
    fn scan(&self, values: ValuePlan) -> Result<ScanOutcome> {
        let conditions = match &self.conditions {
            None => scan::shipped()?,
            Some(path) => {
                let name = path.display().to_string();
                read_list(&name, &fs::read_to_string(path).context(name.clone())?)?
            }
        };
        let features = match &*self.features {
            "none" => None,
            name => Some(FeatureSet::named(name)?),
        };
        let BinFlags { bin, min_count, seed } = self.bins;
        let plan = ScanPlan {
            values,
            conditions,
            features,
            top: self.top,
            bin,
            min_count,
            min_games: self.min_games,
            shuffle: self.shuffle.then_some(seed),
        };
        scan::carry_out(&plan, &self.values.context())
    }
}

/// Examine an engine: the scan with a page of ten errors, their curves and boards, what each is worth
/// in centipawns, and how sure that is.
#[derive(Args, Debug)]
pub struct DoctorArgs {
    #[command(flatten)]
    scan: ScanArgs,
}

/// The page if none is named.
const PAGE: &str = "doctor.html";

/// Examines, writes the page and says where it is.
pub fn run_doctor(args: DoctorArgs) -> Result<ExitCode> {
    let mut scan = args.scan;
    let path = scan.report.get_or_insert_with(|| PAGE.into()).clone();
    let code = run(&scan)?;
    if !scan.values.json {
        output::note(&format!("the page is {}", path.display()));
    }
    Ok(code)
}
