//! Win ratio by value: counts in bins, with errors that know of games.
//!
//! The positions of one game share its result, so that they are no independent observations. For
//! each bin the squares of their numbers are summed game by game; with them the variance of a ratio
//! is known whatever the ratio comes to, in one pass and in the same memory for any number of games.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tesuji_math::stats::wilson;

/// Who won a game: 0 White, 1 nobody, 2 Black. It is Black's result in half points.
pub type HalfPoints = usize;

/// Positions that are counted together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// How many there are, by the result of their game.
    counts: [u64; 3],
    /// Their numbers in each game, squared and summed.
    squares: [u64; 3],
    /// The sum of their values.
    values: i64,
}

impl Cell {
    /// Adds the positions of one game.
    pub fn add_game(&mut self, result: HalfPoints, count: u64, values: i64) {
        self.counts[result] += count;
        self.squares[result] += count * count;
        self.values += values;
    }

    /// Adds the positions of other games.
    fn merge(&mut self, other: &Self) {
        for result in 0..3 {
            self.counts[result] += other.counts[result];
            self.squares[result] += other.squares[result];
        }
        self.values += other.values;
    }

    /// All positions, those of drawn games among them.
    pub fn all(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Positions of games that somebody won.
    pub fn decided(&self) -> u64 {
        self.counts[0] + self.counts[2]
    }

    /// Those of games that Black won.
    pub fn wins(&self) -> u64 {
        self.counts[2]
    }

    fn points(&self) -> f64 {
        self.counts[2] as f64 + self.counts[1] as f64 / 2.0
    }

    /// Black's share; a draw is half a win.
    pub fn ratio(&self) -> f64 {
        self.points() / self.all().max(1) as f64
    }

    /// Its standard error, games as clusters.
    pub fn error(&self) -> f64 {
        let ratio = self.ratio();
        let part = |(half_points, &squares): (usize, &u64)| {
            (half_points as f64 / 2.0 - ratio).powi(2) * squares as f64
        };
        let variance: f64 = self.squares.iter().enumerate().map(part).sum();
        variance.sqrt() / self.all().max(1) as f64
    }

    /// The mean value.
    pub fn mean(&self) -> f64 {
        self.values as f64 / self.all().max(1) as f64
    }

    /// The logit of the ratio, drawn a little to the middle so that it always is a number.
    fn logit(&self) -> f64 {
        let (points, all) = (self.points(), self.all() as f64);
        ((points + 0.5) / (all - points + 0.5)).ln()
    }

    /// The numbers as JSON: Wilson's interval takes positions as independent, the error does not.
    pub fn json(&self) -> Value {
        let (low, high) = wilson(self.points(), self.all() as f64, 1.96);
        json!({
            "positions": self.decided(),
            "wins": self.wins(),
            "drawn": self.counts[1],
            "ratio": self.ratio(),
            "error": self.error(),
            "low": low,
            "high": high,
            "mean": self.mean(),
        })
    }
}

/// Win ratio by value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Curve {
    /// Everything.
    pub total: Cell,
    /// By the number of the bin: bin 0 begins at value 0.
    pub bins: BTreeMap<i32, Cell>,
}

impl Curve {
    /// Adds the positions of one game: their bins and values.
    pub fn add_game(&mut self, result: HalfPoints, positions: &[(i32, i32)]) {
        let mut by_bin: BTreeMap<i32, (u64, i64)> = BTreeMap::new();
        for &(bin, value) in positions {
            let (count, sum) = by_bin.entry(bin).or_default();
            *count += 1;
            *sum += i64::from(value);
        }
        let sum = |(count, values): (u64, i64), one: &(u64, i64)| (count + one.0, values + one.1);
        let (count, values) = by_bin.values().fold((0, 0), sum);
        if count > 0 {
            self.total.add_game(result, count, values);
        }
        for (bin, (count, values)) in by_bin {
            self.bins.entry(bin).or_default().add_game(result, count, values);
        }
    }

    /// Adds other games.
    pub fn merge(&mut self, other: &Self) {
        self.total.merge(&other.total);
        for (&bin, cell) in &other.bins {
            self.bins.entry(bin).or_default().merge(cell);
        }
    }

    /// The bins that have enough positions.
    pub fn enough(&self, min_count: u64) -> impl Iterator<Item = (i32, &Cell)> {
        let bins = self.bins.iter().map(|(&bin, cell)| (bin, cell));
        bins.filter(move |(_, cell)| cell.all() >= min_count)
    }

