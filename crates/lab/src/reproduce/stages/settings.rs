//! The plans of all stages.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tesuji_arena::{EngineSpec, TimeControl};
use tesuji_learn::Weighting;
use tesuji_learn::coevolution::Coevolution;
use tesuji_learn::ga::{Mutation, Parameters, Selection};
use tesuji_learn::tuning;
use tesuji_run::{Input, Observer};

use crate::coevolve::CoevolvePlan;
use crate::data::source::Source;
use crate::evolve::{EvolvePlan, Learner, Start};
use crate::games::{Conditions, GamesSetup, MatchPlan};
use crate::pairings::PairingPlan;
use crate::reproduce::DataFolder;
use crate::tune::{Objective, TunePlan};
use tesuji_run::plan as folder;
use tesuji_search::spec::{EvaluationSpec, SearchSpec};

/// Where all chance comes from.
const SEED: u64 = 1;
/// Another seed for the matches: their openings are not those of the evolution.
const MATCH_SEED: u64 = 1_001;
/// The search that the first two stages have: no move is left out or reduced.
pub const PLAIN: &str = "full-width-2000";
/// The files of the weights.
const WEIGHTS: &str = "weights.toml";

/// How much is done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Runs of the first stage.
    pub runs: u64,
    /// Their generations.
    pub evolution: u32,
    /// Generations of co-evolution.
    pub coevolution: u32,
    /// How likely a bit mutates in it.
    pub mutation: f64,
    /// How many organisms live on.
    pub elite: usize,
    /// What its games have.
    pub games: TimeControl,
    /// How many openings there are.
    pub pool: usize,
    /// The parameters that are tuned.
    pub genes: String,
    /// Generations of the tuning.
    pub tuning: u32,
    /// Organisms in each of them.
    pub tuning_population: usize,
    /// Does it begin with random organisms and choose parents in proportion to fitness, as the
    /// paper does?
    pub random: bool,
    /// The most nodes for a problem.
    pub cap: u64,
    /// Games of each match.
    pub match_games: u64,
    /// What they have.
    pub matches: TimeControl,
}

impl Sizes {
    /// Those of the page in `docs/results`.
    pub fn usual() -> Self {
        Self {
            runs: 10,
            evolution: 200,
            coevolution: 160,
            mutation: 0.015,
            elite: 3,
            games: TimeControl::nodes(300),
            pool: 200,
            genes: "all".into(),
            tuning: 30,
            tuning_population: 10,
            random: false,
            cap: 20_000,
            match_games: 300,
            matches: TimeControl::move_time(Duration::from_millis(15)),
        }
    }

    /// Sizes so small that all is done in a minute and the numbers mean nothing.
    pub fn quick() -> Self {
        Self {
            runs: 3,
            evolution: 4,
            coevolution: 2,
            elite: 1,
            games: TimeControl::nodes(30),
            pool: 4,
            tuning: 2,
            tuning_population: 3,
            cap: 200,
            match_games: 4,
            matches: TimeControl::nodes(30),
            ..Self::usual()
        }
    }

    /// The settings of the model paper: games and matches by the clock, which takes weeks.
    pub fn paper() -> Self {
        let clock = |base| TimeControl { base, ..TimeControl::default() };
        Self {
            coevolution: 50,
            mutation: 0.005,
            elite: 1,
            games: clock(5_000),
            genes: "paper".into(),
            tuning: 50,
            random: true,
            cap: 500_000,
            matches: clock(300_000),
            ..Self::usual()
        }
    }
}

/// Everything that decides what comes out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StagesPlan {
    games: PathBuf,
    test: PathBuf,
    problems: PathBuf,
    /// How much is done.
    pub sizes: Sizes,
}

impl StagesPlan {
    /// The plan for the laboratory's data.
    pub fn new(data: &DataFolder, sizes: Sizes) -> Result<Self> {
        // The same files may be named in several ways.
        let data = |name: &str| -> Result<PathBuf> { Ok(fs::canonicalize(data.file(name)?)?) };
        Ok(Self {
            games: data("pro_games.tsv")?,
            test: data("cain_train.tsv")?,
            problems: data("tactical.tsv")?,
            sizes,
        })
    }

