//! Dates as other programs want them: `2003/05/03`, or `2003/05/03 10:30:00`.

/// The date, and the time if the text has one, in the one form that KIF and CSA know; `None` if
/// the text is not a day of our calendar in any usual way of writing one.
///
/// ```text
/// 2003-05-03              2003/05/03
/// 2003年5月3日 10:30      2003/05/03 10:30
/// 2003-05-03T10:30:00Z    2003/05/03 10:30:00
/// 20030503                2003/05/03
/// ```
pub(crate) fn normal(text: &str) -> Option<String> {
    let (day, rest) = day(text.trim())?;
    let rest = skip_weekday(rest.trim_start());
    let time = rest.strip_prefix(['T', 't', ' ', '　']).unwrap_or(rest).trim_start();
    if time.is_empty() {
        return Some(day);
    }
    Some(format!("{day} {}", clock(time)?))
}

/// As CSA wants it, where a time has seconds.
pub(crate) fn with_seconds(text: &str) -> Option<String> {
    let mut date = normal(text)?;
    if date.matches(':').count() == 1 {
        date.push_str(":00");
    }
    Some(date)
}

/// `YYYY/MM/DD` from the front of the text, and what follows.
fn day(text: &str) -> Option<(String, &str)> {
    let (year, rest) = digits(text, 4, 4).or_else(|| digits(text, 8, 8))?;
    // All eight digits in one.
    if year > 9999 {
        return Some((written(year / 10_000, year / 100 % 100, year % 100)?, rest));
    }
    let (month, rest) = digits(rest.strip_prefix(['/', '-', '.', '年'])?, 1, 2)?;
    let (day, rest) = digits(rest.strip_prefix(['/', '-', '.', '月'])?, 1, 2)?;
    Some((written(year, month, day)?, rest.strip_prefix('日').unwrap_or(rest)))
}

fn written(year: u32, month: u32, day: u32) -> Option<String> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let real = year > 0 && (1..=12).contains(&month) && (1..=days).contains(&day);
    real.then(|| format!("{year:04}/{month:02}/{day:02}"))
}

/// `(土)` behind a day says nothing new.
fn skip_weekday(text: &str) -> &str {
    let Some(rest) = text.strip_prefix(['(', '（']) else { return text };
    let mut characters = rest.chars();
    let is_day = characters.next().is_some_and(|c| "日月火水木金土".contains(c));
    let rest = characters.as_str();
    rest.strip_prefix([')', '）']).filter(|_| is_day).unwrap_or(text)
}

/// `10:30` or `10:30:00`, with a fraction or a zone behind it that is left out.
fn clock(text: &str) -> Option<String> {
    let (hour, rest) = digits(text, 1, 2)?;
    let (minute, rest) = digits(rest.strip_prefix(':')?, 2, 2)?;
    let (second, rest) = match rest.strip_prefix(':').and_then(|rest| digits(rest, 2, 2)) {
        Some((second, rest)) => (Some(second), rest),
        None => (None, rest),
    };
    let rest =
        rest.strip_prefix('.').map_or(rest, |r| r.trim_start_matches(|c: char| c.is_ascii_digit()));
    let zone = rest.trim();
    let known = zone.is_empty() || zone == "Z" || zone == "JST" || zone.starts_with(['+', '-']);
    if !known || hour > 23 || minute > 59 || second.is_some_and(|second| second > 59) {
        return None;
    }
    let second = second.map_or_else(String::new, |second| format!(":{second:02}"));
    Some(format!("{hour:02}:{minute:02}{second}"))
}

/// A number of so many digits from the front, all the digits that stand there.
fn digits(text: &str, least: usize, most: usize) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if !(least..=most).contains(&end) {
        return None;
    }
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_ways_of_writing_a_day() {
        for (text, expected) in [
            ("2003/05/03", "2003/05/03"),
            ("2003-05-03", "2003/05/03"),
            ("2003.5.3", "2003/05/03"),
            ("20030503", "2003/05/03"),
            ("2003年5月3日", "2003/05/03"),
            (" 2003/05/03(土) ", "2003/05/03"),
            ("2003/5/3 9:05", "2003/05/03 09:05"),
            ("2003年5月3日 10:30", "2003/05/03 10:30"),
            ("2003/05/03（土） 10:30:00", "2003/05/03 10:30:00"),
            ("2003-05-03T10:30:00Z", "2003/05/03 10:30:00"),
            ("2003-05-03T10:30:00.250+09:00", "2003/05/03 10:30:00"),
            ("2004/02/29", "2004/02/29"),
        ] {
            assert_eq!(normal(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(with_seconds("2003-5-3 9:05").as_deref(), Some("2003/05/03 09:05:00"));
        assert_eq!(with_seconds("2003-5-3").as_deref(), Some("2003/05/03"));
    }

    #[test]
    fn what_is_no_day() {
        for text in [
            "",
            "2003",
            "2003/05",
            "2003/13/01",
            "2003/02/29",
            "0000/01/01",
            "03/05/2003",
            "1607/??/??",
            "平成15年5月3日",
            "2003/05/03 25:00",
            "2003/05/03 morning",
            "200305",
            "2003/05/031",
            "today",
            "2003/05/03x",
            "99999999",
        ] {
            assert_eq!(normal(text), None, "{text}");
        }
    }
}
