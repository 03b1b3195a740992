//! `tesuji bench`: does the search still do the same, and how fast?

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use tesuji_search::positions::POSITIONS;
use tesuji_search::{SearchResult, bench};

use crate::engines::EngineArgs;
use crate::flags::whole;
use crate::output;
use crate::progress::Progress;
use tesuji_search::spec::LoadedSearch;
use tesuji_usi::answer::nodes_per_second;

/// Search fixed positions to a fixed depth on one thread.
///
/// The number of nodes is a checksum: it changes when, and only when, the search or the evaluation
/// does something else.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji bench
  tesuji bench --depth 8 --eval material --json")]
pub struct BenchArgs {
    /// How deep to search.
    #[arg(short, long, value_name = "N", default_value_t = bench::DEPTH,
          value_parser = whole::<u32>(1..=126))]
    depth: u32,
    #[command(flatten)]
    engine: EngineArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// What to measure.
#[derive(Debug)]
pub struct BenchSettings {
    depth: u32,
    engine: LoadedSearch,
    json: bool,
}

impl BenchSettings {
    /// The plan that the flags mean.
    pub fn new(args: &BenchArgs) -> Result<Self> {
        let engine = args.engine.load(1)?;
        Ok(Self { depth: args.depth, engine, json: args.json })
    }
}

/// Searches all positions and prints.
pub fn run(plan: &BenchSettings) -> Result<ExitCode> {
    let mut engine = plan.engine.engine();
    let mut progress = Progress::new(POSITIONS.len() as u64, "{bar:40} {pos}/{len}  {elapsed}");
    let mut results: Vec<(&str, SearchResult)> = Vec::new();
    bench::run(&mut *engine, plan.depth, |sfen, result| {
        results.push((sfen, result));
        let done = results.len() as u64;
        progress.update(done, &|| format!("{done} of {} positions", POSITIONS.len()));
    });
    drop(progress);
    let nodes: u64 = results.iter().map(|(_, result)| result.nodes).sum();
    let time: Duration = results.iter().map(|(_, result)| result.time).sum();
    let (seconds, nps) = (time.as_secs_f64(), nodes_per_second(nodes, time));
    if plan.json {
        let positions: Vec<Value> = results
            .iter()
            .map(|(sfen, result)| {
                json!({
                    "sfen": sfen,
                    "nodes": result.nodes,
                    "seconds": result.time.as_secs_f64(),
                    "move": result.best.map(|mv| mv.to_string()),
                    "score": result.score,
                })
            })
            .collect();
        output::print_json(&json!({
            "nodes": nodes,
            "nps": nps,
            "seconds": seconds,
            "depth": plan.depth,
            "eval": plan.engine.evaluation.name(),
            "positions": positions,
        }))?;
    } else {
        output::print(&format!("{nodes} nodes, {seconds:.3} s, {nps} nodes/s\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
