//! What is measured and learned, and how much of it.

use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tesuji_eval::Predictor;
use tesuji_learn::imitation::Imitation;
use tesuji_learn::logit;
use tesuji_learn::tables::{Objective, Training};
use tesuji_run::{Input, Observer};

use crate::reproduce::DataFolder;
use tesuji_run::plan as folder;

/// Decides which games are held out, as in `train`, and everything else that is left to chance.
pub const SEED: u64 = 1;
/// The first move of a game that counts.
pub const FROM_PLY: u16 = Imitation::DEFAULT.from_ply;

/// How much is learned from and measured with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Games of each point of the learning curve.
    pub curve: Vec<usize>,
    /// Games to measure with, at most.
    pub test: usize,
    /// Positions of each game that weights of named features are fitted to.
    pub per_game: usize,
    /// Games whose positions experts are fitted to.
    pub experts: usize,
    /// Passes over the games for models that choose moves.
    pub passes: usize,
    /// Passes over the games for tables.
    pub table_passes: usize,
    /// Games to learn from without each group of features.
    pub ablation: usize,
    /// Passes over them.
    pub ablation_passes: usize,
    /// Games to measure with then.
    pub ablation_test: usize,
}

impl Sizes {
    /// Those of the page in `docs/results`.
    pub fn usual() -> Self {
        Self {
            curve: vec![100, 300, 1_000, 3_000],
            test: usize::MAX,
            per_game: 8,
            experts: 1_000,
            passes: 2,
            table_passes: 4,
            ablation: 300,
            ablation_passes: 2,
            ablation_test: 100,
        }
    }

    /// Sizes that show how everything goes together, and mean nothing.
    pub fn quick() -> Self {
        Self {
            curve: vec![10, 20],
            test: 4,
            per_game: 2,
            experts: 20,
            passes: 1,
            table_passes: 1,
            ablation: 10,
            ablation_passes: 1,
            ablation_test: 2,
        }
    }
}

/// Everything that has a part in the result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablesPlan {
    /// The thesis's positions.
    pub positions: PathBuf,
    /// Professional games: to learn from and to measure with.
    pub games: PathBuf,
    /// Other games that models which come with the program may have learned from.
    pub others: Vec<PathBuf>,
    /// How much is learned from and measured with.
    pub sizes: Sizes,
    /// How models of moves are trained.
    pub imitation: Imitation,
    /// How models of positions are trained.
    pub positions_model: Imitation,
    /// How tables are trained.
    pub tables: Training,
    /// How weights of features are fitted.
    pub fit: logit::Settings,
}

impl TablesPlan {
    /// The plan with the laboratory's data.
    pub fn new(data: &DataFolder, sizes: Sizes) -> Result<Self> {
        let comparison = Objective { comparison: 1.0, result: 0.0, ..Objective::default() };
        Ok(Self {
            positions: data.file("cain_train.tsv")?,
            games: data.file("pro_games.tsv")?,
            others: vec![data.file("engine_games.tsv")?, data.file("amateur_games.tsv")?],
            imitation: Imitation { passes: sizes.passes, seed: SEED, ..Imitation::DEFAULT },
            positions_model: Imitation {
                passes: sizes.passes,
                seed: SEED,
                ..Imitation::OF_POSITIONS
            },
            tables: Training {
                objective: comparison,
                passes: sizes.table_passes,
                seed: SEED,
                ..Training::default()
            },
            fit: logit::Settings { signed: true, seed: SEED, ..logit::Settings::default() },
            sizes,
        })
    }

    /// All files of games.
    pub fn all_games(&self) -> Vec<PathBuf> {
        std::iter::once(&self.games).chain(&self.others).cloned().collect()
    }
}

impl folder::Plan for TablesPlan {
    const COMMAND: &'static str = "reproduce";

    fn seed(&self) -> u64 {
        SEED
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = vec![folder::input(&self.positions)?];
        for path in self.all_games() {
            inputs.push(folder::input(&path)?);
        }
        // Models that come with the program are measured: with others the results are others.
        for name in Predictor::names() {
            let model = Predictor::named(name).map(|predictor| predictor.to_bytes());
            inputs.push(folder::of_bytes(name, &model.unwrap_or_default()));
        }
        Ok(inputs)
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        Ok(())
    }
}
