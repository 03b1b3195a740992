//! From the JSON text to a record.

use serde_json::{Map, Value};
use tesuji_shogi::{Hand, Handicap, Move, Piece, PieceKind, Position, Square};

use super::schema::{Entry, Initial, Kifu, Kind, Place, Played, Preset, Setup};
use super::{BLACK_KEYS, HANDICAP, HEADERS, WHITE_KEYS};
use crate::csa::names::{ending_result, piece_code};
use crate::kakinoki::{handicap_start, settle_start_date};
use crate::phrase::take_phrase;
use crate::{Ending, GameRecord, Header, Line, MoveRecord, ParseError, ParseErrorKind};

/// Reads a game.
///
/// An error in the JSON text names its line. The text does not tell on which line a move stands,
/// so an error in the game itself names line 1, and the ply where there is one.
pub fn read(text: &str) -> Result<GameRecord, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let kifu: Kifu = serde_json::from_str(text).map_err(|error| json_error(&error))?;
    read_kifu(kifu).map_err(|kind| kind.at(1))
}

fn json_error(error: &serde_json::Error) -> ParseError {
    let kind = if error.is_eof() {
        ParseErrorKind::Truncated { expected: "more JSON" }
    } else {
        ParseErrorKind::Unexpected { expected: "a game in JKF", found: error.to_string() }
    };
    kind.at(error.line().max(1))
}

fn read_kifu(kifu: Kifu) -> Result<GameRecord, ParseErrorKind> {
    let mut headers = read_headers(kifu.header)?;
    let named = headers.iter().position(|header| header.key == HANDICAP);
    let named = named.map(|index| headers.remove(index).value);
    settle_start_date(&mut headers);
    let mut record = GameRecord::new(read_start(kifu.initial, named)?);
    record.headers = headers;
    let mut entries = kifu.moves;
    if let Some(first) = entries.first_mut()
        && first.played.is_none()
        && first.special.is_none()
    {
        record.comments = read_comments(first.comments.take());
    }
    let place = Branch { position: record.start, ply: 1, previous: None };
    record.main = read_line(entries, place)?;
    Ok(record)
}

fn read_headers(header: Map<String, Value>) -> Result<Vec<Header>, ParseErrorKind> {
    let mut headers = Vec::with_capacity(header.len());
    for (key, value) in header {
        let value = match value {
            Value::String(value) => value,
            Value::Null => continue,
            other => {
                let expected = "text as the value of a header";
                return Err(ParseErrorKind::Unexpected { expected, found: other.to_string() });
            }
        };
        let value = value.trim();
        if value.is_empty() {
            continue;
        }
        let known = HEADERS.iter().find(|(_, name)| *name == key).map(|(constant, _)| *constant);
        let key = match known {
            Some(constant) => constant.into(),
            None if BLACK_KEYS.contains(&&*key) => Header::BLACK.into(),
            None if WHITE_KEYS.contains(&&*key) => Header::WHITE.into(),
            None => key,
        };
        headers.push(Header { key, value: value.into() });
    }
    Ok(headers)
}

/// The start position. Files made from KIF name the handicap in a header as well; it counts only
/// where nothing else tells the start.
fn read_start(initial: Option<Initial>, named: Option<String>) -> Result<Position, ParseErrorKind> {
    let Some(initial) = initial else {
        let Some(name) = named else { return Ok(Handicap::Even.position()) };
        return handicap_start(&name).ok_or_else(|| {
            ParseErrorKind::BadPosition(format!("the handicap {name:?} needs a board"))
        });
    };
    match initial {
        Initial { preset: Preset(Some(handicap)), .. } => Ok(handicap.position()),
        Initial { data: Some(setup), .. } => read_setup(setup).map_err(ParseErrorKind::BadPosition),
        Initial { data: None, .. } => {
            Err(ParseErrorKind::BadPosition("the preset OTHER needs data".into()))
        }
    }
}

fn read_setup(setup: Setup) -> Result<Position, String> {
    if setup.board.len() != 9 || setup.board.iter().any(|column| column.len() != 9) {
        return Err("the board is not nine by nine".into());
    }
    let mut pieces = Vec::with_capacity(40);
    for (square, cell) in Square::all().zip(setup.board.into_iter().flatten()) {
        match (cell.color, cell.kind) {
            (Some(color), Some(kind)) => pieces.push((square, Piece::new(color.0, kind.0))),
            (_, None) => {}
            (None, Some(_)) => return Err(format!("the piece on {square} has no color")),
        }
    }
    let mut hands = [Hand::EMPTY; 2];
    for (hand, given) in hands.iter_mut().zip(&setup.hands) {
        if let Some((Kind(kind), _)) =
            given.iter().find(|(kind, count)| **count > 0 && !PieceKind::HAND.contains(&kind.0))
        {
            return Err(format!("{} cannot be held in hand", piece_code(*kind)));
        }
        let counts = PieceKind::HAND.map(|kind| given.get(&Kind(kind)).copied().unwrap_or(0));
        *hand = Hand::from_counts(counts)
            .ok_or_else(|| "more pieces in hand than a set has".to_string())?;
    }
    Position::from_parts(pieces, hands, setup.color.0, 1).map_err(|error| error.to_string())
}

