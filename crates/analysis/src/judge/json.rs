//! An analysis as JSON, see `docs/formats/analysis.md`.

use serde_json::{Map, Value, json};
use tesuji_eval::formations::Formations;
use tesuji_records::tsv;
use tesuji_search::score::{calibration_json, to_json};
use tesuji_shogi::{Color, Move};

use super::judgement::{JudgedMove, PlayerSummary};
use super::{GameAnalysis, lines};
use crate::plausible::Purpose;
use crate::reasons;

const FORMAT: &str = "tesuji-analysis";
const VERSION: u32 = 2;

/// Everything that was found.
pub(super) fn result(analysis: &GameAnalysis) -> Map<String, Value> {
    let GameAnalysis { settings, record, judgement, story } = analysis;
    let headers: Map<String, Value> =
        record.headers.iter().map(|h| (h.key.clone(), json!(h.value))).collect();
    let result = record.result();
    let limits = &settings.limits;
    let [black, white] = &judgement.players;
    let drawn = judgement.drawn().into_iter().skip(1);
    let mut shown = Map::new();
    let moves = judgement.moves.iter().zip(drawn);
    let moves = moves.map(|(mv, drawn)| move_json(mv, judgement.chance(mv.black_score), drawn));
    let fields = [
        ("format", json!(FORMAT)),
        ("version", json!(VERSION)),
        ("file", json!(settings.game.file)),
        ("game", json!(settings.game.number)),
        ("headers", headers.into()),
        ("start", json!(record.start.to_sfen())),
        ("result", json!(tsv::outcome_letter(result.outcome))),
        ("reason", json!(result.reason.name())),
        ("eval", json!(settings.evaluation())),
        ("nodes", json!(limits.nodes)),
        ("depth", json!(limits.depth)),
        ("ms", json!(limits.ms)),
        ("first", json!(settings.first)),
        ("last", json!(settings.last)),
        ("players", json!({ "black": player_json(black), "white": player_json(white) })),
        (
            "turning_point",
            json!(judgement.turning_point.map(|place| judgement.moves[place].number)),
        ),
        ("start_score", to_json(judgement.start_score)),
        ("formations", story.analysis_json(Formations::shipped())),
        ("moves", moves.collect()),
    ];
    let curve = calibration_json(&judgement.calibration);
    shown.extend(fields.into_iter().chain(curve).map(|(key, value)| (key.to_owned(), value)));
    shown
}

pub(super) fn player_json(player: &PlayerSummary) -> Value {
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

fn move_json(mv: &JudgedMove, chance: f64, drawn: f64) -> Value {
    let japanese = |line: &[Move]| lines::japanese(&mv.position, line, mv.last);
    let usi = |line: &[Move]| line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    json!({
        "number": mv.number,
        "side": if mv.color() == Color::Black { "black" } else { "white" },
        "move": mv.mv.to_string(),
        "japanese": japanese(&[mv.mv]).first(),
        "sfen": mv.position.to_sfen(),
        "score": to_json(mv.black_score),
        "chance": chance,
        "drawn": drawn,
        "best": mv.best().map(|best| best.to_string()),
        "best_line": usi(&mv.best_line),
        "best_line_japanese": japanese(&mv.best_line).join(" "),
        "played_line": usi(&mv.played_line),
        "best_score": to_json(mv.best_score),
        "played_score": to_json(mv.played_score),
        "depth": mv.depth,
        "nodes": mv.nodes,
        "forced": mv.forced,
        "loss": mv.loss,
        "loss_cp": mv.loss_cp(),
        "class": class(mv),
        "missed_mate": mv.missed_mate(),
        "allowed_mate": mv.allowed_mate(),
        "best_is_for": mv.purpose.as_ref().map(Purpose::to_json),
        "gave_away": mv.reasons.as_ref().map(reasons::to_json),
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
