//! The scan: hundreds of conditions are tried, to find those under which an evaluation is wrong.
//!
//! A condition counts in positions where it holds for one player alone. What these players score
//! more than the value of their positions says is summed game by game; the sum has an error that
//! knows of games, and is corrected for the number of conditions (Holm). Four passes over the games:
//! the curve of all positions, every condition, those of interest together with their pairs, and
//! boards and curves of the worst.

mod base;
mod candidates;
mod outcome;
mod page;
mod passes;
mod select;
mod tally;

use anyhow::{Result, ensure};
use tesuji_eval::FeatureSet;
use tesuji_learn::pool;
use tesuji_math::stats::holm;
use tesuji_run::{Context, Observer};

pub use candidates::{Candidate, read_list, shipped};
pub use outcome::{Board, Finding, ScanOutcome};
use passes::{Halves, Sample};
use tally::Tally;

use super::values::ValuePlan;

/// What is to be tried.
#[derive(Clone, Debug)]
pub struct ScanPlan {
    /// Games and evaluation.
    pub values: ValuePlan,
    /// Conditions, written for Black.
    pub conditions: Vec<Candidate>,
    /// Features whose tenths are tried too.
    pub features: Option<FeatureSet>,
    /// How many conditions are named.
    pub top: usize,
    /// The width of a bin in centipawns.
    pub bin: i32,
    /// Positions that a bin needs to be compared.
    pub min_count: u64,
    /// Games that a condition needs.
    pub min_games: u64,
    /// Are results shuffled between games, with this seed? It shows what chance alone names.
    pub shuffle: Option<u64>,
}

/// How likely chance alone names a single condition.
const LEVEL: f64 = 0.05;
/// The best conditions, which are tried in pairs.
const PAIRED: usize = 10;
/// Conditions that are looked at together.
const FINALISTS: usize = 40;

/// Carries out a plan.
pub fn carry_out(plan: &ScanPlan, context: &Context<'_>) -> Result<ScanOutcome> {
    pool(context.threads)?.install(|| scan(plan, context.observer))
}

/// A condition with what was counted.
struct Counted {
    candidate: Candidate,
    tally: Tally,
    /// How likely chance alone does as much; of a pair by games that did not choose it.
    p: f64,
    /// The conditions that a pair is made of.
    parts: Vec<String>,
}

impl Counted {
    /// Are these the same positions? Then the condition that came first has them.
    fn is_same(&self, tally: &Tally) -> bool {
        (self.tally.positions, self.tally.surplus) == (tally.positions, tally.surplus)
    }
}

fn scan(plan: &ScanPlan, observer: &dyn Observer) -> Result<ScanOutcome> {
    let Sample { base, rows, games, undecided, positions } = passes::sample(plan, observer)?;
    ensure!(positions > 0, "no position of a game with a result");
    let mut candidates = plan.conditions.clone();
    if let Some(set) = &plan.features {
        candidates.extend(candidates::tenths(set, &rows)?);
    }
    let halves = passes::tally(plan, &base, &candidates, observer)?;
    let tried = candidates.len();
    let mut all: Vec<Counted> = Vec::new();
    let mut best_of_half: Vec<(f64, Candidate)> = Vec::new();
    for (candidate, Halves { even, all: tally, .. }) in candidates.into_iter().zip(halves) {
        if tally.games >= plan.min_games && !all.iter().any(|one| one.is_same(&tally)) {
            best_of_half.push((even.z().abs(), candidate.clone()));
            all.push(Counted { candidate, p: tally.p(), tally, parts: Vec::new() });
        }
    }
    best_of_half.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (pairs, parts): (Vec<Candidate>, Vec<_>) = pairs_of(&best_of_half)?.into_iter().unzip();
    let pair_halves = passes::tally(plan, &base, &pairs, observer)?;
    for ((candidate, parts), halves) in pairs.into_iter().zip(parts).zip(pair_halves) {
        let Halves { odd, all: tally, .. } = halves;
        if odd.games >= plan.min_games && !all.iter().any(|one| one.is_same(&tally)) {
            all.push(Counted { candidate, p: odd.p(), tally, parts });
        }
    }
    let tests = all.len();
    let corrected = holm(&all.iter().map(|one| one.p).collect::<Vec<_>>());
    let mut significant: Vec<(Counted, f64)> =
        all.into_iter().zip(corrected).filter(|(_, corrected)| *corrected < LEVEL).collect();
    let significant_count = significant.len();
    let surely = |one: &Counted| {
        let (shift, error) = one.tally.shift(&base);
        shift.abs() - 2.0 * error
    };
    significant.sort_by(|a, b| surely(&b.0).total_cmp(&surely(&a.0)));
    significant.truncate(FINALISTS);
    let finalists: Vec<(&Candidate, &Tally)> =
        significant.iter().map(|(one, _)| (&one.candidate, &one.tally)).collect();
    let overlap = passes::overlap(plan, &base, &finalists, observer)?;
    let place_of = |text: &String| finalists.iter().position(|one| one.0.text() == text);
    let parts = significant.iter().map(|(one, _)| one.parts.iter().filter_map(place_of).collect());
    let parts: Vec<Vec<usize>> = parts.collect();
    let chosen = select::forward(&overlap, &parts, plan.top, LEVEL / tests.max(1) as f64);
    let mut findings = Vec::new();
    for (place, beyond) in chosen {
        let (one, corrected) = &significant[place];
        findings.push(Finding::new(plan, &base, one, *corrected, beyond));
    }
    let all = passes::show(plan, &base, &mut findings, observer)?;
    Ok(ScanOutcome {
        plan: plan.clone(),
        findings,
        all,
        games,
        undecided,
        positions,
        tried,
        tests,
        significant: significant_count,
        scale: if base.slope > 0.0 { 1.0 / base.slope } else { f64::INFINITY },
    })
}

/// The pairs of the best conditions, and what each is made of.
fn pairs_of(best: &[(f64, Candidate)]) -> Result<Vec<(Candidate, Vec<String>)>> {
    let best = &best[..best.len().min(PAIRED)];
    let mut pairs = Vec::new();
    for (i, (_, a)) in best.iter().enumerate() {
        for (_, b) in &best[i + 1..] {
            pairs.push((a.and(b)?, vec![a.text().to_owned(), b.text().to_owned()]));
        }
    }
    Ok(pairs)
}
