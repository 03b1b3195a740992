//! The page `docs/results/stages.md`.

use tesuji_math::stats::Tally;
use tesuji_report::{Axis, Cell, Column, LineChart, Series, Table, number};

use super::settings::{PLAIN, StagesPlan};
use super::{Coevolution, Findings, Imitation, Match, Tuning};
use crate::games::text;
use crate::pairings::verification_text;
use crate::reproduce::document::{Document, Picture};
use crate::tune::{self, efforts, learned};

/// Everything that was found, in words, tables and pictures.
pub fn document(plan: &StagesPlan, findings: Findings) -> Document {
    let lead = "Made by `tesuji reproduce stages`; every number is measured by that command, except \
                those in columns named after a paper or its year. The three stages of the model \
                paper on chess (2014), with shogi and with our features: weights that imitate \
                masters, co-evolution of the winners by games, evolution of the search; and what \
                all of it wins.";
    let Findings { imitation, coevolution, tuning, matches, seconds } = findings;
    let mut document = Document::new("From records to a tuned search", lead);
    first(&mut document, &imitation);
    second(&mut document, plan, &coevolution);
    third(&mut document, plan, &tuning);
    last(&mut document, plan, &matches);
    document.section("How long it took");
    let parts = [
        ("imitation", seconds.imitation),
        ("co-evolution and its match", seconds.coevolution),
        ("search and its match", seconds.tuning),
        ("last matches", seconds.matches),
    ];
    let sum: f64 = parts.iter().map(|part| part.1).sum();
    let mut table = Table::new([Column::text("stage"), Column::number("time")]);
    for (name, seconds) in parts {
        table.row([Cell::text(name), Cell::text(&number::duration(seconds))]);
    }
    table.row([Cell::text("together").strong(), Cell::text(&number::duration(sum))]);
    document.table(table);
    document
}

fn first(document: &mut Document, found: &Imitation) {
    document.section("1. Imitation");
    document.text(&format!(
        "One random position of each game, of the winner's moves; {} runs of the genetic \
             algorithm with 74 features and a look one ply ahead. None of the test's positions is \
             among them.",
        found.winners.len(),
    ));
    let share = |count: f64, of: usize| {
        format!("{count:.0} ({})", number::percent(count / of.max(1) as f64, 1))
    };
    let (of, test_of) = found.of;
    let count = found.winners.len().max(1) as f64;
    let best = found.winners.iter().map(|winner| winner.0).max().unwrap_or(0);
    let mean = found.winners.iter().map(|winner| f64::from(winner.0)).sum::<f64>() / count;
    let tests: Vec<f64> =
        found.winners.iter().filter_map(|winner| winner.1).map(f64::from).collect();
    let best_test = found.winners.iter().find(|winner| winner.0 == best).and_then(|best| best.1);
    let mean_test = tests.iter().sum::<f64>() / tests.len().max(1) as f64;
    let generation = |which: Option<&tesuji_learn::ga::Generation>| {
        which.map_or_else(String::new, |one| share(one.mean, of))
    };
    let mut table = Table::new([
        Column::text("positions solved"),
        Column::number("the paper, chess"),
        Column::number("here"),
    ]);
    let mut row = |name: &str, paper: &str, here: &str| {
        table.row([Cell::text(name), Cell::text(paper), Cell::text(here)]);
    };
    row("positions", "5,000", &number::count(of as u64));
    row("first generation, mean", "800 (16.0 %)", &generation(found.history.first()));
    row(
        "last generation of the best run, mean",
        "1,500 (30.0 %)",
        &generation(found.history.last()),
    );
    row("best winner", "1,620 (32.4 %)", &share(f64::from(best), of));
    row("mean of the winners", "", &share(mean, of));
    let tested = best_test.map_or_else(String::new, |best| share(f64::from(best), test_of));
    row("best winner, test", "1,521 (30.4 %)", &tested);
    row("mean of the winners, test", "", &share(mean_test, test_of));
    document.table(table);
}

