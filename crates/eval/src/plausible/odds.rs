//! Merits as logarithms of odds. The search decides by them, so they are made of products, which are
//! the same on every machine.

use std::sync::LazyLock;

/// What is left of odds when a merit is so much less.
pub(super) fn odds(less: i32) -> f64 {
    ODDS.get(less as usize).copied().unwrap_or(0.0)
}

/// The logarithm of a number that is 1 or more, as a merit.
pub(super) fn merit_of(odds: f64) -> i32 {
    ODDS.partition_point(|&less| less * odds > 1.0) as i32
}

static ODDS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    const STEPS: usize = 2048;
    /// e to the power of -1 / [`super::UNITS`].
    const STEP: f64 = 0.990_049_833_749_168_1;
    std::iter::successors(Some(1.0), |odds| Some(odds * STEP)).take(STEPS).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_are_those_of_logits() {
        assert_eq!(super::super::UNITS, 100);
        for less in [0, 1, 100, 1000] {
            let exact = (-f64::from(less) / 100.0).exp();
            assert!((odds(less) - exact).abs() < 1e-12 * exact, "{less}");
        }
        assert_eq!(odds(100_000), 0.0);
    }

    #[test]
    fn merits_are_logarithms() {
        for number in [1.0_f64, 1.005, 2.0, 80.0, 593.0] {
            assert_eq!(merit_of(number), (100.0 * number.ln()).ceil() as i32, "{number}");
        }
    }
}
