//! What was learned here: steps, experts, the learning curve, groups of features.

use tesuji_learn::MoveClass;
use tesuji_report::{Axis, Bar, BarChart, Cell, Column, LineChart, Series, Table, number};

use super::super::ablation::Ablation;
use super::super::exam::Grades;
use super::super::experts::Compared;
use super::super::learned::{Learned, Step};
use super::super::settings::TablesPlan;
use super::{found, game_cells, game_columns};
use crate::reproduce::document::{Document, Picture};

type Steps = [(Step, Vec<Learned>)];

/// All steps, learned from the most games.
pub fn steps(document: &mut Document, steps: &Steps) {
    document.section("What each step wins");
    let columns = [
        Column::text("learned here"),
        Column::number("positions learned from"),
        Column::number("the thesis's unseen ones"),
        Column::number("share"),
        Column::number("top 1 over the row above"),
    ];
    let mut table = Table::new(columns.into_iter().chain(game_columns()));
    let mut above = None;
    for (step, points) in steps {
        let Some(learned) = points.last() else { continue };
        let unseen = &learned.grades.thesis.unseen;
        let share = learned.grades.games.all.accuracy();
        let won = above.map_or_else(Cell::empty, |above| {
            Cell::text(&number::signed(100.0 * (share - above), 2))
        });
        above = Some(share);
        let cells = [
            Cell::text(&step.title()),
            Cell::count(learned.positions as u64),
            Cell::from(found(unseen)),
            Cell::percent(unseen.accuracy(), 2),
            won,
        ];
        table.row(cells.into_iter().chain(game_cells(&learned.grades, "")));
    }
    let games = largest(steps);
    document.text(&format!(
        "The models above were learned from different things. Here all are learned from the same \
         {} professional games, so that the rows can be compared: weights of features fitted to some \
         random positions of each game, tables by comparison of the move that was played with its \
         rivals after quiescence, the others by the likelihood of the moves that were played. All look \
         one move ahead and no further.",
        number::count(games as u64)
    ));
    document.table(table);
    let tables = steps.iter().find(|(step, _)| *step == Step::Tables);
    if let Some([_, quiet]) = tables.and_then(|(_, points)| points.last()?.quiet) {
        document.text(&format!(
            "Tables are made for a search, and see no exchanges by themselves. After quiescence, as \
             they are learned and used, the move that was played is the best in {} of the positions \
             of the games held out.",
            number::percent(quiet, 2)
        ));
    }
}

fn largest(steps: &Steps) -> usize {
    steps.iter().flat_map(|(_, points)| points).map(|point| point.games).max().unwrap_or(0)
}

/// One evaluator against three.
pub fn experts(document: &mut Document, compared: &[Compared]) {
    document.section("One evaluator or three");
    let columns = ["features", "evaluators"].map(Column::text).into_iter();
    let thesis = ["the thesis's unseen ones", "share"].map(Column::number);
    let mut table = Table::new(columns.chain(thesis).chain(game_columns()));
    for Compared { features, one, three, .. } in compared {
        for (name, grades) in [("one", one), ("three and an arbiter", three)] {
            let unseen = &grades.thesis.unseen;
            let share = Cell::percent(unseen.accuracy(), 2);
            let cells = [Cell::text(features), Cell::text(name), Cell::from(found(unseen)), share];
            table.row(cells.into_iter().chain(game_cells(grades, "")));
        }
    }
    if let Some(Compared { games, positions, .. }) = compared.first() {
        document.text(&format!(
            "The thesis asks whether normal moves, promotions and drops want an evaluator each, with an \
             arbiter between them. Both are fitted to the same {} positions of {} games.",
            number::count(*positions as u64),
            number::count(*games as u64)
        ));
    }
    document.table(table);
    let drops = |grades: &Grades| grades.games.all.accuracy_of(MoveClass::Drop);
    for Compared { features, one, three, .. } in compared {
        let won = three.games.all.accuracy() - one.games.all.accuracy();
        document.text(&format!(
            "With the features of `{features}` three win {} points of all moves and {} of drops.",
            number::signed(100.0 * won, 2),
            number::signed(100.0 * (drops(three) - drops(one)), 2)
        ));
    }
    document.text(
        "The model of moves is one for all kinds and needs no arbiter: each of its features knows \
         whether the piece moves, promotes or is dropped.",
    );
}

/// More and more games.
pub fn curve(document: &mut Document, plan: &TablesPlan, steps: &Steps) {
    document.section("More games");
    let columns = steps.iter().flat_map(|(step, _)| {
        let name = step.name();
        [Column::number(&format!("{name}, learned")), Column::number(&format!("{name}, unseen"))]
    });
    let mut table = Table::new(std::iter::once(Column::number("games")).chain(columns));
    let points = steps.iter().map(|(_, points)| points.len()).min().unwrap_or(0);
    for i in 0..points {
        let cells = steps.iter().flat_map(|(_, points)| {
            let Learned { train, grades, .. } = &points[i];
            [train.accuracy(), grades.games.all.accuracy()].map(|share| Cell::percent(share, 2))
        });
        let games = Cell::count(steps[0].1[i].games as u64);
        table.row(std::iter::once(games).chain(cells));
    }
    document.text(&format!(
        "The share of moves that are found, by the number of professional games that were learned \
         from: on up to two hundred of those games, and on the games that are held out. The gap is \
         what was learned by heart. Passes over the games: {} for models of moves \
         and of positions, {} for tables. Weights of features are fitted to so many positions of each game: {}.",
        plan.sizes.passes,
        plan.sizes.table_passes,
        plan.sizes.per_game
    ));
    document.table(table);
    document.picture(Picture {
        name: "curve".into(),
        caption: "Moves found, by the number of games learned from; dashed on games that were \
                  learned from."
            .into(),
        figure: Box::new(chart(steps)),
    });
    for (step, points) in steps {
        document.text(&doubling(*step, points));
    }
    quiet_curve(document, steps);
}

