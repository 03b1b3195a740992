//! The reader that KIF and KI2 share.

use std::mem::take;
use std::time::Duration;

use tesuji_shogi::EndReason;

use super::builder::{BadBranch, RecordBuilder, TOO_DEEP};
use super::clock::read_time;
use super::head::Head;
use super::results::{read_closing, read_word};
use crate::japanese::{Misfit, Notation, digit, player_of_mark};
use crate::{GameRecord, ParseError, ParseErrorKind};

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
        if line.is_empty() || line.starts_with('#') || line.starts_with("手数-") {
            return LineKind::Ignored;
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

/// Reads a record.
pub(crate) fn read(text: &str, format: Format) -> Result<GameRecord, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader {
        format,
        head: Head::default(),
        comments: Vec::new(),
        builder: None,
        first_number: None,
        line: 0,
        says_something: false,
    };
    for (index, line) in text.lines().enumerate() {
        reader.line = index + 1;
        reader.take(line)?;
    }
    reader.finish()
}

struct Reader {
    format: Format,
    head: Head,
    /// Comments before the first move.
    comments: Vec<String>,
    /// There from the first move on.
    builder: Option<RecordBuilder>,
    /// The number that the file gives to the first move, 1 nearly always.
    first_number: Option<usize>,
    /// The number of the line that is being read.
    line: usize,
    says_something: bool,
}

impl Reader {
    fn fail<T>(&self, kind: ParseErrorKind) -> Result<T, ParseError> {
        Err(kind.at(self.line))
    }

    fn unexpected<T>(&self, expected: &'static str, found: &str) -> Result<T, ParseError> {
        self.fail(ParseErrorKind::Unexpected { expected, found: found.into() })
    }

    fn take(&mut self, line: &str) -> Result<(), ParseError> {
        let kind = LineKind::of(line, self.format);
        self.says_something |= kind != LineKind::Ignored;
        match kind {
            LineKind::Ignored => Ok(()),
            LineKind::Comment(text) => {
                match &mut self.builder {
                    Some(builder) => builder.comment(text.into()),
                    None => self.comments.push(text.into()),
                }
                Ok(())
            }
            LineKind::Variation(text) => self.variation(text),
            LineKind::Closing(text) => self.closing(text),
            LineKind::NumberedMove(number, text) => self.numbered_move(number, text),
            LineKind::Moves(text) => self.moves(text),
            LineKind::Other(text) if self.builder.is_none() => self.head.take(self.line, text),
            LineKind::Other(text) => self.unexpected("a move or a comment", text),
        }
    }

    /// The builder; the first call ends the head.
    fn builder(&mut self) -> Result<&mut RecordBuilder, ParseError> {
        if self.builder.is_none() {
            self.builder = Some(RecordBuilder::new(self.head.start()?));
        }
        Ok(self.builder.as_mut().expect("it was put there just now"))
    }

    /// A KIF line: number, move or word of an ending, time.
    fn numbered_move(&mut self, number: usize, text: &str) -> Result<(), ParseError> {
        let ply = self.builder()?.next_ply();
        let first = *self.first_number.get_or_insert(number);
        if first.checked_add(ply - 1) != Some(number) {
            return self.unexpected("the number of the next move", &number.to_string());
        }
        let (text, time) = self.split_time(text)?;
        self.move_or_word(text, time)
    }

