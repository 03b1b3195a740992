//! The report of a tuning: how it went, and what was learned beside the model paper.

use tesuji_learn::tuning::spsa::Step;
use tesuji_learn::tuning::{Effort, Generation, PAPER};
use tesuji_report::{Axis, Cell, Column, Lang, LineChart, Page, Series, Table};

use super::outcome::{Course, Measured, TuneOutcome};
use crate::coevolve::page::ratings;
use crate::pairings::verification_text;

/// What the model paper learned in 2014, and the study before it in 2010, in the order of
/// [`PAPER`].
const LEARNED: [(i32, i32); 18] = [
    (1, 1),
    (4, 4),
    (1, 1),
    (6, 6),
    (3, 3),
    (112, 106),
    (227, 219),
    (506, 512),
    (1, 1),
    (4, 4),
    (6, 6),
    (15, 14),
    (3, 3),
    (4, 2),
    (4, 4),
    (2, 2),
    (3, 3),
    (2, 1),
];

/// What was learned for chess of a parameter: by the model paper, and by the study before it.
pub fn learned(name: &str) -> Option<(i32, i32)> {
    PAPER.iter().position(|&known| known == name).map(|place| LEARNED[place])
}

/// The page.
pub(super) fn page(outcome: &TuneOutcome<'_>) -> Page {
    let mut page = Page::new("Parameters of the search", Lang::English);
    page.section("What came of it");
    if let Some(measured) = &outcome.measured {
        page.table(&efforts(measured));
    }
    if let Some(tally) = &outcome.verification {
        page.paragraph(&format!(
            "The tuned parameters against those before, {}, from openings that no game before had: \
             {}.",
            outcome.plan.pairings.conditions.control,
            verification_text(tally),
        ));
    }
    match &outcome.course {
        Course::Nodes(history) => {
            page.section("How it went").figure(&curve(history), CURVE);
        }
        Course::Games(rounds) => ratings(&mut page, rounds),
        Course::Spsa(steps) => path(&mut page, outcome, steps),
    }
    page.section("The parameters");
    page.paragraph(
        "Beside what was learned for chess: by the model paper of 2014, and by the study of 2010 \
         that it goes back to. Margins are in centipawns, extensions in quarters of a ply; our \
         futility margin is that above beta, and a passed pawn on the seventh rank is a piece \
         about to promote.",
    );
    page.table(&parameters(outcome));
    page
}

/// What was needed for problems before and after.
pub fn efforts(measured: &Measured) -> Table {
    let mut table = Table::new([
        Column::text("problems"),
        Column::number("of"),
        Column::number("nodes before"),
        Column::number("nodes after"),
        Column::number("change"),
        Column::number("solved before"),
        Column::number("solved after"),
    ]);
    let mut row = |name: &str, [before, after]: &[Effort; 2], of: usize| {
        table.row([
            Cell::text(name),
            Cell::count(of as u64),
            Cell::count(before.nodes),
            Cell::count(after.nodes),
            Cell::percent(after.nodes as f64 / before.nodes.max(1) as f64 - 1.0, 1),
            Cell::count(before.solved as u64),
            Cell::count(after.solved as u64),
        ]);
    };
    row("tuned with", &measured.tune, measured.problems[0]);
    row("held out", &measured.test, measured.problems[1]);
    table
}

/// What [`curve`] shows.
pub const CURVE: &str = "Nodes that were searched for all problems that were tuned with.";

/// How the genetic algorithm went.
pub fn curve(history: &[Generation]) -> LineChart {
    let curve = |value: fn(&Generation) -> f64| {
        history.iter().map(move |generation| (f64::from(generation.generation), value(generation)))
    };
    LineChart::new(Axis::new("generation"), Axis::new("nodes"))
        .series(Series::new("best organism", curve(|generation| generation.best.nodes as f64)))
        .series(Series::new("population", curve(|generation| generation.mean)))
}

/// The parameters that went furthest.
const CURVES: usize = 8;

fn path(page: &mut Page, outcome: &TuneOutcome<'_>, steps: &[Step]) {
    page.section("How it went");
    let away = |number: usize, value: f64| {
        let parameter = outcome.genes.parameters()[number];
        let range = f64::from(parameter.max - parameter.min);
        (value - f64::from(outcome.before[number])) / range.max(1.0)
    };
    let mut order: Vec<usize> = (0..outcome.before.len()).collect();
    let furthest =
        |&number: &usize| steps.last().map_or(0.0, |step| away(number, step.values[number]).abs());
    order.sort_by(|a, b| furthest(b).total_cmp(&furthest(a)));
    let axis = Axis::new("away from the value before, share of the range");
    let chart = order.iter().take(CURVES).fold(
        LineChart::new(Axis::new("step"), axis),
        |chart, &number| {
            let name = outcome.genes.parameters()[number].name;
            let points = steps
                .iter()
                .map(|step| (f64::from(step.iteration), away(number, step.values[number])));
            chart.series(Series::new(name, points))
        },
    );
    page.figure(&chart, "The parameters that went furthest.");
}

fn parameters(outcome: &TuneOutcome<'_>) -> Table {
    let mut table = Table::new([
        Column::text("parameter"),
        Column::text("meaning"),
        Column::number("before"),
        Column::number("after"),
        Column::number("2014"),
        Column::number("2010"),
    ]);
    let values = outcome.before.iter().zip(&outcome.after);
    for (parameter, (before, after)) in outcome.genes.parameters().iter().zip(values) {
        let learned = learned(parameter.name);
        let text = |value: Option<i32>| Cell::text(&value.map_or(String::new(), |v| v.to_string()));
        let after_cell = Cell::text(&after.to_string());
        table.row([
            Cell::text(parameter.name),
            Cell::text(parameter.meaning),
            Cell::text(&before.to_string()),
            if before == after { after_cell } else { after_cell.strong() },
            text(learned.map(|learned| learned.0)),
            text(learned.map(|learned| learned.1)),
        ]);
    }
    table
}
