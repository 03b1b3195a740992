//! SPRT, a test that ends as soon as the results say enough: the generalised sequential probability
//! ratio test over pairs of games.

use serde::{Deserialize, Serialize};

use super::score_of_elo;

/// Two hypotheses on the difference in (logistic) Elo, and how often a decision between them may be
/// wrong.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The difference under the first hypothesis.
    pub elo0: f64,
    /// The difference under the second.
    pub elo1: f64,
    /// How often the second may be accepted though the first is true.
    pub alpha: f64,
    /// How often the first may be accepted though the second is true.
    pub beta: f64,
}

/// What the test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtState {
    /// The results do not say enough yet.
    Undecided,
    /// The first hypothesis is accepted.
    AcceptedFirst,
    /// The second hypothesis is accepted.
    AcceptedSecond,
}

impl SprtState {
    /// `undecided`, `H0` or `H1`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Undecided => "undecided",
            Self::AcceptedFirst => "H0",
            Self::AcceptedSecond => "H1",
        }
    }
}

/// Results that did not occur count as this many, so that every logarithm is finite.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// What is wrong with the numbers, if anything is.
    pub fn mistake(&self) -> Option<&'static str> {
        let share = |p: f64| p > 0.0 && p < 0.5;
        if !(self.elo0 < self.elo1 && self.elo0.is_finite() && self.elo1.is_finite()) {
            Some("elo0 must be below elo1")
        } else if !(share(self.alpha) && share(self.beta)) {
            Some("alpha and beta must be between 0 and 0.5")
        } else {
            None
        }
    }

    /// The ratio below which the first hypothesis is accepted, and that above which the second is.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of how much likelier the pairs are under the second hypothesis than under the
    /// first, each at its likeliest distribution.
    pub fn ratio(&self, pairs: &[u64; 5]) -> f64 {
        if pairs.iter().all(|&n| n == 0) {
            return 0.0;
        }
        let counts = pairs.map(|n| if n == 0 { UNSEEN } else { n as f64 });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|n| n / total);
        let [first, second] =
            [self.elo0, self.elo1].map(|elo| likeliest(&shares, score_of_elo(elo)));
        (0..5).map(|i| counts[i] * (second[i] / first[i]).ln()).sum()
    }

    /// What the test says of these pairs.
    pub fn state(&self, pairs: &[u64; 5]) -> SprtState {
        let (low, high) = self.bounds();
        match self.ratio(pairs) {
            ratio if ratio <= low => SprtState::AcceptedFirst,
            ratio if ratio >= high => SprtState::AcceptedSecond,
            _ => SprtState::Undecided,
        }
    }
}

/// The likeliest distribution over the five results of a pair, given how often each was seen, among
/// those whose mean is `score`.
///
/// It gives the result i the share `shares[i] / (1 + t·(aᵢ − score))`, where aᵢ is the score of the
/// result, and t is the number with which the mean comes out right. That number is found by halving
/// the interval in which all shares are positive: the mean falls with t.
fn likeliest(shares: &[f64; 5], score: f64) -> [f64; 5] {
    let away: [f64; 5] = std::array::from_fn(|i| i as f64 / 4.0 - score);
    let excess = |t: f64| -> f64 {
        shares.iter().zip(away).map(|(share, away)| share * away / (1.0 + t * away)).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = f64::midpoint(low, high);
    std::array::from_fn(|i| shares[i] / (1.0 + t * away[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: [u64; 5] = [10, 40, 120, 70, 20];

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// The distribution of mean s that makes n₀ … n₄ likeliest was found by another way: Newton's
    /// method in two variables on the Lagrange conditions Σ qᵢ = 1, Σ qᵢ·(aᵢ − s) = 0 with
    /// qᵢ = nᵢ / (N·(λ + μ·(aᵢ − s))), in double precision; then Σ nᵢ·ln(qᵢ(elo1) / qᵢ(elo0)).
    #[test]
    fn known_ratios() {
        let known = [
            (0.0, 5.0, 1.487_398_779_509),
            (0.0, 10.0, 2.750_652_315_068),
            (-5.0, 0.0, 1.702_128_712_351),
            (10.0, 30.0, 2.669_747_003_005),
        ];
        for (elo0, elo1, expected) in known {
            let ratio = sprt(elo0, elo1).ratio(&PAIRS);
            assert!((ratio - expected).abs() < 1e-8, "{elo0} {elo1}: {ratio}");
        }
    }

    /// The plain approximation for small differences: N·(s1 − s0)·(2·mean − s0 − s1) /
    /// (2·variance).
    #[test]
    fn small_differences_are_nearly_normal() {
        let (mean, variance) = (142.5 / 260.0, 91.875 / 260.0 - (142.5_f64 / 260.0).powi(2));
        let (s0, s1) = (score_of_elo(30.0), score_of_elo(34.0));
        let plain = 260.0 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let ratio = sprt(30.0, 34.0).ratio(&PAIRS);
        assert!((ratio - plain).abs() < 0.01 * plain.abs().max(0.1), "{ratio} {plain}");
    }

    /// ln(0.05 / 0.95) = −2.944438979166440 and its opposite.
    #[test]
    fn bounds_and_decisions() {
        let (low, high) = sprt(0.0, 5.0).bounds();
        assert!((low + 2.944_438_979_166_44).abs() < 1e-12 && (high + low).abs() < 1e-12);
        assert_eq!(sprt(0.0, 5.0).state(&PAIRS), SprtState::Undecided);
        assert_eq!(sprt(0.0, 5.0).state(&PAIRS.map(|n| 3 * n)), SprtState::AcceptedSecond);
        let losing = [20, 70, 120, 40, 10].map(|n| 3 * n);
        assert_eq!(sprt(0.0, 5.0).state(&losing), SprtState::AcceptedFirst);
        assert_eq!(sprt(0.0, 5.0).ratio(&[0; 5]), 0.0);
        assert!(sprt(0.0, 5.0).ratio(&[0, 0, 0, 0, 30]).is_finite());
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(sprt(5.0, 0.0).mistake().is_some());
        assert!(sprt(0.0, f64::NAN).mistake().is_some());
        assert!(Sprt { alpha: 0.0, ..sprt(0.0, 5.0) }.mistake().is_some());
        assert!(sprt(0.0, 5.0).mistake().is_none());
    }
}