    /// Splits `７六歩(77)   ( 0:16/00:00:16)+` into the move and the time.
    fn split_time<'a>(&self, text: &'a str) -> Result<(&'a str, Option<Duration>), ParseError> {
        let text = text.trim_end_matches(|c: char| c == '+' || c.is_whitespace());
        if let Some(start) = text.rfind(['(', '（'])
            && text[start..].contains([':', '：', '/', '／'])
        {
            let inside = text[start..].trim_start_matches(['(', '（']);
            let time = inside.strip_suffix([')', '）']).and_then(read_time);
            return match time {
                Some(time) => Ok((text[..start].trim_end(), time)),
                None => self.unexpected("a time such as ( 0:16/00:00:16)", &text[start..]),
            };
        }
        Ok((text, None))
    }

    /// A KI2 line. A closing line may follow its moves without a line break.
    fn moves(&mut self, line: &str) -> Result<(), ParseError> {
        let (moves, closing) = match line.find("まで") {
            Some(start) => line.split_at(start),
            None => (line, ""),
        };
        let mut rest = moves;
        while !rest.is_empty() {
            let mark = rest.chars().next().map_or(0, char::len_utf8);
            let next = rest[mark..].find(|c| player_of_mark(c).is_some());
            let (text, after) = rest.split_at(next.map_or(rest.len(), |next| mark + next));
            self.move_or_word(text.trim_end(), None)?;
            rest = after;
        }
        if closing.is_empty() { Ok(()) } else { self.closing(closing) }
    }

    fn move_or_word(&mut self, text: &str, time: Option<Duration>) -> Result<(), ParseError> {
        let builder = self.builder()?;
        if builder.ending().is_some() {
            return self.unexpected("no move after the end", text);
        }
        let word = text.trim_start_matches(|c| player_of_mark(c).is_some());
        match read_word(word, builder.position()) {
            Some(result) => {
                builder.end(result, time);
                Ok(())
            }
            None => self.play(text, time),
        }
    }

    fn play(&mut self, text: &str, time: Option<Duration>) -> Result<(), ParseError> {
        let builder = self.builder()?;
        let ply = builder.next_ply();
        let resolved = Notation::parse(text)
            .ok_or(Misfit::Unreadable)
            .and_then(|notation| notation.resolve(builder.position(), builder.previous_to()));
        let text = String::from(text);
        match resolved {
            Ok(mv) => {
                builder.play(mv, time);
                Ok(())
            }
            Err(Misfit::Unreadable) => self.fail(ParseErrorKind::BadMove { ply, text }),
            Err(Misfit::Illegal) => self.fail(ParseErrorKind::IllegalMove { ply, text }),
            Err(Misfit::Ambiguous) => self.fail(ParseErrorKind::AmbiguousMove { ply, text }),
        }
    }

    /// The closing line says how the game ended where no word in place of a move has.
    fn closing(&mut self, text: &str) -> Result<(), ParseError> {
        // KI2 has no other way to say that a player resigned.
        let plain_win = match self.format {
            Format::Kif => EndReason::Unknown,
            Format::Ki2 => EndReason::Resignation,
        };
        let builder = self.builder()?;
        let closing = read_closing(text, builder.position(), plain_win);
        match (builder.ending(), closing) {
            // KIF has one word for all that is against the rules; the closing line is more exact.
            (Some(ending), Some(result)) => {
                if result.reason == EndReason::PerpetualCheck
                    && result.outcome == ending.result.outcome
                {
                    ending.result = result;
                }
                Ok(())
            }
            (Some(_), None) => Ok(()),
            (None, Some(result)) => {
                builder.end(result, None);
                Ok(())
            }
            (None, None) => self.unexpected("the result of the game", text),
        }
    }

    fn variation(&mut self, text: &str) -> Result<(), ParseError> {
        let Some((number, _)) = leading_number(text).filter(|(_, rest)| rest.starts_with('手'))
        else {
            return self.unexpected("the number of a move, as in 変化：9手", text);
        };
        let first = self.first_number.unwrap_or(1);
        let ply = number.checked_sub(first).and_then(|index| index.checked_add(1));
        let branched = match ply {
            Some(ply) => self.builder()?.branch(ply),
            None => Err(BadBranch::NoSuchMove),
        };
        match branched {
            Ok(()) => Ok(()),
            Err(BadBranch::NoSuchMove) => self.unexpected("the number of a move before", text),
            Err(BadBranch::Empty) => self.unexpected("a move of the variation", text),
            Err(BadBranch::TooDeep) => self.unexpected(TOO_DEEP, text),
        }
    }

    fn finish(mut self) -> Result<GameRecord, ParseError> {
        self.line = self.line.max(1);
        if !self.says_something {
            return self.fail(ParseErrorKind::Truncated { expected: "a header or a move" });
        }
        if self.builder()?.is_empty_variation() {
            return self.fail(ParseErrorKind::Truncated { expected: "a move of the variation" });
        }
        let (headers, comments) = (take(&mut self.head.headers), take(&mut self.comments));
        let (start, main) = self.into_builder()?.finish();
        Ok(GameRecord { headers, start, comments, main })
    }

    fn into_builder(mut self) -> Result<RecordBuilder, ParseError> {
        match self.builder.take() {
            Some(builder) => Ok(builder),
            None => Ok(RecordBuilder::new(self.head.start()?)),
        }
    }
}
