//! `tesuji reproduce`: the tables of a paper beside ours, by one command.

mod thesis;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::{Args, Subcommand};
use tesuji_learn::pool;
use tesuji_records::atomic;

use crate::output;

/// Repeat the experiments of a paper and write its tables beside ours.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji reproduce thesis
  tesuji reproduce thesis --data ../shared/data --page docs/results/thesis.md")]
pub struct ReproduceArgs {
    #[command(subcommand)]
    paper: Paper,
}

/// The papers.
#[derive(Subcommand, Debug)]
enum Paper {
    /// The thesis on evolved evaluation: its program, its algorithm and better ones.
    Thesis(PaperArgs),
}

/// What every paper needs.
#[derive(Args, Debug)]
struct PaperArgs {
    /// The folder of the laboratory's data; the variable TESUJI_DATA if not given, or ../shared/data.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Where each step keeps its folder. Steps that are done there are not done again.
    #[arg(long, value_name = "DIR", default_value = "runs/thesis")]
    out: PathBuf,
    /// The page to write; - is standard output.
    #[arg(long, value_name = "FILE", default_value = "docs/results/thesis.md")]
    page: PathBuf,
    /// How many threads to use; as many as the machine has for 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl PaperArgs {
    /// A file of the laboratory's data.
    fn data(&self, name: &str) -> Result<PathBuf> {
        let given =
            self.data.clone().or_else(|| std::env::var_os("TESUJI_DATA").map(PathBuf::from));
        let path = given.unwrap_or_else(|| PathBuf::from("../shared/data")).join(name);
        ensure!(
            path.is_file(),
            "{}: no such file, give the laboratory's data with --data or TESUJI_DATA",
            path.display()
        );
        Ok(path)
    }
}

/// Carries out the experiments and writes the page.
pub fn run(args: &ReproduceArgs) -> Result<ExitCode> {
    let Paper::Thesis(args) = &args.paper;
    let (page, numbers) = pool(args.threads)?.install(|| thesis::reproduce(args))?;
    if args.page.as_os_str() == "-" {
        output::print(&page)?;
    } else {
        atomic::write(&args.page, page.as_bytes())?;
    }
    if args.json {
        output::print_json(&numbers)?;
    } else if args.page.as_os_str() != "-" {
        output::print(&format!("{}\n", args.page.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
