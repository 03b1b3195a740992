//! The scan: hundreds of conditions are tried, to find those under which an evaluation is wrong.
//!
//! A condition counts in positions where it holds for one player alone. What these players score
//! more than the value of their positions says is summed game by game; the sum has an error that
//! knows of games, and is corrected for the number of conditions (Holm). Games are read once, which
//! gives the curve of all positions and the conditions that hold in each (`marks`); by these every
//! condition is counted, then those of interest together with their pairs, then the curves and
//! boards of the worst.

mod base;
mod candidates;
mod counts;
mod marks;
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

use base::Base;
pub use candidates::{Candidate, read_list, shipped};
use candidates::{Lineup, Member};
use counts::{Counts, Halves};
use marks::Marks;
pub use outcome::{Board, Finding, ScanOutcome};
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

/// A scan usually looks at every fifth position of a game. Positions of a game are much alike and
/// share its result: all of them would take five times as long and tell little more.
pub const EVERY: usize = 5;
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
    member: Member,
    tally: Tally,
    /// How likely chance alone does as much; of a pair by games that did not choose it.
    p: f64,
    /// How sure the games with even numbers alone are, in standard errors.
    half: f64,
}

impl Counted {
    /// Are these the same positions? Then the condition that came first has them.
    fn is_same(&self, tally: &Tally) -> bool {
        (self.tally.positions, self.tally.surplus) == (tally.positions, tally.surplus)
    }

    /// The shift in logits is surely at least this.
    fn surely(&self, base: &Base) -> f64 {
        let (shift, error) = self.tally.shift(base);
        shift.abs() - 2.0 * error
    }
}

fn scan(plan: &ScanPlan, observer: &dyn Observer) -> Result<ScanOutcome> {
    let mut candidates = plan.conditions.clone();
    if let Some(set) = &plan.features {
        candidates.extend(candidates::tenths(set, &passes::sample(plan, set, observer)?)?);
    }
    let (mut marks, base) = Marks::new(plan, &candidates, observer)?;
    ensure!(marks.positions > 0, "no position of a game with a result");
    let tried = candidates.len();
    let singles = singles(plan, &base, candidates, &mut marks)?;
    let Together { counted, places, tests, significant, counts } =
        together(plan, &base, singles, &mut marks)?;
    let overlap = counts.overlap(&base, &places.iter().map(|place| place.at).collect::<Vec<_>>());
    let parts: Vec<Vec<usize>> = places
        .iter()
        .map(|place| {
            let of = |part: &usize| places.iter().position(|other| other.at == *part);
            place.parts.iter().filter_map(of).collect()
        })
        .collect();
    let chosen = select::forward(&overlap, &parts, plan.top, LEVEL / tests.max(1) as f64);
    let mut findings: Vec<(Finding, Member)> = chosen
        .into_iter()
        .map(|(place, beyond)| {
            let Place { at, corrected, .. } = places[place];
            (Finding::new(plan, &base, &counted[at], corrected, beyond), counted[at].member)
        })
        .collect();
    let all = passes::show(plan, &base, &mut marks, &mut findings, observer)?;
    Ok(ScanOutcome {
        plan: plan.clone(),
        findings: findings.into_iter().map(|(finding, _)| finding).collect(),
        all,
        games: marks.games,
        undecided: marks.undecided,
        positions: marks.positions,
        tried,
        tests,
        significant,
        scale: if base.slope > 0.0 { 1.0 / base.slope } else { f64::INFINITY },
    })
}

/// Counts every candidate. Those that are too rare are left out, and those that have the positions
/// of one before them.
fn singles(
    plan: &ScanPlan,
    base: &Base,
    candidates: Vec<Candidate>,
    marks: &mut Marks,
) -> Result<Vec<Counted>> {
    let counts = counts::count(plan, base, &Lineup::All(candidates.len()), false, marks)?;
    let mut singles: Vec<Counted> = Vec::new();
    let halves = counts.halves(base).into_iter().enumerate();
    for (candidate, (place, Halves { even, all: tally, .. })) in candidates.into_iter().zip(halves)
    {
        let member = Member::single(place);
        if tally.games >= plan.min_games && !singles.iter().any(|one| one.is_same(&tally)) {
            singles.push(Counted { candidate, member, p: tally.p(), tally, half: even.z().abs() });
        }
    }
    Ok(singles)
}

