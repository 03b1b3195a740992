//! The normal distribution.

/// The share of the standard normal distribution below `x`, by the series
/// Φ(x) = ½ + φ(x)·(x + x³/3 + x⁵/(3·5) + x⁷/(3·5·7) + …), whose terms all have the sign of x.
pub fn cumulative(x: f64) -> f64 {
    // Beyond this the series says nothing that a number could hold.
    const FAR: f64 = 8.0;
    if x.is_nan() || x.abs() > FAR {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut n) = (0.0, x, 1.0);
    while sum + term != sum {
        sum += term;
        n += 2.0;
        term *= x * x / n;
    }
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    0.5 + density * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of tables, and of the error function of C: Φ(x) = ½·erfc(−x/√2).
    #[test]
    fn known_values() {
        let known = [
            (-3.0, 0.001_349_898_031_630_095_7),
            (-1.0, 0.158_655_253_931_457_07),
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013_1),
            (1.96, 0.975_002_104_851_779_5),
            (4.0, 0.999_968_328_758_166_9),
            (9.0, 1.0),
            (-9.0, 0.0),
        ];
        for (x, expected) in known {
            assert!((cumulative(x) - expected).abs() < 1e-14, "{x}: {}", cumulative(x));
        }
    }
}
