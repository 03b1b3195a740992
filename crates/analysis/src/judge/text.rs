//! An analysis as text.

use tesuji_records::{GameRecord, Header};
use tesuji_report::number::counted;
use tesuji_report::{Lang, Mark};
use tesuji_shogi::{Color, EndReason, Move, Outcome};

use super::judgement::{JudgedMove, PlayerSummary};
use super::{GameAnalysis, TextLayout, lines};
use crate::score;

/// How many moves of a best line are shown.
const LINE: usize = 6;

/// A line a move, and what there is to say of the players. Reasons are in the language; Japanese
/// names moves in Japanese too.
pub(super) fn report(analysis: &GameAnalysis, layout: TextLayout) -> String {
    let GameAnalysis { record, judgement, story, .. } = analysis;
    let kanji = layout.kanji;
    let mut text = format!("{}\n{}\n\n", title(record), details(record));
    let opening = story.opening(layout.lang);
    text.extend(opening.iter().flat_map(|line| [line, "\n"]));
    if !opening.is_empty() {
        text.push('\n');
    }
    text += "move                score  chance    loss     best line\n";
    for mv in &judgement.moves {
        text += &row(mv, judgement.chance(mv.black_score), layout);
        for event in story.with_move(mv.number) {
            text += &format!("{:8}{}\n", "", event.text(layout.lang));
        }
    }
    text.push('\n');
    for (color, player) in Color::ALL.into_iter().zip(&judgement.players) {
        text += &format!("{}: {}\n", player_name(record, color), summary(player));
    }
    if let Some(turning) = judgement.turning_point.map(|place| &judgement.moves[place]) {
        text += &format!("{}\n", turning_text(turning, kanji));
    }
    text + "Scores and chances to win are Black's; the loss is that of the player who moved.\n"
}

/// Who played whom.
pub(super) fn title(record: &GameRecord) -> String {
    Color::ALL.map(|color| player_name(record, color)).join(" – ")
}

/// Where and when, how long, and how it ended, as far as it is known.
pub(super) fn details(record: &GameRecord) -> String {
    let result = record.result();
    let outcome = match result.outcome {
        Outcome::Win(color) => format!("{} wins", player_name(record, color)),
        other => other.to_string(),
    };
    let why = match result.reason {
        EndReason::Unknown => String::new(),
        reason => format!(" ({})", reason.name().replace('-', " ")),
    };
    let known = [Header::EVENT, Header::STARTED].into_iter().filter_map(|key| record.header(key));
    let moves = counted(record.main.moves.len() as u64, "move");
    known
        .map(str::to_owned)
        .chain([moves, format!("{outcome}{why}")])
        .collect::<Vec<_>>()
        .join(", ")
}

/// The name of a player, or the colour where there is none.
pub(super) fn player_name(record: &GameRecord, color: Color) -> String {
    let (key, unknown) = match color {
        Color::Black => (Header::BLACK, "Black"),
        Color::White => (Header::WHITE, "White"),
    };
    record.header(key).filter(|name| !name.trim().is_empty()).unwrap_or(unknown).to_owned()
}

/// The move with which its player lost the lead, or the balance, for good.
pub(super) fn turning_text(mv: &JudgedMove, kanji: bool) -> String {
    let name = name(mv, mv.mv, kanji);
    let (mover, other) = match mv.color() {
        Color::Black => ("Black", "White"),
        Color::White => ("White", "Black"),
    };
    format!("With move {}, {name}, {mover} let {other} take the lead for good.", mv.number)
}

fn name(mv: &JudgedMove, of: Move, kanji: bool) -> String {
    if kanji { line(mv, &[of], true) } else { of.to_string() }
}

/// The beginning of a line.
fn line(mv: &JudgedMove, moves: &[Move], kanji: bool) -> String {
    let names = if kanji {
        lines::japanese(&mv.position, moves, mv.last)
    } else {
        moves.iter().map(ToString::to_string).collect()
    };
    lines::joined(&names, LINE)
}

