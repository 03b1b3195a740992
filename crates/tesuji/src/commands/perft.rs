//! `tesuji perft`: counts the leaves of the tree of legal moves.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use tesuji_analysis::subject::parse_position;
use tesuji_shogi::{Move, Position, perft};

use crate::flags::whole;
use crate::output;
use crate::progress::Progress;

/// Count the sequences of legal moves of a length: the test of every move generator.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji perft startpos --depth 5
  tesuji perft startpos moves 7g7f --depth 4 --divide
  tesuji perft '4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b 1' --depth 3 --json")]
pub struct PerftArgs {
    /// `startpos` or an SFEN; `moves …` may follow.
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
    /// The length of the sequences.
    #[arg(short, long, value_name = "N", value_parser = whole::<u32>(0..=64),
          allow_negative_numbers = true)]
    depth: u32,
    /// Also count for each move of the position.
    #[arg(long)]
    divide: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The bar on a terminal.
const TEMPLATE: &str = "{bar:40} {percent}%  {msg}  {elapsed}";

/// What to count.
#[derive(Debug)]
pub struct PerftSettings {
    position: Position,
    depth: u32,
    divide: bool,
    json: bool,
}

impl PerftSettings {
    /// The plan that the flags mean.
    pub fn new(args: &PerftArgs) -> Result<Self> {
        let PerftArgs { depth, divide, json, .. } = *args;
        let (position, _) = parse_position(&args.position)?;
        Ok(Self { position, depth, divide, json })
    }
}

/// Counts and prints.
pub fn run(plan: &PerftSettings) -> Result<ExitCode> {
    let started = Instant::now();
    let counts = count(&plan.position, plan.depth);
    let seconds = started.elapsed().as_secs_f64();
    let nodes = if plan.depth == 0 { 1 } else { counts.iter().map(|(_, nodes)| nodes).sum() };
    let nps = nodes as f64 / seconds.max(1e-9);
    if plan.json {
        let mut report = json!({
            "nodes": nodes,
            "seconds": seconds,
            "nps": nps.round() as u64,
            "depth": plan.depth,
            "sfen": plan.position.to_sfen(),
        });
        if plan.divide {
            report["divide"] =
                counts.iter().map(|(mv, nodes)| (mv.to_string(), json!(nodes))).collect();
        }
        output::print_json(&report)?;
    } else {
        let mut text = String::new();
        for (mv, nodes) in counts.iter().filter(|_| plan.divide) {
            text += &format!("{mv} {nodes}\n");
        }
        let plural = if nodes == 1 { "" } else { "s" };
        text +=
            &format!("{nodes} node{plural}, {seconds:.3} s, {:.1} million nodes/s\n", nps / 1e6);
        output::print(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The number for each move, in the order of their USI text.
fn count(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    // Progress is told after each pair of moves: below one move alone it may take hours.
    let moves = position.legal_moves();
    let mut progress = Progress::new(perft(position, depth.min(2)), TEMPLATE);
    let (mut done, mut nodes) = (0, 0);
    let mut counts: Vec<(Move, u64)> = Vec::with_capacity(moves.len());
    for mv in &moves {
        let before = nodes;
        let next = position.after_unchecked(mv);
        if depth == 1 {
            nodes += 1;
        } else {
            for reply in &next.legal_moves() {
                nodes += perft(&next.after_unchecked(reply), depth - 2);
                done += 1;
                progress.update(done, &|| format!("{nodes} nodes, now {mv} {reply}"));
            }
        }
        counts.push((mv, nodes - before));
    }
    counts.sort_by_key(|(mv, _)| mv.to_string());
    counts
}
