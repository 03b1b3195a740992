//! The page `docs/results/winrate.md`.

use serde_json::Value;
use tesuji_report::{Axis, Cell, Column, LineChart, Series, Table, number};

use super::settings::{MENDED, WinrateReproduction};
use super::{Findings, Fit, Panel, Played, Scanned};
use crate::reproduce::document::{Document, Picture};

/// Everything that was found, in words, tables and pictures.
pub fn document(plan: &WinrateReproduction, findings: &Findings) -> Document {
    let lead = "Made by `tesuji reproduce winrate`; every number is measured by that command, except \
                those in columns named after the paper (Takeuchi, Hayashi, Kaneko, Kawai 2006). A \
                right evaluation predicts who wins whatever else is true of a position. Where the \
                win ratio of positions with a property parts from that of all positions of the same \
                value, the evaluation does not know the property.";
    let mut document = Document::new("Win ratios: where evaluations are wrong", lead);
    counts(&mut document, findings);
    fits(&mut document, plan, &findings.fits);
    panels(&mut document, findings);
    matches(&mut document, plan, &findings.matches);
    others(&mut document, findings);
    hands(&mut document, findings);
    scans(&mut document, &findings.scans);
    document
}

/// The paper's table 1: positions, Black's share, mean value.
const TABLE_1: [[&str; 3]; 3] = [
    ["9,178,020", "50.76 %", "7"],
    ["747,041", "28.27 %", "−1,061"],
    ["778,101", "72.33 %", "1,080"],
];

fn counts(document: &mut Document, findings: &Findings) {
    document.section("Positions and results (table 1)");
    document.text(
        "Positions before each move of the decided games of the three collections, static values in \
         centipawns; the paper has 90,000 games of a server, and a pawn of 128.",
    );
    let mut table = Table::new([
        Column::text("evaluation"),
        Column::text("positions with"),
        Column::number("positions"),
        Column::number("2006"),
        Column::number("Black wins"),
        Column::number("2006"),
        Column::number("mean value"),
        Column::number("2006"),
    ]);
    for (place, count) in findings.counts.iter().enumerate() {
        let [positions, ratio, mean] = TABLE_1[place % TABLE_1.len()];
        table.row([
            Cell::text(&count.evaluation),
            Cell::text(&count.set),
            Cell::count(count.positions),
            Cell::text(positions),
            Cell::percent(count.ratio, 2),
            Cell::text(ratio),
            Cell::signed(count.mean, 0),
            Cell::text(mean),
        ]);
    }
    document.table(table);
}

/// The paper's table 2, points for a sixteenth: the weights of Black's progress and of White's.
fn paper_weights(method: &str) -> [&'static str; 2] {
    match method {
        "ls" => ["−141", "101"],
        "mlm" => ["−153", "97"],
        _ => ["−125", "50"],
    }
}

fn fits(document: &mut Document, plan: &WinrateReproduction, fits: &[Fit]) {
    document.section("The king terms (table 2)");
    document.text(&format!(
        "Equation 2: w1·Progress(B) + w2·Progress(W), times the progress of the game, is added to \
         the evaluation; weights in centipawns for the whole of progress, with standard errors by \
         game, and below them for a sixteenth with a pawn of 128 as in the paper. Fitted on games \
         with even numbers; splits on the others, in logits. Weights that predict results best are \
         too large to play with: a player whose king is in danger is mostly worse in other ways \
         too, which the search sees by itself. In games {} of them were played; the paper's \
         weights by hand as they are.",
        number::percent(plan.factor, 0)
    ));
    let mut table = Table::new([
        Column::text("evaluation"),
        Column::text("method"),
        Column::number("w1"),
        Column::number("2006"),
        Column::number("w2"),
        Column::number("2006"),
        Column::number("played"),
        Column::number("split before"),
        Column::number("after"),
        Column::number("as played"),
        Column::number("chance"),
    ]);
    for fit in fits {
        let [w1, w2] = [0, 1].map(|place| weight(&fit.found["weights"][place]));
        let [paper1, paper2] = paper_weights(&fit.method);
        let split = |name: &str| Cell::number(real(&fit.found["split"][name]), 3);
        table.row([
            Cell::text(&fit.evaluation),
            Cell::text(&fit.method),
            w1,
            Cell::text(paper1),
            w2,
            Cell::text(paper2),
            Cell::signed(real(&fit.found["terms"][0]["played"]), 0),
            split("before"),
            split("after"),
            split("played"),
            split("noise"),
        ]);
    }
    document.table(table);
}

fn real(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

/// A weight for the whole of progress, and for a sixteenth with a pawn of 128 below it.
fn weight(found: &Value) -> Cell {
    let value = real(&found["value"]);
    let sixteenth = format!("{:+.0} a sixteenth", value / 16.0 * 1.28);
    let cell = match found["error"].as_f64() {
        Some(error) => Cell::plus_minus(value, error, 0),
        None => Cell::signed(value, 0),
    };
    cell.note(&sixteenth)
}

/// Values that are drawn, to either side.
const SHOWN: f64 = 4000.0;

fn picture(panel: &Panel) -> Picture {
    let mut chart =
        LineChart::new(Axis::new("value in centipawns"), Axis::new("Black's win ratio"));
    for (name, points) in &panel.curves {
        let points: Vec<_> = points.iter().filter(|point| point[0].abs() <= SHOWN).collect();
        let band = points.iter().map(|[x, y, error]| {
            let [low, high] = [y - 1.96 * error, y + 1.96 * error];
            (*x, low.max(0.0), high.min(1.0))
        });
        let series = Series::new(name, points.iter().map(|point| (point[0], point[1])));
        chart = chart.series(series.band(band.collect::<Vec<_>>()));
    }
    let logits = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.3}"));
    let split = format!("split {}, chance {}", logits(panel.split), logits(panel.noise));
    Picture {
        name: panel.name.clone(),
        caption: format!("{}: {split}", panel.caption),
        figure: Box::new(chart.reference(0.5, "even")),
    }
}

