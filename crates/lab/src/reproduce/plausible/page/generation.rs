//! Legal moves, what the cuts keep of them, and the order by merit.

use tesuji_learn::plausible::Kept;
use tesuji_report::{Axis, Cell, Column, LineChart, Series, Table, number};

use super::super::games::{Answer, Set};
use super::super::settings::{
    BEST, Generated, HELD_OUT_SEED, MASSES, PAPER_POSITIONS, PAPER_RANKS, TABLE_1,
};
use super::super::{Findings, MERITS, Rates};
use super::share;
use crate::reproduce::document::{Document, Picture};

/// Figure 1.
pub fn legal(document: &mut Document, findings: &Findings) {
    document.section("Legal moves (figure 1)");
    document.text(&format!(
        "Games of professionals that training holds out (seed {HELD_OUT_SEED}), and as many of them \
         as the paper has, drawn by chance: the fitted merits have learned from none of these. The \
         paper's games were chosen for many players (112) and openings (15).",
    ));
    let mut table = Table::new([
        Column::text("games"),
        Column::number("games"),
        Column::number("positions"),
        Column::number("moves a game"),
        Column::number("legal moves, mean"),
        Column::number("after move 100"),
        Column::number("most"),
    ]);
    let paper = ["the paper", "100", "12,097", "115", "about 80", "above 100", "above 200"];
    table.row(paper.map(Cell::text));
    for (name, legal) in ["here, as many", "here, all"].into_iter().zip(&findings.legal) {
        table.row([
            Cell::text(name),
            Cell::count(legal.games as u64),
            Cell::count(legal.positions as u64),
            Cell::number(legal.positions as f64 / legal.games as f64, 0),
            Cell::number(legal.mean, 1),
            legal.mean_late.map_or_else(Cell::empty, |mean| Cell::number(mean, 1)),
            Cell::count(legal.most() as u64),
        ]);
    }
    document.table(table);
    let by_number = &findings.legal[0].by_number;
    let series = |name: &str, of: &dyn Fn(usize) -> f64| {
        let points = by_number.iter().enumerate();
        Series::new(name, points.map(|(place, at)| (f64::from(at.number), of(place))))
    };
    let chart = LineChart::new(Axis::new("move number"), Axis::new("legal moves").from(0.0))
        .series(series("most", &|place| by_number[place].most as f64))
        .series(series("mean", &|place| by_number[place].mean))
        .series(series("least", &|place| by_number[place].least as f64));
    document.picture(Picture {
        name: "legal".into(),
        caption: format!(
            "The most, the mean and the least legal moves by move number in {}.",
            number::counted(findings.legal[0].games as u64, "game")
        ),
        figure: Box::new(chart),
    });
}

/// Table 1.
pub fn table_1(document: &mut Document, findings: &Findings) {
    document.section("What is kept, and what is saved (table 1)");
    let shares = TABLE_1.each_ref().map(|Generated { missed, .. }| {
        number::percent(1.0 - *missed as f64 / PAPER_POSITIONS as f64, 2)
    });
    document.text(&format!(
        "*Missed*: moves of masters that are not kept. *Saved*: legal moves that are not kept. The \
         paper rounds up: {} and {} of {} are {} and {} kept. Merits: *hand* were set by hand; \
         *fitted* were learned from games, and their zero was put where nearly all moves of those \
         games stay. Hierarchy: improvement \
         and prevention rest while a strong threat is on the board. Here and below, ± is 95 % by \
         game: moves of one game are no independent observations.",
        TABLE_1[0].missed,
        TABLE_1[1].missed,
        number::count(PAPER_POSITIONS),
        shares[0],
        shares[1],
    ));
    let mut table = Table::new([
        Column::text("cut"),
        Column::text("merits"),
        Column::text("hierarchy"),
        Column::number("missed"),
        Column::number("accuracy"),
        Column::number("saved"),
    ]);
    table.heading(&format!("the paper, {} positions", number::count(PAPER_POSITIONS)));
    for Generated { cut, missed, accuracy, saved } in TABLE_1 {
        table.row(
            [&cut.to_string(), "the paper's", "yes", &missed.to_string(), accuracy, saved]
                .map(Cell::text),
        );
    }
    for (name, set) in [("as many games", Set::AsMany), ("all held out", Set::HeldOut)] {
        let of_set = || findings.answers.iter().filter(|answer| answer.question.set == set);
        let positions = of_set().map(|answer| answer.kept.positions).next().unwrap_or(0);
        table.heading(&format!("here, {name}, {} positions", number::count(positions as u64)));
        let rows = of_set().filter(|answer| ["all", "merit"].contains(&&*answer.question.cut));
        for answer in rows {
            let question = &answer.question;
            table.row([
                Cell::text(&question.cut),
                Cell::text(&question.merit),
                Cell::text(if question.hierarchy { "yes" } else { "no" }),
                Cell::count(answer.kept.missed() as u64),
                Cell::text(&answer.accuracy()),
                Cell::text(&answer.saved()),
            ]);
        }
    }
    document.table(table);
}

/// Figure 2.
pub fn savings(document: &mut Document, findings: &Findings) {
    document.section("Savings of each position (figure 2)");
    let mut chart = LineChart::new(
        Axis::new("positions, by what is saved").percent(),
        Axis::new("moves saved").percent(),
    );
    for (name, merit, cut) in [
        ("all", "fitted", "all"),
        ("merit, hand", "hand", "merit"),
        ("merit, fitted", "fitted", "merit"),
    ] {
        if let Some(answer) = findings.answer(Set::HeldOut, merit, true, cut) {
            chart = chart.series(Series::new(name, in_order(&answer.kept)));
        }
    }
    document.picture(Picture {
        name: "savings".into(),
        caption: "Moves saved in each position that is held out, positions in the order of that. \
                  Where nothing is saved, the player is mostly in check."
            .into(),
        figure: Box::new(chart),
    });
}

