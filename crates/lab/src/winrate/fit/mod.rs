//! The mending: terms that an evaluation lacks are added to it, with weights that are fitted to the
//! results of games.
//!
//! Games with even numbers are learned from; on the others the curves are compared before and
//! after.

mod outcome;
mod rows;

use anyhow::{Result, bail, ensure};
use tesuji_eval::adjust::{Adjustment, Adjustments};
use tesuji_learn::pool;
use tesuji_run::Context;
use tesuji_search::spec::Evaluation;

pub use outcome::FitOutcome;
use rows::FitGames;

use super::regress::{Method, Rows, estimate};
use super::values::{ValuePlan, ValueSource};

/// How weights are found.
#[derive(Clone, PartialEq, Debug)]
pub enum Fitting {
    /// They are fitted.
    Fitted(Method),
    /// They are given: one for each term, for what Black has less what White has; in centipawns.
    Hand(Vec<f64>),
}

/// What is to be fitted.
#[derive(Clone, Debug)]
pub struct FitPlan {
    /// Games and evaluation.
    pub values: ValuePlan,
    /// What is added to the evaluation.
    pub terms: Vec<Adjustment>,
    /// How the weights are found.
    pub fitting: Fitting,
    /// The share of the fitted weights that is played with. A player whose king is in danger is
    /// mostly worse in other ways too; the whole weight would count what the search sees again.
    pub factor: f64,
    /// The width of a bin in centipawns.
    pub bin: i32,
    /// Positions that a bin needs to be compared.
    pub min_count: u64,
    /// Decides how results are shuffled, which shows what chance alone does.
    pub seed: u64,
}

/// The share of fitted weights that plays best, found in games (docs/results/winrate.md).
pub const PLAYED: f64 = 0.25;

/// A weight with its standard error, in centipawns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weight {
    /// The weight.
    pub value: f64,
    /// Its standard error; none where the weight was given.
    pub error: Option<f64>,
}

/// Numbers of a row before those of the terms: one, and the value of the position.
const BEFORE_TERMS: usize = 2;
/// The value of a position among the numbers of a row.
const VALUE: usize = 1;

/// Carries out a plan.
pub fn carry_out(plan: &FitPlan, context: &Context<'_>) -> Result<FitOutcome> {
    let ValueSource::Evaluation(name) = &plan.values.source else {
        bail!("{}: terms can be added to an evaluation of this program", plan.values.source.name());
    };
    let evaluation = Evaluation::load(name)?;
    pool(context.threads)?.install(|| {
        let games = FitGames::read(plan, context.observer)?;
        ensure!(!games.is_empty(), "no game with a result to learn from");
        let (sides, played) = match &plan.fitting {
            Fitting::Fitted(method) => {
                (fit(&games, *method, Columns::Sides)?, fit(&games, *method, Columns::Differences)?)
            }
            Fitting::Hand(weights) => {
                let given = |value: f64| Weight { value, error: None };
                let sides = weights.iter().flat_map(|&weight| [given(weight), given(-weight)]);
                (sides.collect(), weights.iter().map(|&weight| given(weight)).collect())
            }
        };
        let times = |factor: f64| {
            let weights = played.iter().map(|weight| (weight.value * factor).round() as i32);
            Adjustments::new(plan.terms.iter().cloned().zip(weights).collect())
        };
        let (fitted, terms) = (times(1.0), times(plan.factor));
        let split = games.compare(plan, &fitted, &terms)?;
        Ok(FitOutcome { plan: plan.clone(), evaluation, sides, played, fitted, terms, split })
    })
}

/// Which columns a term has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Columns {
    /// One for each player.
    Sides,
    /// What Black has less what White has.
    Differences,
}

/// The weights in centipawns: coefficients divided by that of the evaluation.
fn fit(games: &FitGames, method: Method, columns: Columns) -> Result<Vec<Weight>> {
    let rows: Vec<Rows> = games.rows(columns);
    let width = games.width(columns);
    let found = estimate(method, width, &rows)?;
    ensure!(found.coefficients[VALUE] > 0.0, "games are lost where the evaluation says more");
    let weight = |place| {
        let (value, error) = found.ratio(place, VALUE);
        Weight { value, error: Some(error) }
    };
    Ok((BEFORE_TERMS..width).map(weight).collect())
}
