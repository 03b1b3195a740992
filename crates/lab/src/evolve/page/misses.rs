//! The most instructive misses: the thesis's figures 5 and 6.

use std::collections::BTreeMap;

use tesuji_learn::analysis::{Miss, misses};
use tesuji_report::{Arrow, ArrowKind, BoardFigure, Cell, Column, Page, Table, number};

use crate::evolve::EvolveOutcome;

/// How many features the table of misleading ones has, and how many of them get a board.
const LISTED: usize = 12;
const BOARDS: usize = 8;
/// How many features are named beside a board.
const PARTS: usize = 6;

pub(super) fn add(page: &mut Page, outcome: &EvolveOutcome) {
    let all = misses(&outcome.data, &outcome.winner().weights);
    if all.is_empty() {
        return;
    }
    let mut deciders: BTreeMap<usize, Vec<&Miss>> = BTreeMap::new();
    for miss in &all {
        if let Some(feature) = miss.decided_by() {
            deciders.entry(feature).or_default().push(miss);
        }
    }
    let mut deciders: Vec<(usize, Vec<&Miss>)> = deciders.into_iter().collect();
    deciders.sort_by_key(|(_, misses)| std::cmp::Reverse(misses.len()));
    page.section("Instructive misses");
    page.paragraph(&format!(
        "In {} positions another move scores better than the one that was played. The feature that \
         speaks most for the other move is what misled the evaluation there; these are the features \
         that do so most often, and for each of the first {BOARDS} a position of middling margin.",
        number::count(all.len() as u64)
    ));
    page.table(&misleading(outcome, &deciders, all.len()));
    for (feature, misses) in deciders.iter().take(BOARDS) {
        board(page, outcome, *feature, typical(misses));
    }
}

fn misleading(outcome: &EvolveOutcome, deciders: &[(usize, Vec<&Miss>)], all: usize) -> Table {
    let mut table = Table::new([
        Column::text("feature that decides"),
        Column::number("misses"),
        Column::number("of all"),
        Column::number("median margin"),
    ]);
    for (feature, misses) in deciders.iter().take(LISTED) {
        let share = misses.len() as f64 / all as f64;
        table.row([
            Cell::text(outcome.data.set().features()[*feature].name),
            Cell::count(misses.len() as u64),
            Cell::percent(share, 1).bar(share),
            Cell::number(typical(misses).margin as f64, 0),
        ]);
    }
    table
}

/// The miss whose margin is in the middle.
fn typical<'a>(misses: &[&'a Miss]) -> &'a Miss {
    let mut order = misses.to_vec();
    order.sort_by_key(|miss| (miss.margin, miss.position));
    order[order.len() / 2]
}

fn board(page: &mut Page, outcome: &EvolveOutcome, feature: usize, miss: &Miss) {
    let position = &outcome.samples[miss.position].position;
    let moves = outcome.data.position(miss.position).moves();
    let (chosen, master) = (moves[miss.chosen], moves[miss.master]);
    let figure = BoardFigure::new(position)
        .seen_by(position.side_to_move())
        .arrow(Arrow::new(master, ArrowKind::Master, &format!("played: {master}")))
        .arrow(Arrow::new(chosen, ArrowKind::Chosen, &format!("chosen: {chosen}")));
    let mut table = Table::new([
        Column::text("feature"),
        Column::number(&format!("{chosen} instead of {master}")),
    ]);
    let set = outcome.data.set();
    let mut parts = miss.parts.clone();
    parts.sort_by_key(|&(_, part)| std::cmp::Reverse(part.abs()));
    for &(part, effect) in parts.iter().take(PARTS) {
        let effect = effect as f64;
        table.row([Cell::text(set.features()[part].name), Cell::signed(effect, 0).bar(effect)]);
    }
    let rest: i64 = parts.iter().skip(PARTS).map(|&(_, part)| part).sum();
    if rest != 0 {
        table.row([Cell::text("all others"), Cell::signed(rest as f64, 0).bar(rest as f64)]);
    }
    table.row([Cell::text("together"), Cell::signed(miss.margin as f64, 0).strong()]);
    let decider = &set.features()[feature];
    page.beside(
        |page| {
            page.figure(&figure, &format!("Position {} of the data.", miss.position + 1));
        },
        |page| {
            page.subsection(decider.name);
            page.paragraph(decider.sentence);
            page.paragraph(&format!(
                "After {chosen} the position scores {} better than after {master}.",
                number::count(miss.margin.unsigned_abs())
            ));
            page.table(&table);
            page.code(&position.to_sfen());
        },
    );
}
