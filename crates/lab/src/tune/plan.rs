//! The settings of a tuning.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use tesuji_learn::ga::Parameters;
use tesuji_learn::tuning::{self, SearchGenes};
use tesuji_run::{Input, Observer, Plan, plan};
use tesuji_search::spec::{EvaluationSpec, SearchSpec, check_table};

use super::Objective;
use crate::data::problems::{self, Problem};
use crate::pairings::PairingPlan;

/// The settings, as the folder of a run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunePlan {
    /// What makes parameters good.
    pub objective: Objective,
    /// The problems.
    pub positions: Option<PathBuf>,
    /// Held-out problems; without them every other one of the problems.
    pub test: Option<PathBuf>,
    /// Which parameters are tuned, as [`genes`] reads it.
    pub genes: String,
    /// Nodes that may be searched for a problem.
    pub cap: u64,
    /// Is each problem tuned with in its mirror image as well?
    pub mirror: bool,
    /// The settings of the genetic algorithm; of SPSA, how many steps and pairs there are.
    pub parameters: Parameters,
    /// Is the first generation like the parameters as they are?
    pub near: bool,
    /// How organisms play each other.
    #[serde(rename = "meetings")]
    pub pairings: PairingPlan,
    /// The engine before it is tuned.
    pub engine: SearchSpec,
}

/// Problems to tune with, and held-out ones.
pub struct Problems {
    /// Those to tune with.
    pub tune: Vec<Problem>,
    /// Those that are held out.
    pub test: Vec<Problem>,
}

impl TunePlan {
    /// The parameters that are tuned.
    pub fn genes(&self) -> Result<SearchGenes> {
        genes(&self.genes)
    }

    /// Checks the engine, of which there will be so many.
    pub fn check_engine(&self, engines: usize) -> Result<()> {
        let plan = self.engine.load()?;
        check_table(plan.mebibytes.saturating_mul(engines))?;
        Ok(())
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

/// The parameters that a text names: `all`, `paper` (those of the model paper), or names with
/// commas between them.
pub fn genes(text: &str) -> Result<SearchGenes> {
    match text {
        "all" => Ok(SearchGenes::all()),
        "paper" => Ok(SearchGenes::new(tuning::PAPER)?),
        names => {
            let names: Vec<&str> = names.split(',').map(str::trim).collect();
            let twice = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name));
            if let Some((_, name)) = twice {
                bail!("--genes: {name} is there twice");
            }
            SearchGenes::new(names).context("--genes")
        }
    }
}

impl Plan for TunePlan {
    const COMMAND: &'static str = "tune";

    fn seed(&self) -> u64 {
        self.pairings.seed()
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let problems = self.positions.iter().chain(&self.test);
        let mut inputs: Vec<Input> =
            problems.map(|path| plan::input(path)).collect::<Result<_>>()?;
        self.pairings.add_inputs(&mut inputs)?;
        let evaluation = self.engine.evaluation.as_ref().and_then(EvaluationSpec::file);
        if let Some(file) = evaluation.map(Path::new).filter(|path| path.is_file()) {
            inputs.push(plan::input(file)?);
        }
        Ok(inputs)
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        self.genes()?;
        self.check_engine(1)?;
        self.problems()?;
        self.pairings.check()
    }
}
