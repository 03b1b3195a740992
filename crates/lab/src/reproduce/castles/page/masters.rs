//! What masters build, with what success, and how well it is recognised.

use tesuji_report::{Cell, Column, Table, number};
use tesuji_shogi::Color;

use super::super::masters::{Masters, Met, Played, Recognised};
use super::super::settings::SURVEY_PLY;
use super::success_cells;
use crate::reproduce::document::Document;

/// Rows of each table; all are in the numbers of the run.
const CASTLES: usize = 25;
const OTHERS: usize = 15;

pub fn section(document: &mut Document, masters: &Masters) {
    document.section("What masters build, and with what success");
    document.text(&format!(
        "The position after {SURVEY_PLY} moves of {} games of professionals; a side is one player of a \
         game. Success is the share of points, a draw half a point, with an interval of 95 % (Wilson). \
         Who builds what is chosen by players, not by chance: success tells what comes with a \
         castle, not what it causes.",
        number::count(masters.all.games)
    ));
    document.table(played("castle", &masters.castles, CASTLES, masters.all.sides));
    document.text("Assaults under way at the same moment:");
    document.table(played("assault", &masters.assaults, OTHERS, masters.all.sides));
    document.text("Strategies:");
    document.table(played("strategy", &masters.strategies, OTHERS, masters.all.sides));
    document.text("Castles by the opening, which is the strategies of both players:");
    document.table(met(["castle", "its owner plays", "against"], &masters.openings));
    document.text("Castle against castle; success of the first, of Black where both are the same:");
    document.table(met(["castle", "against"], &masters.pairings));
    document.text(&format!(
        "Recognition after {SURVEY_PLY} moves, and how often the name of a castle changes in a whole \
         game, both players together; beside all games, those that `train` keeps apart to measure \
         with:"
    ));
    document.table(recognised(masters));
}

fn played(what: &str, all: &[Played], most: usize, sides: u64) -> Table {
    let mut table = Table::new([
        Column::text(what),
        Column::text("kanji"),
        Column::number("sides"),
        Column::number("share"),
        Column::number("success"),
        Column::number("95 %"),
        Column::number("as Black"),
        Column::number("as White"),
    ]);
    for Played { name, kanji, popularity, .. } in all.iter().take(most) {
        let [success, interval] = success_cells(popularity);
        let of = |color| {
            let share = popularity.success_of(color);
            share.map_or_else(|| Cell::text("–"), |share| Cell::percent(share, 1))
        };
        table.row([
            Cell::text(name),
            Cell::text(kanji),
            Cell::count(popularity.sides),
            Cell::percent(popularity.sides as f64 / sides.max(1) as f64, 1),
            success,
            interval,
            of(Color::Black),
            of(Color::White),
        ]);
    }
    table
}

fn met<const N: usize>(titles: [&str; N], all: &[Met]) -> Table {
    let columns = titles.map(Column::text).into_iter();
    let numbers = ["times", "success", "95 %"].map(Column::number);
    let mut table = Table::new(columns.chain(numbers));
    for Met { names, popularity } in all.iter().take(OTHERS) {
        let [success, interval] = success_cells(popularity);
        let names = names.iter().map(|name| Cell::text(name));
        table.row(names.chain([Cell::count(popularity.sides), success, interval]));
    }
    table
}

fn recognised(masters: &Masters) -> Table {
    let mut table = Table::new([
        Column::text("games"),
        Column::number("how many"),
        Column::number("sides"),
        Column::number("with a name"),
        Column::number("with one at 60 % or more"),
        Column::number("changes a game"),
    ]);
    let mut row = |name: &str, one: &Recognised| {
        let share = |count: u64| Cell::percent(count as f64 / one.sides.max(1) as f64, 1);
        table.row([
            Cell::text(name),
            Cell::count(one.games),
            Cell::count(one.sides),
            share(one.named),
            share(one.mostly_built),
            Cell::number(one.changes_per_game, 2),
        ]);
    };
    row("all", &masters.all);
    if let Some(held_out) = &masters.held_out {
        row("kept apart", held_out);
    }
    table
}
