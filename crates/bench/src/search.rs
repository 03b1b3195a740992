//! The search: what an evaluation costs, nodes a second beside another engine, and what a second
//! thread wins.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tesuji_eval::{PieceTables, Weights};
use tesuji_search::positions::POSITIONS;
use tesuji_search::{
    AlphaBeta, Evaluator, Limits, Linear, Material, Searcher, StateStack, Stop, Tables,
};
use tesuji_shogi::{BoardChange, Game, Position};

use crate::timing::{rounded, timed};

/// What is measured, and how long.
#[derive(clap::Args)]
pub struct SearchOptions {
    /// Another engine to run beside ours: a program that speaks USI or UCI.
    #[arg(long, value_name = "PROGRAM")]
    against: Option<String>,
    /// Milliseconds for each position.
    #[arg(long, value_name = "N", default_value_t = 500)]
    ms: u64,
    /// The depth to which one and two threads search.
    #[arg(long, value_name = "N", default_value_t = 15)]
    depth: u32,
}

const TABLE_MEBIBYTES: usize = 64;

fn games() -> Result<Vec<Game>> {
    let game = |sfen: &&str| Ok(Game::new(Position::from_sfen(sfen)?));
    POSITIONS.iter().map(game).collect()
}

/// Measures the search and gives the report.
pub fn run(rounds: usize, options: &SearchOptions) -> Result<Value> {
    ensure!(rounds > 0, "--rounds must be at least 1");
    let games = games()?;
    let mut report = json!({
        "nanoseconds_per_evaluation": evaluations(rounds, &games)?,
        "nanoseconds_per_node": nodes(rounds, &games, Duration::from_millis(options.ms))?,
        "maps": maps(rounds, &games, Duration::from_millis(options.ms))?,
        "threads": threads(rounds, &games, options.depth),
    });
    if let Some(program) = &options.against {
        let time = Duration::from_millis(options.ms);
        report["nodes_per_second"] = nodes_per_second(rounds, &games, program, time)?;
    }
    Ok(report)
}

/// Nanoseconds that an evaluation takes after a move, what is kept from move to move included.
fn evaluations(rounds: usize, games: &[Game]) -> Result<Value> {
    Ok(json!({
        "material": evaluation(rounds, games, &Material::default()),
        "evolved, 74 features": evaluation(rounds, games, &evolved()?),
        "tables": evaluation(rounds, games, &tables()?),
    }))
}

fn evolved() -> Result<Linear> {
    let weights = Weights::named("evolved").context("the weights come with the program")?;
    Ok(Linear::new(weights))
}

fn tables() -> Result<Tables> {
    let tables = PieceTables::named("tables").context("the tables come with the program")?;
    Ok(Tables::new(tables))
}

fn evaluation<E: Evaluator>(rounds: usize, games: &[Game], evaluator: &E) -> f64 {
    let mut count = 0;
    let mut lines: Vec<_> = games
        .iter()
        .map(|game| {
            let before = *game.position();
            let mut states = StateStack::new(1);
            states.init(evaluator, &before);
            let moves = before.legal_moves();
            let after: Vec<_> = moves.iter().map(|&mv| (mv, before.after_unchecked(mv))).collect();
            count += after.len();
            (before, states, after)
        })
        .collect();
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let ((), seconds) = timed(|| {
            for (before, states, moves) in &mut lines {
                for (mv, after) in moves {
                    states.push(evaluator, before, &BoardChange::new(before, *mv), after);
                    black_box(states.score(evaluator, after));
                    states.pop();
                }
            }
        });
        best = best.min(seconds * 1e9 / count as f64);
    }
    rounded(best)
}

/// Nanoseconds a node by evaluation, all of them taking turns, and the ratio of each to material.
fn nodes(rounds: usize, games: &[Game], time: Duration) -> Result<Value> {
    let mut engines: [(&str, Box<dyn Searcher>); 3] = [
        ("material", Box::new(AlphaBeta::new(Material::default(), TABLE_MEBIBYTES))),
        ("tables", Box::new(AlphaBeta::new(tables()?, TABLE_MEBIBYTES))),
        ("evolved, 74 features", Box::new(AlphaBeta::new(evolved()?, TABLE_MEBIBYTES))),
    ];
    let mut rates = engines.each_ref().map(|_| Rate::default());
    for game in games.iter().cycle().take(games.len() * rounds) {
        for ((_, engine), rate) in engines.iter_mut().zip(&mut rates) {
            engine.clear();
            let result = engine.search(game, &Limits::time(time), Stop::never(), &mut |_| {});
            rate.add(result.nodes, result.time);
        }
    }
    let of_material = rates[0].per_second();
    let mut report = json!({});
    for ((name, _), rate) in engines.iter().zip(&rates) {
        report[name] = json!({
            "nanoseconds": rounded(1e9 / rate.per_second()),
            "ratio": rounded(of_material / rate.per_second()),
        });
    }
    Ok(report)
}

