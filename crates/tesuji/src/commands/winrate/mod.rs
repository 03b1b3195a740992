//! `tesuji winrate`: win ratio against value, and where a condition parts the curves.

mod calibrate;
mod fit;
mod scan;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use tesuji_arena::TimeControl;
use tesuji_eval::condition::{Condition, ConditionError};
use tesuji_lab::winrate::{self, EngineScores, ValuePlan, ValueSource, WinratePlan, engine};
use tesuji_run::{Context, plan};
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
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "Conditions:
  progress(B), progress(W)   the danger of a king, 0 to 1; progress: how far the game has come
  hand(B), hand(B,rook)      pieces in hand; board(B,dragon): pieces on the board
  castle(W) = mino           the castle that stands, its family, or none
  strategy(B), assault(B)    what a player plays and how it attacks, by id, or none
  check, entered(B), turn = B, ply, phase = opening|middle|end, king_file(B), king_rank(B)
  any feature for a player, such as CASTLE_FORMATION(B)
  + - < <= = != >= > and or not ( )

Examples:
  tesuji winrate --games games.tsv --eval material --when 'progress(B)-progress(W) >= 0.25'
  tesuji winrate --games games.tsv --quiet --when 'hand(B,rook) = 2 and not check' --json")]
pub struct WinrateArgs {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    values: ValueFlags,
    /// The condition.
    #[arg(long, value_name = "CONDITION")]
    when: Option<String>,
    #[command(flatten)]
    bins: BinFlags,
}

#[derive(Subcommand, Debug)]
enum Task {
    Scan(scan::ScanArgs),
    Doctor(scan::DoctorArgs),
    Fit(fit::FitArgs),
    Calibrate(calibrate::CalibrateArgs),
}

/// Flags that say which games there are, and how their positions are valued.
#[derive(Args, Debug)]
struct ValueFlags {
    /// Files of games.
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "resume")]
    games: Vec<PathBuf>,
    /// The evaluation: material, the name of one that comes with the program, a file, or reported
    /// for the scores that players reported with their moves [default: tables, and material for
    /// fit].
    #[arg(long, value_name = "NAME|FILE")]
    eval: Option<String>,
    /// An engine whose scores are taken in place of an evaluation, as `match` has it, such as
    /// cmd:PROGRAM,depth=1. They are kept in the folder of a run.
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["eval", "quiet"])]
    engine: Option<String>,
    /// Positions of each game that an engine is asked for, by chance; all without this.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=10_000))]
    per_game: Option<usize>,
    /// Where the folder of the scores is made.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Go on with scores that were stopped, or use those of a folder again; it knows the games and
    /// the engine.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["eval", "engine", "quiet", "games"])]
    resume: Option<PathBuf>,
    /// Play positions out by quiescence before they are evaluated.
    #[arg(long)]
    quiet: bool,
    /// End games before the first mate that the mate solver proves in so many nodes, won by who
    /// has it.
    #[arg(long, value_name = "NODES", value_parser = whole::<u64>(1..=1_000_000_000))]
    mate_cut: Option<u64>,
    /// How many threads to use; 0 = one per core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(0..=1_024))]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl ValueFlags {
    /// The games and the values; an engine is asked for its scores here.
    fn plan(&self, usual: &str) -> Result<ValuePlan> {
        let (games, source) = if self.engine.is_some() || self.resume.is_some() {
            self.engine_scores()?
        } else {
            let name = self.eval.as_deref().unwrap_or(usual);
            (self.games.clone(), ValueSource::named(name))
        };
        Ok(ValuePlan { games, source, quiet: self.quiet, mate_nodes: self.mate_cut, every: 1 })
    }

    fn engine_scores(&self) -> Result<(Vec<PathBuf>, ValueSource)> {
        self.scores_of(self.engine.as_deref().unwrap_or_default(), self.per_game)
    }

    /// The games, and the scores of an engine, which is asked for them here.
    fn scores_of(
        &self,
        engine: &str,
        per_game: Option<usize>,
    ) -> Result<(Vec<PathBuf>, ValueSource)> {
        let begin = || {
            Ok(EngineScores {
                games: self.games.clone(),
                engine: engine.parse().with_context(|| format!("engine {engine:?}"))?,
                limit: TimeControl { depth: Some(1), ..TimeControl::default() },
                per_game,
                seed: 1,
            })
        };
        let (folder, plan) = plan::open(self.resume.as_deref(), &self.runs, &Terminal, begin)?;
        output::note(&format!("the run is kept in {}", folder.path().display()));
        engine::carry_out(&plan, &folder, &self.context())?;
        Ok((plan.games, ValueSource::Engine(plan.engine.to_string(), Arc::new(folder))))
    }

    const fn context(&self) -> Context<'static> {
        Context { threads: self.threads, observer: &Terminal }
    }
}

/// Flags of curves.
#[derive(Args, Debug)]
struct BinFlags {
    /// The width of a bin in centipawns.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole::<i32>(1..=100_000))]
    bin: i32,
    /// Positions that a bin needs to be shown and compared.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u64>(1..=1_000_000_000))]
    min_count: u64,
    /// Decides how results are shuffled to show what chance does.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Counts and prints.
pub fn run(mut args: WinrateArgs) -> Result<ExitCode> {
    match args.task.take() {
        None => curves(&args),
        Some(Task::Scan(args)) => scan::run(&args),
        Some(Task::Doctor(args)) => scan::run_doctor(args),
        Some(Task::Fit(args)) => fit::run(&args),
        Some(Task::Calibrate(args)) => calibrate::run(&args),
    }
}

fn curves(args: &WinrateArgs) -> Result<ExitCode> {
    let when = match args.when.as_deref().map(Condition::parse).transpose() {
        Ok(when) => when,
        Err(error) => return Ok(complain(&error)),
    };
    let BinFlags { bin, min_count, seed } = args.bins;
    let values = args.values.plan(DEFAULT_EVALUATION)?;
    let plan = WinratePlan { values, when, bin, min_count, seed };
    let found = winrate::carry_out(&plan, &args.values.context())?;
    output::either(args.values.json, || found.json(), || found.text())
}

/// The command as it was given.
fn command_line() -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    format!("tesuji {}", words.join(" "))
}

/// Says what is wrong with a condition, with a mark under the word.
fn complain(error: &ConditionError) -> ExitCode {
    output::complain(&error.to_string());
    error.marked().iter().for_each(|line| output::note(line));
    ExitCode::FAILURE
}
