//! The thesis's figures, and tables with a row for every weight.

use anyhow::Result;
use serde::Serialize;
use tesuji_eval::{FeatureSet, Weights};
use tesuji_learn::prediction::choices;
use tesuji_learn::{Dataset, MoveClass, MoveOrder, Scorer};
use tesuji_records::{Sample, japanese};
use tesuji_report::{
    Arrow, ArrowKind, Axis, BoardFigure, Cell, Column, Lang, LineChart, Series, Table, markdown,
    standalone_svg,
};
use tesuji_shogi::Move;

use crate::evolve::EvolveOutcome;

/// The width of pictures.
const WIDTH: f64 = 880.0;
const BOARD_WIDTH: f64 = 420.0;

/// The rows of the thesis's table whose boards its figures 5 and 6 show, from 1.
const FIGURES: [(usize, &str); 3] =
    [(186, "Figure 5, left"), (126, "Figure 5, right"), (343, "Figure 6")];

/// A picture: the name of its file and what is in it.
pub type PictureFile = (String, String);

/// Figure 4: positions solved, generation after generation, of all runs.
pub fn course(outcome: &EvolveOutcome) -> PictureFile {
    let histories: Vec<_> = outcome.winners.iter().map(|winner| &winner.history).collect();
    let generations = histories.iter().map(|history| history.len()).min().unwrap_or(0);
    let over_runs = |value: &dyn Fn(usize) -> f64| -> (f64, f64, f64) {
        let values: Vec<f64> = (0..histories.len()).map(value).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        (low, values.iter().sum::<f64>() / values.len().max(1) as f64, high)
    };
    let series = |name: &str, value: &dyn Fn(usize, usize) -> f64| {
        let points: Vec<(f64, (f64, f64, f64))> = (0..generations)
            .map(|generation| (generation as f64 + 1.0, over_runs(&|run| value(run, generation))))
            .collect();
        Series::new(name, points.iter().map(|&(x, (_, mean, _))| (x, mean)))
            .band(points.iter().map(|&(x, (low, _, high))| (x, low, high)))
    };
    let best = |run: usize, generation: usize| f64::from(histories[run][generation].best);
    let mean = |run: usize, generation: usize| histories[run][generation].mean;
    let chart = LineChart::new(Axis::new("generation"), Axis::new("positions solved"))
        .series(series("best organism", &best))
        .series(series("population", &mean))
        .reference(886.0, "thesis, best");
    let caption = "Positions solved by the best organism and by the population on average: mean of \
                   all runs, and a band from the worst to the best run.";
    ("figure-4.svg".into(), standalone_svg(&chart, WIDTH, Lang::English, caption))
}

/// Table 4: every weight, the thesis's beside ours.
pub fn all_weights(outcome: &EvolveOutcome) -> String {
    let set = outcome.data.set();
    let published = Weights::named("published");
    let mut table = Table::new([
        Column::text("feature"),
        Column::number("bits"),
        Column::number("thesis"),
        Column::number("best run"),
        Column::number("mean of the runs"),
        Column::text("all runs"),
    ]);
    for (i, feature) in set.features().iter().enumerate() {
        let values: Vec<f64> =
            outcome.winners.iter().map(|winner| f64::from(winner.weights[i])).collect();
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / (values.len().max(2) - 1) as f64).sqrt();
        let thesis = published.as_ref().and_then(|weights| {
            weights.set().index_of(feature.name).map(|i| f64::from(weights.values()[i]))
        });
        table.row([
            Cell::text(feature.name),
            Cell::count(feature.bits.into()),
            thesis.map_or_else(Cell::empty, |weight| Cell::number(weight, 0)),
            Cell::number(outcome.winner().weights[i].into(), 0),
            Cell::plus_minus(mean, deviation, 0),
            Cell::spread(values, 0),
        ]);
    }
    markdown::table(&table)
}

/// A position on which two sets of weights differ.
#[derive(Clone, Serialize)]
pub struct Seen {
    /// The row of the table, from 1.
    row: usize,
    sfen: String,
    kind: &'static str,
    master: String,
    published: String,
}

