//! `tesuji match`: two engines against each other.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
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
use tesuji_math::stats::{Sprt, SprtState, Tally};
use tesuji_records::Format;
use tesuji_run::RunFolder;

use super::arena::contest::{Contest, Seating};
use super::arena::faults::Faults;
use super::arena::flags::{self, Conditions, ENGINES_HELP, GameFlags, WorkFlags};
use super::arena::run::{GamesPlan, Run};
use super::arena::text;
use crate::progress::Progress;
use tesuji_run::{Input, plan};

/// Play a match between two engines.
///
/// Openings are played twice, with colours swapped. A crash, an illegal move, overtime, silence or a
/// flood of output loses the game; the match goes on with a new engine. The run leaves a folder with a
/// journal of all games; one that was stopped, however, goes on with --resume.
#[derive(Args, Debug)]
#[command(after_help = format!("{ENGINES_HELP}

Results are those of the first engine. The pentanomial counts pairs of games by their points: 0, ½, 1,
1½, 2. Elo and its 95 % error, and the likelihood of superiority (LOS), are computed from pairs.

Examples:
  tesuji match tesuji tesuji:eval=material --games 20 --nodes 1000
  tesuji match tesuji cmd:fairy-stockfish,option.UCI_Variant=shogi --games 200 --st 0.2
  tesuji match tesuji tesuji:null_move=0 --tc 10+0.1 --sprt elo0=0 elo1=10 --games 20000
  tesuji match --resume runs/20261115T120000Z-match-3f9a2c"))]
pub struct MatchArgs {
    /// The engines: two of them.
    #[arg(value_name = "ENGINE", conflicts_with = "resume")]
    engines: Vec<String>,
    /// An engine, in place of a plain argument.
    #[arg(long = "engine", value_name = "ENGINE", conflicts_with = "resume")]
    more: Vec<String>,
    /// Games, at most.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Pairs of games, in place of --games.
    #[arg(long, value_name = "N", conflicts_with = "games",
          value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    rounds: Option<u64>,
    /// Stops as soon as the results decide between two differences in Elo: elo0=N elo1=N alpha=P
    /// beta=P.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=4)]
    sprt: Vec<String>,
    /// Writes the games into a file, in the format that its name tells: .csa, .kif, .usi, .tsv.
    #[arg(long, value_name = "FILE")]
    games_file: Option<PathBuf>,
    #[command(flatten)]
    play: GameFlags,
    #[command(flatten)]
    work: WorkFlags,
}

/// The settings of a match, as the folder of the run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub contest: Contest,
    pub sprt: Option<Sprt>,
    pub games_file: Option<PathBuf>,
}

impl Plan {
    fn new(args: &MatchArgs) -> Result<Self> {
        let given = args.engines.iter().chain(&args.more);
        let engines: Vec<EngineSpec> =
            given.map(|text| flags::engine(text)).collect::<Result<_>>()?;
        ensure!(engines.len() == 2, "expected two engines, found {} (see --help)", engines.len());
        let games = args.rounds.map_or(args.games, |rounds| 2 * rounds);
        Ok(Self {
            contest: Contest { engines, conditions: Conditions::new(&args.play)?, games },
            sprt: flags::sprt(&args.sprt)?,
            games_file: args.games_file.clone(),
        })
    }
}

impl plan::Plan for Plan {
    const COMMAND: &'static str = "match";

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

/// Plays the match, writes the folder and prints what came out.
pub fn run(args: &MatchArgs) -> Result<ExitCode> {
    let run = Run::open(&args.work, args.games_file.as_deref(), || Plan::new(args))?;
    let names = run.plan.contest.names();
    let standing = play(&run.plan, &run.folder, run.threads)?;
    let files = run.write_games(Format::Csa, &names)?;
    let report = report(&run, &standing, &names);
    run.finish(&report, &files, || standing.table(&run.plan, &names))
}

/// How a match stands.
#[derive(Default)]
pub struct Standing {
    /// The results of the first engine.
    pub tally: Tally,
    faults: Faults,
    /// How games ended.
    ends: BTreeMap<String, u64>,
}

/// Plays what is left of a match.
pub fn play(plan: &Plan, folder: &RunFolder, threads: usize) -> Result<Standing> {
    let contest = &plan.contest;
    let names = &contest.names();
    let openings = contest.openings(contest.games.div_ceil(2))?;
    let order = (contest.conditions.order, contest.conditions.seed);
    let schedule =
        Schedule::new(2, PairingSystem::RoundRobin, openings.count(), order, contest.games);
    let mut standing = Standing::default();
    let live = io::stderr().is_terminal();
    let mut progress = Progress::new(contest.games, "{msg}\n{bar:40} {pos}/{len}  {elapsed}");
    contest.play(folder, threads, &Seating::Two, &schedule, &openings, &mut |line| {
        standing.add(line);
        if let (Some((engine, _)), Some(fault)) = (line.at_fault(), &line.fault) {
            progress.note(&format!("game {}: {}: {fault}", line.game, names[engine - 1]));
        }
        let done = standing.tally.games();
        progress.update(done, &|| {
            if live { standing.table(plan, names) } else { standing.line(plan, &names[0]) }
        });
        standing.flow(plan)
    })?;
    Ok(standing)
}

impl Standing {
    fn add(&mut self, line: &GameLine) {
        self.tally.add(line.half_points(1).unwrap_or(1));
        self.faults.add(line);
        let end = if line.adjudicated { "adjudication" } else { &line.reason };
        *self.ends.entry(end.to_owned()).or_default() += 1;
    }

