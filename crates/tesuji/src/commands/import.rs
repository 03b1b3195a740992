//! `tesuji import`: many files of games into one clean collection.

use std::fs::{self, Metadata};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use clap::Args;
use serde_json::{Value, json};
use tesuji_records::Format;
use tesuji_records::collection::{self, ImportEvent, ImportPlan, ImportReport, Split};
use tesuji_records::stream::{Input, RecordError};

use super::{LISTED_ERRORS, error_json, format_parser};
use crate::output::{self, counted};
use crate::progress::Progress;

/// Read games of any format, check every move, and write one collection with a manifest.
#[derive(Args, Debug)]
#[command(after_help = "Bad games are named on standard error and left out; the rest is kept. \
A file that cannot be read is named likewise, and the others are read. The exit code is 0 if any \
game was imported.

Examples:
  tesuji import games/*.kif -o games.tsv --dedup
  tesuji import pro.tsv engine.tsv -o all.tsv --dedup --split 0.9 --seed 1 --json
  zcat games.csa.gz | tesuji import - --from csa -o games.tsv --strict")]
pub struct ImportArgs {
    /// Files, folders of files, or - for standard input.
    #[arg(required = true, value_name = "FILES")]
    inputs: Vec<PathBuf>,
    /// The collection to write; COLLECTION.manifest.json is written beside it.
    #[arg(short, long, value_name = "COLLECTION")]
    output: PathBuf,
    /// The format of the inputs, for those that neither name nor content tells.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,
    /// Leave out games with the start and the moves of an earlier one.
    #[arg(long)]
    dedup: bool,
    /// Write two collections, with .train and .test before the extension; this share of the games
    /// goes to the first.
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    split: Option<f64>,
    /// Which games go where in a split.
    #[arg(
        long,
        value_name = "S",
        requires = "split",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    seed: u64,
    /// How many threads; all cores if not given.
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write nothing and fail if any game or file is bad.
    #[arg(long)]
    strict: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// What to import, and how to report.
#[derive(Debug)]
pub struct ImportSettings {
    import: ImportPlan,
    json: bool,
}

impl ImportSettings {
    /// The plan that the flags mean.
    pub fn new(args: &ImportArgs) -> Result<Self> {
        if args.output.as_os_str() == "-" {
            bail!("import writes a collection and its manifest: give a file with -o");
        }
        if let Some(format) = Format::of_path(&args.output).filter(|&format| format != Format::Tsv)
        {
            bail!(
                "{}: collections are TSV: give a name that ends in .tsv, or use tesuji convert \
                 for {format}",
                args.output.display()
            );
        }
        // A device has no place for a manifest beside it.
        let special = |found: Metadata| !found.is_file() && !found.is_dir();
        ensure!(
            !fs::metadata(&args.output).is_ok_and(special),
            "{}: a collection is written to a regular file",
            args.output.display()
        );
        if let Some(share) = args.split {
            ensure!((0.0..=1.0).contains(&share), "--split {share} is not a share from 0 to 1");
        }
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let import = ImportPlan {
            inputs: Input::from_paths(&args.inputs)?,
            format: args.from,
            output: args.output.clone(),
            dedup: args.dedup,
            split: args.split.map(|train_share| Split { train_share, seed: args.seed }),
            threads: args.threads.map_or_else(cores, usize::from),
            strict: args.strict,
            command: command(),
        };
        ensure!(!import.inputs.is_empty(), "no files of games in what was given");
        Ok(Self { import, json: args.json })
    }
}

/// The command as it was given, wherever the program lies.
fn command() -> Vec<String> {
    let args = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned());
    std::iter::once("tesuji".into()).chain(args).collect()
}

/// Imports and reports.
pub fn run(plan: &ImportSettings) -> Result<ExitCode> {
    let mut progress = Progress::through(&plan.import.inputs);
    let mut errors: Vec<RecordError> = Vec::new();
    let report = collection::import(&plan.import, |event| match event {
        ImportEvent::Progress { bytes, games } => {
            progress.update(bytes, &|| format!("{games} games"));
        }
        ImportEvent::Rejected(error) if !plan.json => progress.note(&format!("tesuji: {error}")),
        ImportEvent::Rejected(error) => {
            if errors.len() < LISTED_ERRORS {
                errors.push(error.clone());
            }
        }
    })?;
    drop(progress);
    if plan.json {
        output::print_json(&json_of(&report, &errors))?;
    } else {
        output::print(&text_of(&report))?;
    }
    if report.manifest_path.is_some() {
        return Ok(ExitCode::SUCCESS);
    }
    match (report.manifest.rejected, report.manifest.unreadable) {
        (0, 0) => bail!("no games in the input, nothing was written"),
        (1, 0) => bail!("1 game is bad, nothing was written"),
        (bad, 0) => bail!("{bad} games are bad, nothing was written"),
        (0, 1) => bail!("1 file cannot be read, nothing was written"),
        (0, files) => bail!("{files} files cannot be read, nothing was written"),
        (bad, files) => bail!(
            "{} bad and {} cannot be read, nothing was written",
            counted(bad, "game"),
            counted(files, "file")
        ),
    }
}

fn text_of(report: &ImportReport) -> String {
    let manifest = &report.manifest;
    let unreadable = match manifest.unreadable {
        0 => String::new(),
        files => format!(", {} unreadable", counted(files, "file")),
    };
    let mut text = format!(
        "{}, {}, {}, {} rejected{unreadable}; {:.2} s, {:.2} million moves/s\n",
        counted(manifest.games, "game"),
        counted(manifest.moves, "move"),
        counted(manifest.duplicates, "duplicate"),
        manifest.rejected,
        report.elapsed.as_secs_f64(),
        report.moves_per_second() / 1e6,
    );
    for file in &manifest.outputs {
        let (games, moves) = (counted(file.games, "game"), counted(file.moves, "move"));
        text += &format!("{}: {games}, {moves}\n", file.path);
    }
    if let Some(path) = &report.manifest_path {
        text += &format!("{}: manifest\n", path.display());
    }
    text
}

fn json_of(report: &ImportReport, errors: &[RecordError]) -> Value {
    let manifest = &report.manifest;
    let errors: Vec<Value> = errors.iter().map(error_json).collect();
    json!({
        "games": manifest.games,
        "duplicates": manifest.duplicates,
        "rejected": manifest.rejected,
        "unreadable": manifest.unreadable,
        "moves": manifest.moves,
        "seconds": report.elapsed.as_secs_f64(),
        "moves_per_second": report.moves_per_second().round() as u64,
        "errors": errors,
        "outputs": manifest.outputs,
        "manifest": report.manifest_path.as_ref().map(|path| path.display().to_string()),
    })
}
