//! What is done: games, evaluations, methods, matches.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tesuji_arena::{EngineSpec, TimeControl};
use tesuji_eval::FeatureSet;
use tesuji_run::plan as folder;
use tesuji_run::{Input, Observer};
use tesuji_search::spec::{EvaluationSpec, SearchSpec};

use crate::games::{Conditions, GamesSetup, MatchPlan};
use crate::reproduce::DataFolder;
use crate::winrate::Method;

/// Where all chance comes from.
const SEED: u64 = 2006;
/// Evaluations that do not know the danger of kings, and are mended.
pub const MENDED: [&str; 2] = ["material", "phase"];
/// Evaluations that are scanned.
pub const EVALUATIONS: [&str; 9] = [
    "material",
    "phase",
    "published",
    "evolved",
    "coevolved",
    "pupil",
    "predictor",
    "extended",
    "tables",
];
/// The paper's weights by hand, −125 and 50 for a sixteenth with a pawn of 128: half the
/// difference, for the whole of progress with a pawn of 100.
pub const HAND: f64 = -(125.0 + 50.0) / 2.0 * 16.0 * 100.0 / 128.0;

/// A way to find weights; without a method they are given.
pub struct MethodOf {
    pub name: &'static str,
    pub fitting: Option<Method>,
}

/// The paper's three ways.
pub const METHODS: [MethodOf; 3] = [
    MethodOf { name: "ls", fitting: Some(Method::Ls) },
    MethodOf { name: "mlm", fitting: Some(Method::Mlm) },
    MethodOf { name: "hand", fitting: None },
];

/// Games that are looked at together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Collection {
    /// Those of professionals, of engines and of amateurs.
    All,
    Amateur,
    /// Those of professionals and of engines.
    Strong,
    Floodgate,
}

impl Collection {
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Amateur => "amateur",
            Self::Strong => "strong",
            Self::Floodgate => "floodgate",
        }
    }
}

/// How much is done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Games of each of the paper's matches.
    pub table_games: u64,
    /// Games of the matches that prove the mending.
    pub proof_games: u64,
    /// Nodes for a move in both.
    pub nodes: u64,
    /// Milliseconds for a move in matches by time; 0: none are played.
    pub move_time: u64,
    /// The features whose tenths are tried.
    pub features: String,
}

impl Sizes {
    /// Those of the page in `docs/results`.
    pub fn usual() -> Self {
        Self {
            table_games: 100,
            proof_games: 400,
            nodes: 1500,
            move_time: 20,
            features: "extended".into(),
        }
    }

    /// Sizes so small that all is done in minutes and the matches mean nothing.
    pub fn quick() -> Self {
        let features = "none".into();
        Self { table_games: 2, proof_games: 2, nodes: 50, move_time: 0, features }
    }

    /// Positions that a bin needs: where matches mean nothing, curves need not either.
    const fn min_count(&self) -> u64 {
        if self.nodes < 100 { 5 } else { 100 }
    }
}

/// Everything that decides what comes out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WinrateReproduction {
    professionals: PathBuf,
    engines: PathBuf,
    amateurs: PathBuf,
    floodgate: PathBuf,
    /// Positions that a bin needs.
    pub min_count: u64,
    /// The share of the fitted weights that is played with.
    pub factor: f64,
    /// How much is done.
    pub sizes: Sizes,
}

/// A match between two of the ways to find weights.
pub struct Matched {
    pub id: String,
    pub evaluation: String,
    pub names: [String; 2],
    pub conditions: String,
    engines: [EngineSpec; 2],
    control: TimeControl,
    games: u64,
}

impl Matched {
    pub fn title(&self) -> String {
        let [a, b] = &self.names;
        format!("{}: {a} against {b}, {}", self.evaluation, self.conditions)
    }
}

