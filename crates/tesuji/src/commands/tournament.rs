//! `tesuji tournament`: several engines against each other.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tesuji_run::Observer;

use anyhow::{Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_arena::schedule::PairingSystem;
use tesuji_arena::{EngineSpec, GameLine, Schedule};
use tesuji_math::ratings::{HeadToHead, Rating, ratings};
use tesuji_math::stats::Tally;
use tesuji_records::Format;

use super::arena::contest::{Contest, Seating};
use super::arena::faults::Faults;
use super::arena::flags::{self, Conditions, ENGINES_HELP, GameFlags, WorkFlags};
use super::arena::run::{GamesPlan, Run};
use super::arena::text;
use crate::progress::Progress;
use tesuji_run::{Input, plan};

/// Play a tournament between several engines.
///
/// Everybody meets everybody, or the first meets all others. A round has two games for every meeting,
/// from the same opening with colours swapped.
#[derive(Args, Debug)]
#[command(after_help = format!("{ENGINES_HELP}

Ratings are the likeliest by the model of Bradley and Terry, with 95 % intervals; their mean is zero.
One drawn game is added to every meeting, so that an engine that lost all games has a rating.

Examples:
  tesuji tournament tesuji tesuji:eval=material tesuji:preset=full-width-2000 --rounds 10 --nodes 2000
  tesuji tournament tesuji cmd:engine1 cmd:engine2 --gauntlet --rounds 50 --st 0.2
  tesuji tournament --resume runs/20261115T120000Z-tournament-3f9a2c"))]
pub struct TournamentArgs {
    /// The engines: two or more.
    #[arg(value_name = "ENGINE", conflicts_with = "resume")]
    engines: Vec<String>,
    /// An engine, in place of a plain argument.
    #[arg(long = "engine", value_name = "ENGINE", conflicts_with = "resume")]
    more: Vec<String>,
    /// Rounds: pairs of games for each meeting.
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    rounds: u64,
    /// The first engine meets all others, which do not meet each other.
    #[arg(long)]
    gauntlet: bool,
    /// Writes the games into a file, in the format that its name tells: .csa, .kif, .usi, .tsv.
    #[arg(long, value_name = "FILE")]
    games_file: Option<PathBuf>,
    #[command(flatten)]
    play: GameFlags,
    #[command(flatten)]
    work: WorkFlags,
}

/// The settings of a tournament, as the folder of the run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    contest: Contest,
    #[serde(rename = "meetings")]
    system: PairingSystem,
    rounds: u64,
    games_file: Option<PathBuf>,
}

impl Plan {
    fn new(args: &TournamentArgs) -> Result<Self> {
        let given = args.engines.iter().chain(&args.more);
        let engines: Vec<EngineSpec> =
            given.map(|text| flags::engine(text)).collect::<Result<_>>()?;
        let count = engines.len() as u64;
        ensure!(count >= 2, "expected two or more engines, found {count} (see --help)");
        let (system, pairs) = match args.gauntlet {
            true => (PairingSystem::Gauntlet, count - 1),
            false => (PairingSystem::RoundRobin, count * (count - 1) / 2),
        };
        let games = args.rounds.saturating_mul(2 * pairs);
        let conditions = Conditions::new(&args.play)?;
        let contest = Contest { engines, conditions, games };
        let (rounds, games_file) = (args.rounds, args.games_file.clone());
        Ok(Self { contest, system, rounds, games_file })
    }
}

impl plan::Plan for Plan {
    const COMMAND: &'static str = "tournament";

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
        self.games_file.as_deref()
    }
}

/// Plays the tournament, writes the folder and prints what came out.
pub fn run(args: &TournamentArgs) -> Result<ExitCode> {
    let run = Run::open(&args.work, args.games_file.as_deref(), || Plan::new(args))?;
    let standing = play(&run)?;
    let files = run.write_games(Format::Csa, &standing.names)?;
    run.finish(&standing.report(&run), &files, || standing.table())
}

fn play(run: &Run<Plan>) -> Result<Standing> {
    let plan = &run.plan;
    let contest = &plan.contest;
    let mut standing = Standing { names: contest.names(), ..Standing::default() };
    let openings = contest.openings(plan.rounds)?;
    let order = (contest.conditions.order, contest.conditions.seed);
    let count = standing.names.len();
    let schedule = Schedule::new(count, plan.system, openings.count(), order, contest.games);
    let mut progress = Progress::new(contest.games, "{bar:40} {pos}/{len}  {msg}  {elapsed}");
    contest.play(&run.folder, run.threads, &Seating::Two, &schedule, &openings, &mut |line| {
        standing.add(line);
        if let (Some((engine, _)), Some(fault)) = (line.at_fault(), &line.fault) {
            progress.note(&format!("game {}: {}: {fault}", line.game, standing.names[engine - 1]));
        }
        progress.update(line.game, &|| standing.leader());
        ControlFlow::Continue(())
    })?;
    Ok(standing)
}

