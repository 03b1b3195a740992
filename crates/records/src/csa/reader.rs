//! Reading one game.

use std::time::Duration;

use tesuji_shogi::{Color, EndReason, GameResult, Move, Position};

use super::names::{color, ending_result, piece_kind, square, summary_result};
use super::setup::Setup;
use super::{ENCODINGS, HEADERS, SUMMARY};
use crate::phrase::take_phrase;
use crate::{Ending, GameRecord, Header, Line, MoveRecord, ParseError, ParseErrorKind};

/// Reads the lines of one game, given with their numbers.
pub(super) fn read_game<'a>(
    lines: impl Iterator<Item = (usize, &'a str)>,
) -> Result<GameRecord, ParseError> {
    let mut reader = Reader::default();
    let mut last = 1;
    for (number, line) in lines {
        last = number;
        reader.line = number;
        reader.read_line(line).map_err(|kind| kind.at(reader.line))?;
    }
    reader.expect_no_foul().map_err(|kind| kind.at(reader.line))?;
    let Some(mut game) = reader.game else {
        return Err(ParseErrorKind::Truncated { expected: "the side to move" }.at(last));
    };
    game.line.ending.as_mut().map(take_phrase);
    Ok(GameRecord {
        headers: reader.headers,
        start: game.start,
        comments: reader.comments,
        main: game.line,
    })
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    headers: Vec<Header>,
    comments: Vec<String>,
    setup: Setup,
    /// Known from the side to move on.
    game: Option<Game>,
    /// The number of the line that is being read, or that is to blame.
    line: usize,
    /// The illegal move that was read last, until the record says that it ended the game.
    foul: Option<Foul>,
}

/// An illegal move that may be what lost the game.
struct Foul {
    line: usize,
    kind: ParseErrorKind,
    text: String,
    time: Option<Duration>,
    comments: Vec<String>,
}

struct Game {
    start: Position,
    position: Position,
    line: Line,
}

