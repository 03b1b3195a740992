//! What a line of the text is.

use crate::japanese::{digit, player_of_mark};

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// One numbered line for each move, with the square that it starts from.
    Kif,
    /// `▲７六歩 △３四歩`, several on a line.
    Ki2,
}

/// What a line is, apart from lines of the head.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum LineKind<'a> {
    /// Empty, the title of the table of moves, or `#` and a remark of the program that wrote the
    /// file.
    Ignored,
    /// `*` and a comment, without the asterisk; or a bookmark with its `&`.
    Comment(&'a str),
    /// A line of dashes, below which a program signs its name.
    Signature,
    /// `変化：` and what follows.
    Variation(&'a str),
    /// The line that starts with まで.
    Closing(&'a str),
    /// A KIF line: the number of the move, and the move.
    NumberedMove(usize, &'a str),
    /// A KI2 line.
    Moves(&'a str),
    /// Anything else: a line of the head, if it stands there.
    Other(&'a str),
}

impl LineKind<'_> {
    pub(super) fn of(line: &str, format: Format) -> LineKind<'_> {
        // Comments are kept with the spaces at their end.
        let line = line.trim_start();
        if let Some(comment) = line.strip_prefix('*') {
            return LineKind::Comment(comment);
        }
        if line.starts_with('&') {
            return LineKind::Comment(line);
        }
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') || is_table_title(line) {
            return LineKind::Ignored;
        }
        if line.len() >= 10 && line.chars().all(|c| c == '-') {
            return LineKind::Signature;
        }
        if let Some(rest) = line.strip_prefix("変化")
            && let Some(rest) = rest.trim_start().strip_prefix(['：', ':'])
        {
            return LineKind::Variation(rest.trim());
        }
        if line.starts_with("まで") {
            return LineKind::Closing(line);
        }
        match format {
            Format::Kif => match leading_number(line) {
                // A line of nothing but digits is the top of a board diagram.
                Some((number, rest))
                    if rest.starts_with(char::is_whitespace)
                        && !rest.chars().all(|c| is_arabic(c) || c.is_whitespace()) =>
                {
                    LineKind::NumberedMove(number, rest.trim())
                }
                _ => LineKind::Other(line),
            },
            Format::Ki2 if line.starts_with(|c| player_of_mark(c).is_some()) => {
                LineKind::Moves(line)
            }
            Format::Ki2 => LineKind::Other(line),
        }
    }
}

/// Is it the title of the table of moves? It has hyphens, or dashes that are as wide as kanji.
fn is_table_title(line: &str) -> bool {
    line.strip_prefix("手数").is_some_and(|rest| rest.starts_with(['-', '－', '―', '─', 'ー']))
}

/// Is it a digit, half- or full-width, but not kanji?
pub(super) fn is_arabic(character: char) -> bool {
    matches!(character, '0'..='9' | '０'..='９')
}

/// The number that a text starts with, in half- or full-width digits, and the rest of the text.
pub(super) fn leading_number(text: &str) -> Option<(usize, &str)> {
    let rest = text.trim_start_matches(is_arabic);
    let digits = &text[..text.len() - rest.len()];
    if digits.is_empty() {
        return None;
    }
    let number = digits
        .chars()
        .try_fold(0_usize, |number, c| number.checked_mul(10)?.checked_add(digit(c)?.into()))?;
    Some((number, rest))
}
