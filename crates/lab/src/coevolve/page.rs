//! The report: rating curves, the verification match, and where the winner comes from.

use tesuji_learn::coevolution::{Round, ancestors, founder_shares};
use tesuji_report::{
    Axis, Bar, BarChart, Cell, Column, Lang, LineChart, Page, Series, Table, number,
};

use super::CoevolveOutcome;
use crate::pairings::verification_text;

/// Generations back to which the family is told one by one.
const FAMILY: usize = 4;

/// The page.
pub fn page(outcome: &CoevolveOutcome<'_>) -> Page {
    let mut page = Page::new("Co-evolution", Lang::English);
    page.section("What came of it");
    page.paragraph(&format!(
        "The winner against {}, the best of those it began with, from openings that no game before \
         had: {}.",
        outcome.founder_name(0),
        verification_text(&outcome.verification),
    ));
    ratings(&mut page, &outcome.evolved.rounds);
    family(&mut page, outcome);
    weights(&mut page, outcome);
    page
}

/// How ratings went, generation after generation.
pub fn ratings(page: &mut Page, rounds: &[Round]) {
    page.section("How it went");
    let curve = |value: fn(&Round) -> f64| {
        rounds.iter().map(move |round| (f64::from(round.generation), value(round)))
    };
    let band = rounds.iter().map(|round| {
        let Round { generation, rating, error, .. } = *round;
        (f64::from(generation), rating - error, rating + error)
    });
    let best = Series::new("best organism", curve(|round| round.rating)).band(band);
    let mean = Series::new("population", curve(|round| round.mean));
    let chart = LineChart::new(Axis::new("generation"), Axis::new("rating, Elo"));
    page.figure(
        &chart.series(best).series(mean),
        "Ratings by all games so far; the founders are around zero, and the first of them plays \
         along in all generations. The band is the 95 % interval of the best one. The highest \
         rating is partly luck; the verification match shows what was really gained.",
    );
    let bits = Series::new("differing bits", curve(|round| round.diversity));
    let chart = LineChart::new(Axis::new("generation"), Axis::new("bits").from(0.0)).series(bits);
    page.figure(&chart, "In how many bits the organisms differ from the best one, on average.");
}

fn family(page: &mut Page, outcome: &CoevolveOutcome<'_>) {
    let evolved = &outcome.evolved;
    let organisms = evolved.evolution.organisms();
    page.section("Where the winner comes from");
    let shares = founder_shares(organisms, evolved.winner);
    let chart = BarChart::new("founder", Axis::new("share"), 0).percent();
    let bar = |chart: BarChart, &(number, share): &(usize, f64)| {
        chart.bar(Bar::new(&outcome.founder_name(number), share))
    };
    page.figure(
        &shares.iter().fold(chart, bar),
        "What each founder has given to the winner, if a child has half of each parent.",
    );
    let mut table = Table::new([
        Column::number("generations back"),
        Column::text("organism"),
        Column::text("parents"),
        Column::number("born in"),
        Column::number("rating"),
        Column::number("games"),
    ]);
    for ancestor in ancestors(organisms, evolved.winner) {
        if ancestor.back > FAMILY {
            break;
        }
        let organism = &organisms[ancestor.number];
        let parents = organism.parents.map_or_else(
            || outcome.founder_name(ancestor.number),
            |[first, second]| format!("#{first}, #{second}"),
        );
        table.row([
            Cell::count(ancestor.back as u64),
            Cell::text(&format!("#{}", ancestor.number)),
            Cell::text(&parents),
            Cell::count(organism.born.into()),
            Cell::text(&format!("{:+.0} ± {:.0}", organism.rating, organism.error)),
            Cell::count(organism.games.into()),
        ]);
    }
    page.table(&table);
}

/// The weights beside those of the best founder.
fn weights(page: &mut Page, outcome: &CoevolveOutcome<'_>) {
    page.section("What changed");
    let before = &outcome.founders[0];
    let mut table = Table::new([
        Column::text("feature"),
        Column::number(&before.name),
        Column::number("winner"),
        Column::number("change"),
    ]);
    let set = outcome.winner.set();
    let values = before.weights.values().iter().zip(outcome.winner.values());
    for (feature, (&before, &after)) in set.features().iter().zip(values) {
        table.row([
            Cell::text(feature.name),
            Cell::text(&before.to_string()),
            Cell::text(&after.to_string()),
            Cell::text(&number::signed(f64::from(after - before), 0)),
        ]);
    }
    page.table(&table);
}
