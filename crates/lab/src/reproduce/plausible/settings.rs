//! What is done: games, cuts, engines, problems, matches, and the paper's numbers.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tesuji_arena::{EngineSpec, TimeControl};
use tesuji_eval::plausible::Cut;
use tesuji_report::number;
use tesuji_run::plan as folder;
use tesuji_run::{Input, Observer};
use tesuji_search::Limits;

use crate::games::{Conditions, GamesSetup, MatchPlan};
use crate::reproduce::DataFolder;

/// Where all chance comes from.
pub const SEED: u64 = 2000;
/// Decides which games `train` holds out, as in `train` itself: the fitted merits know the others.
pub const HELD_OUT_SEED: u64 = 1;
/// Numbers of best moves that are kept.
pub const BEST: [usize; 6] = [10, 15, 20, 25, 30, 40];
/// Shares of probability that are kept, where scores are logarithms of odds.
pub const MASSES: [f64; 3] = [0.95, 0.98, 0.99];

/// How much is done. What has no games, no nodes or no time is left out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// At most so many of the games that training holds out; all if not given.
    pub held_out: Option<usize>,
    /// Games as the paper has them.
    pub paper_games: usize,
    /// Boards of moves that were missed.
    pub boards: usize,
    /// At most so many problems, spread over the file; all if not given.
    pub problems: Option<usize>,
    /// Nodes for a problem.
    pub problem_nodes: u64,
    /// Milliseconds for a problem.
    pub problem_time: u64,
    /// Games of each of the paper's matches, by nodes; the others have a third.
    pub games: u64,
    /// Nodes for a move.
    pub nodes: u64,
    /// Games of the match by time.
    pub timed_games: u64,
    /// Milliseconds for a move.
    pub move_time: u64,
}

impl Sizes {
    /// Quick or usual ones.
    pub fn new(quick: bool) -> Self {
        if quick { Self::quick() } else { Self::usual() }
    }

    /// Those of the page in `docs/results`.
    pub fn usual() -> Self {
        Self {
            held_out: None,
            paper_games: 100,
            boards: 12,
            problems: None,
            problem_nodes: 20_000,
            problem_time: 100,
            games: 300,
            nodes: 20_000,
            timed_games: 100,
            move_time: 50,
        }
    }

    /// Sizes so small that all is done in a minute or two and the numbers mean nothing.
    pub fn quick() -> Self {
        Self {
            held_out: Some(3),
            paper_games: 2,
            boards: 2,
            problems: Some(6),
            problem_nodes: 500,
            problem_time: 50,
            games: 4,
            nodes: 50,
            timed_games: 0,
            move_time: 0,
        }
    }
}

/// A version of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Version {
    /// What the tables call it.
    pub name: &'static str,
    /// What it is, in words.
    pub words: &'static str,
    /// The engine as text, after `tesuji:`.
    settings: &'static str,
}

impl Version {
    const fn new(name: &'static str, words: &'static str, settings: &'static str) -> Self {
        Self { name, words, settings }
    }

    /// The engine as text.
    pub fn text(&self) -> String {
        format!("tesuji:{}", self.settings)
    }

    /// The engine.
    pub fn engine(&self) -> Result<EngineSpec> {
        Ok(self.text().parse::<EngineSpec>()?.named(self.name))
    }

    /// The name in the names of files.
    pub fn id(&self) -> String {
        self.name.to_lowercase().replace(' ', "-")
    }
}

pub const FULL: Version =
    Version::new("full width", "the plain search of 2000", "preset=full-width-2000");
