//! The generators one by one, and moves that they miss.

use anyhow::Result;
use tesuji_eval::plausible::{Class, Generator};
use tesuji_learn::plausible::OfGenerator;
use tesuji_report::{Cell, Column, Table, number};

use super::super::Findings;
use super::super::games::{Answer, Set};
use crate::reproduce::document::Document;

pub fn section(document: &mut Document, findings: &Findings) {
    document.section("The generators");
    document.text(
        "For each generator: its share of the legal moves and of the masters' moves, how many of \
         those no other generator produces, and what is kept and saved when it is not asked. All \
         positions that are held out, with the hierarchy. What each means exactly is told in \
         `docs/generators.md`.",
    );
    let answer = |merit, cut| findings.answer(Set::HeldOut, merit, true, cut);
    let (Some(all), Some(fitted), Some(hand)) =
        (answer("fitted", "all"), answer("fitted", "merit"), answer("hand", "merit"))
    else {
        return;
    };
    let answers = [all, fitted, hand];
    let mut columns = vec![
        Column::text("generator"),
        Column::number("of legal moves"),
        Column::number("of masters'"),
        Column::number("only it"),
    ];
    for cut in ["all", "merit, fitted", "merit, hand"] {
        columns.push(Column::number(&format!("{cut}: accuracy without")));
        columns.push(Column::number("saved without"));
    }
    let mut table = Table::new(columns);
    let mut with_all = vec![Cell::text("with all"), Cell::empty(), Cell::empty(), Cell::empty()];
    for Answer { kept, .. } in answers {
        with_all.extend([Cell::percent(kept.accuracy(), 2), Cell::percent(kept.saved(), 1)]);
    }
    table.row(with_all);
    for class in Class::ALL {
        table.heading(class.name());
        for generator in Generator::ALL.into_iter().filter(|one| one.class() == class) {
            table.row(row(generator, answers));
        }
    }
    document.table(table);
}

fn row(generator: Generator, answers: [&Answer; 3]) -> Vec<Cell> {
    let of = |answer: &Answer| answer.kept.generators[generator as usize];
    let OfGenerator { produced, only, .. } = of(answers[0]);
    let kept = &answers[0].kept;
    let mut row = vec![
        Cell::text(generator.name()),
        Cell::percent(produced.legal as f64 / kept.legal as f64, 1),
        Cell::percent(produced.played as f64 / kept.positions as f64, 1),
        Cell::count(only.played as u64),
    ];
    for answer in answers {
        let without = of(answer).kept_without;
        let accuracy = without.played as f64 / answer.kept.positions as f64;
        row.push(Cell::percent(accuracy, 2));
        row.push(Cell::percent(answer.kept.saved_with(without), 1));
    }
    row
}

pub fn missed(document: &mut Document, findings: &Findings) -> Result<()> {
    let missed = &findings.missed;
    document.section("Masters' moves that are missed");
    document.text(&format!(
        "With the {} merits the cut at a negative merit misses {} of {}: {} that no generator \
         produces, and {} with a negative merit. Boards drawn by chance: {}; the solid arrow is the \
         master's move. Merits are hundredths of a logarithm of odds; costs are what the move gives \
         up, and the level of the position.",
        missed.merit,
        number::counted(missed.missed as u64, "move"),
        number::count(missed.positions as u64),
        number::count(missed.unproduced as u64),
        number::count((missed.missed - missed.unproduced) as u64),
        missed.boards.len(),
    ));
    let mut table = Table::new([
        Column::number("board"),
        Column::number("move"),
        Column::text("the master's"),
        Column::number("merit"),
        Column::text("what it is made of"),
        Column::text("first by merit"),
        Column::number("merit"),
    ]);
    let mut pictures = Vec::new();
    for (number, board) in (1..).zip(&missed.boards) {
        table.row(board.row(number)?.map(Cell::from));
        pictures.push(board.picture(number)?);
    }
    document.table(table).gallery(pictures);
    Ok(())
}
