//! Games as a fit needs them: for each position its value, what the terms are, and where the curves
//! are compared.

use anyhow::{Context as _, Result};
use tesuji_eval::adjust::{Adjustment, Adjustments};
use tesuji_eval::condition::{Condition, Facts};
use tesuji_math::Random;
use tesuji_run::Observer;
use tesuji_search::score::is_mate;

use super::super::curve::{Curve, HalfPoints};
use super::super::regress::Rows;
use super::super::values::{Valued, ValuedGame, walk};
use super::{BEFORE_TERMS, Columns, FitPlan};

/// All games, in few bytes a position.
pub struct FitGames {
    terms: usize,
    games: Vec<FitGame>,
}

struct FitGame {
    number: u64,
    result: HalfPoints,
    positions: Vec<FitPosition>,
}

struct FitPosition {
    value: i32,
    /// The terms for Black and for White, one term after the other.
    sides: Box<[f32]>,
    /// Where the curves of each term are compared: for Black, and for White.
    holds: Box<[bool]>,
}

/// How far the curves part on games that were not learned from, in logits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Split {
    /// Without the terms.
    pub before: f64,
    /// With the terms as they were fitted.
    pub after: f64,
    /// With the terms as they are played.
    pub played: f64,
    /// What is left where results are shuffled between games.
    pub noise: f64,
}

/// Shuffles of which the mean is taken.
const SHUFFLES: u64 = 5;

impl FitGames {
    /// Reads and values all games.
    pub fn read(plan: &FitPlan, observer: &dyn Observer) -> Result<Self> {
        let conditions: Vec<Condition> =
            plan.terms.iter().flat_map(Adjustment::diagnosis).collect();
        let of_position = |valued: &Valued| {
            let (facts, leaf) = (Facts::new(&valued.position), Facts::new(&valued.leaf));
            let sides = plan.terms.iter().flat_map(|term| term.sides(&leaf));
            FitPosition {
                value: valued.value,
                sides: sides.map(|side| side as f32).collect(),
                holds: conditions.iter().map(|condition| condition.holds(&facts)).collect(),
            }
        };
        // A position that is mate says nothing about weights.
        let of_game = |game: &ValuedGame| FitGame {
            number: game.number,
            result: game.result,
            positions: (game.positions.iter().filter(|valued| !is_mate(valued.value)))
                .map(of_position)
                .collect(),
        };
        let mut games = Vec::new();
        walk(&plan.values, observer, of_game, |game| games.extend(game))?;
        Ok(Self { terms: plan.terms.len(), games })
    }

    /// Is there a game to learn from?
    pub fn is_empty(&self) -> bool {
        self.learned().next().is_none()
    }

    /// Games that are learned from.
    fn learned(&self) -> impl Iterator<Item = &FitGame> {
        self.games.iter().filter(|game| game.number.is_multiple_of(2))
    }

    fn held_out(&self) -> impl Iterator<Item = &FitGame> {
        self.games.iter().filter(|game| !game.number.is_multiple_of(2))
    }

    /// How many numbers a row has.
    pub fn width(&self, columns: Columns) -> usize {
        BEFORE_TERMS
            + match columns {
                Columns::Sides => 2 * self.terms,
                Columns::Differences => self.terms,
            }
    }

    /// The games that are learned from: one, the value, and the terms.
    pub fn rows(&self, columns: Columns) -> Vec<Rows> {
        let of_position = |position: &FitPosition| {
            let mut row = vec![1.0, f64::from(position.value)];
            for side in position.sides.chunks_exact(2) {
                match columns {
                    Columns::Sides => row.extend([f64::from(side[0]), f64::from(side[1])]),
                    Columns::Differences => row.push(f64::from(side[0] - side[1])),
                }
            }
            row
        };
        let of_game = |game: &FitGame| Rows {
            cells: game.positions.iter().flat_map(of_position).collect(),
            points: game.result as f64 / 2.0,
        };
        self.learned().map(of_game).collect()
    }

    /// How far the curves part on the held-out games, without the terms, with them as they were
    /// fitted, and as they are played.
    pub fn compare(
        &self,
        plan: &FitPlan,
        fitted: &Adjustments,
        played: &Adjustments,
    ) -> Result<Split> {
        let results: Vec<HalfPoints> = self.held_out().map(|game| game.result).collect();
        let split = |terms: &Adjustments, results: &[HalfPoints]| {
            self.split(plan, terms, results).with_context(|| {
                format!(
                    "too few positions: no bin has {} that meet a condition in the games that \
                     were not learned from",
                    plan.min_count
                )
            })
        };
        let mut noise = 0.0;
        for number in 0..SHUFFLES {
            let mut shuffled = results.clone();
            Random::stream(plan.seed, number).shuffle(&mut shuffled);
            noise += split(fitted, &shuffled)? / SHUFFLES as f64;
        }
        let before = split(&Adjustments::default(), &results)?;
        let [after, played] = [split(fitted, &results)?, split(played, &results)?];
        Ok(Split { before, after, played, noise })
    }

    /// The mean over the conditions of all terms for both players, by their positions.
    fn split(&self, plan: &FitPlan, terms: &Adjustments, results: &[HalfPoints]) -> Option<f64> {
        let mut all = Curve::default();
        let mut when = vec![Curve::default(); 2 * self.terms];
        for (game, &result) in self.held_out().zip(results) {
            let binned: Vec<(i32, i32)> = (game.positions.iter())
                .map(|position| position.value_with(terms))
                .map(|value| (value.div_euclid(plan.bin), value))
                .collect();
            all.add_game(result, &binned);
            for (place, curve) in when.iter_mut().enumerate() {
                let some = game.positions.iter().zip(&binned);
                let some = some.filter(|(position, _)| position.holds[place]);
                curve.add_game(result, &some.map(|(_, &binned)| binned).collect::<Vec<_>>());
            }
        }
        let (mut sum, mut positions) = (0.0, 0.0);
        for curve in &when {
            if let Some(split) = curve.split(&all, plan.min_count) {
                let weight = curve.total.all() as f64;
                sum += weight * split;
                positions += weight;
            }
        }
        (positions > 0.0).then(|| sum / positions)
    }
}

impl FitPosition {
    /// The value with terms added to it.
    fn value_with(&self, terms: &Adjustments) -> i32 {
        let worth = |((_, weight), side): (&(_, i32), &[f32])| {
            f64::from(*weight) * f64::from(side[0] - side[1])
        };
        let added: f64 = terms.iter().zip(self.sides.chunks_exact(2)).map(worth).sum();
        self.value + added.round() as i32
    }
}