// Without an analysis of merit there is no order by it.
pub const ALL: Version = Version::new(
    "all",
    "all generated moves",
    "preset=full-width-2000,plausible=1,plausible_order=0",
);
pub const MERIT: Version = Version::new(
    "merit",
    "those with a merit of 0 or more, in its order",
    "preset=full-width-2000,plausible=2",
);
const HAND: Version = Version::new(
    "merit by hand",
    "the same with the merits set by hand",
    "preset=full-width-2000,plausible=2,plausible_merits=0",
);
const NO_HIERARCHY: Version = Version::new(
    "no hierarchy",
    "merit, and all generators are asked everywhere",
    "preset=full-width-2000,plausible=2,plausible_hierarchy=0",
);
pub const BEST_30: Version = Version::new(
    "best 30",
    "the 30 of the greatest merit",
    "preset=full-width-2000,plausible=3,plausible_best=30",
);
pub const BEST_20: Version = Version::new(
    "best 20",
    "the 20 of the greatest merit",
    "preset=full-width-2000,plausible=3,plausible_best=20",
);
const MODERN: Version = Version::new("modern", "the search as it is usual", "preset=default");
const ORDER: Version = Version::new(
    "order",
    "merit in the order of moves, from three plies on",
    "preset=default,plausible=5,plausible_depth=3",
);
const CUT: Version = Version::new(
    "cut",
    "only moves with a merit of 0 or more, from three plies on",
    "preset=default,plausible=2,plausible_order=0,plausible_depth=3",
);
const REDUCTION: Version = Version::new(
    "reduction",
    "merit in reductions, from three plies on",
    "preset=default,plausible=5,plausible_order=0,plausible_reduction=30,plausible_even=200,\
     plausible_depth=3",
);

/// The paper's three versions and those of the later paper.
pub const OLD: [Version; 7] = [FULL, ALL, MERIT, HAND, NO_HIERARCHY, BEST_30, BEST_20];
/// The search of today, as it is and with plausible moves.
pub const NEW: [Version; 4] = [MODERN, ORDER, CUT, REDUCTION];

/// A match of two versions, and the paper's games won and lost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pairing {
    pub versions: [Version; 2],
    pub paper: Option<[u64; 2]>,
}

const fn pairing(one: Version, other: Version, paper: Option<[u64; 2]>) -> Pairing {
    Pairing { versions: [one, other], paper }
}

/// Matches by nodes: the paper's three, the later paper's, and those of the modern search.
pub const BY_NODES: [Pairing; 8] = [
    pairing(MERIT, FULL, Some([20, 0])),
    pairing(ALL, FULL, Some([16, 4])),
    pairing(MERIT, ALL, Some([15, 5])),
    pairing(BEST_30, MERIT, None),
    pairing(BEST_20, MERIT, None),
    pairing(ORDER, MODERN, None),
    pairing(CUT, MODERN, None),
    pairing(REDUCTION, MODERN, None),
];
/// The match by time.
pub const BY_TIME: [Pairing; 1] = [pairing(MERIT, FULL, Some([20, 0]))];

impl Pairing {
    /// `merit – full width`.
    pub fn name(&self) -> String {
        self.versions.map(|version| version.name).join(" – ")
    }
}

/// How a problem or a move is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    Nodes(u64),
    /// Milliseconds.
    Time(u64),
}

impl By {
    /// `nodes` or `time`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nodes(_) => "nodes",
            Self::Time(_) => "time",
        }
    }

    /// `20,000 nodes`, or a time.
    pub fn words(self) -> String {
        match self {
            Self::Nodes(nodes) => format!("{} nodes", number::count(nodes)),
            Self::Time(ms) => number::duration(ms as f64 / 1000.0),
        }
    }

    /// Is there anything to search with?
    pub const fn is_some(self) -> bool {
        matches!(self, Self::Nodes(1..) | Self::Time(1..))
    }

    /// For a problem.
    pub fn limits(self) -> Limits {
        match self {
            Self::Nodes(nodes) => Limits::nodes(nodes),
            Self::Time(ms) => Limits::time(Duration::from_millis(ms)),
        }
    }

    /// For the moves of a game.
    pub fn control(self) -> TimeControl {
        match self {
            Self::Nodes(nodes) => TimeControl::nodes(nodes),
            Self::Time(ms) => TimeControl::move_time(Duration::from_millis(ms)),
        }
    }

    /// The flag of `tesuji test-suite`; that of nodes is one of `tesuji match` as well.
    pub fn flag(self) -> String {
        match self {
            Self::Nodes(nodes) => format!("--nodes {nodes}"),
            Self::Time(ms) => format!("--ms {ms}"),
        }
    }
}

