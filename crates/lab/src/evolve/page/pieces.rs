//! What pieces are worth: the thesis's table 2.

use tesuji_eval::{FeatureSet, Weights};
use tesuji_report::{Axis, Bar, BarChart, Cell, Column, Page, Table};

use crate::evolve::EvolveOutcome;

/// A piece: its name in features, and what professionals commonly say it is worth in pawns, as it is
/// and promoted (after Tanigawa).
const PIECES: [(&str, f64, Option<f64>); 7] = [
    ("PAWN", 1.0, Some(7.0)),
    ("LANCE", 3.0, Some(6.0)),
    ("KNIGHT", 4.0, Some(6.0)),
    ("SILVER", 5.0, Some(6.0)),
    ("GOLD", 6.0, None),
    ("BISHOP", 8.0, Some(10.0)),
    ("ROOK", 10.0, Some(12.0)),
];

/// Where a piece stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Board,
    Promoted,
    Hand,
}

impl State {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Board, "On the board"), (Self::Promoted, "Promoted"), (Self::Hand, "In hand")];

    /// The features whose weights together are the value of a piece, in one of two ways to name
    /// them.
    fn features(self, piece: &str) -> [Vec<String>; 2] {
        let promoted = match piece {
            "BISHOP" => "HORSE".to_owned(),
            "ROOK" => "DRAGON".to_owned(),
            other => format!("PROMOTED_{other}"),
        };
        match self {
            Self::Board => [vec![format!("{piece}_VALUE")], vec![format!("BOARD_{piece}")]],
            Self::Promoted => {
                [vec![format!("PROMOTED_{piece}_BONUS")], vec![format!("BOARD_{promoted}")]]
            }
            Self::Hand => [
                vec![format!("{piece}_IN_HAND_BONUS")],
                vec![format!("HELD_{piece}"), format!("FIRST_HELD_{piece}")],
            ],
        }
    }

    fn common(self, piece: &(&str, f64, Option<f64>)) -> Option<f64> {
        match self {
            Self::Board => Some(piece.1),
            Self::Promoted => piece.2,
            Self::Hand => None,
        }
    }
}

/// The value of a piece in pawns, if the features tell it.
fn value(set: &FeatureSet, effective: &[i32], state: State, piece: &str) -> Option<f64> {
    let weight = |state: State, piece: &str| {
        state.features(piece).iter().find_map(|names| {
            let weights: Option<Vec<i32>> =
                names.iter().map(|name| set.index_of(name).map(|i| effective[i])).collect();
            weights.map(|weights| f64::from(weights.iter().sum::<i32>()))
        })
    };
    let pawn = weight(State::Board, "PAWN").filter(|&pawn| pawn > 0.0)?;
    if state == State::Promoted && piece == "GOLD" {
        return None;
    }
    Some(weight(state, piece)? / pawn)
}

/// What a piece is worth in each run, in the thesis, and commonly.
struct Worth {
    state: State,
    name: String,
    runs: Vec<f64>,
    thesis: Option<f64>,
    common: Option<f64>,
}

/// All pieces whose value the features tell.
fn worths(outcome: &EvolveOutcome) -> Vec<Worth> {
    let set = outcome.data.set();
    let effective: Vec<Vec<i32>> =
        outcome.winners.iter().map(|winner| set.effective_weights(&winner.weights)).collect();
    let published = Weights::named("published");
    let worth = |state: State, piece: &(&str, f64, Option<f64>)| {
        let runs: Option<Vec<f64>> =
            effective.iter().map(|weights| value(set, weights, state, piece.0)).collect();
        let thesis = published
            .as_ref()
            .and_then(|weights| value(weights.set(), &linked(weights), state, piece.0));
        let (name, common) = (sentence_case(piece.0), state.common(piece));
        Some(Worth { state, name, runs: runs?, thesis, common })
    };
    let all = State::ALL.iter().flat_map(|&(state, _)| PIECES.iter().map(move |p| (state, p)));
    all.filter_map(|(state, piece)| worth(state, piece)).collect()
}

pub(super) fn add(page: &mut Page, outcome: &EvolveOutcome) {
    let worths = worths(outcome);
    if worths.is_empty() {
        return;
    }
    page.section("What a piece is worth");
    page.paragraph(
        "In pawns on the board. A promoted piece and a piece in hand are worth the piece and a \
         bonus. The thesis's values are those of its table 2; common values are what professionals \
         say, and say nothing about pieces in hand.",
    );
    let chart = chart(outcome, &worths);
    page.figure(
        &chart,
        "Piece values in pawns. Whiskers: mean and standard deviation of the runs.",
    );
    page.table(&table_of(outcome, &worths));
}

/// Piece values in pawns: the thesis's table 2 beside ours.
pub fn table(outcome: &EvolveOutcome) -> Table {
    table_of(outcome, &worths(outcome))
}

fn chart(outcome: &EvolveOutcome, worths: &[Worth]) -> BarChart {
    let mut chart = BarChart::new("this evolution, best run", Axis::new("value in pawns"), 2)
        .comparison("thesis")
        .comparison("common");
    for (state, heading) in State::ALL {
        chart = chart.heading(heading);
        for worth in worths.iter().filter(|worth| worth.state == state) {
            let (mean, deviation) = mean_and_deviation(&worth.runs);
            chart = chart.bar(
                Bar::new(&worth.name, worth.runs[outcome.best])
                    .error(mean - deviation, mean + deviation)
                    .compared([worth.thesis, worth.common]),
            );
        }
    }
    chart
}

fn table_of(outcome: &EvolveOutcome, worths: &[Worth]) -> Table {
    let mut table = Table::new([
        Column::text("piece"),
        Column::number("best run"),
        Column::text("all runs (diamond: thesis)"),
        Column::number("mean of the runs"),
        Column::number("thesis"),
        Column::number("common"),
    ]);
    let number = |value: Option<f64>| value.map_or_else(Cell::empty, |v| Cell::number(v, 2));
    for (state, heading) in State::ALL {
        table.heading(heading);
        for worth in worths.iter().filter(|worth| worth.state == state) {
            let (mean, deviation) = mean_and_deviation(&worth.runs);
            let spread = Cell::spread(worth.runs.iter().copied(), 2);
            let several = worth.runs.len() > 1;
            table.row([
                Cell::text(&worth.name),
                Cell::number(worth.runs[outcome.best], 2).strong(),
                worth.thesis.map_or_else(|| spread.clone(), |thesis| spread.clone().mark(thesis)),
                if several { Cell::plus_minus(mean, deviation, 2) } else { Cell::empty() },
                number(worth.thesis),
                number(worth.common),
            ]);
        }
    }
    table
}

/// The thesis's weights with every bonus linked to its piece, as its table 2 prints them.
fn linked(published: &Weights) -> Vec<i32> {
    FeatureSet::named("paper").map_or_else(
        |_| published.effective().to_vec(),
        |paper| paper.effective_weights(published.values()),
    )
}

fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0)).sqrt())
}

/// `PAWN` becomes `Pawn`.
fn sentence_case(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_string() + &letters.as_str().to_lowercase())
}
