//! Explanations as JSON, see `docs/formats/explain-json.md`.

use serde_json::{Map, Value, json};
use tesuji_eval::{Change, Feature, Term};
use tesuji_records::japanese;
use tesuji_shogi::{Bitboard, Move};

use super::table::learned_weight;
use super::{PositionExplanation, Ranked, Ranking};
use crate::subject;

const FORMAT: &str = "tesuji-explain";
const VERSION: u32 = 1;

/// How many features are listed for each of the legal moves.
const FEATURES_OF_MOVE: usize = 3;

/// Everything: the position, both views, all moves, and the move that was asked for.
pub(super) fn report(explained: &PositionExplanation, ranking: &Ranking<'_>) -> Value {
    let explanation = explained.explanation();
    let set = explained.weights.set();
    let source = explained.subject.source_json();
    let asked = explained.mv.and_then(|mv| ranking.find(mv));
    let features: Value = explanation.terms.iter().map(|term| term_json(explained, term)).collect();
    json!({
        "format": FORMAT,
        "version": VERSION,
        "position": subject::position_json(&explained.subject.position, explained.subject.last),
        "source": if source.is_empty() { Value::Null } else { source.into() },
        "weights": {
            "name": explained.weights_name,
            "feature_set": set.name(),
            "feature_set_id": set.id(),
        },
        "scores": { "black": explanation.own_score, "white": explanation.enemy_score },
        "features": features,
        "moves": ranking.0.iter().map(|ranked| move_json(explained, ranked)).collect::<Value>(),
        "played": explained.subject.next.map(|mv| mv.to_string()),
        "move": asked.map(|chosen| asked_json(explained, ranking, chosen)),
    })
}

/// A feature in both views.
fn term_json(explained: &PositionExplanation, term: &Term<'_>) -> Value {
    let mut shown = feature_json(explained, term.feature, term.weight);
    shown.insert("black".into(), side_json(term.own_value, term.weight, term.own_squares));
    shown.insert("white".into(), side_json(term.enemy_value, term.weight, term.enemy_squares));
    shown.insert("effect".into(), term.effect().into());
    shown.into()
}

/// A legal move with what it changes most.
fn move_json(explained: &PositionExplanation, ranked: &Ranked<'_>) -> Value {
    let changes = ranked.explanation.changes.iter().take(FEATURES_OF_MOVE);
    let strongest: Value = changes
        .map(|change| json!({ "name": change.feature.name, "effect": change.effect() }))
        .collect();
    json!({
        "move": ranked.mv.to_string(),
        "japanese": japanese_name(explained, ranked.mv),
        "rank": ranked.rank,
        "score": ranked.score(),
        "change": ranked.gain(),
        "strongest": strongest,
    })
}

/// The move that was asked for.
fn asked_json(
    explained: &PositionExplanation,
    ranking: &Ranking<'_>,
    chosen: &Ranked<'_>,
) -> Value {
    let changes = |changes: &[Change<'_>], names: [&str; 2]| -> Value {
        changes.iter().map(|change| change_json(explained, change, names)).collect()
    };
    let best = ranking.best();
    json!({
        "move": chosen.mv.to_string(),
        "japanese": japanese_name(explained, chosen.mv),
        "rank": chosen.rank,
        "tied": ranking.tied(chosen).map(|mv| mv.to_string()).collect::<Vec<_>>(),
        "before": chosen.explanation.before,
        "after": chosen.explanation.after,
        "change": chosen.gain(),
        "changes": changes(&chosen.explanation.changes, ["before", "after"]),
        "best": best.map(|best| best.mv.to_string()),
        "best_score": best.map(Ranked::score),
        "against_best": changes(&explained.against_best(ranking, chosen), ["this", "best"]),
    })
}

/// A feature in two positions that have these names.
fn change_json(
    explained: &PositionExplanation,
    change: &Change<'_>,
    [first, second]: [&str; 2],
) -> Value {
    let mut shown = feature_json(explained, change.feature, change.weight);
    let before = side_json(change.before, change.weight, change.squares_before);
    let after = side_json(change.after, change.weight, change.squares_after);
    shown.insert(first.into(), before);
    shown.insert(second.into(), after);
    shown.insert("effect".into(), change.effect().into());
    shown.into()
}

fn feature_json(
    explained: &PositionExplanation,
    feature: &Feature,
    weight: i32,
) -> Map<String, Value> {
    let mut shown = Map::new();
    shown.insert("name".into(), feature.name.into());
    shown.insert("group".into(), feature.group.name().into());
    shown.insert("sentence".into(), feature.sentence.into());
    shown.insert("weight".into(), learned_weight(&explained.weights, feature).into());
    shown.insert("linked_to".into(), feature.linked_to.into());
    shown.insert("effective_weight".into(), weight.into());
    shown
}

fn side_json(value: i32, weight: i32, squares: Bitboard) -> Value {
    let squares: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    json!({ "value": value, "contribution": value * weight, "squares": squares })
}

fn japanese_name(explained: &PositionExplanation, mv: Move) -> String {
    japanese::move_text(&explained.subject.position, mv, explained.subject.last.map(Move::to))
}
