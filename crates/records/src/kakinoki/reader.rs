//! The reader that KIF and KI2 share.

use std::mem::take;
use std::time::Duration;

use tesuji_shogi::EndReason;

use super::builder::{BadBranch, RecordBuilder, TOO_DEEP};
use super::clock::split_times;
use super::foul::Foul;
use super::head::{Head, settle_start_date};
use super::line::{Format, LineKind, leading_number};
use super::results::{read_closing, read_word};
use crate::japanese::{Misfit, Notation, player_of_mark};
use crate::{GameRecord, ParseError, ParseErrorKind};

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
        foul: None,
        signed: false,
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
    /// The illegal move that was read last, until the record says that it ended the game.
    foul: Option<Foul>,
    /// Has the program signed its name? Nothing of the game follows.
    signed: bool,
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
        if self.signed {
            return match kind {
                LineKind::Ignored | LineKind::Signature | LineKind::Other(_) => Ok(()),
                _ => self.unexpected("nothing of the game below a line of dashes", line.trim()),
            };
        }
        match kind {
            LineKind::Ignored => Ok(()),
            LineKind::Comment(text) => {
                match (&mut self.foul, &mut self.builder) {
                    (Some(foul), _) => foul.comments.push(text.into()),
                    (None, Some(builder)) => builder.comment(text.into()),
                    (None, None) => self.comments.push(text.into()),
                }
                Ok(())
            }
            LineKind::Signature if self.builder.is_some() => {
                self.signed = true;
                Ok(())
            }
            LineKind::Signature => self.head.take(self.line, line),
            LineKind::Variation(text) => self.variation(text),
            LineKind::Closing(text) => self.closing(text),
            LineKind::NumberedMove(number, text) => self.numbered_move(number, text),
            LineKind::Moves(text) => self.moves(text),
            LineKind::Other(text) if self.builder.is_none() => self.head.take(self.line, text),
            LineKind::Other(text) => {
                self.expect_no_foul()?;
                self.unexpected("a move or a comment", text)
            }
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
        let played = self.builder()?.next_ply() - 1 + usize::from(self.foul.is_some());
        let first = *self.first_number.get_or_insert(number);
        if first.checked_add(played) != Some(number) {
            self.expect_no_foul()?;
            return self.unexpected("the number of the next move", &number.to_string());
        }
        let (text, time) = self.split_time(text)?;
        self.move_or_word(text, time)
    }

    /// Splits `７六歩(77)   ( 0:16/00:00:16)+` into the move and the time.
    fn split_time<'a>(&self, text: &'a str) -> Result<(&'a str, Option<Duration>), ParseError> {
        let text = text.trim_end_matches(|c: char| c == '+' || c.is_whitespace());
        split_times(text).or_else(|wrong| self.unexpected("a time such as ( 0:16/00:00:16)", wrong))
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
        let result = read_word(word, builder.position());
        if let Some(foul) = self.foul.take() {
            return self.end_by_foul(foul, Foul::explains_word(word), time);
        }
        let builder = self.builder()?;
        match result {
            Some(result) => {
                builder.end(result, time);
                Ok(())
            }
            None => self.play(text, time),
        }
    }

    fn play(&mut self, text: &str, time: Option<Duration>) -> Result<(), ParseError> {
        let builder = self.builder()?;
        let (ply, mover) = (builder.next_ply(), builder.position().side_to_move());
        let notation = Notation::parse(text);
        let by_mover = notation.as_ref().is_some_and(|n| n.player.is_none_or(|p| p == mover));
        let resolved = notation
            .ok_or(Misfit::Unreadable)
            .and_then(|notation| notation.resolve(builder.position(), builder.previous_to()));
        let text = String::from(text);
        match resolved {
            Ok(mv) => {
                builder.play(mv, time);
                Ok(())
            }
            Err(Misfit::Unreadable) => self.fail(ParseErrorKind::BadMove { ply, text }),
            Err(Misfit::Ambiguous) => self.fail(ParseErrorKind::AmbiguousMove { ply, text }),
            Err(Misfit::Illegal) => {
                let kind = ParseErrorKind::IllegalMove { ply, text: text.clone() };
                if !by_mover {
                    return self.fail(kind);
                }
                let error = kind.at(self.line);
                self.foul = Some(Foul { error, text, mover, comments: Vec::new() });
                Ok(())
            }
        }
    }

    /// Ends the line with the illegal move before, if that is what the record says.
    fn end_by_foul(
        &mut self,
        foul: Foul,
        explained: bool,
        time: Option<Duration>,
    ) -> Result<(), ParseError> {
        if !explained {
            return Err(foul.error);
        }
        let result = foul.result();
        let builder = self.builder()?;
        builder.end(result, time);
        builder.comment(foul.text);
        foul.comments.into_iter().for_each(|comment| builder.comment(comment));
        Ok(())
    }

    /// Nothing but an ending may follow an illegal move.
    fn expect_no_foul(&mut self) -> Result<(), ParseError> {
        self.foul.take().map_or(Ok(()), |foul| Err(foul.error))
    }

    /// The closing line says how the game ended where no word in place of a move has.
    fn closing(&mut self, text: &str) -> Result<(), ParseError> {
        // KI2 has no other way to say that a player resigned.
        let format = self.format;
        let plain_win = match format {
            Format::Kif => EndReason::Unknown,
            Format::Ki2 => EndReason::Resignation,
        };
        let builder = self.builder()?;
        let closing = read_closing(text, builder.position(), plain_win);
        if let Some(foul) = self.foul.take() {
            let explained = foul.explains(closing);
            return self.end_by_foul(foul, explained, None);
        }
        let builder = self.builder()?;
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
                // Where the closing line is all there is, what it leaves out stands before it.
                let result = if format == Format::Ki2 { builder.refine(result) } else { result };
                builder.end(result, None);
                Ok(())
            }
            (None, None) => self.unexpected("the result of the game", text),
        }
    }

    fn variation(&mut self, text: &str) -> Result<(), ParseError> {
        self.expect_no_foul()?;
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
        self.expect_no_foul()?;
        if !self.says_something {
            return self.fail(ParseErrorKind::Truncated { expected: "a header or a move" });
        }
        if self.builder()?.is_empty_variation() {
            return self.fail(ParseErrorKind::Truncated { expected: "a move of the variation" });
        }
        let (mut headers, comments) = (take(&mut self.head.headers), take(&mut self.comments));
        settle_start_date(&mut headers);
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
