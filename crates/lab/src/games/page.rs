//! Matches and tournaments as pages. Nothing on them changes with the time or the place of a run.

use tesuji_math::stats::Tally;
use tesuji_report::{Axis, Cell, Column, KeyFigure, Lang, LineChart, Page, Series, Table};

use super::{
    Conditions, Faults, GamesSetup, MatchPlan, MatchStanding, TournamentPlan, TournamentStanding,
    text,
};

/// Points of a curve: more of them could not be told apart.
const MOST_POINTS: usize = 400;

/// The page of a match.
pub fn match_page(plan: &MatchPlan, standing: &MatchStanding, names: &[String]) -> Page {
    let mut page = Page::new(&format!("{} against {}", names[0], names[1]), Lang::English);
    let tally = &standing.tally;
    let estimate = tally.estimate();
    let share = 100.0 * tally.points() / tally.games().max(1) as f64;
    let superiority = 100.0 * estimate.map_or(0.5, |estimate| estimate.superiority);
    page.lead(&format!("{} games, {}.", tally.games(), plan.setup.conditions.control));
    page.section("What came of it").key_figures(&[
        KeyFigure::new(&format!("{share:.1} %"), &format!("points of {}", names[0])),
        KeyFigure::new(&text::elo(estimate.as_ref()), "Elo, with 95 %"),
        KeyFigure::new(&text::normalised_elo(estimate.as_ref()), "normalised Elo, with 95 %"),
        KeyFigure::new(&format!("{superiority:.1} %"), "likelihood of superiority"),
    ]);
    page.table(&results(standing, names));
    let [none, half, one, more, two] = tally.pairs;
    page.paragraph(&format!(
        "Openings are played twice with colours swapped. Pairs of games by the points of {}: {none} \
         with 0, {half} with ½, {one} with 1, {more} with 1½, {two} with 2. Elo and normalised Elo, \
         which measures the difference by how much results vary, are computed from pairs.",
        names[0]
    ));
    if let Some(sprt) = &plan.sprt {
        page.paragraph(&format!(
            "SPRT between {} and {} Elo: {}.",
            sprt.elo0,
            sprt.elo1,
            standing.sprt_text(sprt)
        ));
    }
    page.section("How it went").figure(
        &course(&standing.course, &names[0]),
        "Share of all points so far, in percent. It settles as games are added.",
    );
    let mut ends = Table::new([Column::text("games ended by"), Column::number("games")]);
    for (end, count) in &standing.ends {
        ends.row([Cell::text(end), Cell::count(*count)]);
    }
    page.section("How games ended").table(&ends);
    faults(&mut page, &standing.faults, names);
    conditions(&mut page, &plan.setup, names);
    page.footer("tesuji match");
    page
}

/// The results of both engines.
fn results(standing: &MatchStanding, names: &[String]) -> Table {
    let Tally { wins, draws, losses, .. } = standing.tally;
    let mut table = Table::new([
        Column::text("engine"),
        Column::number("won"),
        Column::number("drawn"),
        Column::number("lost"),
        Column::number("points"),
        Column::number("faults"),
    ]);
    let games = standing.tally.games() as f64;
    let points = standing.tally.points();
    for (engine, wins, losses, points) in
        [(0, wins, losses, points), (1, losses, wins, games - points)]
    {
        table.row([
            Cell::text(&names[engine]),
            Cell::count(wins),
            Cell::count(draws),
            Cell::count(losses),
            Cell::number(points, 1),
            Cell::count(standing.faults.count_of(engine + 1)),
        ]);
    }
    table
}

/// The share of points after each game, or after as many as can be told apart.
fn course(shares: &[f64], name: &str) -> LineChart {
    let step = shares.len().div_ceil(MOST_POINTS).max(1);
    let last = shares.len();
    let points = shares.iter().enumerate().map(|(at, share)| (at + 1, 100.0 * share));
    let kept = points.filter(|(game, _)| game % step == 0 || *game == last);
    LineChart::new(Axis::new("games"), Axis::new("points in percent"))
        .series(Series::new(name, kept.map(|(game, share)| (game as f64, share))))
}

