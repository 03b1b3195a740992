//! `tesuji search`: the best move of a position.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_search::{Bound, Info, Limits, SearchResult, Stop, score};
use tesuji_shogi::{Game, Move};

use crate::engines::EngineArgs;
use crate::flags::whole;
use crate::output;
use crate::subject::{self, FILES_HELP, Subject, SubjectArgs};
use tesuji_search::spec::LoadedSearch;
use tesuji_usi::answer::nodes_per_second;

/// Search a position for its best moves.
#[derive(Args, Debug)]
#[command(after_help = format!("{FILES_HELP}

Scores are those of the side to move: cp in centipawns, mate in plies. So is the chance to win, by
the scale of the evaluation.

Examples:
  tesuji search startpos --ms 1000
  tesuji search game.kif --ply 60 --depth 14 --lines 3
  tesuji search startpos moves 7g7f --nodes 1000000 --eval material --preset full-width-2000
  tesuji search startpos --ms 500 --set null_move=0 --json"))]
pub struct SearchArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// How many best moves to find.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = whole::<u64>(1..=600))]
    lines: u64,
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = whole::<u64>(1..=256))]
    /// Threads of the search.
    threads: u64,
    #[command(flatten)]
    engine: EngineArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Flags that say how long to search.
#[derive(Clone, PartialEq, Eq, Args, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitArgs {
    /// How long to search, in milliseconds.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=1_000_000_000_000))]
    pub ms: Option<u64>,
    /// How deep, in plies.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=126))]
    pub depth: Option<u32>,
    /// How many nodes.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    pub nodes: Option<u64>,
}

impl LimitArgs {
    /// The limits that the flags mean; at least one must be given.
    pub fn limits(&self) -> Result<Limits> {
        let limits = self.any_limits();
        ensure!(limits != Limits::default(), "no limit, give one of --ms, --depth and --nodes");
        Ok(limits)
    }

    /// The same flags, or so many nodes if none is given.
    pub fn or_nodes(&self, nodes: u64) -> Self {
        let given = self.any_limits() != Limits::default();
        Self { nodes: if given { self.nodes } else { Some(nodes) }, ..self.clone() }
    }

    /// The limits that the flags mean, or none.
    pub fn any_limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            hard_time: self.ms.map(Duration::from_millis),
            ..Limits::default()
        }
    }
}

/// What to search, and how.
#[derive(Debug)]
pub struct SearchSettings {
    subject: Subject,
    limits: Limits,
    threads: usize,
    engine: LoadedSearch,
    json: bool,
}

impl SearchSettings {
    /// The plan that the flags mean.
    pub fn new(args: &SearchArgs) -> Result<Self> {
        let subject = args.subject.load()?;
        ensure!(
            subject.position.has_legal_move(),
            "{}: no move to search for, {}",
            subject.position.to_sfen(),
            subject::state_text(&subject.position)
        );
        Ok(Self {
            subject,
            limits: Limits { lines: usize::try_from(args.lines)?, ..args.limits.limits()? },
            threads: usize::try_from(args.threads)?,
            engine: args.engine.load(1)?,
            json: args.json,
        })
    }
}

/// Searches and prints.
pub fn run(plan: &SearchSettings) -> Result<ExitCode> {
    let mut engine = plan.engine.engine();
    engine.settings().threads = plan.threads;
    let game = Game::new(plan.subject.position);
    let mut written = Ok(());
    let mut tell = |report: &Info| {
        if !plan.json && written.is_ok() {
            written = output::print(&report_text(report, plan.limits.lines > 1));
        }
    };
    let result = engine.search(&game, &plan.limits, Stop::never(), &mut tell);
    written?;
    if plan.json {
        output::print_json(&result_json(plan, &result))?;
    } else {
        let best = result.best.map_or_else(String::new, |mv| mv.to_string());
        let (score, nps) =
            (score::public(result.score), nodes_per_second(result.nodes, result.time));
        let (nodes, seconds) = (result.nodes, result.time.as_secs_f64());
        let chance = 100.0 * score::chance(result.score, &plan.engine.evaluation.calibration());
        output::print(&format!(
            "best move {best}, {score}, chance {chance:.0} %, {nodes} nodes, {seconds:.3} s, {nps} nodes/s\n"
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// One line of text for what was found.
fn report_text(report: &Info, numbered: bool) -> String {
    let Info { depth, seldepth, multipv, nodes, .. } = report;
    let number = if numbered { format!("{multipv:>3}. ") } else { String::new() };
    let score = score::public(report.score);
    let score = match report.bound {
        Bound::Lower => format!("≥ {score}"),
        Bound::Upper => format!("≤ {score}"),
        Bound::Exact | Bound::None => score.to_string(),
    };
    let seconds = report.time.as_secs_f64();
    let line = words(&report.pv);
    let depth = format!("{depth}/{seldepth}");
    format!("{depth:>7} {number}{score:>10} {nodes:>11} nodes {seconds:>8.3} s  {line}\n")
}

fn words(moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn result_json(plan: &SearchSettings, result: &SearchResult) -> Value {
    let lines: Vec<Value> = result
        .lines
        .iter()
        .map(|line| {
            json!({
                "move": line.pv.first().map(ToString::to_string),
                "score": score::to_json(line.score),
                "depth": line.depth,
                "seldepth": line.seldepth,
                "line": words(&line.pv),
            })
        })
        .collect();
    let calibration = plan.engine.evaluation.calibration();
    let mut all = json!({
        "move": result.best.map(|mv| mv.to_string()),
        "ponder": result.ponder.map(|mv| mv.to_string()),
        "score": score::to_json(result.score),
        "chance": score::chance(result.score, &calibration),
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": result.time.as_secs_f64(),
        "nps": nodes_per_second(result.nodes, result.time),
        "lines": lines,
        "sfen": plan.subject.position.to_sfen(),
        "eval": plan.engine.evaluation.name(),
        "threads": plan.threads,
    });
    for (key, value) in score::calibration_json(&calibration) {
        all[key] = value;
    }
    all
}