impl WinrateReproduction {
    /// The plan for the laboratory's data.
    pub fn new(data: &DataFolder, sizes: Sizes) -> Result<Self> {
        let file = |name: &str| -> Result<PathBuf> { Ok(fs::canonicalize(data.file(name)?)?) };
        Ok(Self {
            professionals: file("pro_games.tsv")?,
            engines: file("engine_games.tsv")?,
            amateurs: file("amateur_games.tsv")?,
            floodgate: file("floodgate2016.tsv.zst")?,
            min_count: sizes.min_count(),
            factor: crate::winrate::fit::PLAYED,
            sizes,
        })
    }

    /// The files of a collection.
    pub fn games(&self, collection: Collection) -> Vec<PathBuf> {
        let Self { professionals, engines, amateurs, floodgate, .. } = self;
        let files: &[&PathBuf] = match collection {
            // In the order in which the known counts were made: even and odd games follow from it.
            Collection::All => &[professionals, amateurs, engines],
            Collection::Amateur => &[amateurs],
            Collection::Strong => &[professionals, engines],
            Collection::Floodgate => &[floodgate],
        };
        files.iter().map(|&path| path.clone()).collect()
    }

    /// The features whose tenths are tried.
    pub fn features(&self) -> Result<Option<FeatureSet>> {
        match &*self.sizes.features {
            "none" => Ok(None),
            name => Ok(Some(FeatureSet::named(name)?)),
        }
    }

    /// All matches: the paper's six for each evaluation, and the mended against the plain one at
    /// length, by nodes and by time. `out` has the weights files.
    pub fn matches(&self, out: &Path) -> Vec<Matched> {
        let Sizes { table_games, proof_games, nodes, move_time, .. } = self.sizes;
        let by_nodes = TimeControl::nodes(nodes);
        let mut matches = Vec::new();
        for evaluation in MENDED {
            let mut add = |names: [&str; 2], control: TimeControl, games: u64| {
                let engine = |name: &str| {
                    let evaluation = match name {
                        "none" => EvaluationSpec::named(evaluation),
                        name => {
                            let path = out.join(format!("{evaluation}-{name}.toml"));
                            EvaluationSpec::File(path.display().to_string())
                        }
                    };
                    let search =
                        SearchSpec { evaluation: Some(evaluation), ..SearchSpec::default() };
                    EngineSpec::own(search).named(name)
                };
                matches.push(Matched {
                    id: format!("{evaluation}-{}-{}-{games}-{control}", names[0], names[1])
                        .replace(' ', "-"),
                    evaluation: evaluation.to_owned(),
                    names: names.map(str::to_owned),
                    conditions: format!("{games} games, {control}"),
                    engines: names.map(engine),
                    control,
                    games,
                });
            };
            let ways = ["none", "ls", "mlm", "hand"];
            for (i, a) in ways.into_iter().enumerate() {
                for b in &ways[i + 1..] {
                    add([b, a], by_nodes, table_games);
                }
            }
            add(["mlm", "none"], by_nodes, proof_games);
            if move_time > 0 {
                let by_time = TimeControl::move_time(Duration::from_millis(move_time));
                add(["mlm", "none"], by_time, proof_games);
            }
        }
        matches
    }

    /// The plan of a match, from our own openings.
    pub fn game_match(&self, matched: &Matched) -> MatchPlan {
        // Longer matches have openings of their own: those of others chose nothing for them.
        let conditions = Conditions::usual(matched.control, SEED + matched.games);
        let setup =
            GamesSetup { engines: matched.engines.to_vec(), conditions, games: matched.games };
        MatchPlan { setup, sprt: None, games_file: None }
    }
}

impl folder::Plan for WinrateReproduction {
    const COMMAND: &'static str = "reproduce-winrate";

    fn seed(&self) -> u64 {
        SEED
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let files = [&self.professionals, &self.engines, &self.amateurs, &self.floodgate];
        files.map(|path| folder::input(path)).into_iter().collect()
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        Ok(())
    }
}