    /// The match is over when the test has decided.
    fn flow(&self, plan: &Plan) -> ControlFlow<()> {
        let decided = |sprt: Sprt| sprt.state(&self.tally.pairs) != SprtState::Undecided;
        if plan.sprt.is_some_and(decided) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// The standing in one line.
    fn line(&self, plan: &Plan, name: &str) -> String {
        let Tally { wins, draws, losses, .. } = self.tally;
        let estimate = self.tally.estimate();
        let superiority = estimate.map_or(0.5, |estimate| estimate.superiority);
        let test = plan.sprt.map(|sprt| format!("  {}", self.sprt_text(&sprt)));
        format!(
            "{name}: +{wins} ={draws} -{losses}  Elo {}  LOS {:.1} %{}",
            text::elo(estimate.as_ref()),
            100.0 * superiority,
            test.unwrap_or_default()
        )
    }

    fn sprt_text(&self, sprt: &Sprt) -> String {
        let (low, high) = sprt.bounds();
        let ratio = sprt.ratio(&self.tally.pairs);
        let state = sprt.state(&self.tally.pairs).name();
        format!("LLR {ratio:.2} ({low:.2}, {high:.2}) {state}")
    }

    /// The standing as a table of both engines, and what it means.
    fn table(&self, plan: &Plan, names: &[String]) -> String {
        let Tally { wins, draws, losses, pairs, .. } = self.tally;
        let games = self.tally.games();
        let row = |engine: usize, wins: u64, losses: u64, points: f64| {
            let percent = 100.0 * points / games.max(1) as f64;
            vec![
                names[engine].clone(),
                games.to_string(),
                wins.to_string(),
                draws.to_string(),
                losses.to_string(),
                format!("{percent:.1} %"),
                self.faults.count_of(engine + 1).to_string(),
            ]
        };
        let head = ["engine", "games", "won", "drawn", "lost", "points", "faults"];
        let points = self.tally.points();
        let rows = [
            head.map(str::to_owned).to_vec(),
            row(0, wins, losses, points),
            row(1, losses, wins, games as f64 - points),
        ];
        let mut lines = text::aligned(&rows);
        let estimate = self.tally.estimate();
        let superiority = estimate.map_or(0.5, |estimate| estimate.superiority);
        lines += &format!(
            "Elo {}   LOS {:.1} %   pairs {pairs:?}\n",
            text::elo(estimate.as_ref()),
            100.0 * superiority
        );
        if let Some(sprt) = &plan.sprt {
            lines += &format!("SPRT {} to {}: {}\n", sprt.elo0, sprt.elo1, self.sprt_text(sprt));
        }
        let ends = self.ends.iter().map(|(end, count)| format!("{end} {count}"));
        lines += &format!("ends: {}\n", ends.collect::<Vec<_>>().join(", "));
        lines
    }
}

fn report(run: &Run<Plan>, standing: &Standing, names: &[String]) -> Value {
    let plan = &run.plan;
    let mut report = json!({
        "folder": run.name(),
        "engines": names,
        "control": plan.contest.conditions.control.to_string(),
    });
    let sprt = plan.sprt.map(|sprt| {
        let (low, high) = sprt.bounds();
        json!({
            "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
            "llr": sprt.ratio(&standing.tally.pairs), "lower": low, "upper": high,
            "state": sprt.state(&standing.tally.pairs).name(),
        })
    });
    let faults = &standing.faults;
    let more = json!({
        "sprt": sprt,
        "faults": faults.count(),
        "faults_by_kind": faults.by_kind(),
        "faults_by_engine": [faults.by_kind_of(1), faults.by_kind_of(2)],
        "ends": standing.ends,
        "seconds": run.seconds(),
    });
    if let Value::Object(fields) = &mut report {
        for part in [text::tally_json(&standing.tally), more] {
            fields.extend(part.as_object().cloned().unwrap_or_default());
        }
    }
    report
}
