//! Match statistics: points, Elo with its error, likelihood of superiority, SPRT.
//!
//! Games are played in pairs, from the same opening with colours swapped. The two are not
//! independent: an opening that favours Black gives one win to each. So the pair is the unit that
//! is counted, with five possible results, and uncertainty is computed from pairs.

mod normal;
mod significance;
mod sprt;

pub use normal::cumulative as normal_cumulative;
pub use significance::{
    Group, fisher, holm, ratio_error, sign_test, student_two_sided, welch, wilson,
};
pub use sprt::{Sprt, SprtState};

/// 95 % of a normal distribution lie within so many standard deviations.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// Normalised Elo points for a standard deviation, 800 / ln 10: with this, small differences of
/// engines that never draw are the same in both kinds of Elo.
const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

/// The results of one engine against another, or against several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs of games by what the engine got from them: 0, ½, 1, 1½ or 2 points.
    pub pairs: [u64; 5],
    /// Half points of the first game of a pair whose second game is missing.
    half: Option<u64>,
}

/// How strong an engine is compared with its opponent, with 95 % intervals.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The share of points, from 0 to 1.
    pub score: f64,
    /// The difference in Elo points; not finite where all points went to one side.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The probability that the engine is the stronger one.
    pub superiority: f64,
    /// The difference in normalised Elo points: how far the share of points is from one half,
    /// measured by how much the points of a game vary, times 800 / ln 10. So it says how many games
    /// it takes to see the difference, whatever the share of draws. Not finite where all pairs
    /// ended alike and not even.
    pub normalised: f64,
    /// Half the width of its interval.
    pub normalised_error: f64,
}

impl Estimate {
    /// Half the width of the interval.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl Tally {
    /// Adds the next game in the order of the schedule: 0, 1 or 2 half points.
    pub fn add(&mut self, half_points: u64) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        match self.half.take() {
            None => self.half = Some(half_points),
            Some(first) => self.pairs[(first + half_points).min(4) as usize] += 1,
        }
    }

    /// Games so far.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points so far.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// What the complete pairs say; `None` before the first one.
    pub fn estimate(&self) -> Option<Estimate> {
        let count: u64 = self.pairs.iter().sum();
        if count == 0 {
            return None;
        }
        let scored = || (0..5).map(|i| f64::from(i) / 4.0).zip(self.pairs.map(|n| n as f64));
        let count = count as f64;
        let mean = scored().map(|(score, n)| score * n).sum::<f64>() / count;
        let variance = scored().map(|(score, n)| n * (score - mean).powi(2)).sum::<f64>() / count;
        let at = |score: f64| elo_of_score(score.clamp(0.0, 1.0));
        let elo = at(mean);
        if variance == 0.0 {
            // Pairs that are all alike say nothing of how much pairs differ.
            let superiority = superiority_of_alike(mean, count);
            let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
            let normalised = if mean == 0.5 { 0.0 } else { f64::INFINITY.copysign(mean - 0.5) };
            return Some(Estimate {
                score: mean,
                elo,
                low,
                high,
                superiority,
                normalised,
                normalised_error: f64::INFINITY,
            });
        }
        let deviation = (variance / count).sqrt();
        // The mean of the two games of a pair has half the variance of one game, if they are taken
        // for independent.
        let of_a_game = (2.0 * variance).sqrt();
        Some(Estimate {
            score: mean,
            elo,
            low: at(mean - Z95 * deviation),
            high: at(mean + Z95 * deviation),
            superiority: normal::cumulative((mean - 0.5) / deviation),
            normalised: NORMALISED * (mean - 0.5) / of_a_game,
            normalised_error: NORMALISED * Z95 * deviation / of_a_game,
        })
    }
}

/// The probability that an engine is the stronger one after `count` pairs that all ended alike. If
/// it won them all: every probability of winning a pair was as likely before as any other, so it is
/// above one half with the probability 1 − 2^−(count + 1).
fn superiority_of_alike(mean: f64, count: f64) -> f64 {
    let doubt = 0.5_f64.powf(count + 1.0);
    match mean {
        mean if mean > 0.5 => 1.0 - doubt,
        mean if mean < 0.5 => doubt,
        _ => 0.5,
    }
}

