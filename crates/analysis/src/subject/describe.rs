//! Positions, games and samples as text and as JSON.

use serde_json::{Map, Value, json};
use tesuji_records::stream::Located;
use tesuji_records::{GameRecord, Sample, tsv};
use tesuji_shogi::{Color, EndReason, Move, Outcome, Position};

/// Check, mate and how many moves there are.
pub fn state_text(position: &Position) -> String {
    match (position.count_legal_moves(), position.in_check()) {
        (0, true) => "checkmate".into(),
        (0, false) => "no legal moves".into(),
        (count, check) => {
            let check = if check { "check, " } else { "" };
            let plural = if count == 1 { "" } else { "s" };
            format!("{check}{count} legal move{plural}")
        }
    }
}

/// Headers, length and result of a game.
pub(super) fn game_text(game: &Located<GameRecord>) -> String {
    let record = &game.value;
    let mut text = String::new();
    for header in &record.headers {
        text += &format!("{}: {}\n", header.key, header.value);
    }
    let result = record.result();
    let result = match result.reason {
        EndReason::Unknown => result.outcome.to_string(),
        _ => result.to_string(),
    };
    text += &format!("{} moves, {result}\n", record.main.moves.len());
    text
}

/// What is known of a sample, on one line; nothing if nothing is.
pub(super) fn sample_text(sample: &Sample) -> String {
    let mv = sample.mv.map(|mv| format!("move {mv}"));
    let score = sample.score.map(|score| format!("score {score}"));
    let outcome = (sample.outcome != Outcome::Unknown).then(|| sample.outcome.to_string());
    let known: Vec<String> = [mv, score, outcome].into_iter().flatten().collect();
    if known.is_empty() { String::new() } else { known.join(", ") + "\n" }
}

/// A position as JSON.
pub fn position_json(position: &Position, last: Option<Move>) -> Map<String, Value> {
    let hand = |color: Color| -> Value {
        let held = position.hand(color).iter();
        held.map(|(kind, count)| (kind.letter().to_string(), json!(count))).collect()
    };
    let mut shown = Map::new();
    shown.insert("sfen".into(), position.to_sfen().into());
    shown.insert("side".into(), position.side_to_move().to_string().into());
    shown.insert("ply".into(), position.ply().into());
    shown.insert("last_move".into(), last.map(|mv| mv.to_string()).into());
    shown.insert("in_check".into(), position.in_check().into());
    shown.insert("legal_moves".into(), position.count_legal_moves().into());
    let hands = json!({ "black": hand(Color::Black), "white": hand(Color::White) });
    shown.insert("hands".into(), hands);
    shown
}

/// Where a game comes from, as JSON.
pub(super) fn game_json(game: &Located<GameRecord>, number: u64) -> Map<String, Value> {
    let record = &game.value;
    let headers: Map<String, Value> =
        record.headers.iter().map(|h| (h.key.clone(), json!(h.value))).collect();
    let result = record.result();
    let mut shown = Map::new();
    shown.insert("file".into(), json!(&*game.file));
    shown.insert("line".into(), json!(game.line));
    shown.insert("game".into(), json!(number));
    shown.insert("moves".into(), json!(record.main.moves.len()));
    shown.insert("result".into(), json!(tsv::outcome_letter(result.outcome)));
    shown.insert("reason".into(), json!(result.reason.name()));
    shown.insert("headers".into(), Value::Object(headers));
    shown
}

/// Where a sample comes from, as JSON.
pub(super) fn sample_json(sample: &Sample, file: &str, number: u64) -> Map<String, Value> {
    let mut shown = Map::new();
    shown.insert("file".into(), json!(file));
    shown.insert("record".into(), json!(number));
    shown.insert("move".into(), sample.mv.map(|mv| mv.to_string()).into());
    shown.insert("score".into(), json!(sample.score));
    shown.insert("result".into(), json!(tsv::outcome_letter(sample.outcome)));
    shown
}