fn gallery<'a>(document: &mut Document, panels: impl Iterator<Item = &'a Panel>) {
    document.gallery(panels.map(picture).collect());
}

fn split_table<'a>(document: &mut Document, panels: impl Iterator<Item = &'a Panel>) {
    let mut table =
        Table::new([Column::text("curves"), Column::number("split"), Column::number("chance")]);
    let logits =
        |value: Option<f64>| value.map_or_else(Cell::empty, |value| Cell::number(value, 3));
    for panel in panels {
        table.row([
            Cell::text(&panel.caption.replace('`', "")),
            logits(panel.split),
            logits(panel.noise),
        ]);
    }
    document.table(table);
}

fn panels(document: &mut Document, findings: &Findings) {
    document.section("Before and after (figures 2 to 9)");
    document.text(
        "Black's win ratio by value for all positions, for those in which Black's king is in more \
         danger (`progress(B)-progress(W) >= 0.25`), and for those in which White's is. Weights as \
         they were fitted, `hand` the paper's; games that were fitted among them. Chance: the split \
         where results are shuffled between games.",
    );
    split_table(document, findings.panels.iter());
    for evaluation in MENDED {
        let of = |panel: &&Panel| panel.name.starts_with(evaluation);
        gallery(document, findings.panels.iter().filter(of));
    }
}

/// The paper's results of the row against the column, out of forty games.
fn paper_match(names: &[String; 2]) -> &'static str {
    match [&*names[0], &*names[1]] {
        ["ls", "none"] | ["hand", "none"] => "29–11",
        ["mlm", "none"] => "27–13",
        ["mlm", "ls"] => "20–19–1",
        ["hand", "ls"] => "24–16",
        ["hand", "mlm"] => "21–19",
        _ => "",
    }
}

fn matches(document: &mut Document, plan: &WinrateReproduction, matches: &[Played]) {
    document.section("What it wins (table 3)");
    document.text(&format!(
        "The first against the second, from our own openings with colours swapped. The first six of \
         each evaluation are the paper's; the others, {} games each from openings of their own, \
         tell whether the mended evaluation is stronger, by nodes and by time.",
        number::count(plan.sizes.proof_games)
    ));
    let mut table = Table::new([
        Column::text("evaluation"),
        Column::text("first"),
        Column::text("second"),
        Column::text("conditions"),
        Column::number("won–lost–drawn"),
        Column::number("score"),
        Column::text("Elo"),
        Column::number("2006"),
    ]);
    for played in matches {
        let [wins, draws, losses] = played.score;
        let points = wins as f64 + draws as f64 / 2.0;
        table.row([
            Cell::text(&played.evaluation),
            Cell::text(&played.engines[0]),
            Cell::text(&played.engines[1]),
            Cell::text(&played.conditions),
            Cell::text(&format!("{wins}–{losses}–{draws}")),
            Cell::percent(points / (wins + draws + losses).max(1) as f64, 1),
            Cell::text(&played.result),
            Cell::text(paper_match(&played.engines)),
        ]);
    }
    document.table(table);
}

fn others(document: &mut Document, findings: &Findings) {
    document.section("Others put to the same test (figures 10 to 13)");
    document.text(
        "Our piece tables, which learned where pieces stand beside the kings, and the scores that \
         strong programs reported with their moves on floodgate.",
    );
    split_table(document, findings.others.iter());
    gallery(document, findings.others.iter());
}

fn hands(document: &mut Document, findings: &Findings) {
    document.section("Rooks, bishops and knights in hand (figures 14 to 16)");
    document.text(
        "Two rooks, two bishops, or three knights in the hand of one player. There are few such \
         positions: bins of 250 centipawns with at least 50.",
    );
    split_table(document, findings.hands.iter());
    gallery(document, findings.hands.iter());
}

fn scans(document: &mut Document, scans: &[Scanned]) {
    document.section("The ten worst conditions of each evaluation");
    document.text(
        "By `tesuji winrate scan`: each condition was tried for both players, p is corrected for all \
         tests (Holm) and takes a game as one observation, and each condition that is named tells \
         something beyond those before it. Every fifth position of a game was looked at. Worth: \
         centipawns to be added for the player for whom it holds, by the scale of the evaluation \
         itself.",
    );
    let mut table = Table::new([
        Column::text("evaluation"),
        Column::text("condition, for Black"),
        Column::number("worth"),
        Column::number("split"),
        Column::number("positions"),
        Column::number("p"),
    ]);
    for scanned in scans {
        let found = &scanned.found;
        table.heading(&format!(
            "{}: {} tried, {} of {} tests significant",
            scanned.evaluation, found["tried"], found["significant"], found["tests"]
        ));
        for one in found["conditions"].as_array().into_iter().flatten() {
            table.row([
                Cell::text(&scanned.evaluation),
                Cell::text(one["when"].as_str().unwrap_or_default()),
                Cell::plus_minus(-real(&one["shift_cp"]), real(&one["error_cp"]), 0),
                one["split"].as_f64().map_or_else(Cell::empty, |split| Cell::number(split, 3)),
                Cell::count(one["positions"].as_u64().unwrap_or(0)),
                Cell::text(&format!("{:.1e}", real(&one["p"]))),
            ]);
        }
    }
    document.table(table);
}
