//! How the evolution went: the thesis's figure 4.

use tesuji_learn::ga::Generation;
use tesuji_report::{Axis, LineChart, Page, Series};

use super::thesis_share;
use crate::evolve::EvolveOutcome;
use crate::evolve::Winner;

pub(super) fn add(page: &mut Page, outcome: &EvolveOutcome) {
    if outcome.winner().history.is_empty() {
        return;
    }
    page.section("How it went");
    let winners = &outcome.winners;
    let best = |g: &Generation| f64::from(g.best) / g.of.max(1) as f64;
    let mut chart =
        LineChart::new(Axis::new("generation"), Axis::new("positions solved").percent());
    if winners.len() > 1 {
        for winner in winners {
            let points = curve(winner, &best);
            chart = chart.series(Series::new("a run", points).thin().colour(0));
        }
    }
    let name = |what: &str| match winners.len() {
        1 => what.to_owned(),
        n => format!("{what}, mean of {n} runs"),
    };
    let mut series = Series::new(&name("best organism"), mean(winners, &best));
    if winners.len() > 1 {
        series = series.band(band(winners, &best));
    }
    chart = chart.series(series);
    chart = chart
        .series(Series::new(&name("population"), mean(winners, &|g| g.mean / g.of.max(1) as f64)));
    if let Some(test) = &outcome.test {
        let of = test.len().max(1) as f64;
        let share = |g: &Generation| g.test.map_or(f64::NAN, |test| f64::from(test) / of);
        let points = mean(winners, &share);
        chart = chart.series(Series::new(&name("best organism, on the test"), points).dashed());
    }
    chart = chart.reference(thesis_share(), "thesis, on its positions: 17.72 %");
    page.figure(
        &chart,
        "Positions solved, generation by generation (figure 4 of the thesis). Thin lines are \
         single runs; the band goes from the worst run to the best.",
    );
    let diversity = Series::new(&name("differing bits"), mean(winners, &|g| g.diversity));
    let axes = (Axis::new("generation"), Axis::new("bits").from(0.0));
    page.figure(
        &LineChart::new(axes.0, axes.1).series(diversity),
        "How different the organisms of a population still are, on average.",
    );
}

fn curve(winner: &Winner, value: &dyn Fn(&Generation) -> f64) -> Vec<(f64, f64)> {
    winner.history.iter().map(|g| (f64::from(g.generation), value(g))).collect()
}

/// What the values of all runs are in each generation.
fn each(
    winners: &[Winner],
    value: &dyn Fn(&Generation) -> f64,
) -> impl Iterator<Item = (f64, Vec<f64>)> {
    let count = winners.iter().map(|winner| winner.history.len()).min().unwrap_or(0);
    (0..count).map(move |i| {
        let values = winners.iter().map(|winner| value(&winner.history[i])).collect();
        (i as f64 + 1.0, values)
    })
}

fn mean(winners: &[Winner], value: &dyn Fn(&Generation) -> f64) -> Vec<(f64, f64)> {
    each(winners, value).map(|(x, all)| (x, all.iter().sum::<f64>() / all.len() as f64)).collect()
}

fn band(winners: &[Winner], value: &dyn Fn(&Generation) -> f64) -> Vec<(f64, f64, f64)> {
    let ends = |all: &[f64]| {
        let low = all.iter().copied().fold(f64::INFINITY, f64::min);
        (low, all.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    };
    each(winners, value)
        .map(|(x, all)| {
            let (low, high) = ends(&all);
            (x, low, high)
        })
        .collect()
}