/// The difference in Elo points that makes a share of points the expected one.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The share of points that is expected of an engine stronger by so many Elo points.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-6, "{a} and {b}");
    }

    /// By hand: 260 pairs with 0, 1/4, 1/2, 3/4, 1 of their two points, 10, 40, 120, 70 and 20 of
    /// them. The mean is (10 + 60 + 52.5 + 20) / 260 = 142.5 / 260. The squares of the scores have
    /// the mean (40/16 + 120/4 + 70·9/16 + 20) / 260 = 91.875 / 260, so the variance of a pair is
    /// 91.875/260 − (142.5/260)² and that of the mean the 260th part. The Elo of a score s is
    /// 400·log10(s / (1 − s)).
    #[test]
    fn elo_of_known_pairs() {
        let tally = Tally { pairs: [10, 40, 120, 70, 20], ..Tally::default() };
        let estimate = tally.estimate().unwrap();
        let mean = 142.5 / 260.0;
        let deviation = ((91.875 / 260.0 - mean * mean) / 260.0_f64).sqrt();
        near(deviation, 0.014_274_381_436_944);
        near(estimate.score, mean);
        near(estimate.elo, 400.0 * (142.5 / 117.5_f64).log10());
        near(estimate.elo, 33.510_799_094_710);
        near(estimate.low, 13.974_197_631_410);
        near(estimate.high, 53.261_201_700_453);
        near(estimate.superiority, 0.999_621_499_585);
    }

    /// By hand, from the same pairs: the variance of a pair is 260 times the square of the
    /// deviation above, that of a game twice as much; the mean is 0.048 076 923 above one half.
    /// Doubling all counts leaves the difference and divides the error by √2.
    #[test]
    fn normalised_elo_of_known_pairs() {
        let tally = Tally { pairs: [10, 40, 120, 70, 20], ..Tally::default() };
        let estimate = tally.estimate().unwrap();
        let deviation = 0.014_274_381_436_944 * (2.0 * 260.0_f64).sqrt();
        near(deviation, 0.325_506_276_953_8);
        near(estimate.normalised, 25.0 / 520.0 / deviation * 347.435_585_522_601);
        near(estimate.normalised_error, 1.959_963_984_540 * 347.435_585_522_601 / 520_f64.sqrt());
        let twice = Tally { pairs: [20, 80, 240, 140, 40], ..Tally::default() }.estimate().unwrap();
        near(twice.normalised, estimate.normalised);
        near(twice.normalised_error, estimate.normalised_error / 2_f64.sqrt());
        // Games that are never drawn, and nearly even: a game varies by one half, and both kinds of
        // Elo are the same to first order.
        let even = Tally { pairs: [2490, 0, 5000, 0, 2510], ..Tally::default() };
        let even = even.estimate().unwrap();
        assert!((even.normalised - even.elo).abs() < 1e-3, "{even:?}");
    }

    #[test]
    fn pairs_are_counted_in_order() {
        let mut tally = Tally::default();
        for half_points in [2, 0, 1, 2, 0, 0, 2, 2, 1] {
            tally.add(half_points);
        }
        assert_eq!((tally.wins, tally.draws, tally.losses), (4, 2, 3));
        assert_eq!(tally.pairs, [1, 0, 1, 1, 1]);
        near(tally.points(), 5.0);
        assert_eq!(tally.games(), 9);
    }

    #[test]
    fn one_sided_results_have_no_finite_elo() {
        let mut tally = Tally::default();
        assert_eq!(tally.estimate(), None);
        tally.add(2);
        tally.add(2);
        let estimate = tally.estimate().unwrap();
        assert!(estimate.elo.is_infinite() && estimate.elo > 0.0);
        assert!(estimate.low.is_infinite() && estimate.high.is_infinite());
        // One success after a uniform prior: the integral of 2p from ½ to 1.
        near(estimate.superiority, 0.75);
        assert!(estimate.normalised == f64::INFINITY && estimate.normalised_error.is_infinite());
        let ten = Tally { pairs: [10, 0, 0, 0, 0], ..Tally::default() }.estimate().unwrap();
        near(ten.superiority, 1.0 / 2048.0);
        let drawn = Tally { pairs: [0, 0, 4, 0, 0], ..Tally::default() }.estimate().unwrap();
        near(drawn.superiority, 0.5);
        near(drawn.elo, 0.0);
        near(drawn.normalised, 0.0);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-400.0, -3.0, 0.0, 12.5, 800.0] {
            near(elo_of_score(score_of_elo(elo)), elo);
        }
        near(score_of_elo(400.0), 10.0 / 11.0);
    }
}