/// The page of a tournament.
pub fn tournament_page(plan: &TournamentPlan, standing: &TournamentStanding) -> Page {
    let mut page = Page::new("Tournament", Lang::English);
    let names = &standing.names;
    let games: u64 = standing.pairings.values().map(Tally::games).sum();
    page.lead(&format!(
        "{} engines, {games} games, {}.",
        names.len(),
        plan.setup.conditions.control
    ));
    page.section("Standing").table(&cross_table(standing));
    page.paragraph(
        "Ratings are those of the Bradley–Terry model by maximum likelihood, with 95 % intervals; \
         their mean is zero.",
    );
    page.section("Who met whom").table(&meetings(standing));
    faults(&mut page, &standing.faults, names);
    conditions(&mut page, &plan.setup, names);
    page.footer("tesuji tournament");
    page
}

/// Ratings, points, and points against each opponent.
fn cross_table(standing: &TournamentStanding) -> Table {
    let order = standing.order();
    let rated = standing.ratings();
    let mut columns = vec![Column::text("engine"), Column::number("Elo")];
    columns.extend(["points", "games", "faults"].map(Column::number));
    columns.extend((1..=order.len()).map(|place| Column::number(&place.to_string())));
    let mut table = Table::new(columns);
    for (place, &engine) in (1..).zip(&order) {
        let (points, games) = standing.points(engine, None);
        let rating = rated.as_ref().map(|rated| rated[engine]);
        let mut row = vec![
            Cell::text(&format!("{place} {}", standing.names[engine])),
            rating.map_or_else(Cell::empty, |rating| {
                Cell::text(&format!("{:+.0} ± {:.0}", rating.elo, rating.error))
            }),
            Cell::number(points, 1),
            Cell::count(games),
            Cell::count(standing.faults.count_of(engine + 1)),
        ];
        row.extend(order.iter().map(|&other| match standing.points(engine, Some(other)) {
            (_, 0) => Cell::empty(),
            (points, games) => Cell::text(&format!("{points}/{games}")),
        }));
        table.row(row);
    }
    table
}

/// The results of every two engines that met.
fn meetings(standing: &TournamentStanding) -> Table {
    let mut table = Table::new([
        Column::text("engine"),
        Column::text("against"),
        Column::number("won"),
        Column::number("drawn"),
        Column::number("lost"),
        Column::number("Elo"),
        Column::number("normalised Elo"),
    ]);
    for (&(first, second), tally) in &standing.pairings {
        let estimate = tally.estimate();
        table.row([
            Cell::text(&standing.names[first]),
            Cell::text(&standing.names[second]),
            Cell::count(tally.wins),
            Cell::count(tally.draws),
            Cell::count(tally.losses),
            Cell::text(&text::elo(estimate.as_ref())),
            Cell::text(&text::normalised_elo(estimate.as_ref())),
        ]);
    }
    table
}

/// What engines did wrong, where they did.
fn faults(page: &mut Page, faults: &Faults, names: &[String]) {
    if faults.count() == 0 {
        return;
    }
    let mut table =
        Table::new([Column::text("engine"), Column::text("fault"), Column::number("games")]);
    for (engine, name) in (1..).zip(names) {
        let kinds = faults.by_kind_of(engine);
        for (kind, count) in kinds.as_object().into_iter().flatten() {
            let count = count.as_u64().unwrap_or(0);
            table.row([Cell::text(name), Cell::text(kind), Cell::count(count)]);
        }
    }
    page.section("Faults").table(&table);
}

/// Who played, and how.
fn conditions(page: &mut Page, setup: &GamesSetup, names: &[String]) {
    page.section("Conditions");
    let mut engines = Table::new([Column::text("engine"), Column::text("described as")]);
    for (name, engine) in names.iter().zip(&setup.engines) {
        engines.row([Cell::text(name), Cell::text(&engine.to_string())]);
    }
    page.table(&engines);
    let Conditions { control, openings, max_moves, entering_king, seed, .. } = &setup.conditions;
    let openings = openings.as_ref().map_or_else(
        || "our own openings".to_owned(),
        |path| format!("openings of {}", path.display()),
    );
    page.paragraph(&format!(
        "{control} for each engine that has no limit of its own; {openings}; drawn after move \
         {max_moves}; {entering_king}; seed {seed}."
    ));
}