fn second(document: &mut Document, plan: &StagesPlan, found: &Coevolution) {
    document.section("2. Co-evolution");
    document.text(&format!(
        "The winners play each other in {} generations, {} games ({} a move or a side), with the \
         plain search (`{PLAIN}`); {} of the processors' time went into games. From openings that \
         no game before had, the winner against the best of the first stage: **{}** (the paper: \
         180–120 of 300 games, +70).",
        found.rounds.len(),
        number::count(found.games.into()),
        plan.sizes.games,
        number::percent(found.busy, 1),
        verification_text(&found.verification),
    ));
    document.text(&format!("The best of the first stage is `{}`.", file_name(&found.against)));
    let curve = |value: fn(&tesuji_learn::coevolution::Round) -> f64| {
        found.rounds.iter().map(move |round| (f64::from(round.generation), value(round)))
    };
    let chart = LineChart::new(Axis::new("generation"), Axis::new("rating, Elo"))
        .series(Series::new("best organism", curve(|round| round.rating)))
        .series(Series::new("population", curve(|round| round.mean)));
    document.picture(Picture {
        name: "ratings".into(),
        caption: "Ratings by all games so far; the founders are around zero, and the best of them \
                  plays along in all generations."
            .into(),
        figure: Box::new(chart),
    });
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn third(document: &mut Document, plan: &StagesPlan, found: &Tuning) {
    document.section("3. The search");
    let start = if plan.sizes.random { "chance" } else { "the plain search" };
    document.text(&format!(
        "The {} parameters of the search, the paper's 18 among them, from {start}, for the engine \
         with the weights of the second stage. Fitness is how many nodes are searched until the \
         answers of the problems are found, at most {} for each; every other problem is held out. \
         The paper's study of 2010 went from 226 to 199 million nodes for its best organism (−12 \
         %) and from 488 to 547 problems of 879.",
        found.parameters.len(),
        number::count(plan.sizes.cap),
    ));
    if let Some(measured) = &found.measured {
        document.table(efforts(measured));
    }
    if let Some(tally) = &found.verification {
        document.text(&format!(
            "The tuned search against the plain one, same weights, {}: **{}**.",
            plan.sizes.matches,
            verification_text(tally),
        ));
    }
    document.picture(Picture {
        name: "search".into(),
        caption: tune::CURVE.into(),
        figure: Box::new(tune::curve(&found.history)),
    });
    let mut table = Table::new([
        Column::text("parameter"),
        Column::number("plain"),
        Column::number("tuned"),
        Column::number("2014"),
        Column::number("2010"),
    ]);
    for &(name, before, after) in &found.parameters {
        let learned = learned(name);
        let text = |value: Option<i32>| Cell::text(&value.map_or(String::new(), |v| v.to_string()));
        table.row([
            Cell::text(name),
            text(Some(before)),
            text(Some(after)),
            text(learned.map(|learned| learned.0)),
            text(learned.map(|learned| learned.1)),
        ]);
    }
    document.table(table);
}

fn last(document: &mut Document, plan: &StagesPlan, matches: &[Match]) {
    document.section("What all of it wins");
    document.text(&format!("{} games each, {}.", plan.sizes.match_games, plan.sizes.matches));
    let mut table = Table::new([
        Column::text("match"),
        Column::text("the paper"),
        Column::number("won"),
        Column::number("drawn"),
        Column::number("lost"),
        Column::number("Elo"),
    ]);
    for Match { title, paper, tally } in matches {
        let Tally { wins, draws, losses, .. } = *tally;
        let elo = text::elo(tally.estimate().as_ref());
        table.row([
            Cell::text(title),
            Cell::text(paper),
            Cell::count(wins),
            Cell::count(draws),
            Cell::count(losses),
            Cell::text(&elo),
        ]);
    }
    document.table(table);
}
