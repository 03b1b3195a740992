//! `tesuji selfplay`: games of the engine against itself.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tesuji_arena::openings::Openings;
use tesuji_arena::player::Variety;
use tesuji_arena::{GameLine, Player, Schedule};
use tesuji_records::Format;
use tesuji_report::{Input, RunFolder};
use tesuji_shogi::{Game, Position};

use super::arena::contest::{Contest, Seating};
use super::arena::contestant::{Contestant, ENGINES_HELP};
use super::arena::flags::{self, Conditions, GameFlags, WorkFlags};
use super::arena::games;
use crate::lab::folder;
use crate::output;
use crate::progress::Progress;

/// Let the engine play games against itself, to learn from.
///
/// Games begin with random moves, or in the positions of a file, and go on with moves that are nearly
/// the best, so that no two are alike. They are written as a tab-separated collection; the journal in
/// the folder of the run has the score of every move too.
#[derive(Args, Debug)]
#[command(after_help = format!("{ENGINES_HELP}

Examples:
  tesuji selfplay --games 1000 --nodes 2000 -o games.tsv
  tesuji selfplay --games 200 --st 0.05 --openings openings.sfen --random-plies 0
  tesuji selfplay --resume runs/20261115T120000Z-selfplay-3f9a2c"))]
pub struct SelfplayArgs {
    /// The engine: tesuji, with any settings.
    #[arg(long, value_name = "ENGINE", default_value = "tesuji")]
    engine: String,
    /// Games.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Plies at the beginning that are any legal move.
    #[arg(long, value_name = "N", default_value_t = 4)]
    random_plies: usize,
    /// A move that is worse by so many hundredths of a pawn is played less often by a factor of e; 0
    /// plays the best move.
    #[arg(long, value_name = "X", default_value_t = 30.0)]
    temperature: f64,
    /// Plies at the beginning in which worse moves are played.
    #[arg(long, value_name = "N", default_value_t = 24)]
    temperature_plies: usize,
    /// A file for the games, in the format that its name tells; the run folder has them anyway.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    play: GameFlags,
    #[command(flatten)]
    work: WorkFlags,
}

/// The settings of self-play, as the folder of the run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    contest: Contest,
    variety: Variety,
    output: Option<PathBuf>,
}

impl Plan {
    fn new(args: &SelfplayArgs) -> Result<Self> {
        let warm = args.temperature;
        ensure!(warm >= 0.0 && warm.is_finite(), "--temperature is {warm}, expected 0 or more");
        if let Some(path) = &args.output {
            flags::games_format(path)?;
        }
        let conditions = Conditions::new(&args.play)?;
        let variety = Variety {
            seed: conditions.seed,
            random_plies: args.random_plies,
            temperature: warm,
            temperature_plies: args.temperature_plies,
        };
        let contest = Contest { engines: vec![args.engine.clone()], conditions, games: args.games };
        Ok(Self { contest, variety, output: args.output.clone() })
    }

    fn engine(&self) -> Result<Contestant> {
        Contestant::parse(&self.contest.engines[0], self.contest.conditions.control)
    }
}

impl folder::Plan for Plan {
    const COMMAND: &'static str = "selfplay";

    fn seed(&self) -> u64 {
        self.contest.conditions.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        self.contest.inputs()
    }

    fn check(&self) -> Result<()> {
        self.engine()?.check_own()?;
        self.contest.check()
    }
}

/// What came out so far.
#[derive(Default)]
struct Count {
    games: u64,
    moves: u64,
    results: BTreeMap<char, u64>,
    ends: BTreeMap<String, u64>,
    faults: u64,
}

impl Count {
    fn add(&mut self, line: &GameLine) {
        self.games += 1;
        self.moves += line.scores.len() as u64;
        *self.results.entry(line.result).or_default() += 1;
        let end = if line.adjudicated { "adjudication" } else { &line.reason };
        *self.ends.entry(end.to_owned()).or_default() += 1;
        self.faults += u64::from(line.fault.is_some());
    }
}

/// Plays the games, writes them and prints what came out.
pub fn run(args: &SelfplayArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let (run_folder, plan) =
        folder::open(args.work.resume.as_deref(), &args.work.out, || Plan::new(args))?;
    let count = play(&plan, &run_folder, args.work.threads())?;
    let names = [plan.engine()?.name];
    let mut written =
        games::write(&run_folder, &run_folder.file("games.tsv"), Format::Tsv, &names)?;
    if let Some(path) = &plan.output {
        written.extend(games::write(&run_folder, path, flags::games_format(path)?, &names)?);
    }
    let of = |letter: char| count.results.get(&letter).copied().unwrap_or(0);
    let report = json!({
        "folder": run_folder.path().display().to_string(),
        "files": written,
        "games": count.games,
        "moves": count.moves,
        "black_wins": of('b'),
        "white_wins": of('w'),
        "draws": of('d'),
        "ends": count.ends,
        "faults": count.faults,
        "seconds": started.elapsed().as_secs_f64(),
    });
    run_folder.write_json("result.json", &report)?;
    if args.work.json {
        output::print_json(&report)?;
    } else {
        let (games, moves) = (count.games, count.moves);
        output::print(&format!("{games} games, {moves} moves\n{}\n", written.join("\n")))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn play(plan: &Plan, run_folder: &RunFolder, threads: usize) -> Result<Count> {
    let conditions = &plan.contest.conditions;
    let openings = Openings::Given(match &conditions.openings {
        Some(path) => conditions.read_openings(path)?,
        None => vec![Game::new(Position::startpos())],
    });
    let order = (conditions.order, conditions.seed);
    let schedule = Schedule::alone(openings.count(), order, plan.contest.games);
    let engine = plan.engine()?;
    let player = || -> Box<dyn Player> { engine.varied(plan.variety) };
    let mut count = Count::default();
    let mut progress = Progress::new(plan.contest.games, "{bar:40} {pos}/{len}  {msg}  {elapsed}");
    let seating = Seating::Alone(&player);
    plan.contest.play(run_folder, threads, &seating, &schedule, &openings, &mut |line| {
        count.add(line);
        progress.update(count.games, &|| format!("{} games, {} moves", count.games, count.moves));
        ControlFlow::Continue(())
    })?;
    Ok(count)
}