/// A significant condition: its place in the lineup, p corrected for all tests, and the places of
/// what a pair is made of.
struct Place {
    at: usize,
    corrected: f64,
    parts: Vec<usize>,
}

/// Conditions of interest and their pairs, counted together.
struct Together {
    counted: Vec<Counted>,
    /// The significant ones.
    places: Vec<Place>,
    /// How many conditions were tested, and how many of them are significant.
    tests: usize,
    significant: usize,
    counts: Counts,
}

/// Counts the best conditions again, together with the pairs of those that the games with even
/// numbers find surest.
fn together(
    plan: &ScanPlan,
    base: &Base,
    mut singles: Vec<Counted>,
    marks: &mut Marks,
) -> Result<Together> {
    let alone: Vec<f64> = singles.iter().map(|one| one.p).collect();
    singles.sort_by(|a, b| b.half.total_cmp(&a.half));
    let paired = singles.len().min(PAIRED);
    singles[paired..].sort_by(|a, b| b.surely(base).total_cmp(&a.surely(base)));
    singles.truncate(paired + FINALISTS);
    let pairs: Vec<[usize; 2]> = (0..paired).flat_map(|b| (0..b).map(move |a| [a, b])).collect();
    let candidates: Vec<Candidate> = singles.iter().map(|one| one.candidate.clone()).collect();
    let of_pair = |&[a, b]: &[usize; 2]| Member::pair(singles[a].member, singles[b].member);
    let members = singles.iter().map(|one| one.member).chain(pairs.iter().map(of_pair));
    let members: Vec<Member> = members.collect();
    let counts = counts::count(plan, base, &Lineup::Some(members.clone()), true, marks)?;
    let mut counted = singles;
    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); counted.len()];
    // A pair that is too rare, or has the positions of another condition, is no test.
    let mut is_test = vec![true; counted.len()];
    let pair_halves = counts.halves(base).into_iter().skip(candidates.len());
    for (pair, Halves { even, odd, all: tally }) in pairs.into_iter().zip(pair_halves) {
        let [a, b] = pair;
        let candidate = candidates[a].and(&candidates[b])?;
        is_test.push(odd.games >= plan.min_games && !counted.iter().any(|one| one.is_same(&tally)));
        let member = members[counted.len()];
        counted.push(Counted { candidate, member, tally, p: odd.p(), half: even.z().abs() });
        parts.push(pair.to_vec());
    }
    // Corrected for all that were tried, those that are not of interest among them.
    let pair_tests = is_test[candidates.len()..].iter().filter(|&&is| is).count();
    let tests = alone.len() + pair_tests;
    let of_pairs = (candidates.len()..counted.len()).filter(|&at| is_test[at]);
    let all: Vec<f64> = alone.into_iter().chain(of_pairs.map(|at| counted[at].p)).collect();
    let corrected = holm(&all);
    let significant = corrected.iter().filter(|&&p| p < LEVEL).count();
    let corrected_of = |p: f64| {
        all.iter()
            .zip(&corrected)
            .find(|(one, _)| **one == p)
            .map_or(1.0, |(_, corrected)| *corrected)
    };
    let mut places: Vec<Place> = (0..counted.len())
        .filter(|&at| is_test[at])
        .map(|at| Place { at, corrected: corrected_of(counted[at].p), parts: parts[at].clone() })
        .filter(|place| place.corrected < LEVEL)
        .collect();
    places.sort_by(|a, b| counted[b.at].surely(base).total_cmp(&counted[a.at].surely(base)));
    Ok(Together { counted, places, tests, significant, counts })
}
