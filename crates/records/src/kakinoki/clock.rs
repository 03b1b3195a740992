//! Thinking times: `( 0:16/00:00:16)`, the time for the move and the player's total.

use std::time::Duration;

use crate::japanese::digit;

/// Splits `７六歩(77)   ( 0:16/00:00:16)` into the move and the time. Some programs write a second
/// pair of columns; the first is that of the move. The error is the text that is no time.
pub(crate) fn split_times(text: &str) -> Result<(&str, Option<Duration>), &str> {
    let (mut rest, mut time) = (text, None);
    while let Some(start) = rest.rfind(['(', '（'])
        && rest[start..].contains([':', '：', '/', '／'])
    {
        let columns = &rest[start..];
        let inside = columns.trim_start_matches(['(', '（']).strip_suffix([')', '）']);
        time = inside.and_then(read_time).ok_or(columns)?;
        rest = rest[..start].trim_end();
    }
    Ok((rest, time))
}

/// Reads the inside of the parentheses. Only the time for the move counts: the total follows from
/// it. `Some(None)` if there is no time in front of the slash, `None` if the text is not a time.
///
/// The time is minutes and seconds, or hours as well; fractions of a second are kept.
pub(crate) fn read_time(text: &str) -> Option<Option<Duration>> {
    let spent = text.split(['/', '／']).next()?.trim();
    if spent.is_empty() {
        return Some(None);
    }
    let (spent, fraction) = spent.split_once('.').unwrap_or((spent, ""));
    let fields: Vec<u64> =
        spent.split([':', '：']).map(whole_number).collect::<Option<Vec<u64>>>()?;
    if fields.len() > 3 {
        return None;
    }
    let seconds = fields
        .into_iter()
        .try_fold(0_u64, |total, field| total.checked_mul(60)?.checked_add(field))?;
    Some(Some(Duration::new(seconds, nanoseconds(fraction)?)))
}

fn whole_number(text: &str) -> Option<u64> {
    let digits = text.trim();
    if digits.is_empty() {
        return None;
    }
    digits.chars().try_fold(0_u64, |number, character| {
        number.checked_mul(10)?.checked_add(digit(character)?.into())
    })
}

/// The digits behind the point, as billionths; what is finer is cut off.
fn nanoseconds(fraction: &str) -> Option<u32> {
    let digits = fraction.chars().map(|c| c.to_digit(10)).collect::<Option<Vec<u32>>>()?;
    let digits = digits.into_iter().chain(std::iter::repeat(0)).take(9);
    Some(digits.fold(0, |number, digit| number * 10 + digit))
}

/// The two columns of the table. Both are whole seconds, as the format wants them.
pub(crate) fn time_columns(spent: Duration, total: Duration) -> String {
    let (spent, total) = (spent.as_secs(), total.as_secs());
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60);
    format!("({:>2}:{:02}/{hours:02}:{minutes:02}:{seconds:02})", spent / 60, spent % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<f64> {
        read_time(text).flatten().map(|time| time.as_secs_f64())
    }

    #[test]
    fn times_of_many_programs() {
        assert_eq!(seconds(" 0:16/00:00:16"), Some(16.0));
        assert_eq!(seconds("75:09/01:15:09"), Some(4509.0));
        assert_eq!(seconds("0:6/"), Some(6.0));
        assert_eq!(seconds("00:02 / 00:00:02"), Some(2.0));
        assert_eq!(seconds("1:02:03/01:02:03"), Some(3723.0));
        assert_eq!(seconds("0:01.25/00:00:01.25"), Some(1.25));
        assert_eq!(seconds("０：０５/００：００：０５"), Some(5.0));
        assert_eq!(read_time(" /00:00:16"), Some(None));
    }

    #[test]
    fn a_second_pair_of_columns() {
        let line = "７六歩(77)   ( 0:16/00:00:16) ( 1:00/00:01:00)";
        assert_eq!(split_times(line), Ok(("７六歩(77)", Some(Duration::from_secs(16)))));
        assert_eq!(split_times("５五角打"), Ok(("５五角打", None)));
        assert_eq!(split_times("７六歩(77) (a:b)"), Err("(a:b)"));
    }

    #[test]
    fn what_is_not_a_time() {
        for text in ["a:b/c", "1::2/", "1:2:3:4/", "0:1.x/", "99999999999999999999:00/", ":/"] {
            assert_eq!(read_time(text), None, "{text}");
        }
    }

    #[test]
    fn columns() {
        let text = time_columns(Duration::from_millis(16_900), Duration::from_secs(3_725));
        assert_eq!(text, "( 0:16/01:02:05)");
        let text = time_columns(Duration::from_secs(6_000), Duration::from_secs(360_000));
        assert_eq!(text, "(100:00/100:00:00)");
    }
}
