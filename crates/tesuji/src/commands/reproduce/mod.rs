//! `tesuji reproduce`: the tables of a paper beside ours, by one command.

mod document;
mod stages;
mod tables;
mod thesis;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use serde_json::Value;
use tesuji_learn::pool;
use tesuji_run::atomic;

use crate::output;

/// Repeat the experiments of a paper and write its tables beside ours.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji reproduce thesis
  tesuji reproduce thesis --data ../shared/data --page docs/results/thesis.md
  tesuji reproduce stages
  tesuji reproduce tables --games 100,300 --ablation-games 100 --out runs/small --page -")]
pub struct ReproduceArgs {
    #[command(subcommand)]
    paper: Paper,
}

/// The papers.
#[derive(Subcommand, Debug)]
enum Paper {
    /// The thesis on evolved evaluation: its program, its algorithm and better ones.
    Thesis(PaperArgs),
    /// What comes after it: piece tables, models of positions and of moves, learned from whole games.
    Tables(tables::TablesArgs),
    /// The model paper's three stages: imitation, co-evolution, evolution of the search.
    Stages(stages::StagesArgs),
}

/// What every paper needs.
#[derive(Args, Debug)]
struct PaperArgs {
    /// The folder of the laboratory's data; the variable TESUJI_DATA if not given, or ../shared/data.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Where each step keeps its folder; runs/ and the name of the paper if not given. Steps that are
    /// done there are not done again.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The page to write; - is standard output. If not given it is in docs/results. Its pictures come
    /// into a folder beside it.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
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

/// What came out of the experiments of a paper.
struct Reproduction {
    /// The page, in Markdown.
    page: String,
    /// The pictures of the page: their names and what is in the files.
    pictures: Vec<(String, String)>,
    /// All numbers.
    numbers: Value,
}

/// Carries out the experiments and writes the page.
pub fn run(args: &ReproduceArgs) -> Result<ExitCode> {
    let (name, paper) = match &args.paper {
        Paper::Thesis(paper) => ("thesis", paper),
        Paper::Tables(tables) => ("tables", &tables.paper),
        Paper::Stages(stages) => ("stages", &stages.paper),
    };
    let page = paper.page.clone().unwrap_or_else(|| format!("docs/results/{name}.md").into());
    let out = paper.out.clone().unwrap_or_else(|| Path::new("runs").join(name));
    let is_file = page.as_os_str() != "-";
    let pictures = page.file_stem().filter(|_| is_file).map(|name| name.to_string_lossy());
    let beside = page.parent().unwrap_or(Path::new("")).join(".");
    // The experiments are long, and only then is the page written.
    ensure!(!is_file || beside.is_dir(), "{}: there is no such folder", page.display());
    let found = pool(paper.threads)?.install(|| match &args.paper {
        Paper::Thesis(paper) => thesis::reproduce(paper, &out),
        Paper::Tables(tables) => tables::reproduce(tables, &out, pictures.as_deref()),
        Paper::Stages(stages) => stages::reproduce(stages, &out, pictures.as_deref()),
    })?;
    if is_file {
        write_page(&page, &found)?;
    } else {
        output::print(&found.page)?;
    }
    if paper.json {
        output::print_json(&found.numbers)?;
    } else if is_file {
        output::print(&format!("{}\n", page.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the page, after its pictures.
fn write_page(page: &Path, found: &Reproduction) -> Result<()> {
    let folder = page.with_extension("");
    if !found.pictures.is_empty() {
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    for (name, picture) in &found.pictures {
        let path = folder.join(name);
        atomic::write(&path, picture.as_bytes()).with_context(|| path.display().to_string())?;
    }
    atomic::write(page, found.page.as_bytes()).with_context(|| page.display().to_string())?;
    Ok(())
}
