//! The report of an evolution with a mentor.

use tesuji_report::{Axis, Cell, Column, Lang, LineChart, Page, Series, Table};

use super::{Generation, MentorOutcome};

pub fn page(outcome: &MentorOutcome) -> Page {
    let mut page = Page::new("Learning from a mentor", Lang::English);
    page.section("What came of it");
    let MentorOutcome { plan, control, lessons, decided, errors, .. } = outcome;
    page.paragraph(&format!(
        "Mentor {}, {control}. {} positions to learn from and {} held out; {decided} more that the mentor \
         thinks decided, or has no score for. The mean absolute difference between the score of the \
         weights and that of the mentor, in centipawns (the paper's chess program came to 30):",
        plan.mentor, lessons[0], lessons[1],
    ));
    let mut table = Table::new([
        Column::text("weights"),
        Column::number("learned from"),
        Column::number("held out"),
    ]);
    let error = |error: f64| Cell::text(&format!("{error:.1}"));
    table.row([Cell::text("this run").strong(), error(errors[0]), error(errors[1])]);
    for (name, test) in &outcome.others {
        table.row([Cell::text(name), Cell::text(""), error(*test)]);
    }
    page.table(&table);
    page.section("How it went");
    let curve = |value: fn(&Generation) -> f64| {
        let points = outcome.history.iter();
        points.map(move |one| (f64::from(one.generation), value(one)))
    };
    let chart = LineChart::new(Axis::new("generation"), Axis::new("error").from(0.0))
        .series(Series::new("best, on all lessons", curve(|one| one.whole)))
        .series(Series::new("best, on those drawn", curve(|one| one.best)))
        .series(Series::new("population", curve(|one| one.mean)));
    page.figure(&chart, "The mean difference to the mentor's scores, in centipawns.");
    page.section("The weights");
    let mut table = Table::new([Column::text("feature"), Column::number("weight")]);
    let features = outcome.weights.set().features().iter();
    for (feature, weight) in features.zip(outcome.weights.values()) {
        table.row([Cell::text(feature.name), Cell::text(&weight.to_string())]);
    }
    page.table(&table);
    page
}
