//! An analysis as JSON, see `docs/formats/analysis.md`.

use serde_json::{Map, Value, json};
use tesuji_records::{GameRecord, tsv};
use tesuji_shogi::{Color, Move};

use super::given::Given;
use super::judge::{Judged, JudgedMove, PlayerSummary};
use super::{Plan, names, scores};
use crate::commands::search::score_json;

const FORMAT: &str = "tesuji-analysis";
const VERSION: u32 = 1;

/// Everything that was found.
pub fn result(plan: &Plan, record: &GameRecord, judged: &Judged) -> Map<String, Value> {
    let headers: Map<String, Value> =
        record.headers.iter().map(|h| (h.key.clone(), json!(h.value))).collect();
    let result = record.result();
    let limits = plan.limits.any_limits();
    let [black, white] = &judged.players;
    let mut shown = Map::new();
    let fields = [
        ("format", json!(FORMAT)),
        ("version", json!(VERSION)),
        ("file", json!(plan.game.file)),
        ("game", json!(plan.game.number)),
        ("headers", headers.into()),
        ("start", json!(record.start.to_sfen())),
        ("result", json!(tsv::outcome_letter(result.outcome))),
        ("reason", json!(result.reason.name())),
        ("eval", json!(plan.engine.eval)),
        ("weights", json!(plan.weights)),
        ("nodes", json!(limits.nodes)),
        ("depth", json!(limits.depth)),
        ("ms", json!(limits.hard_time.map(|time| time.as_millis()))),
        ("chance_scale", json!(scores::scale())),
        ("first", json!(plan.first)),
        ("last", json!(plan.last)),
        ("players", json!({ "black": player_json(black), "white": player_json(white) })),
        ("turning_point", json!(judged.turning.map(|place| judged.moves[place].number))),
        ("start_score", score_json(judged.start_score)),
        ("moves", judged.moves.iter().map(move_json).collect()),
    ];
    shown.extend(fields.map(|(key, value)| (key.to_owned(), value)));
    shown
}

fn player_json(player: &PlayerSummary) -> Value {
    json!({
        "moves": player.moves,
        "chosen": player.chosen,
        "agreed": player.agreed,
        "agreement": player.agreement(),
        "mean_loss": player.mean_loss(),
        "inaccuracies": player.inaccuracies,
        "mistakes": player.mistakes,
        "blunders": player.blunders,
        "missed_mates": player.missed_mates,
    })
}

fn move_json(mv: &JudgedMove) -> Value {
    let japanese = |line: &[Move]| names::japanese(&mv.position, line, mv.last);
    let usi = |line: &[Move]| line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    json!({
        "number": mv.number,
        "side": if mv.color() == Color::Black { "black" } else { "white" },
        "move": mv.mv.to_string(),
        "japanese": japanese(&[mv.mv]).first(),
        "sfen": mv.position.to_sfen(),
        "score": score_json(mv.black_score),
        "chance": scores::chance(mv.black_score),
        "best": mv.best().map(|best| best.to_string()),
        "best_line": usi(&mv.best_line),
        "best_line_japanese": japanese(&mv.best_line).join(" "),
        "played_line": usi(&mv.played_line),
        "best_score": score_json(mv.best_score),
        "played_score": score_json(mv.played_score),
        "depth": mv.depth,
        "nodes": mv.nodes,
        "forced": mv.forced,
        "loss": mv.loss,
        "loss_cp": mv.loss_cp(),
        "class": class(mv),
        "missed_mate": mv.missed_mate(),
        "allowed_mate": mv.allowed_mate(),
        "gave_away": mv.given.as_ref().map(given_json),
    })
}

fn class(mv: &JudgedMove) -> &'static str {
    use tesuji_report::Mark;
    match mv.mark() {
        Some(Mark::Blunder) => "blunder",
        Some(Mark::Mistake) => "mistake",
        Some(Mark::Inaccuracy) => "inaccuracy",
        Some(Mark::Best) => "best",
        None if mv.forced => "forced",
        None => "good",
    }
}

fn given_json(given: &Given) -> Value {
    let features: Vec<Value> = given
        .features
        .iter()
        .map(|feature| {
            json!({
                "name": feature.name,
                "group": feature.group.name(),
                "sentence": feature.sentence,
                "cost": feature.cost,
                "best": feature.values.map(|[best, _]| best),
                "played": feature.values.map(|[_, played]| played),
            })
        })
        .collect();
    json!({ "plies": given.plies, "pieces": given.pieces, "features": features })
}