fn chart(steps: &Steps) -> LineChart {
    let mut chart =
        LineChart::new(Axis::new("games").logarithmic(), Axis::new("moves found").percent());
    for (colour, (step, points)) in steps.iter().enumerate() {
        let line = |share: fn(&Learned) -> f64| {
            points.iter().map(move |point| (point.games as f64, share(point)))
        };
        let unseen = line(|point| point.grades.games.all.accuracy());
        let learned = line(|point| point.train.accuracy());
        let name = step.name();
        chart = chart.series(Series::new(name, unseen).colour(colour).dots());
        let learned = Series::new(&format!("{name}, learned"), learned);
        chart = chart.series(learned.colour(colour).dashed());
    }
    chart
}

/// What twice as many games win on the average.
fn doubling(step: Step, points: &[Learned]) -> String {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return String::new() };
    let doublings = (last.games as f64 / first.games as f64).log2();
    if doublings <= 0.0 {
        return String::new();
    }
    let share = |point: &Learned| point.grades.games.all.accuracy();
    let gap = last.train.accuracy() - share(last);
    format!(
        "`{}`: each doubling of the games wins {} points on the average; with {} games it finds {} \
         points more of what it has learned from than of what it has not.",
        step.name(),
        number::signed(100.0 * (share(last) - share(first)) / doublings, 2),
        number::count(last.games as u64),
        number::signed(100.0 * gap, 2)
    )
}

/// The tables as they are used.
fn quiet_curve(document: &mut Document, steps: &Steps) {
    let columns = ["games", "while learning", "unseen"].map(Column::number);
    let mut table = Table::new(columns);
    let tables = steps.iter().filter(|(step, _)| *step == Step::Tables);
    for learned in tables.flat_map(|(_, points)| points) {
        if let Some(shares) = learned.quiet {
            let games = Cell::count(learned.games as u64);
            table.row(std::iter::once(games).chain(shares.map(|share| Cell::percent(share, 2))));
        }
    }
    document.text(
        "The tables after quiescence, as they are learned and used: the share of positions in which \
         the move that was played is the best. Equal moves count for it there.",
    );
    document.table(table);
}

/// The model of moves without each of its groups.
pub fn ablation(document: &mut Document, plan: &TablesPlan, ablation: &Ablation) {
    document.section("What the model of moves knows");
    let with_all = &ablation.with_all;
    let mut table = Table::new([
        Column::text("without"),
        Column::number("features"),
        Column::number("loss more"),
        Column::number("top 1 less"),
        Column::number("top 5 less"),
        Column::number("drops less"),
    ]);
    let mut chart = BarChart::new("loss", Axis::new("rise of the loss without the group"), 4);
    for without in &ablation.without {
        let (all, less) = (&with_all.prediction, &without.tally.prediction);
        let drops = |of: &tesuji_learn::Prediction| of.accuracy_of(MoveClass::Drop);
        let points = |share: f64| Cell::text(&number::signed(100.0 * share, 2));
        table.row([
            Cell::text(without.group),
            Cell::count(without.features as u64),
            Cell::signed(ablation.loss(without), 4),
            points(ablation.missed(without)),
            points(all.top5() - less.top5()),
            points(drops(all) - drops(less)),
        ]);
        chart = chart.bar(Bar::new(without.group, ablation.loss(without)));
    }
    let share = with_all.prediction.accuracy();
    let of = with_all.prediction.of as f64;
    document.text(&format!(
        "The model of moves, learned anew without each of its groups of features, from {} games \
         (passes: {}) and tried on {} that are held out, {} positions. With everything it finds {} of the \
         moves, its logarithmic loss is {}. One standard error of that share is {} points; that of a \
         difference between two models is less, as both are tried on the same positions, but rows that \
         differ by a few hundredths of a point do not differ. The loss is steadier. Groups overlap: what \
         one says, others can say in part, so that the rows do not add up. From so few games large \
         groups are worth less than from all.",
        number::count(ablation.games.0 as u64),
        plan.sizes.ablation_passes,
        number::count(ablation.games.1 as u64),
        number::count(with_all.prediction.of as u64),
        number::percent(share, 2),
        number::fixed(with_all.mean_loss(), 4),
        number::fixed(100.0 * (share * (1.0 - share) / of.max(1.0)).sqrt(), 2)
    ));
    document.table(table);
    document.picture(Picture {
        name: "groups".into(),
        caption: "How much more surprised the model of moves is without each group of features."
            .into(),
        figure: Box::new(chart),
    });
}