/// Positions in the order of what is saved in them: the share of the positions so far, and that.
fn in_order(kept: &Kept) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    let mut before = 0;
    for (tenths, &count) in kept.savings.iter().enumerate().filter(|(_, count)| **count > 0) {
        let saved = tenths as f64 / 1000.0;
        for place in [before, before + count] {
            points.push((place as f64 / kept.positions as f64, saved));
        }
        before += count;
    }
    points
}

/// Places that figure 3 shows.
const SHOWN: usize = 60;

/// Figure 3.
pub fn order(document: &mut Document, findings: &Findings) {
    document.section("The order by merit (figure 3)");
    let names = ["merits, hand", "merits, fitted", "model of moves"];
    let rated: Vec<(&str, &Answer)> = names
        .into_iter()
        .zip(MERITS.into_iter().chain([Rates::MOVE]))
        .filter_map(|(name, merit)| {
            let cut = format!("best:{}", BEST[0]);
            Some((name, findings.answer(Set::HeldOut, merit, true, &cut)?))
        })
        .collect();
    document.text(
        "In which place the master's move comes when all legal moves are ordered by merit. The \
         model of moves, which `tesuji train` learns and which no generator limits, is the ceiling \
         of what is known here.",
    );
    let mut table = Table::new([
        Column::text("order by"),
        Column::number("first"),
        Column::number("first 5"),
        Column::number("first 10"),
        Column::number("after 30"),
    ]);
    table.row(
        ["the paper", PAPER_RANKS[0], PAPER_RANKS[1], PAPER_RANKS[2], "very few"].map(Cell::text),
    );
    for (name, answer) in &rated {
        let within = super::super::games::PLACES
            .into_iter()
            .zip(answer.rank_errors)
            .map(|(first, error)| Cell::text(&share(answer.kept.within(first), error, 1)));
        let late = Cell::percent(1.0 - answer.kept.within(30), 1);
        table.row([Cell::text(name)].into_iter().chain(within).chain([late]));
    }
    document.table(table);
    let chart = |title: &str, of: &dyn Fn(&Kept, usize) -> f64| {
        let empty = LineChart::new(Axis::new("place"), Axis::new(title).from(0.0).percent());
        rated.iter().fold(empty, |chart, (name, answer)| {
            let points = (1..=SHOWN).map(|place| (place as f64, of(&answer.kept, place)));
            chart.series(Series::new(name, points))
        })
    };
    let at = |kept: &Kept, place: usize| kept.within(place) - kept.within(place - 1);
    let picture = |name: &str, caption: &str, chart: LineChart| Picture {
        name: name.into(),
        caption: caption.into(),
        figure: Box::new(chart),
    };
    document.gallery(vec![
        picture(
            "ranks",
            "How often the master's move comes in each place.",
            chart("masters' moves", &at),
        ),
        picture(
            "ranks-cumulative",
            "How often it is among the first so many.",
            chart("masters' moves", &Kept::within),
        ),
    ]);
}

/// The best so many: the later paper, and the model of moves.
pub fn fewer(document: &mut Document, findings: &Findings) {
    document.section("Fewer moves: the best N");
    document.text(
        "A later paper of the same authors (Computers and Games 2000; its abstract) keeps the N \
         moves of the greatest merit too: its versions save 46 to 68 % of the moves and keep 99 to \
         93 % of the masters'. `mass` keeps the best moves that together have so much of the \
         probability. The model of moves keeps any legal move; merits only those that are \
         generated.",
    );
    let raters = MERITS.into_iter().chain([Rates::MOVE]);
    let mut columns = vec![Column::text("cut")];
    for rater in raters.clone() {
        columns.push(Column::number(&format!("{rater}: accuracy")));
        columns.push(Column::number("saved"));
    }
    let mut table = Table::new(columns);
    let best = BEST.map(|count| format!("best:{count}"));
    let masses = MASSES.map(|share| format!("mass:{share}"));
    let merit = "merit".to_owned();
    for cut in best.iter().chain([&merit]).chain(&masses) {
        let mut row = vec![Cell::text(cut)];
        for rater in raters.clone() {
            match findings.answer(Set::HeldOut, rater, true, cut) {
                Some(answer) => row.extend([answer.accuracy(), answer.saved()].map(Cell::from)),
                None => row.extend([Cell::empty(), Cell::empty()]),
            }
        }
        table.row(row);
    }
    document.table(table);
    let mut chart = LineChart::new(
        Axis::new("moves saved").percent(),
        Axis::new("masters' moves kept").percent(),
    );
    for rater in raters {
        let mut points: Vec<(f64, f64)> = best
            .iter()
            .filter_map(|cut| findings.answer(Set::HeldOut, rater, true, cut))
            .map(|answer| (answer.kept.saved(), answer.kept.accuracy()))
            .collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let name = if rater == Rates::MOVE { "model of moves" } else { rater };
        chart = chart.series(Series::new(name, points).dots());
    }
    let papers = [(0.237, 81.0), (0.465, 144.0)]
        .map(|(saved, missed)| (saved, 1.0 - missed / PAPER_POSITIONS as f64));
    let papers = papers.into_iter().chain([(0.68, 0.93)]);
    document.picture(Picture {
        name: "fewer".into(),
        caption: "What is kept and what is saved by the best N; the papers: all, merit, and the \
                  fewest moves of the later one."
            .into(),
        figure: Box::new(chart.series(Series::new("the papers", papers).dashed().dots())),
    });
}
