//! `tesuji ablate`: what each feature, or each group of them, is worth.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use tesuji_lab::ablation::{self, AblationPlan};

use crate::flags::{DataArgs, RunFlags, whole};
use crate::output;

/// Remove features or groups one at a time, learn anew without them, and rank what each is worth.
///
/// Cross-validation: weights are fitted to all folds of the positions but one and tried on that
/// one, for each fold in turn, with and without the features in question, and all of that again with
/// other folds. Chances are corrected for the number of tests. At the end more and more of the
/// weakest are removed together, as long as nothing is lost.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji ablate --positions positions.tsv
  tesuji ablate --positions positions.tsv --by feature --pairs 10 --json
  tesuji ablate --games games.tsv --per-game 4 --features extended --names threat,king",
    mut_arg("resume", |resume| resume.conflicts_with_all(["positions", "games", "names"])))]
pub struct AblateArgs {
    #[command(flatten)]
    data: DataArgs,
    /// The feature set (paper, extended, dropped, legacy), or a TOML file that selects features.
    #[arg(long, value_name = "SET|FILE", default_value = "paper")]
    features: String,
    /// Remove single features, or whole groups.
    #[arg(long, value_name = "WHAT", default_value = "group")]
    by: By,
    /// Only these features or groups, with commas between.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    names: Vec<String>,
    /// Weights under which the moves that were played are most likely, or most often the best.
    #[arg(long, value_name = "WHAT", default_value = "likelihood")]
    objective: Fitted,
    /// Let weights be negative.
    #[arg(long)]
    signed: bool,
    /// L2 regularisation of fitted weights.
    #[arg(long, value_name = "X", default_value_t = 1e-3)]
    l2: f64,
    /// Folds of cross-validation.
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = whole::<u64>(2..=1_000))]
    folds: u64,
    /// How often all is repeated with other folds.
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = whole::<u64>(1..=1_000))]
    repeats: u64,
    /// How many pairs of the most valuable are removed together.
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = whole::<u64>(0..=10_000))]
    pairs: u64,
    /// Decides the folds, and which positions of games are taken.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    work: RunFlags,
}

/// What is removed at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum By {
    Feature,
    Group,
}

/// What fitted weights are made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Fitted {
    Likelihood,
    Accuracy,
}

impl AblateArgs {
    /// The plan that the flags mean.
    fn plan(&self) -> Result<AblationPlan> {
        ensure!(self.l2 >= 0.0 && self.l2.is_finite(), "--l2 is {}, expected 0 or more", self.l2);
        Ok(AblationPlan {
            data: self.data.source(self.seed),
            features: self.features.clone(),
            by: match self.by {
                By::Feature => ablation::Removed::Feature,
                By::Group => ablation::Removed::Group,
            },
            names: self.names.clone(),
            objective: match self.objective {
                Fitted::Likelihood => ablation::Fitted::Likelihood,
                Fitted::Accuracy => ablation::Fitted::Accuracy,
            },
            signed: self.signed,
            l2: self.l2,
            folds: self.folds as usize,
            repeats: self.repeats as usize,
            pairs: self.pairs as usize,
            seed: self.seed,
        })
    }
}

/// Removes one after the other, writes the folder and prints what came out.
pub fn run(args: &AblateArgs) -> Result<ExitCode> {
    let (folder, plan) = args.work.open(|| args.plan())?;
    let found = ablation::carry_out(&plan, &folder, &args.work.context())?;
    found.write(&folder)?;
    output::either(args.work.json, || found.json(&folder), || found.text(&folder))
}