    /// How far two curves part: the mean distance of their logits over the positions of this one,
    /// in bins where both have enough. `None` where no bin has.
    pub fn split(&self, other: &Self, min_count: u64) -> Option<f64> {
        let (mut sum, mut positions) = (0.0, 0.0);
        for (bin, cell) in self.enough(min_count) {
            let Some(all) = other.bins.get(&bin).filter(|all| all.all() >= min_count) else {
                continue;
            };
            sum += cell.all() as f64 * (cell.logit() - all.logit()).abs();
            positions += cell.all() as f64;
        }
        (positions > 0.0).then(|| sum / positions)
    }

    /// The value at which both players win as often, by a logistic curve fitted to the bins.
    pub fn even(&self) -> Option<f64> {
        let [constant, slope] = self.logistic()?;
        (slope > 0.0).then(|| -constant / slope)
    }

    /// The logistic curve that fits best: its constant and its slope, by Newton's method.
    fn logistic(&self) -> Option<[f64; 2]> {
        /// Values are small numbers while it is fitted.
        const UNIT: f64 = 1000.0;
        let [mut constant, mut slope] = [0.0, 0.0];
        for _ in 0..50 {
            let (mut gradient, mut hessian) = ([0.0; 2], [0.0; 3]);
            for cell in self.bins.values() {
                let (n, x) = (cell.all() as f64, cell.mean() / UNIT);
                let p = 1.0 / (1.0 + (-(constant + slope * x)).exp());
                let (off, weight) = (cell.points() - n * p, n * p * (1.0 - p));
                gradient = [gradient[0] + off, gradient[1] + off * x];
                hessian =
                    [hessian[0] + weight, hessian[1] + weight * x, hessian[2] + weight * x * x];
            }
            let determinant = hessian[0] * hessian[2] - hessian[1] * hessian[1];
            if determinant <= 1e-9 * (hessian[0] * hessian[2]).max(f64::MIN_POSITIVE) {
                return None;
            }
            let step = [
                (hessian[2] * gradient[0] - hessian[1] * gradient[1]) / determinant,
                (hessian[0] * gradient[1] - hessian[1] * gradient[0]) / determinant,
            ];
            constant += step[0];
            slope += step[1];
            if step[0].abs() + step[1].abs() < 1e-12 {
                break;
            }
        }
        (constant.is_finite() && slope.is_finite()).then_some([constant, slope / UNIT])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_math::Random;

    #[test]
    fn errors_take_games_as_clusters() {
        // Ten games of ten positions each: as sure as ten positions, not as a hundred.
        let mut cell = Cell::default();
        for game in 0..10 {
            cell.add_game(if game < 5 { 0 } else { 2 }, 10, 0);
        }
        assert_eq!((cell.all(), cell.wins(), cell.ratio()), (100, 50, 0.5));
        assert!((cell.error() - 0.5 / 10_f64.sqrt()).abs() < 1e-12);
        cell.add_game(1, 4, 0);
        assert_eq!((cell.decided(), cell.all(), cell.ratio()), (100, 104, 0.5), "a draw is half");
    }

    #[test]
    fn a_shifted_curve_is_found() {
        // Black wins by a logistic curve of scale 400; the other curve is 200 to the left.
        let mut random = Random::new(1);
        let mut curve = |shift: f64| {
            let mut curve = Curve::default();
            for _ in 0..40_000 {
                let value = random.below(2001) as i32 - 1000;
                let chance = 1.0 / (1.0 + (-(f64::from(value) + shift) / 400.0).exp());
                let result = 2 * usize::from(random.chance(chance));
                curve.add_game(result, &[(value.div_euclid(50), value)]);
            }
            curve
        };
        let (plain, shifted) = (curve(0.0), curve(200.0));
        assert!(plain.even().unwrap().abs() < 15.0);
        assert!((shifted.even().unwrap() + 200.0).abs() < 15.0);
        // 200 of 400 in logits, and noise that cannot make it less than nothing.
        assert!((shifted.split(&plain, 100).unwrap() - 0.5).abs() < 0.05);
        assert!(plain.split(&plain, 100).unwrap() < 1e-12);
        assert_eq!(plain.split(&Curve::default(), 1), None);
        assert_eq!(Curve::default().even(), None);
    }

    #[test]
    fn a_game_is_counted_once_in_each_bin() {
        let mut curve = Curve::default();
        curve.add_game(2, &[(0, 10), (0, 20), (1, 60)]);
        assert_eq!(curve.total, Cell { counts: [0, 0, 3], squares: [0, 0, 9], values: 90 });
        assert_eq!(curve.bins[&0], Cell { counts: [0, 0, 2], squares: [0, 0, 4], values: 30 });
        curve.add_game(0, &[]);
        assert_eq!(curve.bins.len(), 2);
    }
}
