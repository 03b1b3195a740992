//! The report of a comparison of a player with others.

use tesuji_report::{Axis, Bar, BarChart, Cell, Column, KeyFigure, Lang, Page, Table, number};

use super::{Auc, BredStyle, FeatureStyle, StyleOutcome, StylePlan};

/// Features in the chart.
const SHOWN: usize = 15;

pub fn page(outcome: &StyleOutcome) -> Page {
    let name = outcome.plan.player.join(", ");
    let mut page = Page::new(&format!("The style of {name}"), Lang::English);
    page.lead(&lead(outcome));
    apart(&mut page, outcome);
    told(&mut page, outcome);
    bred(&mut page, outcome);
    weights(&mut page, outcome);
    habits(&mut page, outcome);
    method(&mut page, outcome);
    page
}

fn lead(outcome: &StyleOutcome) -> String {
    let [games, others] = outcome.games.map(|games| number::count(games as u64));
    let years = match outcome.years {
        Some((first, last)) if first == last => format!(" of {first}"),
        Some((first, last)) => format!(" of {first} to {last}"),
        None => String::new(),
    };
    format!(
        "{games} games{years} ({} won, {} lost) beside {others} games of others. One person in these \
         spellings: {}.",
        outcome.results[0],
        outcome.results[1],
        outcome.joined()
    )
}

fn apart(page: &mut Page, outcome: &StyleOutcome) {
    page.section("What sets the player apart");
    let tests = outcome.tests();
    let said = outcome.sentences();
    if said.is_empty() {
        page.paragraph(&format!("Nothing is significant after {tests} tests."));
        return;
    }
    page.paragraph(&format!(
        "All that is significant after {tests} tests (Holm, 5 % for all of them together), the \
         surest first. Sentences in quotation marks are features, said to whoever plays."
    ));
    page.list(&said);
}

fn told(page: &mut Page, outcome: &StyleOutcome) {
    page.section("Can the moves be told from others'?");
    let area = |auc: Auc| number::fixed(auc.value, 3);
    let error = |auc: Auc| format!("± {}", number::fixed(auc.error, 3));
    page.key_figures(&[
        KeyFigure::new(&area(outcome.moves), "AUC by a move").note(&error(outcome.moves)),
        KeyFigure::new(&area(outcome.whole), "AUC by a game").note(&error(outcome.whole)),
        KeyFigure::new(&number::count(outcome.positions[0] as u64), "positions of the player"),
        KeyFigure::new(&number::count(outcome.positions[1] as u64), "positions of others"),
    ]);
    page.paragraph(
        "Of a move of the player and one of somebody else, taken at random from games that were \
         held out, how often is the player's the one that the player's weights make more likely? \
         0.5 is chance. By a game, the scores of all its moves that were taken are added. Errors \
         are standard errors, games drawn again.",
    );
    let mut table = Table::new([
        Column::text("told from others"),
        Column::number("by a move"),
        Column::number("by a game"),
        Column::number("significant tests"),
    ]);
    let cell = |auc: Auc| Cell::plus_minus(auc.value, auc.error, 3);
    table.row([
        Cell::text("the player").strong(),
        cell(outcome.moves),
        cell(outcome.whole),
        Cell::count(outcome.sentences().len() as u64),
    ]);
    for (number, control) in (1..).zip(&outcome.controls) {
        table.row([
            Cell::text(&format!("control {number}")),
            cell(control.moves),
            cell(control.games),
            Cell::count(control.significant as u64),
        ]);
    }
    page.table(&table);
    page.paragraph(
        "A control is a random set of games of others that is treated as a player: it should be \
         told apart by nothing but chance. Errors do not count that the weights, too, depend on the \
         games; how far controls are from 0.5 shows how much that adds.",
    );
}

/// Features whose bred weights differ most.
const BRED: usize = 10;