impl Reader {
    /// Reads a line: one statement, or several with commas between. A comma in a comment or a
    /// header is part of it.
    fn read_line(&mut self, line: &str) -> Result<(), ParseErrorKind> {
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            let statement;
            (statement, rest) = if rest.starts_with(['\'', '$', 'N']) {
                (rest, "")
            } else {
                rest.split_once(',').unwrap_or((rest, ""))
            };
            self.read_statement(statement)?;
            rest = rest.trim_start();
        }
        Ok(())
    }

    fn read_statement(&mut self, text: &str) -> Result<(), ParseErrorKind> {
        if let Some(comment) = text.strip_prefix('\'') {
            self.read_comment(comment);
            return Ok(());
        }
        let text = text.trim();
        if !text.is_empty() && !text.starts_with(['%', 'T']) {
            self.expect_no_foul()?;
        }
        let expected = "a CSA statement";
        let unexpected = || ParseErrorKind::Unexpected { expected, found: text.into() };
        match text.as_bytes() {
            [] => Ok(()),
            [b'$', ..] => self.read_header(text),
            [b'N', side, ..] => {
                let side = color(*side).ok_or_else(unexpected)?;
                let key = if side == Color::Black { Header::BLACK } else { Header::WHITE };
                self.add_header(key, &text[2..]);
                Ok(())
            }
            // Versions 1 to 3 differ in nothing that could be misread.
            [b'V', b'1'..=b'3'] | [b'V', b'1'..=b'3', b'.', ..] => Ok(()),
            [b'P', ..] if self.game.is_none() => self.setup.read(text),
            [sign @ (b'+' | b'-')] if self.game.is_none() => {
                self.begin(color(*sign).ok_or_else(unexpected)?).map(|_| ())
            }
            [b'+' | b'-', ..] => self.read_move(text),
            [b'%', ..] => self.read_ending(text),
            [b'T', ..] => self.read_time(text),
            _ => Err(unexpected()),
        }
    }

    /// Nothing but an ending may follow an illegal move.
    fn expect_no_foul(&mut self) -> Result<(), ParseErrorKind> {
        let Some(foul) = self.foul.take() else { return Ok(()) };
        self.line = foul.line;
        Err(foul.kind)
    }

    /// A comment belongs to the move or the end before it, else to the start. `'*` marks comments
    /// that programs should keep; others are kept as well.
    fn read_comment(&mut self, text: &str) {
        if self.game.is_none() && ENCODINGS.iter().any(|start| text.starts_with(start)) {
            return;
        }
        if let Some(result) = text.strip_prefix(SUMMARY).and_then(summary_result) {
            self.read_summary(result);
        }
        let text = text.strip_prefix('*').unwrap_or(text);
        if let Some(foul) = &mut self.foul {
            foul.comments.push(text.into());
            return;
        }
        let comments = match self.game.as_mut().map(|game| &mut game.line) {
            Some(Line { ending: Some(ending), .. }) => &mut ending.comments,
            Some(Line { moves, .. }) if !moves.is_empty() => {
                let last = moves.len() - 1;
                &mut moves[last].comments
            }
            _ => &mut self.comments,
        };
        comments.push(text.into());
    }

    /// The summary of the server counts: it knows who won where the players' statements do not say
    /// it. A reason that it has no word for is taken from the statement.
    fn read_summary(&mut self, result: GameResult) {
        let Some(line) = self.game.as_mut().map(|game| &mut game.line) else { return };
        match &mut line.ending {
            None => line.ending = Some(Ending::new(result)),
            Some(ending) if ending.result.outcome == result.outcome => {
                if result.reason != EndReason::Unknown {
                    ending.result.reason = result.reason;
                }
            }
            Some(ending) => ending.result = result,
        }
    }

    fn read_header(&mut self, text: &str) -> Result<(), ParseErrorKind> {
        let (key, value) =
            text[1..].split_once(':').filter(|(key, _)| !key.trim().is_empty()).ok_or_else(
                || ParseErrorKind::Unexpected { expected: "$KEY:value", found: text.into() },
            )?;
        let key = key.trim();
        let known = HEADERS.iter().find(|(_, name)| *name == key);
        self.add_header(known.map_or(key, |(constant, _)| constant), value);
        Ok(())
    }

    fn add_header(&mut self, key: &str, value: &str) {
        let value = value.trim();
        if !value.is_empty() {
            self.headers.push(Header { key: key.into(), value: value.into() });
        }
    }

    /// The start position is complete.
    fn begin(&mut self, side: Color) -> Result<&mut Game, ParseErrorKind> {
        let start = std::mem::take(&mut self.setup).position(side)?;
        Ok(self.game.insert(Game { start, position: start, line: Line::default() }))
    }

    /// The line that moves and the ending are added to, if it has not ended.
    fn open_game(&mut self, text: &str) -> Result<&mut Game, ParseErrorKind> {
        let unexpected = |expected| ParseErrorKind::Unexpected { expected, found: text.into() };
        match &mut self.game {
            None => Err(unexpected("the side to move")),
            Some(game) if game.line.ending.is_some() => Err(unexpected("the end of the record")),
            Some(game) => Ok(game),
        }
    }

    fn read_move(&mut self, text: &str) -> Result<(), ParseErrorKind> {
        if self.game.is_none()
            && let Some(side) = color(text.as_bytes()[0])
        {
            // Some files leave out the side to move; the first move tells it.
            self.begin(side)?;
        }
        let game = self.open_game(text)?;
        let ply = game.line.moves.len() + 1;
        let unreadable = || ParseErrorKind::BadMove { ply, text: text.into() };
        let illegal = || ParseErrorKind::IllegalMove { ply, text: text.into() };
        let [sign, file, rank, to_file, to_rank, code @ ..] = text.as_bytes() else {
            return Err(unreadable());
        };
        let kind = piece_kind(code).ok_or_else(unreadable)?;
        let to = square(*to_file, *to_rank).ok_or_else(unreadable)?;
        let mv = if (file, rank) == (&b'0', &b'0') {
            Move::drop(kind, to).ok_or_else(unreadable)?
        } else {
            let from = square(*file, *rank).ok_or_else(unreadable)?;
            // The piece is named as it stands after the move.
            let before = game.position.piece_on(from).ok_or_else(illegal)?.kind();
            if kind == before {
                Move::normal(from, to)
            } else if Some(kind) == before.promoted() {
                Move::promotion(from, to)
            } else {
                return Err(illegal());
            }
        };
        if color(*sign) != Some(game.position.side_to_move()) {
            return Err(illegal());
        }
        if !game.position.is_legal(mv) {
            let (line, kind, text) = (self.line, illegal(), text.into());
            self.foul = Some(Foul { line, kind, text, time: None, comments: Vec::new() });
            return Ok(());
        }
        game.position.play_unchecked(mv);
        game.line.moves.push(MoveRecord::from(mv));
        Ok(())
    }

    fn read_ending(&mut self, text: &str) -> Result<(), ParseErrorKind> {
        let foul = self.foul.take();
        if self.repeats_ending(text) {
            return Ok(());
        }
        let game = self.open_game(text)?;
        // An illegal move is not played, so that its player is still the one to move.
        let result = ending_result(&text[1..], game.position.side_to_move()).ok_or_else(|| {
            ParseErrorKind::Unexpected { expected: "the name of an ending", found: text.into() }
        })?;
        let mut ending = Ending::new(result);
        if let Some(foul) = foul {
            let lost = GameResult::win(!game.position.side_to_move(), EndReason::IllegalMove);
            if result != lost {
                self.line = foul.line;
                return Err(foul.kind);
            }
            ending.time = foul.time;
            ending.comments.push(foul.text);
            ending.comments.extend(foul.comments);
        }
        game.line.ending = Some(ending);
        Ok(())
    }

    /// The server of floodgate writes a declaration twice: as the player sent it, and as the end.
    fn repeats_ending(&self, text: &str) -> bool {
        self.game.as_ref().is_some_and(|game| {
            let ending = game.line.ending.as_ref().map(|ending| ending.result);
            ending.is_some() && ending == ending_result(&text[1..], game.position.side_to_move())
        })
    }

    /// The time belongs to the move or the end before it.
    fn read_time(&mut self, text: &str) -> Result<(), ParseErrorKind> {
        let unexpected = |expected| ParseErrorKind::Unexpected { expected, found: text.into() };
        let time = parse_time(&text[1..]).ok_or_else(|| unexpected("T and seconds"))?;
        if let Some(foul) = &mut self.foul {
            foul.time = Some(time);
            return Ok(());
        }
        let line = self.game.as_mut().map(|game| &mut game.line);
        let slot = line.and_then(|line| match &mut line.ending {
            Some(ending) => Some(&mut ending.time),
            None => line.moves.last_mut().map(|last| &mut last.time),
        });
        *slot.ok_or_else(|| unexpected("a move before its time"))? = Some(time);
        Ok(())
    }
}

/// Seconds with up to nine decimals; version 3 writes three at most, earlier ones none.
fn parse_time(text: &str) -> Option<Duration> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if !digits(seconds) || !digits(fraction) || fraction.len() > 9 {
        return None;
    }
    let nanos = fraction.parse::<u32>().ok()? * 10_u32.pow(9 - fraction.len() as u32);
    Some(Duration::new(seconds.parse().ok()?, nanos))
}
