//! What searches make of plausible moves: problems and games.

use std::collections::BTreeMap;

use tesuji_math::stats::{Tally, sign_test};
use tesuji_report::{Cell, Column, Table, number};

use super::super::Findings;
use super::super::search::{Played, Solved};
use super::super::settings::{By, NEW, OLD, PlausibleReproduction, TABLE_2, Version};
use crate::games::text;
use crate::reproduce::document::Document;
use crate::reproduce::shares::{interval, share_cells};

/// The paper's questions with limits that no machine changes, and the same of the modern search.
pub fn by_nodes(document: &mut Document, plan: &PlausibleReproduction, findings: &Findings) {
    let (problems, moves) = (By::Nodes(plan.sizes.problem_nodes), By::Nodes(plan.sizes.nodes));
    document.section("Problems (table 2)");
    document.text(&format!(
        "Versions: {}. All have the evaluation `tables`; captures, and moves from the \
         transposition table, are never left out. The paper gives 30 seconds on a Pentium of \
         700 MHz; here {} for a problem, the same on every machine, which counts nothing for the \
         work of the generators (by time: below). The problems of the paper are not at hand: these \
         have one answer that a strong engine found clearly best.",
        words(&OLD),
        problems.words(),
    ));
    problem_table(document, findings, &OLD, problems, true);
    document.section("Games (table 3)");
    document.text(&format!(
        "{} games of each of the paper's matches, a third of that of the others, with {} a move, \
         from our own openings, each with both colours. The paper has 20 games of 20 minutes. Elo \
         by pairs of games, with 95 %; *stronger* is the probability that the first is the \
         stronger one.",
        number::count(plan.sizes.games),
        moves.words()
    ));
    match_table(document, findings, &OLD, moves);
    document.section("The modern search");
    document.text(&format!(
        "The same questions of the search as it is usual, with null moves, reductions and all: {}. \
         Limits as above.",
        words(&NEW)
    ));
    problem_table(document, findings, &NEW, problems, false);
    match_table(document, findings, &NEW, moves);
}

/// The same by the clock of this machine.
pub fn by_time(document: &mut Document, plan: &PlausibleReproduction, findings: &Findings) {
    let (problems, moves) = (By::Time(plan.sizes.problem_time), By::Time(plan.sizes.move_time));
    if !findings.solved.iter().any(|solved| solved.by == problems) {
        return;
    }
    document.section("By time");
    document.text(&format!(
        "{} for a problem on one thread of the machine that made this page, so that the work of the \
         generators counts; another machine gives other numbers.",
        problems.words()
    ));
    problem_table(document, findings, &OLD, problems, true);
    problem_table(document, findings, &NEW, problems, false);
    if findings.played.iter().any(|played| played.by == moves) {
        document.text(&format!("Games with {} a move:", moves.words()));
        match_table(document, findings, &OLD, moves);
    }
}

