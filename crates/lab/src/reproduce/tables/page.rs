//! The page `docs/results/tables.md`.

mod learning;
mod pictures;

use tesuji_learn::{MoveClass, Prediction};
use tesuji_report::{Cell, Column, Table, number};

use super::Findings;
use super::exam::Grades;
use super::settings::{FROM_PLY, SEED, TablesPlan};
use super::shipped::Shipped;
use crate::reproduce::document::Document;

/// Everything that was found, in words, tables and pictures.
pub fn document(plan: &TablesPlan, findings: Findings) -> Document {
    let (train, test) = findings.games;
    let lead = format!(
        "Made by `tesuji reproduce tables`; every number is measured by that command. What does each \
         step from the thesis's features to a model of moves win in the prediction of moves, how much \
         do more games win, and what do the tables look like? Professional games are divided by seed \
         {SEED} as `tesuji train` divides them: {} to learn from and {} that are held out.",
        number::count(train as u64),
        number::count(test as u64)
    );
    let mut document = Document::new("Learning from whole games", &lead);
    shipped(&mut document, &findings.shipped);
    learning::steps(&mut document, &findings.learned);
    learning::experts(&mut document, &findings.experts);
    learning::curve(&mut document, plan, &findings.learned);
    learning::ablation(&mut document, plan, &findings.ablation);
    pictures::maps(&mut document, findings.maps);
    document.section("Playing strength");
    document.text(
        "What each step wins on the board is measured in games, not in moves found: \
         `docs/results/strength.md` has the matches.",
    );
    document
}

/// The columns for moves of games that are held out.
fn game_columns() -> Vec<Column> {
    let numbers = ["top 1", "unseen top 1", "top 5", "top 10", "normal", "promotion", "drop"];
    numbers.map(Column::number).into()
}

/// Their cells, with a sign after each number.
fn game_cells(grades: &Grades, after: &str) -> Vec<Cell> {
    let all = &grades.games.all;
    let shares = [all.accuracy(), grades.games.unseen.accuracy(), all.top5(), all.top10()];
    let kinds = MoveClass::ALL.map(|class| all.accuracy_of(class));
    let cell = |share| Cell::from(number::percent(share, 2) + after);
    shares.into_iter().chain(kinds).map(cell).collect()
}

fn found(prediction: &Prediction) -> String {
    format!("{} of {}", prediction.correct, prediction.of)
}

/// The models that come with the program.
fn shipped(document: &mut Document, models: &[Shipped]) {
    document.section("The models that come with the program");
    let columns = ["the thesis's positions", "share", "unseen ones", "share"].map(Column::number);
    let columns = [Column::text("model"), Column::text("what it is")].into_iter().chain(columns);
    let mut table = Table::new(columns.chain(game_columns()));
    let mut origins = Table::new([Column::text("model"), Column::text("learned from")]);
    for model in models {
        let Shipped { name, kind, origin, grades } = model;
        let star = |learned: bool| if learned { " *" } else { "" };
        let thesis = &grades.thesis;
        let mut cells = vec![Cell::text(name), Cell::text(kind)];
        for prediction in [&thesis.all, &thesis.unseen] {
            let text = found(prediction) + star(origin.thesis);
            cells.extend([Cell::from(text), Cell::percent(prediction.accuracy(), 2)]);
        }
        cells.extend(game_cells(grades, star(origin.games)));
        table.row(cells);
        origins.row([Cell::text(name), Cell::text(&origin.words)]);
    }
    let Some(Shipped { grades, .. }) = models.first() else { return };
    let count = |of: usize| number::count(of as u64);
    document.text(&format!(
        "The share of positions in which the move with the highest score is the one that was played. \
         On the left the {} training positions of the thesis, {} of whose moves are illegal; \
         *unseen ones* are those that occur in no game of the three collections. They come without the \
         moves before, which the model of moves would like to know. On the right all moves from move \
         {FROM_PLY} on of the professional games that are held out, {} positions; *unseen top 1* is \
         without those that occur in a game to learn from or among the thesis's positions, {} \
         positions. *Normal*, *promotion* and *drop* are the shares of such moves that are found.",
        count(grades.thesis.all.of),
        count(grades.thesis.all.illegal_rows),
        count(grades.games.all.of),
        count(grades.games.unseen.of)
    ));
    document.table(table);
    document.text(
        "A star stands where a model has learned from the very positions or games that it is measured \
         with, so that its number says little about others. What each was learned from, as its file \
         has it:",
    );
    document.table(origins);
    document.text(&format!(
        "`train` keeps the same games apart, whatever else it is given, if its seed is {SEED}; if it \
         was another, there is a star."
    ));
}
