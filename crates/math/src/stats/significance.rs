//! Is a difference more than chance? Tests of two groups, and of many differences at once.

/// The chance that a number of Student's distribution is at least so far from zero.
pub fn student_two_sided(t: f64, freedom: f64) -> f64 {
    if t.is_nan() || freedom.is_nan() || freedom <= 0.0 {
        return 1.0;
    }
    if t.is_infinite() {
        return 0.0;
    }
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t)).clamp(0.0, 1.0)
}

/// Wilson's interval for a share: `z` standard errors to both sides. `points` of `all` may be half
/// ones.
pub fn wilson(points: f64, all: f64, z: f64) -> (f64, f64) {
    if all <= 0.0 {
        return (0.0, 1.0);
    }
    let (share, z2) = (points / all, z * z / all);
    let centre = (share + z2 / 2.0) / (1.0 + z2);
    let half = (z / (1.0 + z2)) * (share * (1.0 - share) / all + z2 / (4.0 * all)).sqrt();
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

/// The standard error of a ratio of two sums, whose parts come together: a number of each group of
/// observations that are not independent, and what it is a share of.
pub fn ratio_error(parts: impl Iterator<Item = (f64, f64)>) -> f64 {
    let parts: Vec<(f64, f64)> = parts.collect();
    let (sum, all) = parts.iter().fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    let squares: f64 = parts.iter().map(|(part, of)| (part - sum / all * of).powi(2)).sum();
    let groups = parts.len() as f64;
    (squares * groups / (groups - 1.0)).sqrt() / all
}

/// The sign test, two-sided: the chance that two counts of rarer and more frequent things are at
/// least so far apart if both are as likely.
pub fn sign_test(counts: [u64; 2]) -> f64 {
    let all = counts[0] + counts[1];
    let least = counts[0].min(counts[1]);
    // The chance of none of them is 2^-all, which may be too small for a number, not for a logarithm.
    let mut log = -(all as f64) * std::f64::consts::LN_2;
    let mut sum = 0.0;
    for k in 0..=least {
        sum += log.exp();
        log += ((all - k) as f64 / (k + 1) as f64).ln();
    }
    (2.0 * sum).min(1.0)
}

/// What is known of a group of numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Group {
    /// How many there are.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Their variance, of one fewer.
    pub variance: f64,
}

impl Group {
    /// Of numbers.
    pub fn of(numbers: &[f64]) -> Self {
        let count = numbers.len();
        let mean = numbers.iter().sum::<f64>() / count.max(1) as f64;
        let squares = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>();
        Self { count, mean, variance: squares / count.saturating_sub(1).max(1) as f64 }
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        (self.variance / self.count.max(1) as f64).sqrt()
    }
}

/// Welch's test: the chance that two groups with the same mean are at least so far apart.
pub fn welch(a: Group, b: Group) -> f64 {
    let [va, vb] = [a, b].map(|group| group.variance / group.count.max(1) as f64);
    if a.count < 2 || b.count < 2 || va + vb <= 0.0 {
        return 1.0;
    }
    let part = |variance: f64, count: usize| variance * variance / (count - 1) as f64;
    let freedom = (va + vb).powi(2) / (part(va, a.count) + part(vb, b.count));
    student_two_sided((a.mean - b.mean) / (va + vb).sqrt(), freedom)
}

/// Fisher's exact test, two-sided: the chance of shares that are at least as unlikely as these,
/// `yes` of `all` in both groups, if the groups are alike.
pub fn fisher(yes: [u64; 2], all: [u64; 2]) -> f64 {
    let total = all[0] + all[1];
    let marked = yes[0] + yes[1];
    let mut logs = vec![0.0_f64; total as usize + 1];
    for n in 1..logs.len() {
        logs[n] = logs[n - 1] + (n as f64).ln();
    }
    let ways = |n: u64, k: u64| logs[n as usize] - logs[k as usize] - logs[(n - k) as usize];
    let chance =
        |first: u64| ways(all[0], first) + ways(all[1], marked - first) - ways(total, marked);
    let seen = chance(yes[0]);
    let few = marked.saturating_sub(all[1]);
    // A little slack: equally unlikely tables are not told apart by rounding.
    let sum: f64 = (few..=marked.min(all[0]))
        .map(chance)
        .filter(|&log| log <= seen + 1e-7)
        .map(f64::exp)
        .sum();
    sum.min(1.0)
}

/// Holm's correction: chances that hold for all of them together. Each is the chance that a
/// difference as clear as this one comes up anywhere among so many tests.
pub fn holm(chances: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|&a, &b| chances[a].total_cmp(&chances[b]));
    let mut adjusted = vec![0.0; chances.len()];
    let mut largest = 0.0_f64;
    for (rank, &number) in order.iter().enumerate() {
        largest = largest.max((chances[number] * (chances.len() - rank) as f64).min(1.0));
        adjusted[number] = largest;
    }
    adjusted
}

