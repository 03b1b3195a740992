//! Writing one game.

use std::time::Duration;

use tesuji_shogi::{EndReason, GameResult, Position};

use super::names::{ending_name, ending_result, sign};
use super::setup::{self, push, push_entry};
use super::{ENCODING, HEADERS};
use crate::date;
use crate::phrase::phrase;
use crate::{GameRecord, Header, MoveRecord, WriteError};

/// Headers that came with version 3, the time control apart.
const NEW_HEADERS: [&str; 5] = ["TIME+", "TIME-", "MAX_MOVES", "JISHOGI", "NOTE"];

/// Writes a game, in version 2.2 if that can hold it and in version 3.0 otherwise. See
/// [`crate::csa`] for what is left out.
pub fn write(record: &GameRecord) -> Result<String, WriteError> {
    let mut out = String::with_capacity(400 + 16 * record.main.moves.len());
    let version_3 = needs_version_3(record);
    if version_3 {
        push(&mut out, format_args!("{ENCODING}UTF-8\nV3.0\n"));
    } else {
        out.push_str("V2.2\n");
    }
    // Players come before all else, Black first: the format demands it.
    for key in [Header::BLACK, Header::WHITE] {
        if let Some(value) = record.header(key) {
            write_header(key, value, &mut out);
        }
    }
    for Header { key, value } in &record.headers {
        if ![Header::BLACK, Header::WHITE].contains(&key.as_str()) {
            write_header(key, value, &mut out);
        }
    }
    setup::write(&record.start, &mut out);
    write_comments(&record.comments, &mut out);
    let mut position = record.start;
    for (i, played) in record.main.moves.iter().enumerate() {
        write_move(i + 1, played, &mut position, &mut out)?;
    }
    if let Some(ending) = &record.main.ending {
        // Of an end without a name only the comments can be kept: they follow the last move.
        let side = position.side_to_move();
        if let Some(name) = ending_name(ending.result, side) {
            let limit = version_3 && ending.result == GameResult::draw(EndReason::MoveLimit);
            let name = if limit { "MAX_MOVES" } else { name };
            push(&mut out, format_args!("%{name}\n"));
            write_time(ending.time, &mut out);
            if let Some(phrase) = phrase(ending.result, ending_result(name, side)) {
                push(&mut out, format_args!("'*{phrase}\n"));
            }
        }
        write_comments(&ending.comments, &mut out);
    }
    Ok(out)
}

/// Does the main line have something that version 2.2 has no words for?
fn needs_version_3(record: &GameRecord) -> bool {
    let ending = record.main.ending.as_ref();
    let times = record.main.moves.iter().map(|played| played.time);
    times.chain([ending.and_then(|ending| ending.time)]).flatten().any(has_fraction)
        || record.headers.iter().any(|header| {
            NEW_HEADERS.contains(&&*header.key)
                || header.key == Header::TIME_LIMIT && is_new_time_control(&header.value)
        })
}

/// Files know milliseconds; what is finer is not written.
fn has_fraction(time: Duration) -> bool {
    time.subsec_millis() != 0
}

/// Is this the time control of version 3, `main+byoyomi+increment` in seconds?
fn is_new_time_control(value: &str) -> bool {
    let is_number = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let parts: Vec<&str> = value.trim().split('+').collect();
    parts.len() == 3 && parts.into_iter().all(is_number)
}

/// A key that would be cut at its colon or line break is left out; line breaks in a value become
/// spaces. A date that is none to the format is left out, too.
fn write_header(key: &str, value: &str, out: &mut String) {
    let (key, mut value) = (key.trim(), value.replace(['\r', '\n'], " "));
    if [Header::STARTED, Header::ENDED].contains(&key) {
        value = date::with_seconds(&value).unwrap_or_default();
    }
    let value = value.trim();
    if key.is_empty() || key.contains([':', '\r', '\n']) || value.is_empty() {
        return;
    }
    let name = HEADERS.iter().find(|(constant, _)| *constant == key).map(|(_, name)| *name);
    match (key, name) {
        (Header::BLACK, _) => push(out, format_args!("N+{value}\n")),
        (Header::WHITE, _) => push(out, format_args!("N-{value}\n")),
        (Header::TIME_LIMIT, _) if is_new_time_control(value) => {
            push(out, format_args!("$TIME:{value}\n"));
        }
        _ => push(out, format_args!("${}:{value}\n", name.unwrap_or(key))),
    }
}

fn write_move(
    ply: usize,
    played: &MoveRecord,
    position: &mut Position,
    out: &mut String,
) -> Result<(), WriteError> {
    let mv = played.mv;
    let unsupported = || WriteError::Unsupported {
        format: "CSA",
        what: format!("the illegal move {mv} at ply {ply}"),
    };
    let side = position.side_to_move();
    let after = position.after(mv).ok_or_else(unsupported)?;
    let piece = after.piece_on(mv.to()).ok_or_else(unsupported)?;
    let (file, rank) = mv.from().map_or((0, 0), |from| (from.file(), from.rank()));
    push(out, format_args!("{}{file}{rank}", sign(side)));
    push_entry(out, Some(mv.to()), piece.kind());
    out.push('\n');
    write_time(played.time, out);
    write_comments(&played.comments, out);
    *position = after;
    Ok(())
}

fn write_time(time: Option<Duration>, out: &mut String) {
    match time {
        None => {}
        Some(time) if has_fraction(time) => {
            push(out, format_args!("T{}.{:03}\n", time.as_secs(), time.subsec_millis()));
        }
        Some(time) => push(out, format_args!("T{}\n", time.as_secs())),
    }
}

fn write_comments(comments: &[String], out: &mut String) {
    for line in comments.iter().flat_map(|comment| comment.split('\n')) {
        push(out, format_args!("'*{line}\n"));
    }
}