fn words(versions: &[Version]) -> String {
    let one =
        |version: &Version| format!("*{}*: {} (`{}`)", version.name, version.words, version.text());
    versions.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Problems solved by each version, of each kind; the paper's above them.
fn problem_table(
    document: &mut Document,
    findings: &Findings,
    versions: &[Version],
    by: By,
    with_paper: bool,
) {
    let solved: Vec<&Solved> = versions
        .iter()
        .filter_map(|version| {
            findings.solved.iter().find(|one| one.version == version.name && one.by == by)
        })
        .collect();
    let Some(first) = solved.first() else { return };
    let columns = ["problems"].into_iter().chain(solved.iter().map(|one| &*one.version));
    let columns = columns.map(Column::number);
    let mut table = Table::new([Column::text("kind")].into_iter().chain(columns));
    if with_paper {
        paper(&mut table);
        table.heading(&format!("here, {}", by.words()));
    }
    for (kind, &(_, of)) in &first.kinds {
        let count = |one: &&Solved| Cell::count(solved_of(&one.kinds, kind) as u64);
        row(&mut table, kind, &of.to_string(), solved.iter().map(count));
    }
    let all = first.each.len();
    row(
        &mut table,
        "total",
        &all.to_string(),
        solved.iter().map(|one| Cell::count(one.count() as u64).strong()),
    );
    let shares = solved.iter().map(|one| share_cells(one.count() as f64, all as f64));
    let (shares, intervals): (Vec<Cell>, Vec<Cell>) = shares.map(|[a, b]| (a, b)).unzip();
    row(&mut table, "share", "", shares.into_iter());
    row(&mut table, "95 %", "", intervals.into_iter());
    let against = solved.iter().map(|one| {
        let [gained, lost] = one.against(first);
        match gained + lost {
            0 => Cell::text("–"),
            _ => Cell::text(&format!("+{gained} −{lost}")),
        }
    });
    row(&mut table, &format!("against {}", first.version), "", against);
    let chance = |one: &&Solved| Cell::number(sign_test(one.against(first)), 3);
    row(&mut table, "p", "", solved.iter().map(chance));
    row(&mut table, "mean depth", "", solved.iter().map(|one| Cell::number(one.depth, 1)));
    if matches!(by, By::Time(_)) {
        let nodes = solved.iter().map(|one| Cell::count(one.nodes.round() as u64));
        row(&mut table, "mean nodes", "", nodes);
    }
    document.table(table);
    document.text(&format!(
        "Against {}: problems that only the one solves and those that only the other does; p is the \
         chance of that if both are as good (sign test).",
        first.version
    ));
}

fn solved_of(kinds: &BTreeMap<String, (usize, usize)>, kind: &str) -> usize {
    kinds.get(kind).map_or(0, |(solved, _)| *solved)
}

fn row(table: &mut Table, name: &str, of: &str, cells: impl Iterator<Item = Cell>) {
    table.row([Cell::text(name), Cell::text(of)].into_iter().chain(cells));
}

/// Table 2 of the paper, whose columns are the first three versions.
fn paper(table: &mut Table) {
    table.heading("the paper, 30 s");
    for (grade, [of, solved @ ..]) in (1..).zip(TABLE_2) {
        let cells = solved.into_iter().map(|count| Cell::count(count as u64));
        row(table, &format!("grade {grade}"), &of.to_string(), cells);
    }
    let total = |column: usize| TABLE_2.iter().map(|row| row[column]).sum::<usize>();
    let totals = (1..4).map(|column| Cell::count(total(column) as u64).strong());
    row(table, "total", &total(0).to_string(), totals);
}

fn match_table(document: &mut Document, findings: &Findings, versions: &[Version], by: By) {
    let names: Vec<&str> = versions.iter().map(|version| version.name).collect();
    let is_of = |played: &&Played| {
        played.by == by && played.name.split(" – ").all(|name| names.contains(&name))
    };
    let played: Vec<&Played> = findings.played.iter().filter(is_of).collect();
    if played.is_empty() {
        document.text("No games were played.");
        return;
    }
    let mut table = Table::new([
        Column::text("match"),
        Column::number("the paper"),
        Column::number("won–lost–drawn"),
        Column::number("score"),
        Column::number("95 %"),
        Column::number("Elo"),
        Column::number("stronger"),
        Column::number("faults"),
    ]);
    for Played { name, paper, tally, faults, .. } in played {
        let paper = paper.map_or_else(String::new, |[won, lost]| {
            let share = won as f64 / (won + lost) as f64;
            format!("{won}–{lost} ({})", number::percent(share, 0))
        });
        let Tally { wins, draws, losses, .. } = *tally;
        let (points, games) = (tally.points(), tally.games() as f64);
        let estimate = tally.estimate();
        table.row([
            Cell::text(name),
            Cell::from(paper),
            Cell::text(&format!("{wins}–{losses}–{draws}")),
            Cell::percent(points / games, 1),
            Cell::text(&interval(points, games)),
            Cell::text(&text::elo(estimate.as_ref())),
            estimate.map_or_else(Cell::empty, |found| Cell::percent(found.superiority, 1)),
            Cell::count(*faults),
        ]);
    }
    document.table(table);
}