/// How a tournament stands.
#[derive(Default)]
struct Standing {
    names: Vec<String>,
    /// The results of the engine with the lower number, for every two that met.
    meetings: BTreeMap<(usize, usize), Tally>,
    faults: Faults,
}

impl Standing {
    fn add(&mut self, line: &GameLine) {
        let (first, second) = (line.black.min(line.white), line.black.max(line.white));
        let tally = self.meetings.entry((first - 1, second - 1)).or_default();
        tally.add(line.half_points(first).unwrap_or(1));
        self.faults.add(line);
    }

    fn ratings(&self) -> Option<Vec<Rating>> {
        let results: Vec<HeadToHead> = self
            .meetings
            .iter()
            .map(|(&(first, second), tally)| HeadToHead {
                players: [first, second],
                points: tally.points(),
                games: tally.games() as f64,
            })
            .collect();
        ratings(self.names.len(), &results, 1.0)
    }

    /// Points and games of an engine, against one opponent or against all.
    fn points(&self, engine: usize, opponent: Option<usize>) -> (f64, u64) {
        let mut sum = (0.0, 0);
        for (&(first, second), tally) in &self.meetings {
            let other = match engine {
                n if n == first => second,
                n if n == second => first,
                _ => continue,
            };
            if opponent.is_none_or(|opponent| opponent == other) {
                let games = tally.games();
                let points = tally.points();
                sum.0 += if engine == first { points } else { games as f64 - points };
                sum.1 += games;
            }
        }
        sum
    }

    /// Engines by points, the best share first.
    fn order(&self) -> Vec<usize> {
        let share = |engine: usize| {
            let (points, games) = self.points(engine, None);
            points / games.max(1) as f64
        };
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        order
    }

    fn leader(&self) -> String {
        let best = self.order().first().copied().unwrap_or(0);
        let (points, games) = self.points(best, None);
        format!("{} leads with {points} of {games}", self.names[best])
    }

    /// The cross table: ratings, points, and points against each opponent.
    fn table(&self) -> String {
        let order = self.order();
        let rated = self.ratings();
        let mut head: Vec<String> =
            ["engine", "Elo", "±", "points", "games", "faults"].map(str::to_owned).to_vec();
        head.extend((1..=order.len()).map(|place| place.to_string()));
        let mut rows = vec![head];
        for (place, &engine) in (1..).zip(&order) {
            let (points, games) = self.points(engine, None);
            let rating = rated.as_ref().map(|rated| rated[engine]);
            let mut row = vec![
                format!("{place} {}", self.names[engine]),
                rating.map_or("–".to_owned(), |rating| format!("{:+.0}", rating.elo)),
                rating.map_or("–".to_owned(), |rating| format!("{:.0}", rating.error)),
                points.to_string(),
                games.to_string(),
                self.faults.count_of(engine + 1).to_string(),
            ];
            row.extend(order.iter().map(|&opponent| match self.points(engine, Some(opponent)) {
                (_, 0) => "·".to_owned(),
                (points, games) => format!("{points}/{games}"),
            }));
            rows.push(row);
        }
        text::aligned(&rows)
    }

    fn report(&self, run: &Run<Plan>) -> Value {
        let rated = self.ratings();
        let engine = |engine: usize| {
            let (points, games) = self.points(engine, None);
            let rating = rated.as_ref().map(|rated| rated[engine]);
            json!({
                "name": self.names[engine],
                "points": points,
                "games": games,
                "elo": rating.map(|rating| rating.elo),
                "elo_error": rating.map(|rating| rating.error),
                "faults": self.faults.count_of(engine + 1),
                "faults_by_kind": self.faults.by_kind_of(engine + 1),
            })
        };
        let meeting = |(&(first, second), tally): (&(usize, usize), &Tally)| {
            let mut meeting = json!({ "first": self.names[first], "second": self.names[second] });
            if let (Value::Object(fields), Value::Object(results)) =
                (&mut meeting, text::tally_json(tally))
            {
                fields.extend(results);
            }
            meeting
        };
        json!({
            "folder": run.name(),
            "control": run.plan.contest.conditions.control.to_string(),
            "games": self.meetings.values().map(Tally::games).sum::<u64>(),
            "engines": self.order().into_iter().map(engine).collect::<Vec<_>>(),
            "meetings": self.meetings.iter().map(meeting).collect::<Vec<_>>(),
            "faults": self.faults.count(),
            "faults_by_kind": self.faults.by_kind(),
            "seconds": run.seconds(),
        })
    }
}
