//! A game on a page: one board a position, of which one is shown, beside the list of moves.
//!
//! Stepping works by links alone, since the style sheet shows the board that the address names. The
//! script adds the keyboard and marks the place in the list and on the graph.

use super::{GamePly, GameView, Mark};
use crate::Lang;
use crate::figure::Figure;
use crate::figure::board::{BoardFigure, shared_shapes};
use crate::markup::escaped;

pub(crate) const STYLE: &str = include_str!("viewer.css");
pub(crate) const SCRIPT: &str = include_str!("viewer.js");
/// The only script that the content security policy of a page lets run.
pub(crate) const SCRIPT_HASH: &str = "sha256-z6gtCuHQETxcDVMcZuVkm1TV+zxPbMYe2v9lkWV9KlM=";

/// Writes the boards and the list.
pub(crate) fn write(out: &mut String, view: &GameView, lang: Lang) {
    let Some(first) = view.plies.first() else { return };
    *out += &shared_shapes(lang);
    *out += "<div class=\"game\">\n<div class=\"plies\" aria-live=\"polite\">\n";
    // The board that is shown at first comes last: a style sheet can hide it when one before it is
    // named by the address, not the other way round.
    let rest = view.plies.iter().enumerate().skip(1);
    for (place, ply) in rest.chain([(0, first)]) {
        write_ply(out, view, place, ply, lang);
    }
    *out += "</div>\n";
    write_list(out, view, lang);
    *out += "</div>\n";
}

fn write_ply(out: &mut String, view: &GameView, place: usize, ply: &GamePly, lang: Lang) {
    let shown = if place == 0 { " shown" } else { "" };
    *out += &format!("<section class=\"ply{shown}\" id=\"{}\">", ply.anchor());
    let heading = format!("{}{}", title(ply, lang), sign(ply.mark));
    *out += &format!("<h3>{heading} <span class=\"score\">{}</span></h3>\n", escaped(&ply.score));
    let mut board = BoardFigure::new(&ply.position).shared().last_move(ply.last_move);
    for arrow in &ply.arrows {
        board = board.arrow(arrow.clone());
    }
    let description = format!("{} {}", ply.number, ply.name);
    *out += &board.draw(0.0, lang).to_element(&description, "");
    write_steps(out, view, place, lang);
    *out += "<dl class=\"remarks\">";
    for (term, text) in &ply.remarks {
        *out += &format!("<div><dt>{}</dt><dd>{}</dd></div>", escaped(term), escaped(text));
    }
    *out += "</dl></section>\n";
}

/// `57 ☖５四歩`, or the word for the start.
fn title(ply: &GamePly, lang: Lang) -> String {
    match ply.last_move {
        Some(_) => format!("{} {}", ply.number, escaped(&ply.name)),
        None => lang.words().start.to_owned(),
    }
}

fn sign(mark: Option<Mark>) -> String {
    mark.map_or_else(String::new, |mark| {
        format!(" <b class=\"sign {}\">{}</b>", mark.class(), mark.sign())
    })
}

/// Links to the first and the last position, to those beside this one, and to the next faults.
fn write_steps(out: &mut String, view: &GameView, place: usize, lang: Lang) {
    let plies = &view.plies;
    let is_fault = |&at: &usize| plies[at].mark.is_some_and(Mark::is_fault);
    let last = plies.len() - 1;
    let words = lang.words();
    let steps = [
        ("first", "|◀", words.first, (place > 0).then_some(0)),
        ("fault-before", "◂ ?", words.fault_before, (0..place).rev().find(is_fault)),
        ("before", "◀", words.before, place.checked_sub(1)),
        ("after", "▶", words.after, (place < last).then_some(place + 1)),
        ("fault-after", "? ▸", words.fault_after, (place + 1..plies.len()).find(is_fault)),
        ("last", "▶|", words.last, (place < last).then_some(last)),
    ];
    *out += "<p class=\"steps\">";
    for (step, text, meaning, target) in steps {
        *out += &match target {
            Some(at) => format!(
                "<a data-step=\"{step}\" href=\"#{}\" title=\"{meaning}\" \
                 aria-label=\"{meaning}\">{text}</a>",
                plies[at].anchor()
            ),
            None => format!("<span aria-hidden=\"true\">{text}</span>"),
        };
    }
    *out += "</p>\n";
}

fn write_list(out: &mut String, view: &GameView, lang: Lang) {
    *out += &format!("<ol class=\"moves\" aria-label=\"{}\">\n", lang.words().moves);
    for ply in &view.plies {
        let number = if ply.last_move.is_some() { ply.number.to_string() } else { String::new() };
        let name = match ply.last_move {
            Some(_) => escaped(&ply.name),
            None => lang.words().start.to_owned(),
        };
        *out += &format!(
            "<li><a href=\"#{}\"><span class=\"number\">{number}</span><span lang=\"ja\">{name}</span>\
             <span>{}</span><span class=\"number\">{}</span></a></li>\n",
            ply.anchor(),
            sign(ply.mark).trim_start(),
            escaped(&ply.score)
        );
    }
    *out += "</ol>\n";
}