/// Nanoseconds a node with the maps of castles and assaults, and the ratio to the same without.
fn maps(rounds: usize, games: &[Game], time: Duration) -> Result<Value> {
    let mut report = json!({});
    let material = || Box::new(AlphaBeta::new(Material::default(), TABLE_MEBIBYTES));
    let with_tables = || -> Result<Box<dyn Searcher>> {
        Ok(Box::new(AlphaBeta::new(tables()?, TABLE_MEBIBYTES)))
    };
    let pairs: [(&str, [Box<dyn Searcher>; 2]); 2] =
        [("material", [material(), material()]), ("tables", [with_tables()?, with_tables()?])];
    for (name, mut engines) in pairs {
        for switch in ["castle_maps", "assault_maps"] {
            ensure!(engines[1].set_parameter(switch, 1), "{switch} is a parameter");
        }
        let mut rates = [Rate::default(), Rate::default()];
        for game in games.iter().cycle().take(games.len() * rounds) {
            for (engine, rate) in engines.iter_mut().zip(&mut rates) {
                engine.clear();
                let result = engine.search(game, &Limits::time(time), Stop::never(), &mut |_| {});
                rate.add(result.nodes, result.time);
            }
        }
        let [without, with] = rates.each_ref().map(Rate::per_second);
        report[name] = json!({
            "nanoseconds": rounded(1e9 / with),
            "ratio": rounded(without / with),
        });
    }
    Ok(report)
}

/// How long one and two threads take to reach a depth, all positions together. They take turns in
/// each position, so that a machine that slows down does so for both.
fn threads(rounds: usize, games: &[Game], depth: u32) -> Value {
    let mut engines = [1, 2].map(|threads| {
        let mut engine = AlphaBeta::new(Material::default(), TABLE_MEBIBYTES);
        engine.settings().threads = threads;
        engine
    });
    let mut best = [f64::INFINITY; 2];
    let mut sums = [Rate::default(), Rate::default()];
    for _ in 0..rounds {
        let mut seconds = [0.0; 2];
        for game in games {
            for ((engine, seconds), sum) in engines.iter_mut().zip(&mut seconds).zip(&mut sums) {
                engine.clear();
                let result = engine.search(game, &Limits::depth(depth), Stop::never(), &mut |_| {});
                *seconds += result.time.as_secs_f64();
                sum.add(result.nodes, result.time);
            }
        }
        for (best, seconds) in best.iter_mut().zip(seconds) {
            *best = best.min(seconds);
        }
    }
    let [one, two] = &sums;
    json!({
        "depth": depth,
        "seconds_with_one": rounded(best[0]),
        "seconds_with_two": rounded(best[1]),
        "ratio": rounded(two.time.as_secs_f64() / one.time.as_secs_f64()),
        "ratio_of_nodes": rounded(two.nodes as f64 / one.nodes as f64),
        "ratio_of_nodes_per_second": rounded(two.per_second() / one.per_second()),
    })
}

/// Nodes a second of our engine with material and of another engine, taking turns.
fn nodes_per_second(rounds: usize, games: &[Game], program: &str, time: Duration) -> Result<Value> {
    let mut engine = AlphaBeta::new(Material::default(), TABLE_MEBIBYTES);
    let mut other = OtherEngine::start(program).with_context(|| program.to_owned())?;
    let (mut ours, mut theirs) = (Rate::default(), Rate::default());
    for game in games.iter().cycle().take(games.len() * rounds) {
        engine.clear();
        let result = engine.search(game, &Limits::time(time), Stop::never(), &mut |_| {});
        ours.add(result.nodes, result.time);
        let (nodes, took) = other.search(game, time).with_context(|| program.to_owned())?;
        theirs.add(nodes, took);
    }
    let (ours, theirs) = (ours.per_second(), theirs.per_second());
    Ok(json!({
        "tesuji, material": ours.round(),
        "other": theirs.round(),
        "program": program,
        "ratio": rounded(ours / theirs),
    }))
}

#[derive(Default)]
struct Rate {
    nodes: u64,
    time: Duration,
}

impl Rate {
    fn add(&mut self, nodes: u64, time: Duration) {
        self.nodes += nodes;
        self.time += time;
    }

    fn per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64()
    }
}

/// Another engine as a program of its own.
struct OtherEngine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl OtherEngine {
    fn start(program: &str) -> Result<Self> {
        let mut child =
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().context("no input")?;
        let output = BufReader::new(child.stdout.take().context("no output")?);
        let mut engine = Self { child, input, output };
        engine.say("usi")?;
        engine.wait_for("usiok")?;
        for option in ["UCI_Variant value shogi", "USI_Variant value shogi", "USI_Hash value 64"] {
            engine.say(&format!("setoption name {option}"))?;
        }
        engine.say("isready")?;
        engine.wait_for("readyok")?;
        Ok(engine)
    }

    fn say(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    /// Reads to a line that begins like this, and gives the line with nodes and time before it.
    fn wait_for(&mut self, start: &str) -> Result<Option<String>> {
        let mut last = None;
        loop {
            let mut line = String::new();
            ensure!(self.output.read_line(&mut line)? > 0, "ended before it said {start}");
            if line.starts_with(start) {
                return Ok(last);
            }
            if line.contains(" nodes ") && line.contains(" time ") {
                last = Some(line);
            }
        }
    }

    /// Nodes and time of a search.
    fn search(&mut self, game: &Game, time: Duration) -> Result<(u64, Duration)> {
        self.say("usinewgame")?;
        self.say(&format!("position {}", game.to_usi_position()))?;
        self.say(&format!("go movetime {}", time.as_millis()))?;
        let info = self.wait_for("bestmove")?.context("no nodes and time before its move")?;
        let words: Vec<&str> = info.split_ascii_whitespace().collect();
        let number = |name: &str| -> Result<u64> {
            let place = words.iter().position(|word| *word == name).context("no such word")?;
            Ok(words.get(place + 1).context("nothing behind the word")?.parse()?)
        };
        Ok((number("nodes")?, Duration::from_millis(number("time")?)))
    }
}

impl Drop for OtherEngine {
    fn drop(&mut self) {
        // It may be gone already; then there is nothing to end.
        let _ = self.say("quit");
        let _ = self.child.wait();
    }
}
