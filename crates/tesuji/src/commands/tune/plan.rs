//! The settings of a tuning.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tesuji_eval::Model;
use tesuji_learn::ga::{Mutation, Parameters, Selection};
use tesuji_learn::tuning::{self, SearchGenes};
use tesuji_report::Input;

use super::TuneArgs;
use crate::engines::{EngineArgs, EnginePlan};
use crate::lab::folder;
use crate::lab::problems::{self, Problem};

/// The settings, as the folder of a run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    positions: PathBuf,
    test: Option<PathBuf>,
    genes: String,
    pub cap: u64,
    pub parameters: Parameters,
    /// Is the first generation like the parameters as they are?
    pub near: bool,
    pub seed: u64,
    engine: EngineArgs,
}

/// Problems to tune with, and those that are kept apart.
pub struct Problems {
    pub tune: Vec<Problem>,
    pub test: Vec<Problem>,
}

impl Plan {
    /// The plan that the flags mean.
    pub fn new(args: &TuneArgs) -> Result<Self> {
        let mut parameters = Parameters {
            population: args.population,
            generations: args.generations,
            crossover: args.crossover,
            mutation: Mutation::PerBit { rate: args.mutation_rate },
            ..tuning::parameters()
        };
        if args.roulette {
            parameters.selection = Selection::Roulette;
        }
        parameters.check()?;
        Ok(Self {
            positions: args.positions.clone().context("no file of problems (--positions)")?,
            test: args.test.clone(),
            genes: args.genes.clone(),
            cap: args.cap,
            parameters,
            near: !args.random,
            seed: args.seed,
            engine: args.engine.clone(),
        })
    }

    /// The parameters that are tuned.
    pub fn genes(&self) -> Result<SearchGenes> {
        match &*self.genes {
            "all" => Ok(SearchGenes::all()),
            "paper" => Ok(SearchGenes::new(tuning::PAPER)?),
            names => {
                let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
                SearchGenes::new(names).context("--genes")
            }
        }
    }

    /// The engine before it is tuned, of which there will be so many.
    pub fn engine(&self, engines: usize) -> Result<EnginePlan> {
        EnginePlan::new(&self.engine, engines)
    }

    /// The problems.
    pub fn problems(&self) -> Result<Problems> {
        let all = problems::read(&self.positions)?;
        if let Some(path) = &self.test {
            return Ok(Problems { tune: all, test: problems::read(path)? });
        }
        let (mut tune, mut test) = (Vec::new(), Vec::new());
        for (i, problem) in all.into_iter().enumerate() {
            if i % 2 == 0 { tune.push(problem) } else { test.push(problem) }
        }
        Ok(Problems { tune, test })
    }
}

impl folder::Plan for Plan {
    const COMMAND: &'static str = "tune";

    fn seed(&self) -> u64 {
        self.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = vec![folder::input(&self.positions)?];
        if let Some(path) = &self.test {
            inputs.push(folder::input(path)?);
        }
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
        Ok(())
    }
}
