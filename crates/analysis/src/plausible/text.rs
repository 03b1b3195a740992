//! Plausible moves for people.

use tesuji_eval::plausible::{Class, Cut, Merits, UNITS};
use tesuji_report::Lang;
use tesuji_report::number::counted;
use tesuji_shogi::BoardStyle;

use super::{MovesLayout, PlausibleMoves, RatedMove, generator_nouns};
use crate::subject;

/// How many columns a line has.
const WIDTH: usize = 100;
/// Columns of the name of a generator.
const LABEL: usize = 24;
/// What stands before the words of a move in the list.
const COLUMNS: usize = 33;

/// The position with its moves, or with the one that was asked for.
pub(super) fn report(found: &PlausibleMoves, layout: &MovesLayout) -> String {
    match found.asked() {
        Some(rated) => of_move(found, rated, layout),
        None => of_position(found, layout),
    }
}

fn of_position(found: &PlausibleMoves, layout: &MovesLayout) -> String {
    let position = &found.subject.position;
    let board = position.display(layout.style).last_move(found.subject.last);
    let mut text = format!("{}{board}{}\n", found.subject.heading(), state(found, layout.lang));
    if found.moves.is_empty() {
        return text;
    }
    text += &format!("\n{}\n", header(found, layout.lang));
    for rated in found.moves.iter().take(layout.top) {
        text += &row(rated, layout);
    }
    let more = found.moves.len().saturating_sub(layout.top);
    if more > 0 {
        text += &match layout.lang {
            Lang::English => {
                format!("     {} of less merit\n", counted(more as u64, "more move"))
            }
            Lang::Japanese => format!("     ほか{more}手\n"),
        };
    }
    text += &left_out(found, layout);
    text + &played(found, layout)
}

/// Check, mate, how many moves there are, and whether some generators rest.
fn state(found: &PlausibleMoves, lang: Lang) -> String {
    let position = &found.subject.position;
    let state = match (lang, found.moves.len(), position.in_check()) {
        (Lang::English, ..) => subject::state_text(position),
        (Lang::Japanese, 0, true) => "詰み".to_owned(),
        (Lang::Japanese, 0, false) => "指せる手がない".to_owned(),
        (Lang::Japanese, count, check) => {
            format!("{}合法手{count}", if check { "王手がかかっている。" } else { "" })
        }
    };
    match (lang, resting_text(found, lang).filter(|_| !found.moves.is_empty())) {
        (_, None) => state,
        (Lang::English, Some(resting)) => format!("{state}. {resting}"),
        (Lang::Japanese, Some(resting)) => format!("{state}。{resting}"),
    }
}

/// That some generators are not asked, if that is so.
fn resting_text(found: &PlausibleMoves, lang: Lang) -> Option<&'static str> {
    found.resting().next().map(|_| match lang {
        Lang::English => "A strong threat is on the board: improvement and prevention rest.",
        Lang::Japanese => "激しい局面なので、駒組みとその妨害は考えない。",
    })
}

/// What merits are counted in, and the heads of the columns.
fn header(found: &PlausibleMoves, lang: Lang) -> String {
    let is_hand = found.settings.merit == Merits::NAMES[0];
    let unit = match (lang, is_hand) {
        (Lang::English, true) => "Merits are in hundredths of a pawn.".to_owned(),
        (Lang::English, false) => {
            format!("{UNITS} more of merit make it e times as likely that a master plays a move.")
        }
        (Lang::Japanese, true) => "評点は歩の百分の一を単位とする。".to_owned(),
        (Lang::Japanese, false) => format!("評点が{UNITS}増すごとにプロの指す確率がe倍になる。"),
    };
    match lang {
        Lang::English => {
            format!("{unit}\n\nrank  move          merit  prob  what it is for")
        }
        Lang::Japanese => format!("{unit}\n\n順位  手            評点  確率  狙い"),
    }
}

/// A line of the list; a move that would be left out has a sign before its words.
fn row(rated: &RatedMove, layout: &MovesLayout) -> String {
    let probability =
        rated.probability.map_or("–".to_owned(), |share| format!("{:.0} %", 100.0 * share));
    let name = padded(&name(rated, layout.style), 12);
    let merit = rated.rating.merit;
    let head = format!("{:>4}  {name} {merit:>6} {probability:>5}  ", rated.rank);
    let words = &rated.short[layout.lang as usize];
    let words = match (rated.cut, words.is_empty(), layout.lang) {
        (_, true, Lang::English) => "nothing in particular".to_owned(),
        (_, true, Lang::Japanese) => "特になし".to_owned(),
        (true, false, Lang::English) => format!("(left out) {words}"),
        (true, false, Lang::Japanese) => format!("（省く）{words}"),
        (false, false, _) => words.clone(),
    };
    wrapped(&head, COLUMNS, &words)
}

fn name(rated: &RatedMove, style: BoardStyle) -> String {
    match style {
        BoardStyle::Letters => rated.mv.to_string(),
        BoardStyle::Kanji => rated.japanese.clone(),
    }
}

