//! Numbers as people read them: thousands apart, a true minus sign, no negative zero.

/// What stands for a number that is not there.
const MISSING: &str = "–";

/// A number with this many decimals.
///
/// ```
/// use tesuji_report::number;
/// assert_eq!(number::fixed(382_816.0, 0), "382,816");
/// assert_eq!(number::fixed(-0.125, 2), "−0.13");
/// assert_eq!(number::fixed(-0.001, 2), "0.00");
/// assert_eq!(number::fixed(f64::NAN, 2), "–");
/// ```
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return MISSING.to_owned();
    }
    // Half away from zero, as people round; the formatter alone rounds half to even.
    let unit = 10f64.powi(i32::try_from(decimals).unwrap_or(0));
    let scaled = (value.abs() * unit).round() / unit;
    let rounded = if scaled.is_finite() { scaled } else { value.abs() };
    let digits = format!("{rounded:.decimals$}");
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let zero = digits.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let sign = if value < 0.0 && !zero { "−" } else { "" };
    format!("{sign}{}{rest}", grouped(whole))
}

/// A number with its sign, for differences: `+3`, `−1.5`, `0`.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let positive = value > 0.0 && text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    if positive { format!("+{text}") } else { text }
}

/// A whole number.
pub fn count(value: u64) -> String {
    grouped(&value.to_string())
}

/// A number of things: `1 game`, `2 games`.
pub fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A share of one as a percentage: `0.1772` is `17.7 %`.
pub fn percent(share: f64, decimals: usize) -> String {
    if share.is_finite() { format!("{} %", fixed(share * 100.0, decimals)) } else { MISSING.into() }
}

/// A time in the unit that suits it.
///
/// ```
/// use tesuji_report::number::duration;
/// assert_eq!(duration(0.0042), "4.2 ms");
/// assert_eq!(duration(8.25), "8.3 s");
/// assert_eq!(duration(200.0), "3 min 20 s");
/// assert_eq!(duration(5_400.0), "1 h 30 min");
/// ```
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return MISSING.to_owned();
    }
    let rounded = seconds.round();
    if seconds < 0.9995 {
        let milliseconds = seconds * 1_000.0;
        format!("{} ms", fixed(milliseconds, usize::from(milliseconds < 9.95)))
    } else if seconds < 59.95 {
        format!("{} s", fixed(seconds, usize::from(seconds < 9.95)))
    } else if rounded < 3_600.0 {
        format!("{} min {} s", (rounded / 60.0).floor(), rounded % 60.0)
    } else {
        let minutes = (seconds / 60.0).round();
        format!("{} h {} min", fixed((minutes / 60.0).floor(), 0), minutes % 60.0)
    }
}

/// Digits in groups of three.
fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_signed() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1_000), "1,000");
        assert_eq!(count(77_000_000), "77,000,000");
        assert_eq!(fixed(999.96, 1), "1,000.0");
        assert_eq!(fixed(0.5, 0), "1");
        assert_eq!(fixed(1e300, 0).len(), 401);
        assert_eq!(fixed(f64::INFINITY, 0), "–");
        assert_eq!(signed(3.0, 0), "+3");
        assert_eq!(signed(0.001, 1), "0.0");
        assert_eq!(signed(-2.0, 1), "−2.0");
        assert_eq!(percent(0.1772, 2), "17.72 %");
        assert_eq!(percent(f64::NAN, 2), "–");
    }

    #[test]
    fn times_change_their_unit_where_they_should() {
        assert_eq!(duration(0.25), "250 ms");
        assert_eq!(duration(0.9999), "1.0 s");
        assert_eq!(duration(59.97), "1 min 0 s");
        assert_eq!(duration(3_599.7), "1 h 0 min");
        assert_eq!(duration(-1.0), "–");
    }
}