/// The boards of figures 5 and 6 with the moves of the master and of the published weights, as
/// pictures and as a paragraph for each.
pub fn boards(samples: &[Sample]) -> Result<(String, Vec<PictureFile>)> {
    let Some(weights) = Weights::named("published") else { return Ok(Default::default()) };
    let (mut text, mut pictures) = (String::new(), Vec::new());
    for (row, title) in FIGURES {
        let Some(sample) = samples.get(row - 1) else { continue };
        let data = Dataset::build(weights.set(), std::slice::from_ref(sample), MoveOrder::Thesis);
        let position = data.position(0);
        let scores = position.scores(&weights.set().effective_weights(weights.values()));
        let choice = choices(&data, weights.values());
        let (Some(chosen), Some(master)) = (choice.first().and_then(|choice| choice.mv), sample.mv)
        else {
            continue;
        };
        let score = |mv: Move| position.moves().iter().position(|&other| other == mv);
        let margin = match (score(chosen), score(master)) {
            (Some(a), Some(b)) => scores[a] - scores[b],
            _ => 0,
        };
        let name = |mv: Move| japanese::move_text(&sample.position, mv, None);
        let figure = BoardFigure::new(&sample.position)
            .arrow(Arrow::new(master, ArrowKind::Master, "the master's move"))
            .arrow(Arrow::new(chosen, ArrowKind::Chosen, "the published weights' choice"));
        let caption = format!(
            "{title}, row {row}: the master plays {master} ({}), the published weights prefer \
             {chosen} ({}) by {margin} points.",
            name(master),
            name(chosen)
        );
        let file = format!("row-{row}.svg");
        text += &format!("![{caption}](thesis/{file})\n\n{caption}\n\n");
        pictures.push((file, standalone_svg(&figure, BOARD_WIDTH, Lang::English, &caption)));
    }
    Ok((text, pictures))
}

/// Positions that these weights solve and the published ones do not, and how many there are of them
/// and of those that only the published ones solve.
pub fn seen_by_ours(
    outcome: &EvolveOutcome,
    samples: &[Sample],
) -> Result<(Vec<Seen>, usize, usize)> {
    let legacy = FeatureSet::named("legacy")?;
    let data = Dataset::build(&legacy, samples, MoveOrder::Thesis);
    let published = tesuji_eval::published::weights();
    let chosen = choices(&data, &published);
    let theirs = Scorer::new(&data).solved(&published);
    let ours = Scorer::new(&outcome.data).solved(&outcome.winner().weights);
    let only = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| **a && !**b).count();
    let mut seen = Vec::new();
    for (i, sample) in samples.iter().enumerate() {
        if let (true, false, Some(mv), Some(other)) = (ours[i], theirs[i], sample.mv, chosen[i].mv)
        {
            seen.push(Seen {
                row: i + 1,
                sfen: sample.position.to_sfen(),
                kind: MoveClass::of(mv).name(),
                master: mv.to_string(),
                published: other.to_string(),
            });
        }
    }
    let counts = (only(&ours, &theirs), only(&theirs, &ours));
    // A few of them, spread over the table.
    let step = (seen.len() / 8).max(1);
    Ok((seen.into_iter().step_by(step).take(8).collect(), counts.0, counts.1))
}

/// The same as a table.
pub fn seen_table((seen, ours, theirs): &(Vec<Seen>, usize, usize)) -> String {
    let mut table = Table::new([
        Column::number("row"),
        Column::text("position"),
        Column::text("kind"),
        Column::text("master and ours"),
        Column::text("published weights"),
    ]);
    for one in seen {
        table.row([
            Cell::count(one.row as u64),
            Cell::text(&format!("`{}`", one.sfen)),
            Cell::text(one.kind),
            Cell::text(&format!("`{}`", one.master)),
            Cell::text(&format!("`{}`", one.published)),
        ]);
    }
    format!(
        "The best run of `paper` solves {ours} positions that the published weights do not, and these \
         solve {theirs} that it does not. Eight of the first sort:\n\n{}\n",
        markdown::table(&table)
    )
}