/// A row of table 1.
pub struct Generated {
    pub cut: Cut,
    pub missed: u64,
    pub accuracy: &'static str,
    pub saved: &'static str,
}

/// Table 1 of the paper, of 12,097 positions.
pub const TABLE_1: [Generated; 2] = [
    Generated { cut: Cut::All, missed: 81, accuracy: "99.4 %", saved: "23.7 %" },
    Generated { cut: Cut::Merit, missed: 144, accuracy: "98.9 %", saved: "46.5 %" },
];
/// Its positions.
pub const PAPER_POSITIONS: u64 = 12_097;
/// Section 3.2: the expert's move is the first by merit, among the first 5, among the first 10.
pub const PAPER_RANKS: [&str; 3] = ["17.3 %", "49.6 %", "66.9 %"];
/// Table 2 of the paper: problems of each grade, and those that full width, all and merit solve.
pub const TABLE_2: [[usize; 4]; 6] = [
    [50, 17, 21, 22],
    [50, 9, 8, 13],
    [50, 10, 10, 11],
    [50, 9, 7, 8],
    [50, 5, 4, 4],
    [48, 4, 5, 6],
];

/// Everything that decides what comes out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlausibleReproduction {
    /// Games of professionals.
    pub professionals: PathBuf,
    /// Problems.
    pub problems: PathBuf,
    /// How much is done.
    pub sizes: Sizes,
}

impl PlausibleReproduction {
    /// The plan for the laboratory's data.
    pub fn new(data: &DataFolder, sizes: Sizes) -> Result<Self> {
        let file = |name: &str| -> Result<PathBuf> { Ok(fs::canonicalize(data.file(name)?)?) };
        let (professionals, problems) = (file("pro_games.tsv")?, file("tactical.tsv")?);
        Ok(Self { professionals, problems, sizes })
    }

    /// The limits of problems that are worked with: nodes, time.
    pub fn problem_limits(&self) -> impl Iterator<Item = By> {
        let Sizes { problem_nodes, problem_time, .. } = self.sizes;
        [By::Nodes(problem_nodes), By::Time(problem_time)].into_iter().filter(|by| by.is_some())
    }

    /// The matches that are played, in their order, each with its limit and its games.
    pub fn matches(&self) -> impl Iterator<Item = (Pairing, By, u64)> {
        let Sizes { games, nodes, timed_games, move_time, .. } = self.sizes;
        let by_nodes = BY_NODES.into_iter().map(move |one| {
            let games = if one.paper.is_some() { games } else { games.div_ceil(6) * 2 };
            (one, By::Nodes(nodes), games)
        });
        let by_time = BY_TIME.into_iter().map(move |one| (one, By::Time(move_time), timed_games));
        by_nodes.chain(by_time).filter(|(_, by, games)| by.is_some() && *games > 0)
    }

    /// The plan of a match. All matches begin with the same openings.
    pub fn game_match(&self, pairing: &Pairing, by: By, games: u64) -> Result<MatchPlan> {
        let [one, other] = pairing.versions;
        let engines = vec![one.engine()?, other.engine()?];
        let conditions = Conditions::usual(by.control(), SEED);
        let setup = GamesSetup { engines, conditions, games };
        Ok(MatchPlan { setup, sprt: None, games_file: None })
    }
}

impl folder::Plan for PlausibleReproduction {
    const COMMAND: &'static str = "reproduce-plausible";

    fn seed(&self) -> u64 {
        SEED
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        [&self.professionals, &self.problems].map(|path| folder::input(path)).into_iter().collect()
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        Ok(())
    }
}
