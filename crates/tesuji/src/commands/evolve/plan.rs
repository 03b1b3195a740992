//! What an evolution is to do: every setting that has a part in its result.

use std::fs;
use std::path::{Path, PathBuf};
use tesuji_run::Observer;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use tesuji_learn::ga::Parameters;
use tesuji_learn::{MoveClass, Weighting};
use tesuji_run::Input;
use tesuji_shogi::{Move, Position};

use super::EvolveArgs;
use tesuji_lab::data::features::{Features, is_file};
use tesuji_lab::data::positions;
use tesuji_lab::data::source::Source;
use tesuji_run::plan as folder;

/// The settings of an evolution, as the folder of the run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Where the positions come from.
    pub data: Source,
    /// Only those in which the master's move is of this kind.
    pub only: Option<MoveClass>,
    /// Positions on which the best of each generation is tried, which decides nothing.
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
    /// How strongly fitted weights are held back.
    pub l2: f64,
    /// Runs that go on side by side.
    pub runs: u64,
    /// Where all chance comes from.
    pub seed: u64,
    /// The first organisms of each run.
    pub start: Start,
    /// Parts of the positions that are held out in turn; 0 for none.
    pub folds: usize,
    /// The settings of the genetic algorithm.
    pub parameters: Parameters,
}

/// How weights are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Learner {
    /// By the genetic algorithm.
    Genetic,
    /// By a conditional logit: the moves that were played are as likely as can be.
    Likelihood,
    /// By the mean probability of the moves that were played, sharpened.
    Accuracy,
}

impl Learner {
    /// The name used in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Genetic => "genetic",
            Self::Likelihood => "likelihood",
            Self::Accuracy => "accuracy",
        }
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

impl Plan {
    /// The plan that the flags mean.
    pub fn new(args: &EvolveArgs) -> Result<Self> {
        let seed = args.seed;
        let test = args.test.as_deref().map(|path| Source::of_file(path, seed)).transpose()?;
        let parameters = parameters(args, || args.preset.parameters())?;
        parameters.check()?;
        ensure!(args.l2 >= 0.0 && args.l2.is_finite(), "--l2 is {}, expected 0 or more", args.l2);
        ensure!(args.folds != 1, "--folds is 1, expected 0 for none or at least 2");
        Ok(Self {
            data: args.data.source(seed),
            only: args.only,
            test,
            unseen_test: args.unseen_test,
            features: args.features.clone(),
            learner: args.learner,
            weighting: args.weighting,
            experts: args.experts,
            l2: args.l2,
            runs: if args.learner == Learner::Genetic { args.runs } else { 1 },
            seed,
            start: match (&args.start_from[..], args.start_from_fit) {
                (_, true) => Start::Fit,
                ([], false) => Start::Random,
                (files, false) => Start::Weights(files.to_vec()),
            },
            folds: args.folds,
            parameters,
        })
    }

    /// The positions to learn from.
    pub fn positions(&self) -> Result<Vec<(Position, Move)>> {
        let mut samples = self.data.load(&crate::progress::Terminal)?;
        if let (true, Some(test)) = (self.unseen_test, &self.test) {
            positions::leave_out(&mut samples, &test.load(&crate::progress::Terminal)?);
            ensure!(!samples.is_empty(), "every position is in the test");
        }
        if let Some(class) = self.only {
            samples.retain(|&(_, mv)| MoveClass::of(mv) == class);
            ensure!(
                !samples.is_empty(),
                "no position in which the master's move is a {}",
                class.name()
            );
        }
        Ok(samples)
    }
}

impl folder::Plan for Plan {
    const COMMAND: &'static str = "evolve";

    fn seed(&self) -> u64 {
        self.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = self.data.inputs()?;
        if let Some(test) = &self.test {
            inputs.append(&mut test.inputs()?);
        }
        if is_file(&self.features) {
            inputs.push(folder::input(Path::new(&self.features))?);
        }
        if let Start::Weights(files) = &self.start {
            for file in files {
                inputs.push(folder::input(file)?);
            }
        }
        Ok(inputs)
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        Features::load(&self.features)?;
        self.positions()?;
        Ok(())
    }
}

/// The preset or the file, and then what single flags change.
pub fn parameters(args: &EvolveArgs, preset: impl FnOnce() -> Parameters) -> Result<Parameters> {
    let mut parameters = match &args.parameters {
        Some(path) => read_parameters(path)?,
        None => preset(),
    };
    args.changes.apply(&mut parameters);
    Ok(parameters)
}

fn read_parameters(path: &Path) -> Result<Parameters> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).with_context(|| name.clone())?;
    toml::from_str(&text).map_err(|error| anyhow::anyhow!("{name}: {}", error.message()))
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