/// Where a line starts.
#[derive(Clone, Copy)]
struct Branch {
    position: Position,
    ply: usize,
    /// The target of the move before.
    previous: Option<Square>,
}

fn read_line(entries: Vec<Entry>, mut place: Branch) -> Result<Line, ParseErrorKind> {
    let mut line = Line::default();
    for entry in entries {
        if line.ending.is_some() {
            let expected = "nothing after the end of a line";
            return Err(ParseErrorKind::Unexpected { expected, found: describe_entry(&entry) });
        }
        read_entry(entry, &mut place, &mut line)?;
    }
    Ok(line)
}

fn read_entry(entry: Entry, place: &mut Branch, line: &mut Line) -> Result<(), ParseErrorKind> {
    let comments = read_comments(entry.comments);
    let time = match entry.time {
        None => None,
        Some(times) => Some(times.now.duration().ok_or_else(|| ParseErrorKind::Unexpected {
            expected: "a time that can be counted",
            found: format!("a longer one at ply {}", place.ply),
        })?),
    };
    let forks = entry.forks.unwrap_or_default().into_iter();
    let variations: Vec<Line> =
        forks.map(|fork| read_line(fork, *place)).collect::<Result<_, _>>()?;
    match (entry.played, entry.special) {
        (Some(played), None) => {
            let mv = read_move(&played, place)?;
            line.moves.push(MoveRecord { mv, time, comments, variations });
            place.position.play_unchecked(mv);
            place.ply += 1;
            place.previous = Some(mv.to());
        }
        (None, Some(name)) => {
            let result = ending_result(&name, place.position.side_to_move());
            let result = result.ok_or(ParseErrorKind::Unexpected {
                expected: "the name of an ending",
                found: name,
            })?;
            let mut ending = Ending { result, time, comments, variations };
            take_phrase(&mut ending);
            line.ending = Some(ending);
        }
        (None, None) => {
            if let Some(last) = line.moves.last_mut() {
                last.comments.extend(comments);
            }
            // What could have followed where the line stops without an ending.
            if !variations.is_empty() {
                line.ending =
                    Some(Ending { variations, ..Ending::new(tesuji_shogi::GameResult::UNKNOWN) });
            }
        }
        (Some(_), Some(found)) => {
            let expected = "a move or an ending, not both";
            return Err(ParseErrorKind::Unexpected { expected, found });
        }
    }
    Ok(())
}

/// The move, checked against the rules.
fn read_move(played: &Played, place: &Branch) -> Result<Move, ParseErrorKind> {
    let (ply, position) = (place.ply, &place.position);
    let unreadable = || ParseErrorKind::BadMove { ply, text: describe_move(played) };
    let illegal = || ParseErrorKind::IllegalMove { ply, text: describe_move(played) };
    let same = place.previous.filter(|_| played.same == Some(true));
    let to = played.to.map(|Place(to)| to).or(same).ok_or_else(unreadable)?;
    let mv = match played.from {
        None => played.piece.and_then(|Kind(kind)| Move::drop(kind, to)).ok_or_else(unreadable)?,
        Some(Place(from)) => {
            let standing = position.piece_on(from).ok_or_else(illegal)?;
            if played.piece.is_some_and(|Kind(kind)| kind != standing.kind()) {
                return Err(illegal());
            }
            if played.promote == Some(true) {
                Move::promotion(from, to)
            } else {
                Move::normal(from, to)
            }
        }
    };
    let wrong_side = played.color.is_some_and(|color| color.0 != position.side_to_move());
    if wrong_side || !position.is_legal(mv) {
        return Err(illegal());
    }
    Ok(mv)
}

/// One comment for each line of text.
fn read_comments(comments: Option<Vec<String>>) -> Vec<String> {
    let comments = comments.unwrap_or_default();
    if comments.iter().any(|comment| comment.contains('\n')) {
        comments.iter().flat_map(|comment| comment.split('\n')).map(String::from).collect()
    } else {
        comments
    }
}

/// A move in an error: origin, target and piece as CSA writes them.
fn describe_move(played: &Played) -> String {
    let place = |place: Option<Place>| {
        place.map_or("00".into(), |Place(place)| format!("{}{}", place.file(), place.rank()))
    };
    let piece = played.piece.map_or("", |Kind(kind)| piece_code(kind));
    let promotion = if played.promote == Some(true) { "+" } else { "" };
    format!("{}{}{piece}{promotion}", place(played.from), place(played.to))
}

fn describe_entry(entry: &Entry) -> String {
    match (&entry.played, &entry.special) {
        (Some(played), _) => describe_move(played),
        (None, Some(name)) => name.clone(),
        (None, None) => "an entry without a move".into(),
    }
}
