//! Numbers and tables for a terminal.

use serde_json::{Value, json};
use tesuji_arena::GameLine;
use tesuji_math::stats::{Estimate, Tally};

/// Columns of words, each as wide as its widest: the first begins at the left, the others end at
/// the right.
pub fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            line += &match column {
                0 => format!("{cell:<width$}"),
                _ => format!("  {cell:>width$}"),
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// `+12.3 ± 4.5`, or what can be said of it.
pub fn elo(estimate: Option<&Estimate>) -> String {
    match estimate {
        None => "–".to_owned(),
        Some(estimate) if estimate.elo.is_finite() && estimate.error().is_finite() => {
            format!("{:+.1} ± {:.1}", estimate.elo, estimate.error())
        }
        // Few games, nearly all of them won or lost: one end of the interval is not known.
        Some(estimate) if estimate.elo.is_finite() && estimate.low.is_finite() => {
            format!("{:+.1} ({:+.1} or more)", estimate.elo, estimate.low)
        }
        Some(estimate) if estimate.elo.is_finite() && estimate.high.is_finite() => {
            format!("{:+.1} ({:+.1} or less)", estimate.elo, estimate.high)
        }
        Some(estimate) if estimate.elo.is_finite() => {
            format!("{:+.1}, error not known", estimate.elo)
        }
        Some(estimate) if estimate.elo > 0.0 => "+∞".to_owned(),
        Some(_) => "−∞".to_owned(),
    }
}

/// Normalised Elo in the same way.
pub fn normalised_elo(estimate: Option<&Estimate>) -> String {
    match estimate {
        None => "–".to_owned(),
        Some(estimate) if estimate.normalised_error.is_finite() => {
            format!("{:+.1} ± {:.1}", estimate.normalised, estimate.normalised_error)
        }
        Some(estimate) if estimate.normalised == 0.0 => "+0.0, error not known".to_owned(),
        Some(estimate) if estimate.normalised > 0.0 => "+∞".to_owned(),
        Some(_) => "−∞".to_owned(),
    }
}

/// A finished game in a line: who played, how it ended, and how it stands.
pub fn game_line(line: &GameLine, games: u64, names: &[String], standing: &str) -> String {
    let name = |number: usize| number.checked_sub(1).and_then(|at| names.get(at)).map_or("", |n| n);
    let points = match line.result {
        'b' => "1-0",
        'w' => "0-1",
        'd' => "½-½",
        _ => "?",
    };
    format!(
        "game {} of {games}: {} – {} {points}, {} after {} moves   {standing}",
        line.game,
        name(line.black),
        name(line.white),
        line.end(),
        line.opening_moves + line.scores.len(),
    )
}

/// A tally as fields of a JSON object; numbers that are not finite are `null`.
pub fn tally_json(tally: &Tally) -> Value {
    let estimate = tally.estimate();
    let finite = |value: f64| value.is_finite().then_some(value);
    let of = |field: fn(&Estimate) -> f64| estimate.as_ref().map(field).and_then(finite);
    json!({
        "games": tally.games(),
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": (tally.games() > 0).then(|| tally.points() / tally.games() as f64),
        "pentanomial": tally.pairs,
        "elo": of(|estimate| estimate.elo),
        "elo_error": of(Estimate::error),
        "elo_low": of(|estimate| estimate.low),
        "elo_high": of(|estimate| estimate.high),
        "nelo": of(|estimate| estimate.normalised),
        "nelo_error": of(|estimate| estimate.normalised_error),
        "los": of(|estimate| estimate.superiority),
    })
}
