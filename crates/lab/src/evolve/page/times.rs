//! How long it took, beside the thesis.

use tesuji_report::{Cell, Column, Page, Table, number};

use super::counted_runs;
use crate::evolve::EvolveOutcome;

pub(super) fn add(page: &mut Page, outcome: &EvolveOutcome) {
    page.section("Times");
    let seconds = outcome.seconds;
    let rows = outcome.data.resulting_positions() as f64;
    let mut table = Table::new([
        Column::text("part"),
        Column::number("here"),
        Column::number("thesis, 382,816 resulting positions"),
    ]);
    let runs = outcome.winners.len();
    let evolution = format!("learning, {}", counted_runs(runs as u64));
    let counting = outcome.counted.as_ref().map(|counted| ("counting on all", counted.seconds, ""));
    let parts = [
        ("legal moves", seconds.legal_moves, ""),
        ("features of all resulting positions", seconds.features, "7 to 8 minutes"),
        (&evolution, seconds.evolution, "1.5 hours a run"),
    ];
    let everything = ("everything", seconds.total, "");
    for (part, here, thesis) in parts.into_iter().chain(counting).chain([everything]) {
        table.row([Cell::text(part), Cell::text(&number::duration(here)), Cell::text(thesis)]);
    }
    page.table(&table);
    page.paragraph(&format!(
        "{} resulting positions, {:.1} bytes each in memory, {} features a second.",
        number::count(rows as u64),
        outcome.data.bytes() as f64 / rows.max(1.0),
        number::count((rows * outcome.data.set().len() as f64 / seconds.features.max(1e-9)) as u64),
    ));
}
