//! What an evolution is to do: every setting that has a part in its result.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use tesuji_learn::ga::Parameters;
use tesuji_learn::{MoveClass, Weighting};
use tesuji_records::Sample;
use tesuji_run::{Input, Observer, Plan, plan};

use crate::data::features::Features;
use crate::data::positions;
use crate::data::source::{Source, learning_inputs};

/// The settings of an evolution, as the folder of the run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvolvePlan {
    /// Where the positions come from.
    pub data: Source,
    /// Only those in which the master's move is of this kind.
    pub only: Option<MoveClass>,
    /// Held-out positions on which the best of each generation is tried, which decides nothing.
    pub test: Option<Source>,
    /// Are positions that are in the test left out of the training?
    #[serde(default)]
    pub unseen_test: bool,
    /// The name of a feature set, or a file that selects features.
    pub features: String,
    /// How weights are found.
    pub learner: Learner,
    /// How much each position counts.
    pub weighting: Weighting,
    /// Are experts for each kind of move learned as well?
    pub experts: bool,
    /// L2 regularisation of fitted weights.
    pub l2: f64,
    /// Runs that go on side by side.
    pub runs: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The first organisms of each run.
    pub start: Start,
    /// Folds of cross-validation; 0 for none.
    pub folds: usize,
    /// Is the winner of the genetic algorithm polished for positions that nobody has seen?
    #[serde(default)]
    pub polish: bool,
    /// Of more positions than this, so many are drawn at random and learned from, and the winners
    /// are counted on all; 0 to learn from all.
    #[serde(default)]
    pub draw: usize,
    /// The settings of the genetic algorithm.
    pub parameters: Parameters,
}

/// How weights are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Learner {
    /// By the genetic algorithm.
    Genetic,
    /// By a conditional logit: maximum likelihood of the moves that were played.
    Likelihood,
    /// By the mean probability of the moves that were played, sharpened.
    Accuracy,
}

impl Learner {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Genetic, Self::Likelihood, Self::Accuracy];

    /// The name used in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Genetic => "genetic",
            Self::Likelihood => "likelihood",
            Self::Accuracy => "accuracy",
        }
    }

    /// The learner with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|learner| learner.name() == name)
    }
}

/// What the first generation begins with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// Chance alone.
    Random,
    /// Weights near the fitted ones, beside random ones.
    Fit,
    /// The weights of these files, beside random ones.
    Weights(Vec<PathBuf>),
}

impl EvolvePlan {
    /// The positions to learn from.
    pub fn positions(&self, observer: &dyn Observer) -> Result<Vec<Sample>> {
        let mut samples = self.data.load(observer)?;
        if let (true, Some(test)) = (self.unseen_test, &self.test) {
            positions::leave_out(&mut samples, &test.load(observer)?);
            ensure!(!samples.is_empty(), "every position is in the test");
        }
        if let Some(class) = self.only {
            samples.retain(|sample| sample.mv.map(MoveClass::of) == Some(class));
            ensure!(
                !samples.is_empty(),
                "no position in which the master's move is a {}",
                class.name()
            );
        }
        Ok(samples)
    }
}

impl Plan for EvolvePlan {
    const COMMAND: &'static str = "evolve";

    fn seed(&self) -> u64 {
        self.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = learning_inputs(&self.data, self.test.as_ref(), &self.features)?;
        if let Start::Weights(files) = &self.start {
            for file in files {
                inputs.push(plan::input(file)?);
            }
        }
        Ok(inputs)
    }

    fn check(&self, observer: &dyn Observer) -> Result<()> {
        Features::load(&self.features)?;
        self.parameters.check()?;
        if self.only.is_some() || self.unseen_test {
            self.positions(observer)?;
            return Ok(());
        }
        self.data.check(observer)
    }
}

/// Reads the settings of a genetic algorithm from a TOML file.
pub fn read_parameters(path: &Path) -> Result<Parameters> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).with_context(|| name.clone())?;
    toml::from_str(&text).map_err(|error| anyhow!("{name}: {}", error.message()))
}

/// Reads how much each position counts.
pub fn parse_weighting(text: &str) -> Result<Weighting, String> {
    match text {
        "equal" => return Ok(Weighting::Equal),
        "distinct" => return Ok(Weighting::Distinct),
        _ => {}
    }
    let numbers: Option<Vec<u8>> =
        text.split(',').map(|number| number.trim().parse().ok()).collect();
    let classes = numbers.and_then(|numbers| <[u8; 3]>::try_from(numbers).ok());
    classes
        .filter(|weights| weights.iter().any(|&weight| weight > 0))
        .map(Weighting::Class)
        .ok_or_else(|| "expected equal, distinct or three numbers such as 1,2,3".to_owned())
}
