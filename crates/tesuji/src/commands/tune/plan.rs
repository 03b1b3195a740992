//! The settings of a tuning.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use tesuji_eval::Model;
use tesuji_learn::ga::{Mutation, Parameters, Selection};
use tesuji_learn::tuning::{self, SearchGenes};
use tesuji_report::Input;
use tesuji_search::Algorithm;

use super::{Objective, TuneArgs};
use crate::commands::arena::meetings::MeetingPlan;
use crate::engines::{EngineArgs, EnginePlan};
use crate::lab::folder;
use crate::lab::problems::{self, Problem};

/// The settings, as the folder of a run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub objective: Objective,
    pub positions: Option<PathBuf>,
    pub test: Option<PathBuf>,
    pub genes: String,
    pub cap: u64,
    /// Is each problem tuned with in its mirror image as well?
    pub mirror: bool,
    pub parameters: Parameters,
    /// Is the first generation like the parameters as they are?
    pub near: bool,
    pub meetings: MeetingPlan,
    pub engine: EngineArgs,
}

/// Problems to tune with, and those that are kept apart.
pub struct Problems {
    pub tune: Vec<Problem>,
    pub test: Vec<Problem>,
}

impl Plan {
    /// The plan that the flags mean.
    pub fn new(args: &TuneArgs) -> Result<Self> {
        let objective = args.objective;
        let by_nodes = objective == Objective::Nodes;
        let parameters = parameters(args)?;
        let has_problems = args.positions.is_some();
        ensure!(has_problems || !by_nodes, "no file of problems (--positions)");
        let match_games = args.match_games.unwrap_or(if by_nodes { 0 } else { 300 });
        let mut meetings = MeetingPlan::new(&args.meetings, match_games)?;
        match objective {
            Objective::Nodes => meetings.games = 0,
            Objective::Games => {}
            // Results must not depend on the order in which games are won.
            Objective::Spsa => meetings.racing = false,
        }
        Ok(Self {
            objective,
            positions: args.positions.clone(),
            test: args.test.clone(),
            genes: args.genes.clone(),
            cap: args.cap,
            mirror: args.mirror,
            parameters,
            near: !args.random,
            meetings,
            engine: args.engine.clone(),
        })
    }

    /// The parameters that are tuned.
    pub fn genes(&self) -> Result<SearchGenes> {
        genes(&self.genes, &self.engine)
    }

    /// The engine before it is tuned, of which there will be so many.
    pub fn engine(&self, engines: usize) -> Result<EnginePlan> {
        EnginePlan::new(&self.engine, engines)
    }

    /// The problems, if there are any.
    pub fn problems(&self) -> Result<Option<Problems>> {
        let Some(positions) = &self.positions else { return Ok(None) };
        let all = problems::read(positions)?;
        let (mut tune, test): (Vec<Problem>, Vec<Problem>) = match &self.test {
            Some(path) => (all, problems::read(path)?),
            None => {
                let half = |first: usize| all.iter().skip(first).step_by(2).cloned().collect();
                (half(0), half(1))
            }
        };
        if self.mirror {
            let mirrored: Vec<Problem> = tune.iter().map(Problem::mirrored).collect();
            tune.extend(mirrored);
        }
        ensure!(!test.is_empty(), "one problem, expected some to tune with and some to test");
        Ok(Some(Problems { tune, test }))
    }
}

/// The settings of the genetic algorithm; of SPSA, how many steps and pairs there are.
fn parameters(args: &TuneArgs) -> Result<Parameters> {
    let default = tuning::parameters(&genes(&args.genes, &args.engine)?);
    let mut parameters = Parameters {
        population: args.population,
        generations: args.generations,
        crossover: args.crossover.unwrap_or(default.crossover),
        mutation: args.mutation_rate.map_or(default.mutation, |rate| Mutation::PerBit { rate }),
        ..default
    };
    if args.roulette {
        parameters.selection = Selection::Roulette;
    }
    if args.objective == Objective::Spsa {
        let evolves = args.crossover.or(args.mutation_rate).is_some() || args.roulette;
        ensure!(
            !evolves && !args.random,
            "--crossover, --mutation-rate, --roulette and --random are not for spsa"
        );
        ensure!(args.population > 0, "--population is 0, expected at least one pair of settings");
    } else {
        parameters.check()?;
    }
    Ok(parameters)
}

/// The parameters that a text names.
fn genes(text: &str, engine: &EngineArgs) -> Result<SearchGenes> {
    let search = Algorithm::named(&engine.search).context("--search")?;
    match text {
        "all" => Ok(SearchGenes::all(search.parameters)),
        "paper" => Ok(SearchGenes::new(search.parameters, tuning::PAPER)?),
        names => {
            let names: Vec<&str> = names.split(',').map(str::trim).collect();
            let twice = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name));
            if let Some((_, name)) = twice {
                bail!("--genes: {name} is there twice");
            }
            SearchGenes::new(search.parameters, names).context("--genes")
        }
    }
}

impl folder::Plan for Plan {
    const COMMAND: &'static str = "tune";

    fn seed(&self) -> u64 {
        self.meetings.seed()
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let problems = self.positions.iter().chain(&self.test);
        let mut inputs: Vec<Input> =
            problems.map(|path| folder::input(path)).collect::<Result<_>>()?;
        self.meetings.add_inputs(&mut inputs)?;
        let evaluation = Path::new(&self.engine.eval);
        if Model::named(&self.engine.eval).is_none() && evaluation.is_file() {
            inputs.push(folder::input(evaluation)?);
        }
        Ok(inputs)
    }

    fn check(&self) -> Result<()> {
        self.genes()?;
        self.engine(1)?;
        self.problems()?;
        self.meetings.check()
    }
}
