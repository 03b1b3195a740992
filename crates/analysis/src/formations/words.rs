//! What a player has built and does, in a sentence.

use tesuji_eval::formations::{Atlas, Castle, Found, Names, Plan, SideRecognition, Stage};
use tesuji_records::japanese::{move_name, piece_name, square_name};
use tesuji_report::Lang;
use tesuji_shogi::{Color, PieceKind, Position, Square};

/// How many missing pieces are told.
const MOST_MISSING: usize = 3;

/// A sentence about a player: `White: silver crown, 80 %, gold 3b missing; attacks with climbing
/// silver`.
pub fn side_text(color: Color, side: &SideRecognition<'_>, lang: Lang) -> String {
    let castle = match (&side.castle, lang) {
        (Some(castle), _) => castle_text(castle, lang),
        (None, Lang::English) => "no castle yet".to_owned(),
        (None, Lang::Japanese) => "囲いなし".to_owned(),
    };
    let strategy = side.strategy.map(|strategy| name(&strategy.names, lang));
    let assault = side.assault.as_ref().map(|assault| name(&assault.formation.names, lang));
    let same = strategy.is_some() && strategy == assault;
    match lang {
        Lang::English => {
            let who = if color == Color::Black { "Black" } else { "White" };
            let plays = strategy.filter(|_| !same).map(|name| format!("; plays {name}"));
            let attacks = assault.map(|name| format!("; attacks with {name}"));
            let stage = if side.stage == Stage::Opening { "" } else { side.stage.name() };
            let stage = if stage.is_empty() { String::new() } else { format!(" ({stage})") };
            let [plays, attacks] = [plays, attacks].map(Option::unwrap_or_default);
            format!("{who}: {castle}{plays}{attacks}{stage}")
        }
        Lang::Japanese => {
            let who = if color == Color::Black { "先手" } else { "後手" };
            let plays = strategy.filter(|_| !same).map(|name| format!("、戦型は{name}"));
            let attacks = assault.map(|name| format!("、攻めは{name}"));
            let stage = match side.stage {
                Stage::Opening => "",
                Stage::MiddleGame => "（中盤）",
                Stage::Endgame => "（終盤）",
            };
            let [plays, attacks] = [plays, attacks].map(Option::unwrap_or_default);
            format!("{who}：{castle}{plays}{attacks}{stage}")
        }
    }
}

fn name(names: &Names, lang: Lang) -> &str {
    match lang {
        Lang::English => &names.name,
        Lang::Japanese => &names.kanji,
    }
}

fn castle_text(found: &Found<'_, Castle>, lang: Lang) -> String {
    let name = name(&found.formation.names, lang);
    let percent = (found.complete * 100.0).round();
    let missing = missing_text(&found.missing, lang);
    match lang {
        Lang::English => format!("{name}, {percent} %{missing}"),
        Lang::Japanese => format!("{name} {percent}％{missing}"),
    }
}

/// The missing pieces, kings and generals first.
fn missing_text(missing: &[(PieceKind, Square)], lang: Lang) -> String {
    let mut missing = missing.to_vec();
    let first = |kind: PieceKind| match kind {
        PieceKind::King => 0,
        PieceKind::Gold => 1,
        PieceKind::Silver => 2,
        _ => 3,
    };
    missing.sort_by_key(|(kind, _)| first(*kind));
    let told: Vec<String> = missing
        .iter()
        .take(MOST_MISSING)
        .map(|&(kind, square)| match lang {
            Lang::English => format!("{} {square}", kind.english()),
            Lang::Japanese => format!("{}{}", square_name(square), piece_name(kind)),
        })
        .collect();
    let more = missing.len() > told.len();
    match (told.is_empty(), lang) {
        (true, _) => String::new(),
        (false, Lang::English) => {
            format!(", {}{} missing", told.join(", "), if more { " and others" } else { "" })
        }
        (false, Lang::Japanese) => {
            format!("（{}{}が未完成）", told.join("、"), if more { "など" } else { "" })
        }
    }
}

/// A plan in words, with moves as the language writes them.
pub fn plan_text(atlas: &Atlas, start: &Position, color: Color, plan: &Plan, lang: Lang) -> String {
    let castle = name(&atlas.formations().castles()[plan.castle].names, lang);
    let mut position = *start;
    if position.side_to_move() != color {
        position = position.after_pass().unwrap_or(position);
    }
    let mut moves = Vec::new();
    for &mv in &plan.moves {
        moves.push(match lang {
            Lang::English => mv.to_string(),
            Lang::Japanese => move_name(&position, mv, None),
        });
        let after = position.after_unchecked(mv);
        position = after.after_pass().unwrap_or(after);
    }
    let moves = if moves.is_empty() { "–".to_owned() } else { moves.join(" ") };
    match (lang, plan.finished) {
        (Lang::English, true) => format!("{castle}: {moves}\n"),
        (Lang::English, false) => format!("{castle}, as far as it can be built: {moves}\n"),
        (Lang::Japanese, true) => format!("{castle}：{moves}\n"),
        (Lang::Japanese, false) => format!("{castle}（途中まで）：{moves}\n"),
    }
}