/// The logarithm of the gamma function (Lanczos's approximation).
fn log_gamma(x: f64) -> f64 {
    const TERMS: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let t = x + 7.5;
    let sum: f64 = (1..9).map(|i| TERMS[i] / (x + i as f64)).sum::<f64>() + TERMS[0];
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

/// The regularised incomplete beta function, by its continued fraction.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges quickly on this side, and the other follows from it.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    front.exp() * beta_fraction(a, b, x) / a
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const CLOSE: f64 = 1e-15;
    let lift = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / lift(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for n in 1..500 {
        let m = f64::from(n);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / lift(1.0 + even * d);
        c = lift(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / lift(1.0 + odd * d);
        c = lift(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < CLOSE {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::normal_cumulative;

    /// Values of tables.
    #[test]
    fn shares_of_groups_are_less_certain_than_shares_of_all() {
        // Without groups: each observation by itself, n/(n-1) times the variance.
        let single = ratio_error([1.0, 0.0, 1.0, 1.0].into_iter().map(|part| (part, 1.0)));
        assert!((single - (0.1875_f64 / 3.0).sqrt()).abs() < 1e-12);
        // The same observations, which come in two groups that are alike inside.
        let grouped = ratio_error([(2.0, 2.0), (1.0, 2.0)].into_iter());
        assert!((grouped - 0.25).abs() < 1e-12, "{grouped}");
        assert_eq!(ratio_error([(1.0, 2.0), (2.0, 4.0)].into_iter()), 0.0);
        assert!(!ratio_error([(1.0, 2.0)].into_iter()).is_finite());
    }

    #[test]
    fn signs_by_hand() {
        assert!((sign_test([0, 5]) - 2.0 / 32.0).abs() < 1e-12);
        assert!((sign_test([5, 1]) - 2.0 * 7.0 / 64.0).abs() < 1e-12);
        assert_eq!(sign_test([3, 3]), 1.0);
        assert_eq!(sign_test([0, 0]), 1.0);
        assert!(sign_test([0, 2000]) < 1e-300);
    }

    #[test]
    fn wilson_by_hand() {
        // 10 of 100 at 95 %: a textbook's 0.0552 to 0.1744.
        let (low, high) = wilson(10.0, 100.0, 1.96);
        assert!((low - 0.0552).abs() < 1e-4 && (high - 0.1744).abs() < 1e-4, "{low} {high}");
        assert_eq!(wilson(0.0, 0.0, 1.96), (0.0, 1.0));
        assert!(wilson(0.0, 10.0, 1.96).0.abs() < 1e-12 && wilson(10.0, 10.0, 1.96).1 <= 1.0);
    }

    #[test]
    fn known_values() {
        for (t, freedom, expected) in [
            (12.706_204_736_4, 1.0, 0.05),
            (2.228_138_852, 10.0, 0.05),
            (3.169_272_673, 10.0, 0.01),
            (2.045_229_642, 29.0, 0.05),
            (0.0, 5.0, 1.0),
        ] {
            let found = student_two_sided(t, freedom);
            assert!((found - expected).abs() < 1e-8, "{t}: {found}");
            assert!((student_two_sided(-t, freedom) - found).abs() < 1e-15);
        }
        let normal = 2.0 * normal_cumulative(-2.5);
        assert!((student_two_sided(2.5, 1e7) - normal).abs() < 1e-7);
        assert_eq!(student_two_sided(f64::NAN, 3.0), 1.0);
        assert_eq!(student_two_sided(f64::INFINITY, 3.0), 0.0);
    }

    /// Fisher's tea: three of four cups each.
    #[test]
    fn exact_chances() {
        assert!((fisher([3, 1], [4, 4]) - 0.485_714_285_714_285_7).abs() < 1e-12);
        assert!((fisher([4, 0], [4, 4]) - 2.0 / 70.0).abs() < 1e-12);
        assert_eq!(fisher([0, 0], [5, 9]), 1.0);
        assert!(fisher([90, 100], [100, 400]) < 1e-20);
    }

    #[test]
    fn groups_apart_and_together() {
        let a: Vec<f64> = (0..40).map(|i| f64::from(i % 5)).collect();
        let b: Vec<f64> = a.iter().map(|x| x + 3.0).collect();
        assert!(welch(Group::of(&a), Group::of(&b)) < 1e-10);
        assert_eq!(welch(Group::of(&a), Group::of(&a)), 1.0);
        assert_eq!(welch(Group::of(&[1.0; 9]), Group::of(&[1.0; 9])), 1.0);
        assert_eq!(welch(Group::of(&[]), Group::of(&a)), 1.0);
    }

    #[test]
    fn holm_steps_down() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        assert!(adjusted.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{adjusted:?}");
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }
}
