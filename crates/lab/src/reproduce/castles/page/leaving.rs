//! How soon the opening book is left.

use tesuji_math::stats::wilson;
use tesuji_report::{Axis, Bar, BarChart, Cell, Column, Table, number};

use super::super::settings::CastlesReproduction;
use super::super::{BookSeen, Findings, Met, Soon, mean};
use crate::reproduce::document::{Document, Picture};
use crate::reproduce::shares::{Z95, share_cells};

/// Bars of the histogram: the least and the greatest number of moves.
const BARS: [(usize, usize); 8] =
    [(0, 2), (3, 5), (6, 8), (9, 12), (13, 16), (17, 20), (21, 30), (31, usize::MAX)];

pub fn section(document: &mut Document, plan: &CastlesReproduction, findings: &Findings) {
    document.section("How soon the book is left");
    let opponents = plan.opponents.iter().map(|opponent| format!("`{opponent}`"));
    let opponents: Vec<String> = opponents.collect();
    document.text(&format!(
        "The paper's program had a book of over 1,000 professional games and more than 20 books, \
         110,000 positions; in 100 games against four strong programs it was out of book after 8.5 \
         moves on average, in nearly a third of the games within 5. Here: {} games with each book \
         against each opponent, half with each colour, from the start. A game ends when it is the \
         book's turn and the book does not know the position; counted are the moves of both players \
         until then. Books: that of the games of professionals, and `standard`, games of our own, \
         which comes with the program. No move is doubted. Opponents: {}.",
        plan.sizes.games,
        opponents.join(", ")
    ));
    for why in &findings.absent {
        document.text(&format!("Left out: `{why}`."));
    }
    if findings.met.iter().any(|met| !met.moves.is_empty()) {
        document.table(games(findings));
        document.picture(histogram(findings));
    }
    for met in findings.met.iter().filter(|met| !met.broken_off.is_empty()) {
        document.text(&format!(
            "{} games against {} with the book {} ended before that and are not counted: {}.",
            met.broken_off.len(),
            met.opponent,
            met.book,
            met.broken_off[0]
        ));
    }
    vetoes(document, &findings.books);
}

fn games(findings: &Findings) -> Table {
    let mut table = Table::new([
        Column::text("book"),
        Column::text("opponent"),
        Column::number("games"),
        Column::number("moves, mean"),
        Column::number("median"),
        Column::number("within 5"),
        Column::number("95 %"),
    ]);
    table.row(["the paper's", "four programs", "100", "8.5", "", "nearly a third"].map(Cell::text));
    for BookSeen { name, .. } in &findings.books {
        let own: Vec<&Met> = findings.met.iter().filter(|met| met.book == *name).collect();
        let mut row = |opponent: &str, moves: &[usize]| {
            let Some(Soon { games, mean, within_five }) = Soon::new(moves) else { return };
            let [share, interval] = share_cells(within_five as f64, games as f64);
            table.row([
                Cell::text(name),
                Cell::text(opponent),
                Cell::count(games as u64),
                Cell::number(mean, 1),
                Cell::number(median(moves), 1),
                share,
                interval,
            ]);
        };
        own.iter().for_each(|met| row(&met.opponent, &met.moves));
        if own.len() > 1 {
            row("all", &all_moves(findings, name));
        }
    }
    table
}

fn all_moves(findings: &Findings, book: &str) -> Vec<usize> {
    let own = findings.met.iter().filter(|met| met.book == book);
    own.flat_map(|met| met.moves.iter().copied()).collect()
}

fn median(moves: &[usize]) -> f64 {
    let mut sorted = moves.to_vec();
    sorted.sort_unstable();
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => sorted[middle] as f64,
        _ => f64::midpoint(sorted[middle - 1] as f64, sorted[middle] as f64),
    }
}

fn histogram(findings: &Findings) -> Picture {
    let mut chart = BarChart::new("share of the games", Axis::new("games"), 0).percent();
    for BookSeen { name, .. } in &findings.books {
        let moves = all_moves(findings, name);
        chart = chart.heading(&format!("{name}, {}", number::counted(moves.len() as u64, "game")));
        for (least, most) in BARS {
            let within = moves.iter().filter(|&&moves| (least..=most).contains(&moves)).count();
            let (within, all) = (within as f64, moves.len().max(1) as f64);
            let (low, high) = wilson(within, all, Z95);
            let label = match most {
                usize::MAX => format!("{least} moves or more"),
                most => format!("{least}–{most} moves"),
            };
            chart = chart.bar(Bar::new(&label, within / all).error(low, high));
        }
    }
    Picture {
        name: "book-left".into(),
        caption: "After how many moves the book was left, against all opponents; 95 % intervals."
            .into(),
        figure: Box::new(chart),
    }
}

/// The third use of the maps: which moves of the book are not played without thinking.
fn vetoes(document: &mut Document, books: &[BookSeen]) {
    document.text(
        "The third use of the maps is to doubt a move of the book that takes its piece further from \
         its place in the castle: then the position is searched, and the move is neither played nor \
         forbidden. Lines drawn from each book by its counts, and after how many moves the first of \
         them is doubted:",
    );
    let mut table = Table::new([
        Column::text("book"),
        Column::number("positions"),
        Column::number("lines"),
        Column::number("moves until the book ends"),
        Column::number("until the first doubt"),
        Column::number("doubted in the first 10"),
    ]);
    for BookSeen { name, positions, doubted } in books {
        let average = |moves: &[usize]| {
            let moves: Vec<f64> = moves.iter().map(|&moves| moves as f64).collect();
            Cell::number(mean(&moves).unwrap_or(f64::NAN), 1)
        };
        let lines = doubted.lengths.len();
        let early = doubted.undoubted.iter().zip(&doubted.lengths);
        let early = early.filter(|(before, length)| before < length && **before < 10).count();
        table.row([
            Cell::text(name),
            Cell::count(*positions as u64),
            Cell::count(lines as u64),
            average(&doubted.lengths),
            average(&doubted.undoubted),
            Cell::percent(early as f64 / lines.max(1) as f64, 0),
        ]);
    }
    document.table(table);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_bars() {
        assert_eq!(median(&[9, 1, 3]), 3.0);
        assert_eq!(median(&[4, 1, 3, 2]), 2.5);
        assert!(median(&[]).is_nan());
        // Every number of moves is in one bar.
        for moves in 0..100 {
            let bars = BARS.iter().filter(|(least, most)| (*least..=*most).contains(&moves));
            assert_eq!(bars.count(), 1, "{moves}");
        }
    }
}
