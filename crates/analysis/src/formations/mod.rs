//! Castles, assaults and strategies in words and as JSON.

mod story;
mod words;

use serde_json::{Map, Value, json};
use tesuji_eval::formations::{
    Atlas, Castle, Formations, Found, Names, Plan, Recognition, RookStyle, SideRecognition, Wanted,
};
use tesuji_report::Lang;
use tesuji_shogi::{Color, Position};

pub use story::{Break, Event, GameStory, Happening, SideStory, story};
pub use words::{plan_text, side_text};

/// What both players have built and do, as JSON: `black` and `white`.
pub fn recognition_json(seen: &Recognition<'_>) -> Value {
    let side = |color: Color| side_json(seen.of(color));
    json!({ "black": side(Color::Black), "white": side(Color::White) })
}

fn side_json(side: &SideRecognition<'_>) -> Value {
    let mut shown = Map::new();
    match &side.castle {
        Some(castle) => shown.append(&mut castle_json(castle)),
        None => {
            shown.insert("castle".into(), Value::Null);
            shown.insert("complete".into(), Value::Null);
            shown.insert("missing".into(), json!([]));
        }
    }
    let strategy = side.strategy.map(|strategy| names_json(&strategy.names));
    shown.insert("strategy".into(), strategy.into());
    shown.insert("rook".into(), side.rook.map(RookStyle::name).into());
    let assault = side.assault.as_ref().map(|assault| {
        let mut shown = names_json(&assault.formation.names);
        shown["complete"] = rounded(assault.complete);
        shown["missing"] = missing_json(assault);
        shown
    });
    shown.insert("assault".into(), assault.into());
    shown.insert("stage".into(), side.stage.name().into());
    let candidates: Vec<Value> =
        side.candidates.iter().map(|found| Value::Object(castle_json(found))).collect();
    shown.insert("candidates".into(), candidates.into());
    Value::Object(shown)
}

fn castle_json(found: &Found<'_, Castle>) -> Map<String, Value> {
    let mut shown = Map::new();
    let mut names = names_json(&found.formation.names);
    names["family"] = found.formation.family.as_str().into();
    shown.insert("castle".into(), names);
    shown.insert("complete".into(), rounded(found.complete));
    shown.insert("missing".into(), missing_json(found));
    shown
}

/// The names of a formation.
pub fn names_json(names: &Names) -> Value {
    json!({
        "id": names.id,
        "name": names.name,
        "romaji": names.romaji,
        "kanji": names.kanji,
        "aliases": names.aliases,
    })
}

/// The pieces that miss, `G3b`.
fn missing_json<T>(found: &Found<'_, T>) -> Value {
    let text = found.missing.iter().map(|(kind, square)| format!("{}{square}", kind.letter()));
    text.collect::<Vec<_>>().into()
}

/// A share with three digits.
fn rounded(share: f64) -> Value {
    ((share * 1000.0).round() / 1000.0).into()
}

/// What both players have built and do, in words: a line for each.
pub fn recognition_text(seen: &Recognition<'_>, lang: Lang) -> String {
    let line = |color: Color| side_text(color, seen.of(color), lang) + "\n";
    Color::ALL.map(line).concat()
}

/// A plan as JSON; `values` are those of the castle's maps before the first move and after each.
pub fn plan_json(atlas: &Atlas, position: &Position, color: Color, plan: &Plan) -> Value {
    let castle = &atlas.formations().castles()[plan.castle];
    let units = |&quarters: &i32| f64::from(quarters) / 4.0;
    json!({
        "sfen": position.to_sfen(),
        "side": if color == Color::Black { "black" } else { "white" },
        "castle": names_json(&castle.names),
        "why": why_json(atlas.formations(), position, color, plan.castle),
        "moves": plan.moves.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "values": plan.values.iter().map(units).collect::<Vec<_>>(),
        "finished": plan.finished,
    })
}

/// The rule by which a castle is built; null if what stands is the only reason.
fn why_json(formations: &Formations, position: &Position, color: Color, castle: usize) -> Value {
    let Some(wanted) = reason(formations, position, color, castle) else { return Value::Null };
    let (rule, why) = match (wanted.swap, wanted.first) {
        (Some((_, rule)), _) => ("swap", &rule.why),
        (None, Some(rule)) => ("first", &rule.why),
        (None, None) => return Value::Null,
    };
    let instead = wanted.swap.map(|(from, _)| names_json(&formations.castles()[from].names));
    json!({ "rule": rule, "instead_of": instead, "text": why[0], "japanese": why[1] })
}

/// What a rule says of a castle that is to be built.
fn reason<'a>(
    formations: &'a Formations,
    position: &Position,
    color: Color,
    castle: usize,
) -> Option<Wanted<'a>> {
    // As many as a plan is chosen from.
    const CHOSEN: usize = 2;
    let wanted = formations.wanted(position, color, CHOSEN, None);
    wanted.into_iter().find(|wanted| wanted.castle == castle)
}