    /// The first stage: weights that imitate masters, one random position of each game.
    pub fn imitation(&self) -> EvolvePlan {
        EvolvePlan {
            data: Source::of_games(&self.games, 1, SEED),
            only: None,
            test: Some(Source::of_positions(self.test.clone())),
            unseen_test: true,
            features: "paper".into(),
            learner: Learner::Genetic,
            weighting: Weighting::Equal,
            experts: false,
            l2: 0.0,
            runs: self.sizes.runs,
            seed: SEED,
            start: Start::Random,
            folds: 0,
            polish: false,
            draw: 0,
            parameters: Parameters {
                generations: self.sizes.evolution,
                swap: 0.5,
                ..Parameters::default()
            },
        }
    }

    /// The second stage: the winners in this folder play each other.
    pub fn coevolution(&self, winners: &Path) -> Result<CoevolvePlan> {
        let winner = |run| winners.join(format!("weights-{run:02}.toml")).display().to_string();
        Ok(CoevolvePlan {
            pairings: self.pairings(self.sizes.games, SEED)?,
            from: (1..=self.sizes.runs).map(winner).collect(),
            parameters: Parameters {
                population: usize::try_from(self.sizes.runs)?,
                generations: self.sizes.coevolution,
                mutation: Mutation::PerBit { rate: self.sizes.mutation },
                elite: self.sizes.elite,
                ..Coevolution::parameters()
            },
            preset: PLAIN.into(),
        })
    }

    fn pairings(&self, control: TimeControl, seed: u64) -> Result<PairingPlan> {
        Ok(PairingPlan {
            conditions: Conditions::usual(control, seed),
            games: 4,
            racing: true,
            pool: self.sizes.pool,
            match_games: usize::try_from(self.sizes.match_games)?,
        })
    }

    /// The third stage: the search of the engine with the weights in this folder.
    pub fn tuning(&self, weights: &Path) -> Result<TunePlan> {
        let mut plan = TunePlan {
            objective: Objective::Nodes,
            positions: Some(self.problems.clone()),
            test: None,
            genes: self.sizes.genes.clone(),
            cap: self.sizes.cap,
            mirror: false,
            parameters: Parameters::default(),
            near: !self.sizes.random,
            pairings: self.pairings(self.sizes.matches, MATCH_SEED)?,
            engine: SearchSpec { hash: Some(16), ..Self::search(weights, Some(PLAIN)) },
        };
        plan.parameters = Parameters {
            population: self.sizes.tuning_population,
            generations: self.sizes.tuning,
            ..tuning::parameters(&plan.genes()?)
        };
        if self.sizes.random {
            plan.parameters.selection = Selection::Roulette;
        }
        Ok(plan)
    }

    /// A match between two engines.
    pub fn game_match(&self, engines: [&EngineSpec; 2]) -> MatchPlan {
        let conditions = Conditions::usual(self.sizes.matches, MATCH_SEED + 1);
        let engines = engines.map(EngineSpec::clone).to_vec();
        let setup = GamesSetup { engines, conditions, games: self.sizes.match_games };
        MatchPlan { setup, sprt: None, games_file: None }
    }

    /// An engine with the weights of a folder.
    pub fn engine(weights: &Path, preset: Option<&str>, name: &str) -> EngineSpec {
        EngineSpec::own(Self::search(weights, preset)).named(name)
    }

    fn search(weights: &Path, preset: Option<&str>) -> SearchSpec {
        let weights = weights.join(WEIGHTS).display().to_string();
        SearchSpec {
            evaluation: Some(EvaluationSpec::File(weights)),
            preset: preset.map(str::to_owned),
            ..SearchSpec::default()
        }
    }
}

impl folder::Plan for StagesPlan {
    const COMMAND: &'static str = "reproduce-stages";

    fn seed(&self) -> u64 {
        SEED
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        [&self.games, &self.test, &self.problems]
            .map(|path| folder::input(path))
            .into_iter()
            .collect()
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        Ok(())
    }
}
