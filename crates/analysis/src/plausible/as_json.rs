//! Plausible moves as JSON, see `docs/formats/moves-json.md`.

use serde_json::{Value, json};
use tesuji_eval::plausible::Class;
use tesuji_shogi::Move;

use super::{PlausibleMoves, RatedMove, WordedReason};
use crate::subject;

const FORMAT: &str = "tesuji-moves";
const VERSION: u32 = 1;

/// Everything.
pub(super) fn report(found: &PlausibleMoves) -> Value {
    let PlausibleMoves { subject, settings, moves, .. } = found;
    let source = subject.source_json();
    let resting: Vec<&str> = found.resting().map(Class::name).collect();
    json!({
        "format": FORMAT,
        "version": VERSION,
        "position": subject::position_json(&subject.position, subject.last),
        "source": if source.is_empty() { Value::Null } else { source.into() },
        "merits": settings.merit,
        "cut": settings.cut.to_string(),
        "tense": found.is_tense,
        "resting": resting,
        "level": found.level,
        "kept": moves.len() - found.left_out().count(),
        "left_out": found.left_out().count(),
        "played": subject.next.map(|mv| mv.to_string()),
        "move": found.asked().map(|rated| rated.mv.to_string()),
        "moves": moves.iter().map(move_json).collect::<Vec<_>>(),
    })
}

fn move_json(rated: &RatedMove) -> Value {
    let is_cost = |worded: &&WordedReason| worded.reason.generator.is_none();
    let generators = rated.reasons.iter().filter(|worded| !is_cost(worded)).map(reason_json);
    json!({
        "move": Move::to_string(&rated.mv),
        "japanese": rated.japanese,
        "rank": rated.rank,
        "merit": rated.rating.merit,
        "probability": rated.probability,
        "cut": rated.cut,
        "generators": generators.collect::<Vec<_>>(),
        "costs": rated.reasons.iter().find(is_cost).map(reason_json),
        "words": rated.words[0],
        "japanese_words": rated.words[1],
    })
}

fn reason_json(worded: &WordedReason) -> Value {
    let WordedReason { reason, words } = worded;
    let squares = reason.squares().into_iter().map(|square| square.to_string());
    let mut shown = json!({
        "value": reason.value,
        "squares": squares.collect::<Vec<_>>(),
        "words": words[0],
        "japanese": words[1],
    });
    if let Some(generator) = reason.generator {
        shown["name"] = generator.name().into();
        shown["class"] = generator.class().name().into();
    }
    shown
}