fn row(mv: &JudgedMove, chance: f64, layout: TextLayout) -> String {
    let kanji = layout.kanji;
    let number = mv.number;
    let played = padded(&name(mv, mv.mv, kanji), 14);
    let score = score::text(mv.black_score);
    let chance = format!("{:.0} %", chance * 100.0);
    let sign = mv.mark().filter(|mark| *mark > Mark::Best).map_or("", Mark::sign);
    if mv.is_best() || mv.forced {
        let why = if mv.forced { "the only move" } else { "" };
        return format!("{number:>4} {played}{score:>6}  {chance:>6}             {why}")
            .trim_end()
            .to_owned()
            + "\n";
    }
    let loss = format!("{:.1} %", mv.loss * 100.0);
    let best = line(mv, &mv.best_line, kanji);
    let mut text =
        format!("{number:>4} {played}{score:>6}  {chance:>6}  {loss:>6} {sign:<2}  {best}\n");
    let purpose = purpose_line(mv, layout.lang, &name(mv, mv.best().unwrap_or(mv.mv), kanji));
    for remark in purpose.into_iter().chain(mates(mv)).chain(reason_lines(mv, layout.lang)) {
        text += &format!("{:8}{remark}\n", "");
    }
    text
}

/// What is to be said of mates.
pub(super) fn mates(mv: &JudgedMove) -> Vec<String> {
    let plies = |count: i32| if count == 1 { "1 ply".into() } else { format!("{count} plies") };
    let missed = mv.missed_mate().map(|mate| format!("misses a mate in {}", plies(mate)));
    // The opponent's mate is counted from the position after the move.
    let allowed = mv.allowed_mate().map(|mate| format!("allows a mate in {}", plies(mate - 1)));
    [missed, allowed].into_iter().flatten().collect()
}

/// What the better move, which has this name, is for.
pub(super) fn purpose_line(mv: &JudgedMove, lang: Lang, best: &str) -> Option<String> {
    let words = mv.purpose.as_ref()?.text(lang);
    let line = match lang {
        Lang::English => format!("{best} {words}"),
        Lang::Japanese => format!("{best}は{words}"),
    };
    (!words.is_empty()).then_some(line)
}

/// Why a fault is one, a line a reason, and what is left unsaid.
pub(super) fn reason_lines(mv: &JudgedMove, lang: Lang) -> Vec<String> {
    let Some(reasons) = &mv.reasons else { return Vec::new() };
    let said = reasons.said.iter();
    let said = said.map(|reason| format!("{:>+6} {}", reason.centipawns, reason.text(lang)));
    let unsaid = match lang {
        Lang::English => format!("{:>+6} not said", reasons.unsaid),
        Lang::Japanese => format!("{:>+6} その他", reasons.unsaid),
    };
    said.chain([unsaid]).collect()
}

/// How a player played, on one line.
pub(super) fn summary(player: &PlayerSummary) -> String {
    let percent = |share: Option<f64>, decimals: usize| {
        share.map_or_else(|| "–".to_owned(), |share| format!("{:.decimals$} %", share * 100.0))
    };
    let count = |count: usize, what: &str| counted(count as u64, what);
    let inaccuracies = match player.inaccuracies {
        1 => "1 inaccuracy".to_owned(),
        many => format!("{many} inaccuracies"),
    };
    format!(
        "{} lost a move on average, {inaccuracies}, {}, {}; the engine's choice in {}",
        percent(player.mean_loss(), 1),
        count(player.mistakes, "mistake"),
        count(player.blunders, "blunder"),
        percent(player.agreement(), 0),
    )
}

/// Text of this width; kana and kanji take two columns.
fn padded(text: &str, width: usize) -> String {
    let taken: usize = text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    format!("{text}{}", " ".repeat(width.saturating_sub(taken)))
}
