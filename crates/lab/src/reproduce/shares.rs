//! Shares with their intervals, as pages show them.

use tesuji_math::stats::wilson;
use tesuji_report::{Cell, number};

/// 95 % of a normal distribution lie within so many standard deviations.
pub const Z95: f64 = 1.96;

/// A share of points with Wilson's interval of 95 %.
pub fn share_cells(points: f64, all: f64) -> [Cell; 2] {
    if all <= 0.0 {
        return [Cell::text("–"), Cell::text("–")];
    }
    [Cell::percent(points / all, 1), Cell::text(&interval(points, all))]
}

/// Wilson's interval of 95 %, in per cent.
pub fn interval(points: f64, all: f64) -> String {
    let (low, high) = wilson(points, all, Z95);
    format!("{}–{}", number::fixed(100.0 * low, 0), number::percent(high, 0))
}