fn bred(page: &mut Page, outcome: &StyleOutcome) {
    page.section("Weights that were bred");
    let BredStyle { told, gain, shares } = &outcome.bred;
    page.paragraph(&format!(
        "The thesis's genetic algorithm on the player's moves, and on as many of others: the share of \
         held-out moves that each finds, in {} parts in turn. On the player's moves the player's own \
         weights are {:+.1} ± {:.1} points further ahead than on others' moves; a run that went well \
         is ahead on both. The parts share most of what they learn from, so that the errors, over \
         parts, are on the small side.",
        outcome.plan.folds,
        100.0 * gain.value,
        100.0 * gain.error,
    ));
    let mut table = Table::new([
        Column::text("bred on"),
        Column::number("the player's moves"),
        Column::number("others' moves"),
    ]);
    for (whose, told) in ["the player's moves", "others' moves"].into_iter().zip(told) {
        table.row([Cell::text(whose), Cell::percent(told[0], 1), Cell::percent(told[1], 1)]);
    }
    page.table(&table);
    let mut table = Table::new([
        Column::text("feature"),
        Column::number("player, %"),
        Column::number("others, %"),
        Column::number("difference"),
    ]);
    let mut sorted: Vec<_> = outcome.features.iter().zip(shares).collect();
    sorted.sort_by(|a, b| b.1.1.value.abs().total_cmp(&a.1.1.value.abs()));
    for (feature, ([player, others], difference)) in sorted.into_iter().take(BRED) {
        table.row([
            Cell::text(&feature.name),
            Cell::number(100.0 * player, 1),
            Cell::number(100.0 * others, 1),
            Cell::plus_minus(100.0 * difference.value, 100.0 * difference.error, 1),
        ]);
    }
    page.table(&table);
    page.paragraph(
        "Each weight times the spread of its feature, as a share of all: where the two differ most. \
         A run of the algorithm leaves weights of little use to chance, so what is significant is \
         said by the fitted weights below.",
    );
}

fn weights(page: &mut Page, outcome: &StyleOutcome) {
    page.section("Weights");
    let mut sorted: Vec<&FeatureStyle> = outcome.features.iter().collect();
    sorted.sort_by(|a, b| a.p.total_cmp(&b.p));
    let mut chart = BarChart::new("difference", Axis::new("difference in standard errors"), 1);
    for feature in sorted.iter().take(SHOWN).filter(|feature| feature.error > 0.0) {
        let size = feature.difference / feature.error;
        chart = chart.bar(Bar::new(&feature.name, size).error(size - 1.0, size + 1.0));
    }
    page.figure(
        &chart,
        "The surest differences of weights, the player's less the others', in standard errors.",
    );
    let mut table = Table::new([
        Column::text("feature"),
        Column::number("player"),
        Column::number("others"),
        Column::number("difference"),
        Column::number("p"),
        Column::number("p, all tests"),
        Column::text("in words"),
    ]);
    for feature in sorted {
        let name = Cell::text(&feature.name);
        table.row([
            if feature.is_significant() { name.strong() } else { name },
            Cell::signed(feature.player, 3),
            Cell::signed(feature.others, 3),
            Cell::plus_minus(feature.difference, feature.error, 3),
            chance(feature.p),
            chance(feature.adjusted),
            Cell::text(if feature.is_significant() { &feature.text } else { "" }),
        ]);
    }
    page.details("All features", |page| {
        page.table(&table);
    });
}

fn chance(p: f64) -> Cell {
    if p > 0.0 && p < 0.0001 { Cell::text(&format!("{p:.0e}")) } else { Cell::number(p, 4) }
}

fn habits(page: &mut Page, outcome: &StyleOutcome) {
    page.section("Habits");
    let mut table = Table::new([
        Column::text("habit"),
        Column::number("player"),
        Column::number("others"),
        Column::number("error"),
        Column::number("games"),
        Column::number("p, all tests"),
        Column::text("in words"),
    ]);
    for style in &outcome.habits {
        let habit = &style.habit;
        let name = Cell::text(&habit.name);
        table.row([
            if style.is_significant() { name.strong() } else { name },
            Cell::number(habit.player, 3),
            Cell::number(habit.others, 3),
            Cell::number(habit.error, 3),
            Cell::count(habit.games as u64),
            chance(style.adjusted),
            Cell::text(&habit.text),
        ]);
    }
    page.table(&table);
}

fn method(page: &mut Page, outcome: &StyleOutcome) {
    let StyleOutcome { plan, plies, scale, .. } = outcome;
    let StylePlan { per_game, features, folds, seed, .. } = plan;
    page.section("How it was measured");
    page.paragraph(&format!(
        "Up to {per_game} positions are drawn from each game, in which the player, or one side of \
         somebody else's game, is to move, whoever won; those of others from the same years and \
         phases (mean ply {} and {}). Games from another start and copies of a game are left out; \
         seed {seed}.",
        number::fixed(plies[0], 1),
        number::fixed(plies[1], 1),
    ));
    page.paragraph(&format!(
        "Weights of the set {features} make the moves that were played most likely, on the \
         player's games and on the others', by the same learner. They are in logarithms of odds, \
         and who is easier to predict has larger ones: the others' are multiplied by {} before \
         the two are compared. Errors take whole games as drawn by chance. Shares of games are \
         tested by Fisher's exact test, means by Welch's.",
        number::fixed(*scale, 2),
    ));
    page.paragraph(&format!(
        "For the AUC games are held out in {folds} parts in turn. The player's weights are there \
         drawn to the others', by as much as is best for games that are held out once more.",
    ));
    page.note(
        "The others are not the same people in the same positions. A difference may come from \
         openings, opponents or the times as well as from taste.",
    );
}
