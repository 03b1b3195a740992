//! Normal moves, promotions and drops: sections 6.3 and 6.4 of the thesis.

use tesuji_learn::{MoveClass, Prediction};
use tesuji_report::{Cell, Column, ConfusionMatrix, Page, Table, number};

use crate::evolve::EvolveOutcome;
use crate::evolve::held_out;

/// What the thesis's best organism solves, of how many, by kind: its sections 6.3 and 6.4, and the
/// rest of its 886.
const THESIS: [(usize, usize); 3] = [(692, 3726), (186, 352), (8, 922)];

pub(super) fn add(page: &mut Page, outcome: &EvolveOutcome) {
    page.section("Moves, promotions, drops");
    page.paragraph(
        "The thesis found promotions easy, because its organism promotes whenever it can, and \
         drops nearly impossible.",
    );
    let prediction = &outcome.prediction;
    page.table(&table(prediction));
    if let Some(test) = &outcome.test_prediction {
        page.subsection("On the test positions");
        page.table(&table(test));
    }
    let names = MoveClass::ALL.map(MoveClass::name);
    let counts: Vec<Vec<u64>> = prediction
        .confusion
        .iter()
        .map(|row| row.iter().map(|&count| count as u64).collect())
        .collect();
    let matrix = ConfusionMatrix::new(&names, &counts).titles("played", "chosen");
    page.figure(&matrix, "How often each kind of move was played, and chosen by the best weights.");
    let of = prediction.of.max(1) as f64;
    let share = |count: usize| number::percent(count as f64 / of, 1);
    page.paragraph(&format!(
        "The move that was played is among the first five in {}, among the first ten in {} of the \
         positions. Several moves share the best score in {} positions.",
        share(prediction.top_5),
        share(prediction.top_10),
        number::count(prediction.tied as u64),
    ));
}

/// An evaluator for each kind of move, beside one for all.
pub(super) fn add_experts(page: &mut Page, outcome: &EvolveOutcome) {
    let Some(panel) = &outcome.experts else { return };
    page.section("Three experts");
    page.paragraph(
        "One evaluator for each kind of move, each learned from the positions in which such a move \
         was played, and an arbiter that decides between their three favourites.",
    );
    let mut table = Table::new([
        Column::text("positions"),
        Column::number("of"),
        Column::number("one evaluator"),
        Column::number("three experts"),
    ]);
    let mut row = |name: &str, of: usize, one: usize, three: usize| {
        table.row([
            Cell::text(name),
            Cell::count(of as u64),
            Cell::count(one as u64),
            Cell::count(three as u64).strong(),
        ]);
    };
    let (one, three) = (&outcome.prediction, &panel.prediction);
    row("all", one.of, one.correct, three.correct);
    for class in MoveClass::ALL {
        let i = class.index();
        row(class.name(), one.of_class[i], one.correct_of_class[i], three.correct_of_class[i]);
    }
    if let (Some(one), Some(three)) = (&outcome.test_prediction, &panel.test) {
        row("test", one.of, one.correct, three.correct);
    }
    if let (Some(one), Some(three)) = (held_out(&outcome.folds), held_out(&panel.folds)) {
        row("held out", one.1, one.0 as usize, three.0 as usize);
    }
    page.table(&table);
}

/// What is solved and chosen, by kind of moves, beside the thesis.
pub fn table(prediction: &Prediction) -> Table {
    let mut table = Table::new([
        Column::text("kind"),
        Column::number("played"),
        Column::number("solved"),
        Column::number("share"),
        Column::number("thesis"),
        Column::number("chosen"),
        Column::number("of those right"),
    ]);
    let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
    for class in MoveClass::ALL {
        let i = class.index();
        let (solved, of) = (prediction.correct_of_class[i], prediction.of_class[i]);
        let chosen = prediction.chosen[i];
        table.row([
            Cell::text(class.name()),
            Cell::count(of as u64),
            Cell::count(solved as u64),
            Cell::percent(share(solved, of), 1).bar(share(solved, of)),
            Cell::percent(share(THESIS[i].0, THESIS[i].1), 1),
            Cell::count(chosen as u64),
            Cell::percent(share(solved, chosen), 1),
        ]);
    }
    table
}
