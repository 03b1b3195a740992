//! Calibration: by which curve do the scores of an evaluation become chances to win?
//!
//! Games with even numbers are fitted; on the others the chances are held against what came of
//! them. Positions are seen by the player to move. Chances are shown for scores of searches, which
//! know whose move it is and what hangs, so that these are what is fitted, not static values.

mod curve;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tesuji_eval::Calibration;
use tesuji_eval::calibration::{CalibrationEntry, Calibrations};
use tesuji_learn::pool;
use tesuji_report::number;
use tesuji_run::{Context, Observer};
use tesuji_search::score::is_mate;
use tesuji_shogi::{Color, Score};

use super::values::{ValuePlan, Valued, ValuedGame, walk};

/// Chances are compared in steps of a tenth.
const TENTHS: usize = 10;

/// The chances of one tenth, on games that were not fitted.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tenth {
    /// Positions.
    pub positions: u64,
    /// The mean of the chances.
    pub predicted: f64,
    /// What came of them.
    pub actual: f64,
    /// The standard error of the difference, games as clusters; at least that of positions drawn by
    /// the chances themselves, for a handful of results that are all the same only seem certain.
    pub error: f64,
}

impl Tenth {
    /// Is it off by no more than two points, or no more than two standard errors?
    pub fn is_right(&self) -> bool {
        let off = (self.predicted - self.actual).abs();
        off <= 0.02 || off <= 2.0 * self.error
    }
}

/// The curve of an evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct Calibrated {
    /// The name of the evaluation.
    pub evaluation: String,
    /// What was found; the interval of its scale takes games as clusters.
    pub calibration: Calibration,
    /// Games and positions that were fitted.
    pub games: u64,
    /// Those positions.
    pub positions: u64,
    /// Chances and results on the other games, from 0 to 1.
    pub tenths: Vec<Tenth>,
}

/// Finds the curve of what `plan` values positions by; `name` is what it is called.
pub fn carry_out(name: &str, plan: &ValuePlan, context: &Context<'_>) -> Result<Calibrated> {
    pool(context.threads)?.install(|| calibrate(name, plan, context.observer))
}

/// The values of a game as the player to move sees them, and what the game brought that player.
struct Seen {
    is_fitted: bool,
    /// Value and points.
    positions: Vec<(i32, f64)>,
}

fn see(game: &ValuedGame) -> Seen {
    let black = game.result as f64 / 2.0;
    let of_position = |valued: &Valued| match valued.position.side_to_move() {
        Color::Black => (valued.value, black),
        Color::White => (-valued.value, 1.0 - black),
    };
    // A mate is certain, whatever the scale.
    let positions = game.positions.iter().filter(|valued| !is_mate(valued.value));
    Seen {
        is_fitted: game.number.is_multiple_of(2),
        positions: positions.map(of_position).collect(),
    }
}

fn calibrate(name: &str, plan: &ValuePlan, observer: &dyn Observer) -> Result<Calibrated> {
    let mut games: Vec<Seen> = Vec::new();
    walk(plan, observer, see, |game| games.extend(game))?;
    let fitted: Vec<&Seen> = games.iter().filter(|game| game.is_fitted).collect();
    let rows: Vec<&curve::Game> = fitted.iter().map(|game| game.positions.as_slice()).collect();
    ensure!(!rows.is_empty(), "no game with a result to fit the chances to");
    let calibration = curve::fit(&rows).with_context(|| name.to_owned())?;
    Ok(Calibrated {
        evaluation: name.to_owned(),
        calibration,
        games: fitted.len() as u64,
        positions: fitted.iter().map(|game| game.positions.len() as u64).sum(),
        tenths: tenths(games.iter().filter(|game| !game.is_fitted), &calibration),
    })
}

fn tenths<'a>(games: impl Iterator<Item = &'a Seen>, curve: &Calibration) -> Vec<Tenth> {
    let mut tenths = vec![Tenth::default(); TENTHS];
    let mut drawn = [0.0; TENTHS];
    for game in games {
        let mut off = [0.0; TENTHS];
        for &(value, points) in &game.positions {
            let chance = curve.chance(Score::Centipawns(value));
            let place = ((chance * TENTHS as f64) as usize).min(TENTHS - 1);
            let tenth = &mut tenths[place];
            tenth.positions += 1;
            tenth.predicted += chance;
            tenth.actual += points;
            off[place] += points - chance;
            drawn[place] += chance * (1.0 - chance);
        }
        for (tenth, off) in tenths.iter_mut().zip(off) {
            tenth.error += off * off;
        }
    }
    for (tenth, drawn) in tenths.iter_mut().zip(drawn) {
        let count = tenth.positions.max(1) as f64;
        tenth.predicted /= count;
        tenth.actual /= count;
        tenth.error = tenth.error.max(drawn).sqrt() / count;
    }
    tenths
}

/// The file of these curves, which comes with the program; `command` made it.
pub fn file(found: &[Calibrated], command: &str) -> String {
    let entry = |one: &Calibrated| {
        let Calibration { scale, even, upset, low, high, .. } = one.calibration;
        let [scale, even, low, high] = [scale, even, low, high].map(|x| (10.0 * x).round() / 10.0);
        let upset = (10_000.0 * upset).round() / 10_000.0;
        CalibrationEntry {
            name: one.evaluation.clone(),
            calibration: Calibration::measured(scale, low, high).with_shape(even, upset),
            games: one.games,
            positions: one.positions,
        }
    };
    let entries = found.iter().map(entry).collect();
    Calibrations { command: command.to_owned(), entries }.to_text()
}

impl Calibrated {
    /// Everything as JSON.
    pub fn json(&self) -> Value {
        let Calibration { scale, even, upset, low, high, .. } = self.calibration;
        let tenth = |tenth: &Tenth| {
            json!({
                "positions": tenth.positions,
                "predicted": tenth.predicted,
                "actual": tenth.actual,
                "error": tenth.error,
                "right": tenth.is_right(),
            })
        };
        json!({
            "eval": self.evaluation,
            "scale": scale,
            "low": low,
            "high": high,
            "even": even,
            "upset": upset,
            "games": self.games,
            "positions": self.positions,
            "tenths": self.tenths.iter().map(tenth).collect::<Vec<_>>(),
        })
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self) -> String {
        let Calibration { scale, even, upset, low, high, .. } = self.calibration;
        let mut text = format!(
            "{}: {scale:.0} centipawns ({low:.0} to {high:.0}), even at {even:.0}, upsets {}, {} \
             games, {} positions\n",
            self.evaluation,
            number::percent(upset, 1),
            number::count(self.games),
            number::count(self.positions)
        );
        for tenth in self.tenths.iter().filter(|tenth| tenth.positions > 0) {
            text += &format!(
                "  said {:>6}  came {:>6} ± {:<6} {:>9} positions{}\n",
                number::percent(tenth.predicted, 1),
                number::percent(tenth.actual, 1),
                number::percent(tenth.error, 1),
                number::count(tenth.positions),
                if tenth.is_right() { "" } else { "  off" }
            );
        }
        text
    }
}
