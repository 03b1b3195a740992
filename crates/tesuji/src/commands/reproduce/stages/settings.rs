//! The plans of all stages.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde::{Deserialize, Serialize};
use tesuji_arena::TimeControl;
use tesuji_learn::Weighting;
use tesuji_learn::coevolution::Coevolution;
use tesuji_learn::ga::{Mutation, Parameters, Selection};
use tesuji_learn::tuning;
use tesuji_report::Input;
use tesuji_search::Algorithm;

use crate::commands::arena::contest::Contest;
use crate::commands::arena::flags::Conditions;
use crate::commands::arena::meetings::MeetingPlan;
use crate::commands::evolve::{Learner, Start};
use crate::commands::reproduce::PaperArgs;
use crate::commands::{coevolve, evolve, match_games, tune};
use crate::engines::EngineArgs;
use crate::lab::folder;
use crate::lab::source::Source;

/// Where all chance comes from.
const SEED: u64 = 1;
/// Another seed for the matches: their openings are not those of the evolution.
const MATCH_SEED: u64 = 1_001;
/// The search that the first two stages have: no move is left out or reduced.
pub const PLAIN: &str = "full-width-2000";
/// The files of the weights.
const WEIGHTS: &str = "weights.toml";

/// Flags that say how much is done.
#[derive(Args, Debug)]
pub struct SizeFlags {
    /// The settings of the model paper: games and matches by the clock, which takes weeks.
    #[arg(long, conflicts_with = "quick")]
    paper_settings: bool,
    /// Sizes so small that all is done in a minute and the numbers mean nothing.
    #[arg(long)]
    quick: bool,
}

/// How much is done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Runs of the first stage, and their generations.
    pub runs: u64,
    pub evolution: u32,
    /// Generations of co-evolution, how likely a bit mutates, how many live on, and what its games have.
    pub coevolution: u32,
    pub mutation: f64,
    pub elite: usize,
    pub games: TimeControl,
    pub pool: usize,
    /// The parameters that are tuned, and for how many generations; does it begin with random organisms and
    /// choose parents in proportion to fitness, as the paper does? And the most positions for a problem.
    pub genes: String,
    pub tuning: u32,
    pub tuning_population: usize,
    pub random: bool,
    pub cap: u64,
    /// Games of each match, and what they have.
    pub match_games: u64,
    pub matches: TimeControl,
}

impl SizeFlags {
    pub fn sizes(&self) -> Sizes {
        let move_time = |ms| TimeControl { move_time: Some(ms), ..TimeControl::default() };
        let clock = |base| TimeControl { base, ..TimeControl::default() };
        let usual = Sizes {
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
            matches: move_time(15),
        };
        if self.quick {
            return Sizes {
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
                ..usual
            };
        }
        if self.paper_settings {
            return Sizes {
                coevolution: 50,
                mutation: 0.005,
                elite: 1,
                games: clock(5_000),
                genes: "paper".into(),
                tuning: 50,
                random: true,
                cap: 500_000,
                matches: clock(300_000),
                ..usual
            };
        }
        usual
    }
}

/// Everything that decides what comes out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    games: PathBuf,
    test: PathBuf,
    problems: PathBuf,
    pub sizes: Sizes,
}

impl Plan {
    pub fn new(paper: &PaperArgs, sizes: Sizes) -> Result<Self> {
        // The same files may be named in several ways.
        let data = |name: &str| -> Result<PathBuf> { Ok(fs::canonicalize(paper.data(name)?)?) };
        Ok(Self {
            games: data("pro_games.tsv")?,
            test: data("cain_train.tsv")?,
            problems: data("tactical.tsv")?,
            sizes,
        })
    }

    /// The first stage: weights that imitate masters, one random position of each game.
    pub fn imitation(&self) -> evolve::Plan {
        evolve::Plan {
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
            parameters: Parameters {
                generations: self.sizes.evolution,
                swap: 0.5,
                ..Parameters::default()
            },
        }
    }

    /// The second stage: the winners in this folder play each other.
    pub fn coevolution(&self, winners: &Path) -> Result<coevolve::Plan> {
        let winner = |run| winners.join(format!("weights-{run:02}.toml")).display().to_string();
        Ok(coevolve::Plan {
            meetings: self.meetings(self.sizes.games, SEED)?,
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

    fn meetings(&self, control: TimeControl, seed: u64) -> Result<MeetingPlan> {
        Ok(MeetingPlan {
            conditions: Conditions::usual(control, seed)?,
            games: 4,
            racing: true,
            pool: self.sizes.pool,
            match_games: usize::try_from(self.sizes.match_games)?,
        })
    }

    /// The third stage: the search of the engine with the weights in this folder.
    pub fn tuning(&self, weights: &Path) -> Result<tune::Plan> {
        let mut plan = tune::Plan {
            objective: tune::Objective::Nodes,
            positions: Some(self.problems.clone()),
            test: None,
            genes: self.sizes.genes.clone(),
            cap: self.sizes.cap,
            mirror: false,
            parameters: Parameters::default(),
            near: !self.sizes.random,
            meetings: self.meetings(self.sizes.matches, MATCH_SEED)?,
            engine: EngineArgs {
                eval: weights.join(WEIGHTS).display().to_string(),
                search: Algorithm::standard().name.into(),
                preset: PLAIN.into(),
                settings: Vec::new(),
                hash: 16,
            },
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
    pub fn game_match(&self, engines: [&str; 2]) -> Result<match_games::Plan> {
        let conditions = Conditions::usual(self.sizes.matches, MATCH_SEED + 1)?;
        let engines = engines.map(str::to_owned).to_vec();
        let contest = Contest { engines, conditions, games: self.sizes.match_games };
        Ok(match_games::Plan { contest, sprt: None, games_file: None })
    }

    /// An engine with the weights of a folder.
    pub fn engine(weights: &Path, settings: &str) -> String {
        format!("tesuji:eval={},{settings}", weights.join(WEIGHTS).display())
    }
}

impl folder::Plan for Plan {
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

    fn check(&self) -> Result<()> {
        Ok(())
    }
}