/// How many moves are left out, why, and which.
fn left_out(found: &PlausibleMoves, layout: &MovesLayout) -> String {
    let (all, out) = (found.moves.len(), found.left_out().count());
    let unproduced = found.left_out().filter(|rated| !rated.rating.is_produced()).count();
    let cut = found.settings.cut;
    let in_check = found.subject.position.in_check();
    let mut text = match (layout.lang, out) {
        (Lang::English, 0) if in_check => "No answer to a check is left out.".to_owned(),
        (Lang::Japanese, 0) if in_check => "王手の受けはすべて残す。".to_owned(),
        (Lang::English, 0) => format!("The cut {cut} leaves out no move."),
        (Lang::Japanese, 0) => format!("{cut}では省く手がない。"),
        (Lang::English, _) => {
            let others = out - unproduced;
            let have = if others == 1 { "has" } else { "have" };
            let rest = match cut {
                _ if unproduced == out => String::new(),
                Cut::Merit if unproduced == 0 => "whose merit is negative".to_owned(),
                Cut::Merit => format!("{others} {have} a negative merit"),
                _ if unproduced == 0 => "which have too little merit".to_owned(),
                _ => format!("{others} {have} too little merit"),
            };
            let why = match (unproduced, rest.is_empty()) {
                (0, _) => rest,
                (_, true) => "which no generator produces".to_owned(),
                (some, false) => format!("{some} no generator produces, {rest}"),
            };
            format!("The cut {cut} leaves out {out} of {all} moves ({why}):")
        }
        (Lang::Japanese, _) => {
            format!("{cut}で省く手は{all}手のうち{out}手（理由のない手{unproduced}）：")
        }
    };
    let names = found.left_out().map(|rated| format!(" {}", name(rated, layout.style)));
    text.extend(names);
    format!("\n{}", wrapped("", 0, &text))
}

/// Where the move of the record stands.
fn played(found: &PlausibleMoves, layout: &MovesLayout) -> String {
    let Some(mv) = found.subject.next else { return String::new() };
    let Some(rated) = found.moves.iter().find(|rated| rated.mv == mv) else {
        return String::new();
    };
    let (name, rank, all) = (name(rated, layout.style), rated.rank, found.moves.len());
    match layout.lang {
        Lang::English => {
            format!("The record goes on with {name}, number {rank} of {all} by merit.\n")
        }
        Lang::Japanese => format!("実戦は{name}（評点順で{all}手中{rank}番目）。\n"),
    }
}

/// One move on the board, with what each generator makes of it.
fn of_move(found: &PlausibleMoves, rated: &RatedMove, layout: &MovesLayout) -> String {
    let after = found.subject.position.after_unchecked(rated.mv);
    let board = after.display(layout.style).last_move(Some(rated.mv)).highlight(rated.squares());
    let mark = if layout.style == BoardStyle::Kanji { "*" } else { "[ ]" };
    let (name, rank, all) = (name(rated, layout.style), rated.rank, found.moves.len());
    let merit = rated.rating.merit;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let place = match layout.lang {
        Lang::English => {
            let share = rated.probability.map(|share| format!(", {} likely", percent(share)));
            let cut = if rated.cut { "; it would be left out" } else { "" };
            format!(
                "{mark} marks the squares that the reasons speak of\n\n{name}: merit {merit}, \
                 number {rank} of {all}{}{cut}.\n",
                share.unwrap_or_default()
            )
        }
        Lang::Japanese => {
            let share = rated.probability.map(|share| format!("、確率{}", percent(share)));
            let cut = if rated.cut { "。省かれる手" } else { "" };
            format!(
                "{mark}は理由に出てくるマス\n\n{name}：評点{merit}、{all}手中{rank}番目{}{cut}。\n",
                share.unwrap_or_default()
            )
        }
    };
    let resting = resting_text(found, layout.lang).map(|text| format!("{text}\n"));
    let reasons = reasons(found, rated, layout);
    format!("{}{board}{place}{}{reasons}", found.subject.heading(), resting.unwrap_or_default())
}

/// A line for each reason; with the level they add up to the merit.
fn reasons(found: &PlausibleMoves, rated: &RatedMove, layout: &MovesLayout) -> String {
    let mut text = String::new();
    for worded in &rated.reasons {
        let words = &worded.words[layout.lang as usize];
        let label = match (worded.reason.generator, layout.lang) {
            (Some(generator), Lang::English) => generator.name(),
            (Some(generator), Lang::Japanese) => generator_nouns(generator, layout.lang),
            (None, Lang::English) => "costs",
            (None, Lang::Japanese) => "代償",
        };
        let head = format!("{:>+7}  {}", worded.reason.value, padded(label, LABEL));
        text += &wrapped(&head, LABEL + 9, words);
    }
    let (level, all) = match layout.lang {
        Lang::English => ("level", "the same for all moves of the position"),
        Lang::Japanese => ("基準", "この局面のどの手にも共通"),
    };
    text + &wrapped(&format!("{:>+7}  {}", found.level, padded(level, LABEL)), LABEL + 9, all)
}

/// Columns that a character takes.
const fn columns(character: char) -> usize {
    if matches!(character, '\u{1100}'..='\u{115f}' | '\u{2600}'..='\u{ffff}') { 2 } else { 1 }
}

fn padded(text: &str, width: usize) -> String {
    let taken: usize = text.chars().map(columns).sum();
    format!("{text}{}", " ".repeat(width.saturating_sub(taken)))
}

/// Words behind a head, in as many lines as they need: a line ends at a space or behind a Japanese
/// comma, and the next begins below the words.
fn wrapped(head: &str, indent: usize, words: &str) -> String {
    let mut text = head.to_owned();
    let mut length = indent;
    for word in words.split_inclusive([' ', '、']) {
        let taken: usize = word.trim_end().chars().map(columns).sum();
        if length > indent && length + taken > WIDTH {
            text.truncate(text.trim_end().len());
            text += &format!("\n{}", " ".repeat(indent));
            length = indent;
        }
        text += word;
        length += word.chars().map(columns).sum::<usize>();
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

impl PlausibleMoves {
    /// The classes whose generators are not asked here.
    pub(super) fn resting(&self) -> impl Iterator<Item = Class> {
        let rests = self.is_tense && !self.settings.ask_all;
        Class::ALL.into_iter().filter(move |class| rests && class.is_positional())
    }
}
