//! From a record to the JSON text.

use std::time::Duration;

use serde_json::Map;
use tesuji_shogi::{Color, Handicap, Move, Piece, PieceKind, Position, Square};

use super::schema::{
    Cell, Clock, Entry, Initial, Kifu, Kind, Place, Played, Preset, Setup, Side, Times,
};
use super::{BLACK_KEYS, HEADERS, WHITE_KEYS};
use crate::csa::names::{ending_name, ending_result};
use crate::date;
use crate::phrase::phrase;
use crate::{GameRecord, Header, Line, WriteError};

/// Writes a game with its variations, as one line of JSON. See [`crate::jkf`] for what is left out.
pub fn write(record: &GameRecord) -> Result<String, WriteError> {
    let handicap = Handicap::of_position(&record.start);
    let mut header = Map::new();
    for Header { key, value } in &record.headers {
        if !value.is_empty() {
            // Of several headers with one key the first counts, as in `GameRecord::header`.
            let name = header_name(key, handicap);
            let value = match key.as_str() {
                Header::STARTED | Header::ENDED => date::normal(value),
                _ => None,
            }
            .unwrap_or_else(|| value.clone());
            header.entry(name).or_insert_with(|| value.into());
        }
    }
    let data = handicap.is_none().then(|| setup(&record.start));
    let initial = Some(Initial { preset: Preset(handicap), data });
    let mut moves = vec![Entry { comments: comments(&record.comments), ..Entry::default() }];
    let branch = Branch::new(record.start);
    push_line(&record.main, branch, &mut moves)?;
    serde_json::to_string(&Kifu { header, initial, moves }).map_err(|error| {
        WriteError::Unsupported { format: "JKF", what: format!("this record: {error}") }
    })
}

/// The players of a handicap game have names of their own.
fn header_name(key: &str, handicap: Option<Handicap>) -> &str {
    let odds = handicap.is_some_and(|handicap| handicap != Handicap::Even);
    match key {
        Header::BLACK => BLACK_KEYS[usize::from(odds)],
        Header::WHITE => WHITE_KEYS[usize::from(odds)],
        _ => HEADERS.iter().find(|(constant, _)| *constant == key).map_or(key, |(_, name)| name),
    }
}

fn setup(start: &Position) -> Setup {
    let cell = |file, rank| {
        let piece = Square::new(file, rank).and_then(|square| start.piece_on(square));
        Cell {
            color: piece.map(|piece| Side(piece.color())),
            kind: piece.map(|piece| Kind(piece.kind())),
        }
    };
    let column = |file| (1..=9).map(|rank| cell(file, rank)).collect();
    let hand = |color: Color| {
        PieceKind::HAND.into_iter().map(move |kind| (Kind(kind), start.hand(color).count(kind)))
    };
    Setup {
        color: Side(start.side_to_move()),
        board: (1..=9).map(column).collect(),
        hands: Color::ALL.map(|color| hand(color).collect()),
    }
}

/// Where a line starts.
#[derive(Clone, Copy)]
struct Branch {
    position: Position,
    ply: usize,
    /// The target of the move before.
    previous: Option<Square>,
    /// What each player has used so far.
    used: [Duration; 2],
    /// How many variations it lies in.
    depth: usize,
}

impl Branch {
    const fn new(position: Position) -> Self {
        Self { position, ply: 1, previous: None, used: [Duration::ZERO; 2], depth: 0 }
    }

    /// Adds the mover's time.
    fn spend(&mut self, time: Option<Duration>) -> Option<Times> {
        let used = &mut self.used[self.position.side_to_move().index()];
        // The format has whole seconds; the total is that of what the reader sees.
        let now = Duration::from_secs(time?.as_secs());
        *used = used.saturating_add(now);
        Some(Times { now: Clock::new(now), total: Some(Clock::new(*used)) })
    }
}

/// How deep variations may lie inside one another: what is deeper cannot be read again, since
/// readers of JSON refuse text that is nested more than 128 deep.
pub(super) const MAX_DEPTH: usize = 40;

fn push_line(line: &Line, mut place: Branch, entries: &mut Vec<Entry>) -> Result<(), WriteError> {
    for record in &line.moves {
        let mv = record.mv;
        let after = place.position.after(mv).ok_or_else(|| WriteError::Unsupported {
            format: "JKF",
            what: format!("the illegal move {mv} at ply {}", place.ply),
        })?;
        let forks = forks(&record.variations, place)?;
        entries.push(Entry {
            comments: comments(&record.comments),
            played: Some(played(mv, &place)),
            time: place.spend(record.time),
            special: None,
            forks,
        });
        place.position = after;
        place.ply += 1;
        place.previous = Some(mv.to());
    }
    if let Some(ending) = &line.ending {
        let forks = forks(&ending.variations, place)?;
        let side = place.position.side_to_move();
        let special = ending_name(ending.result, side);
        let time = special.and_then(|_| place.spend(ending.time));
        let told = special.and_then(|name| phrase(ending.result, ending_result(name, side)));
        let said = told.into_iter().map(String::from).chain(ending.comments.iter().cloned());
        let comments = comments(&said.collect::<Vec<String>>());
        // Of an end without a name only variations and comments can be kept: they follow the last
        // move.
        if special.is_some() || comments.is_some() || forks.is_some() {
            let special = special.map(String::from);
            entries.push(Entry { comments, time, special, forks, ..Entry::default() });
        }
    }
    Ok(())
}

fn forks(variations: &[Line], mut place: Branch) -> Result<Option<Vec<Vec<Entry>>>, WriteError> {
    place.depth += 1;
    if !variations.is_empty() && place.depth > MAX_DEPTH {
        let what = format!("variations nested more than {MAX_DEPTH} deep");
        return Err(WriteError::Unsupported { format: "JKF", what });
    }
    let mut forks = Vec::with_capacity(variations.len());
    for variation in variations {
        let mut fork = Vec::with_capacity(variation.moves.len() + 1);
        push_line(variation, place, &mut fork)?;
        forks.push(fork);
    }
    Ok(Some(forks).filter(|forks| !forks.is_empty()))
}

/// A legal move with everything that can be told without Japanese notation.
fn played(mv: Move, place: &Branch) -> Played {
    let position = &place.position;
    let side = position.side_to_move();
    let kind = mv.from().and_then(|from| position.piece_on(from)).map(Piece::kind);
    let in_zone = |square: Square| square.rank_from(side) <= 3;
    let may_promote = kind.is_some_and(PieceKind::can_promote)
        && (in_zone(mv.to()) || mv.from().is_some_and(in_zone));
    Played {
        color: Some(Side(side)),
        from: mv.from().map(Place),
        to: Some(Place(mv.to())),
        piece: kind.or(mv.dropped()).map(Kind),
        same: (place.previous == Some(mv.to())).then_some(true),
        promote: may_promote.then_some(mv.is_promotion()),
        capture: position.piece_on(mv.to()).map(|piece| Kind(piece.kind())),
    }
}

fn comments(comments: &[String]) -> Option<Vec<String>> {
    (!comments.is_empty()).then(|| comments.to_vec())
}
