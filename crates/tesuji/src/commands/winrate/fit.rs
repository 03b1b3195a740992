//! `tesuji winrate fit`: adds terms to an evaluation and fits their weights to results.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use clap::{Args, ValueEnum};
use tesuji_eval::adjust::Adjustment;
use tesuji_lab::winrate::Method;
use tesuji_lab::winrate::fit::{self, FitPlan, Fitting};
use tesuji_run::atomic;

use super::{BinFlags, ValueFlags, command_line, complain};
use crate::output;

/// The evaluation that is mended if none is named: the one that knows least.
const USUAL: &str = "material";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum MethodName {
    /// Least squares.
    Ls,
    /// Maximum likelihood.
    Mlm,
    /// The weights of --hand.
    Hand,
}

/// Add terms to an evaluation, fit their weights to the results of games, and write a weights file
/// that the search plays with (eval=FILE).
///
/// Games with even numbers are learned from; on the others the curves are compared before and after.
#[derive(Args, Debug)]
pub struct FitArgs {
    #[command(flatten)]
    values: ValueFlags,
    /// What is added: king-safety, or conditions written for Black.
    #[arg(long, value_name = "TERM", num_args = 1.., default_value = "king-safety")]
    terms: Vec<String>,
    /// How the weights are found.
    #[arg(long, value_enum, value_name = "METHOD", default_value = "mlm")]
    method: MethodName,
    /// Weights in centipawns for --method hand: one for each term (what Black has less what White
    /// has), or two (Black's, White's), of which half the difference is played.
    #[arg(long, value_name = "N", num_args = 1.., allow_negative_numbers = true)]
    hand: Vec<f64>,
    /// The share of the weights that is played with.
    #[arg(long, value_name = "F", default_value_t = fit::PLAYED)]
    factor: f64,
    /// The weights file.
    #[arg(long, value_name = "FILE", default_value = "adjusted.toml")]
    out: PathBuf,
    #[command(flatten)]
    bins: BinFlags,
}

/// Fits, writes and prints.
pub fn run(args: &FitArgs) -> Result<ExitCode> {
    let terms: Result<Vec<Adjustment>, _> = args.terms.iter().map(|term| term.parse()).collect();
    let terms = match terms {
        Ok(terms) => terms,
        Err(error) => return Ok(complain(&error)),
    };
    let fitting = match args.method {
        MethodName::Ls => Fitting::Fitted(Method::Ls),
        MethodName::Mlm => Fitting::Fitted(Method::Mlm),
        MethodName::Hand => Fitting::Hand(hand(&args.hand, terms.len())?),
    };
    let BinFlags { bin, min_count, seed } = args.bins;
    let plan = FitPlan {
        values: args.values.plan(USUAL)?,
        terms,
        fitting,
        factor: args.factor,
        bin,
        min_count,
        seed,
    };
    let found = fit::carry_out(&plan, &args.values.context())?;
    let text = found.file(&command_line());
    atomic::write(&args.out, text.as_bytes()).with_context(|| args.out.display().to_string())?;
    output::either(args.values.json, || found.json(&args.out), || found.text(&args.out))
}

/// One weight for each term.
fn hand(weights: &[f64], terms: usize) -> Result<Vec<f64>> {
    if weights.len() == terms {
        return Ok(weights.to_vec());
    }
    ensure!(
        weights.len() == 2 * terms,
        "--hand: expected {terms} or {} weights for {terms} terms, found {}",
        2 * terms,
        weights.len()
    );
    Ok(weights.chunks_exact(2).map(|sides| (sides[0] - sides[1]) / 2.0).collect())
}
