//! `tesuji selfplay`: games of the engine against itself.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tesuji_run::Observer;

use anyhow::{Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tesuji_arena::openings::Openings;
use tesuji_arena::player::Variety;
use tesuji_arena::{EngineSpec, GameLine, Player, Schedule};
use tesuji_records::Format;
use tesuji_shogi::{Game, Position};

use super::arena::contest::{Contest, Seating};
use super::arena::faults::Faults;
use super::arena::flags::{self, Conditions, ENGINES_HELP, GameFlags, WorkFlags};
use super::arena::run::{GamesPlan, Run};
use crate::progress::Progress;
use tesuji_run::{Input, plan};

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
        let conditions = Conditions::new(&args.play)?;
        let variety = Variety {
            seed: conditions.seed,
            random_plies: args.random_plies,
            temperature: warm,
            temperature_plies: args.temperature_plies,
        };
        let engine = flags::engine(&args.engine)?;
        engine.check_own()?;
        let contest = Contest { engines: vec![engine], conditions, games: args.games };
        Ok(Self { contest, variety, output: args.output.clone() })
    }

    fn engine(&self) -> &EngineSpec {
        &self.contest.engines[0]
    }
}

impl plan::Plan for Plan {
    const COMMAND: &'static str = "selfplay";

    fn seed(&self) -> u64 {
        self.contest.conditions.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        self.contest.inputs()
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        self.contest.check()
    }
}

impl GamesPlan for Plan {
    fn contest(&self) -> &Contest {
        &self.contest
    }

    fn games_file(&self) -> Option<&Path> {
        self.output.as_deref()
    }
}

/// What came out so far.
#[derive(Default)]
struct Count {
    games: u64,
    moves: u64,
    results: BTreeMap<char, u64>,
    ends: BTreeMap<String, u64>,
    faults: Faults,
}

impl Count {
    fn add(&mut self, line: &GameLine) {
        self.games += 1;
        self.moves += line.scores.len() as u64;
        *self.results.entry(line.result).or_default() += 1;
        let end = if line.adjudicated { "adjudication" } else { &line.reason };
        *self.ends.entry(end.to_owned()).or_default() += 1;
        self.faults.add(line);
    }
}

/// Plays the games, writes them and prints what came out.
pub fn run(args: &SelfplayArgs) -> Result<ExitCode> {
    let run = Run::open(&args.work, args.output.as_deref(), || Plan::new(args))?;
    let count = play(&run)?;
    let files = run.write_games(Format::Tsv, &run.plan.contest.names())?;
    let of = |letter: char| count.results.get(&letter).copied().unwrap_or(0);
    let report = json!({
        "folder": run.name(),
        "files": files,
        "games": count.games,
        "moves": count.moves,
        "black_wins": of('b'),
        "white_wins": of('w'),
        "draws": of('d'),
        "ends": count.ends,
        "faults": count.faults.count(),
        "faults_by_kind": count.faults.by_kind(),
        "seconds": run.seconds(),
    });
    run.finish(&report, &files, || format!("{} games, {} moves\n", count.games, count.moves))
}

fn play(run: &Run<Plan>) -> Result<Count> {
    let plan = &run.plan;
    let conditions = &plan.contest.conditions;
    let openings = Openings::Given(match &conditions.openings {
        Some(path) => conditions.read_openings(path)?,
        None => vec![Game::new(Position::startpos())],
    });
    let order = (conditions.order, conditions.seed);
    let schedule = Schedule::alone(openings.count(), order, plan.contest.games);
    let engine = plan.engine().load(conditions.control)?;
    let player = || -> Box<dyn Player> { engine.varied(plan.variety) };
    let mut count = Count::default();
    let mut progress = Progress::new(plan.contest.games, "{bar:40} {pos}/{len}  {msg}  {elapsed}");
    let seating = Seating::Alone(&player);
    plan.contest.play(&run.folder, run.threads, &seating, &schedule, &openings, &mut |line| {
        count.add(line);
        progress.update(count.games, &|| format!("{} games, {} moves", count.games, count.moves));
        ControlFlow::Continue(())
    })?;
    Ok(count)
}
