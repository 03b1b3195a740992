//! A tournament: several engines against each other.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_arena::schedule::PairingSystem;
use tesuji_arena::{GameLine, Schedule};
use tesuji_math::ratings::{HeadToHead, Rating, ratings};
use tesuji_math::stats::Tally;
use tesuji_run::{Context, Input, Observer, Plan, RunFolder};

use super::{Faults, GamesSetup, text};

/// The settings of a tournament, as the folder of the run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentPlan {
    /// Who plays, and how.
    #[serde(rename = "contest")]
    pub setup: GamesSetup,
    /// Who meets whom.
    #[serde(rename = "meetings")]
    pub system: PairingSystem,
    /// Pairs of games for every two engines that meet.
    pub rounds: u64,
    /// A file for the games beside the one in the run folder.
    pub games_file: Option<PathBuf>,
}

impl Plan for TournamentPlan {
    const COMMAND: &'static str = "tournament";

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

/// Plays what is left of a tournament.
pub fn play(
    plan: &TournamentPlan,
    folder: &RunFolder,
    context: &Context<'_>,
) -> Result<TournamentStanding> {
    let setup = &plan.setup;
    let mut standing = TournamentStanding { names: setup.names(), ..TournamentStanding::default() };
    let openings = setup.openings(plan.rounds, context.observer)?;
    let order = (setup.conditions.order, setup.conditions.seed);
    let count = standing.names.len();
    let schedule = Schedule::new(count, plan.system, openings.count(), order, setup.games);
    let mut progress = context.observer.begin(setup.games, "games");
    setup.play(folder, context, &schedule, (openings, None), &mut |line, is_new| {
        standing.add(line);
        if let (Some((engine, _)), Some(fault)) = (line.at_fault(), &line.fault) {
            progress.note(&format!("game {}: {}: {fault}", line.game, standing.names[engine - 1]));
        }
        if is_new {
            let leader = standing.leader();
            progress.note(&text::game_line(line, setup.games, &standing.names, &leader));
        }
        progress.update(line.game, &|| standing.leader());
        ControlFlow::Continue(())
    })?;
    Ok(standing)
}

/// How a tournament stands.
#[derive(Default)]
pub struct TournamentStanding {
    /// The names of the engines.
    pub names: Vec<String>,
    /// The results of the engine with the lower number, for every two that met.
    pub pairings: BTreeMap<(usize, usize), Tally>,
    /// What engines did wrong.
    pub faults: Faults,
}

impl TournamentStanding {
    fn add(&mut self, line: &GameLine) {
        let (first, second) = (line.black.min(line.white), line.black.max(line.white));
        let tally = self.pairings.entry((first - 1, second - 1)).or_default();
        tally.add(line.half_points(first).unwrap_or(1));
        self.faults.add(line);
    }

    pub(super) fn ratings(&self) -> Option<Vec<Rating>> {
        let results: Vec<HeadToHead> = self
            .pairings
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
    pub(super) fn points(&self, engine: usize, opponent: Option<usize>) -> (f64, u64) {
        let mut sum = (0.0, 0);
        for (&(first, second), tally) in &self.pairings {
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
    pub(super) fn order(&self) -> Vec<usize> {
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
    pub fn table(&self) -> String {
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

    /// The standing as JSON. Where the games are and how long it took is left to the caller.
    pub fn report(&self, plan: &TournamentPlan) -> Value {
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
            "control": plan.setup.conditions.control.to_string(),
            "games": self.pairings.values().map(Tally::games).sum::<u64>(),
            "engines": self.order().into_iter().map(engine).collect::<Vec<_>>(),
            "meetings": self.pairings.iter().map(meeting).collect::<Vec<_>>(),
            "faults": self.faults.count(),
            "faults_by_kind": self.faults.by_kind(),
        })
    }
}
