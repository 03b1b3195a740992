//! `tesuji castles`: which castles, assaults and strategies stand on a board, their maps, and the
//! file that defines them.

mod games;
mod learn;
mod map;
mod show;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow};
use clap::{Args, Subcommand};
use serde_json::json;
use tesuji_eval::formations::Atlas;

use crate::output;

/// Castles, assaults and strategies: which of them stand on a board, and their maps.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji castles show game.kif --ply 40
  tesuji castles show --positions positions.sfen --json
  tesuji castles map mino king
  tesuji castles games games.tsv
  tesuji castles check my-castles.toml")]
pub struct CastlesArgs {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    Show(show::ShowArgs),
    Map(map::MapArgs),
    Games(games::GamesArgs),
    Learn(learn::LearnArgs),
    Check(CheckArgs),
}

/// Check a file of castles, assaults and strategies.
#[derive(Args, Debug)]
struct CheckArgs {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The flag that names a player's own definitions.
#[derive(Args, Debug)]
pub struct FormationFlags {
    /// A file of castles, assaults and strategies in place of those that come with the program.
    #[arg(long, value_name = "FILE")]
    castles: Option<PathBuf>,
}

impl FormationFlags {
    /// The definitions with their maps.
    pub fn load(&self) -> Result<Arc<Atlas>> {
        self.castles.as_deref().map_or_else(|| Ok(Atlas::shipped()), load)
    }
}

/// Reads definitions; an error names the file and the line.
fn load(path: &Path) -> Result<Arc<Atlas>> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{name}"))?;
    let atlas = Atlas::parse(&text).map_err(|error| anyhow!("{name}, {error}"))?;
    Ok(Arc::new(atlas))
}

/// Carries out what is asked.
pub fn run(args: &CastlesArgs) -> Result<ExitCode> {
    match &args.task {
        Task::Show(args) => show::run(args),
        Task::Map(args) => map::run(args),
        Task::Games(args) => games::run(args),
        Task::Learn(args) => learn::run(args),
        Task::Check(args) => check(args),
    }
}

fn check(args: &CheckArgs) -> Result<ExitCode> {
    let atlas = load(&args.file)?;
    let formations = atlas.formations();
    let counts = [
        ("castles", formations.castles().len()),
        ("assaults", formations.assaults().len()),
        ("strategies", formations.strategies().len()),
        ("swap_rules", formations.swaps().len()),
        ("first_rules", formations.first().len()),
    ];
    let value = || {
        let mut shown = json!({ "file": args.file });
        for (name, count) in counts {
            shown[name] = count.into();
        }
        shown
    };
    let text = || {
        let words = counts.map(|(name, count)| format!("{count} {}", name.replace('_', " ")));
        format!("{}: {}\n", args.file.display(), words.join(", "))
    };
    output::either(args.json, value, text)
}
