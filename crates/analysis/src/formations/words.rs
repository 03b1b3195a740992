//! What a player has built and does, in a sentence.

use tesuji_eval::formations::{Atlas, Castle, Found, Names, Plan, SideRecognition, Stage};
use tesuji_records::japanese::{move_name, piece_name, square_name};
use tesuji_report::Lang;
use tesuji_shogi::{Color, PieceKind, Position, Square};

use super::{Happening, reason};

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
    let who = player(color, lang);
    let same = strategy.is_some() && strategy == assault;
    match lang {
        Lang::English => {
            let plays = strategy.filter(|_| !same).map(|name| format!("; plays {name}"));
            let attacks = assault.map(|name| format!("; attacks with {name}"));
            let stage = if side.stage == Stage::Opening { "" } else { side.stage.name() };
            let stage = if stage.is_empty() { String::new() } else { format!(" ({stage})") };
            let [plays, attacks] = [plays, attacks].map(Option::unwrap_or_default);
            format!("{who}: {castle}{plays}{attacks}{stage}")
        }
        Lang::Japanese => {
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

/// What happened to a castle: `White has finished the silver crown`.
pub(super) fn event_text(
    color: Color,
    names: &Names,
    what: Happening,
    complete: f64,
    lang: Lang,
) -> String {
    let (name, who) = (name(names, lang), player(color, lang));
    let percent = (complete * 100.0).round();
    match (what, lang) {
        (Happening::Named, Lang::English) => format!("{who}: {name}, {percent} %"),
        (Happening::Named, Lang::Japanese) => format!("{who}：{name} {percent}％"),
        (Happening::Finished, Lang::English) => format!("{who} has finished the {name}"),
        (Happening::Finished, Lang::Japanese) => format!("{who}の{name}が完成"),
        (Happening::Broken, Lang::English) => {
            format!("{who}'s {name} is broken, {percent} % of it is left")
        }
        (Happening::Broken, Lang::Japanese) => format!("{who}の{name}が崩れた（残り{percent}％）"),
    }
}

const fn player(color: Color, lang: Lang) -> &'static str {
    match (color, lang) {
        (Color::Black, Lang::English) => "Black",
        (Color::White, Lang::English) => "White",
        (Color::Black, Lang::Japanese) => "先手",
        (Color::White, Lang::Japanese) => "後手",
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
    let plan_line = match (lang, plan.finished) {
        (Lang::English, true) => format!("{castle}: {moves}\n"),
        (Lang::English, false) => format!("{castle}, as far as it can be built: {moves}\n"),
        (Lang::Japanese, true) => format!("{castle}：{moves}\n"),
        (Lang::Japanese, false) => format!("{castle}（途中まで）：{moves}\n"),
    };
    plan_line + &why_text(atlas, start, color, plan.castle, lang)
}

/// The rule by which a castle is built, in words; nothing if what stands is the only reason.
fn why_text(atlas: &Atlas, position: &Position, color: Color, castle: usize, lang: Lang) -> String {
    let formations = atlas.formations();
    let Some(wanted) = reason(formations, position, color, castle) else { return String::new() };
    let number = lang as usize;
    match (wanted.swap, wanted.first, lang) {
        (Some((from, rule)), _, _) => {
            let from = name(&formations.castles()[from].names, lang);
            match lang {
                Lang::English => format!("Instead of the {from}: {}\n", rule.why[number]),
                Lang::Japanese => format!("{from}に代えて：{}\n", rule.why[number]),
            }
        }
        (None, Some(rule), Lang::English) => format!("The first aim: {}\n", rule.why[number]),
        (None, Some(rule), Lang::Japanese) => format!("序盤の方針：{}\n", rule.why[number]),
        (None, None, _) => String::new(),
    }
}
