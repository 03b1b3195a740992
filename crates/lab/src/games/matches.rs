//! A match: two engines against each other.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_arena::schedule::PairingSystem;
use tesuji_arena::{GameLine, Schedule};
use tesuji_math::stats::{Sprt, SprtState, Tally};
use tesuji_run::{Context, Input, Observer, Plan, RunFolder};

use super::{Faults, GamesSetup, text};

/// The settings of a match, as the folder of the run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchPlan {
    /// Who plays, and how.
    #[serde(rename = "contest")]
    pub setup: GamesSetup,
    /// A test that ends the match as soon as it has decided.
    pub sprt: Option<Sprt>,
    /// A file for the games beside the one in the run folder.
    pub games_file: Option<PathBuf>,
}

impl Plan for MatchPlan {
    const COMMAND: &'static str = "match";

    fn seed(&self) -> u64 {
        self.setup.conditions.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        self.setup.inputs()
    }

    fn check(&self, observer: &dyn Observer) -> Result<()> {
        self.setup.check(observer)
    }
}

/// How a match stands.
#[derive(Default)]
pub struct MatchStanding {
    /// The results of the first engine.
    pub tally: Tally,
    /// What engines did wrong.
    pub faults: Faults,
    /// How games ended.
    pub ends: BTreeMap<String, u64>,
    /// The share of points of the first engine after each game.
    pub course: Vec<f64>,
    /// Hashes of the games that differ: who was Black, and the moves.
    different: HashSet<u64>,
}

/// Plays what is left of a match.
pub fn play(plan: &MatchPlan, folder: &RunFolder, context: &Context<'_>) -> Result<MatchStanding> {
    let setup = &plan.setup;
    let names = &setup.names();
    let openings = setup.openings(setup.games.div_ceil(2), context.observer)?;
    let order = (setup.conditions.order, setup.conditions.seed);
    let schedule =
        Schedule::new(2, PairingSystem::RoundRobin, openings.count(), order, setup.games);
    let mut standing = MatchStanding::default();
    let mut progress = context.observer.begin(setup.games, "games");
    setup.play(folder, context, &schedule, (openings, None), &mut |line, is_new| {
        standing.add(line);
        if let (Some((engine, _)), Some(fault)) = (line.at_fault(), &line.fault) {
            progress.note(&format!("game {}: {}: {fault}", line.game, names[engine - 1]));
        }
        let Tally { wins, draws, losses, .. } = standing.tally;
        if is_new {
            let so_far = format!("+{wins} ={draws} -{losses}");
            progress.note(&text::game_line(line, setup.games, names, &so_far));
        }
        let done = standing.tally.games();
        progress.update_table(done, &|| standing.line(plan, &names[0]), &|| {
            standing.table(plan, names)
        });
        standing.flow(plan)
    })?;
    Ok(standing)
}

impl MatchStanding {
    fn add(&mut self, line: &GameLine) {
        self.tally.add(line.half_points(1).unwrap_or(1));
        self.course.push(self.tally.points() / self.tally.games() as f64);
        self.faults.add(line);
        *self.ends.entry(line.end().to_owned()).or_default() += 1;
        let mut hasher = DefaultHasher::new();
        (line.black, &line.position).hash(&mut hasher);
        self.different.insert(hasher.finish());
    }

    /// How many of the games differ. Engines without chance and without a clock repeat a game, and
    /// the errors of the score count it twice.
    pub fn different(&self) -> u64 {
        self.different.len() as u64
    }

    /// The match is over when the test has decided.
    fn flow(&self, plan: &MatchPlan) -> ControlFlow<()> {
        let decided = |sprt: Sprt| sprt.state(&self.tally.pairs) != SprtState::Undecided;
        if plan.sprt.is_some_and(decided) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// The standing in one line.
    fn line(&self, plan: &MatchPlan, name: &str) -> String {
        let Tally { wins, draws, losses, .. } = self.tally;
        let estimate = self.tally.estimate();
        let superiority = estimate.map_or(0.5, |estimate| estimate.superiority);
        let test = plan.sprt.map(|sprt| format!("  {}", self.sprt_text(&sprt)));
        format!(
            "{name}: +{wins} ={draws} -{losses}  Elo {}  nElo {}  LOS {:.1} %{}",
            text::elo(estimate.as_ref()),
            text::normalised_elo(estimate.as_ref()),
            100.0 * superiority,
            test.unwrap_or_default()
        )
    }

    pub(super) fn sprt_text(&self, sprt: &Sprt) -> String {
        let (low, high) = sprt.bounds();
        let ratio = sprt.ratio(&self.tally.pairs);
        let state = sprt.state(&self.tally.pairs).name();
        format!("LLR {ratio:.2} ({low:.2}, {high:.2}) {state}")
    }

    /// The standing as a table of both engines, and what it means.
    pub fn table(&self, plan: &MatchPlan, names: &[String]) -> String {
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
            "Elo {}   nElo {}   LOS {:.1} %   pairs {pairs:?}\n",
            text::elo(estimate.as_ref()),
            text::normalised_elo(estimate.as_ref()),
            100.0 * superiority
        );
        if let Some(sprt) = &plan.sprt {
            lines += &format!("SPRT {} to {}: {}\n", sprt.elo0, sprt.elo1, self.sprt_text(sprt));
        }
        let ends = self.ends.iter().map(|(end, count)| format!("{end} {count}"));
        lines += &format!("ends: {}\n", ends.collect::<Vec<_>>().join(", "));
        if self.different() < games {
            lines += &format!(
                "only {} of the games differ: the errors are greater than they are said to be\n",
                self.different()
            );
        }
        lines
    }
}

/// The standing as JSON. Where the games are and how long it took is left to the caller.
pub fn report(plan: &MatchPlan, standing: &MatchStanding, names: &[String]) -> Value {
    let mut report = json!({
        "engines": names,
        "control": plan.setup.conditions.control.to_string(),
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
        "different_games": standing.different(),
    });
    if let Value::Object(fields) = &mut report {
        for part in [text::tally_json(&standing.tally), more] {
            fields.extend(part.as_object().cloned().unwrap_or_default());
        }
    }
    report
}
