//! How scores become winning chances: each evaluation has a logistic curve of its own, for a
//! centipawn of one is not worth a centipawn of another.
//!
//! The curves of the evaluations that come with the program stand in
//! `data/weights/calibration.toml`; a file of weights or tables may note its own.

use serde::{Deserialize, Serialize};
use tesuji_shogi::Score;
use thiserror::Error;

use crate::Notes;

/// The evaluation whose scale is taken for one of which nothing is known.
const FALLBACK: &str = "tables";

/// The curve by which scores become winning chances:
/// `upset / 2 + (1 - upset) / (1 + exp(-(score - even) / scale))`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Calibration {
    /// How many centipawns raise the odds of winning by a factor of e.
    pub scale: f64,
    /// The score of an even position: searches see a little too much for the player to move.
    pub even: f64,
    /// The share of games that end as if by the toss of a coin, whatever the score says: people
    /// blunder, and run out of time.
    pub upset: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Was it measured for this very evaluation? If not, the interval says nothing.
    pub measured: bool,
}

impl Calibration {
    /// A scale that was measured, with its 95 % interval.
    pub const fn measured(scale: f64, low: f64, high: f64) -> Self {
        Self { scale, even: 0.0, upset: 0.0, low, high, measured: true }
    }

    /// The same scale with a score of even positions and a share of upsets.
    pub const fn with_shape(self, even: f64, upset: f64) -> Self {
        Self { even, upset, ..self }
    }

    /// For scores that are backed up from the searches of both players, of whom neither is favoured
    /// as the one to move.
    pub const fn balanced(self) -> Self {
        Self { even: 0.0, ..self }
    }

    /// A scale that somebody says, without an interval.
    pub const fn assumed(scale: f64) -> Self {
        Self { measured: false, ..Self::measured(scale, scale, scale) }
    }

    /// The curve of an evaluation: what its file notes counts first, then what was measured for one
    /// of this name that comes with the program. That of the piece tables stands in where both are
    /// missing.
    pub fn of(name: &str, result: Option<&Notes>) -> Self {
        let noted = result.and_then(Self::noted);
        noted.unwrap_or_else(|| {
            let shipped = Calibrations::shipped();
            let fallback = || shipped.of(FALLBACK).expect("the piece tables come with a scale");
            shipped.of(name).unwrap_or_else(|| Self { measured: false, ..fallback() })
        })
    }

    /// The curve that the notes of a file hold as `scale`, `scale_low`, `scale_high` and, if they
    /// are not 0, `even` and `upset`. Without a sound interval it is only assumed.
    pub fn noted(notes: &Notes) -> Option<Self> {
        let number = |key: &str| {
            let value = notes.get(key)?;
            value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
        };
        let scale = number("scale").filter(|&scale| is_scale(scale))?;
        let interval = number("scale_low").zip(number("scale_high"));
        let [even, upset] = ["even", "upset"].map(|key| number(key).unwrap_or(0.0));
        let noted = interval.map(|(low, high)| Self::measured(scale, low, high));
        let noted = noted.map(|noted| noted.with_shape(even, upset));
        Some(noted.filter(Self::is_sound).unwrap_or(Self::assumed(scale)))
    }

    /// The chance to win of the player to move, whose score it is, from 0 to 1. A mate is certain.
    pub fn chance(&self, score: Score) -> f64 {
        match score {
            Score::Centipawns(score) => {
                let logistic = 1.0 / (1.0 + (-(f64::from(score) - self.even) / self.scale).exp());
                self.upset / 2.0 + (1.0 - self.upset) * logistic
            }
            Score::MateIn(_) => 1.0,
            Score::MatedIn(_) => 0.0,
        }
    }

    /// Is the scale a scale and within its interval, and the rest possible?
    fn is_sound(&self) -> bool {
        let ordered = self.low <= self.scale && self.scale <= self.high;
        let shaped = self.even.is_finite() && (0.0..1.0).contains(&self.upset);
        ordered && shaped && [self.scale, self.low, self.high].into_iter().all(is_scale)
    }
}

fn is_scale(scale: f64) -> bool {
    scale.is_finite() && scale > 0.0
}

/// The curves of several evaluations with what they were measured by: the file
/// `calibration.toml`.
#[derive(Clone, PartialEq, Debug)]
pub struct Calibrations {
    /// The command that made it.
    pub command: String,
    /// The evaluations, in the order of the file.
    pub entries: Vec<CalibrationEntry>,
}

/// The curve of one evaluation and the games it comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct CalibrationEntry {
    /// The name of the evaluation.
    pub name: String,
    /// The curve; it is measured unless there are no positions.
    pub calibration: Calibration,
    /// Games that it was measured by.
    pub games: u64,
    /// Their positions that counted; 0 where nothing has been measured yet.
    pub positions: u64,
}

/// A file of calibrations cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CalibrationError {
    /// The text is not such a file.
    #[error("not a file of calibrations: {0}")]
    Text(String),
    /// A scale that is not positive, or outside its interval, or upsets that are no share.
    #[error(
        "the scale of {0} is not within a positive interval, or its upsets are not from 0 to 1"
    )]
    Scale(String),
}

/// The file as TOML has it: a table for each evaluation after the command.
#[derive(Serialize, Deserialize)]
struct File {
    command: String,
    #[serde(flatten)]
    evaluations: toml::Table,
}

/// The table of an evaluation.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    scale: f64,
    low: f64,
    high: f64,
    #[serde(default)]
    even: f64,
    #[serde(default)]
    upset: f64,
    games: u64,
    positions: u64,
}

/// What stands above the numbers, for whoever opens the file.
const HEADING: &str = "\
# How scores become the chance to win of the player to move:
# chance = upset / 2 + (1 - upset) / (1 + exp(-(score - even) / scale)), score, even and scale in
# centipawns, low and high the 95 % interval of the scale. An entry of 0 positions is not measured
# yet, and is not shown as measured.
";

impl Calibrations {
    /// Those of the evaluations that come with the program.
    pub fn shipped() -> Self {
        let text = include_str!("../data/weights/calibration.toml");
        Self::parse(text).expect("the calibrations that come with the program can be read")
    }

    /// The curve of the evaluation with this name.
    pub fn of(&self, name: &str) -> Option<Calibration> {
        self.entries.iter().find(|entry| entry.name == name).map(|entry| entry.calibration)
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, CalibrationError> {
        let wrong = |error: &toml::de::Error| CalibrationError::Text(error.message().to_owned());
        let File { command, evaluations } = toml::from_str(text).map_err(|error| wrong(&error))?;
        let mut entries = Vec::new();
        for (name, table) in evaluations {
            let Table { scale, low, high, even, upset, games, positions } =
                table.try_into().map_err(|error| wrong(&error))?;
            let measured = positions > 0;
            let calibration = Calibration { scale, even, upset, low, high, measured };
            if !calibration.is_sound() {
                return Err(CalibrationError::Scale(name));
            }
            entries.push(CalibrationEntry { name, calibration, games, positions });
        }
        Ok(Self { command, entries })
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let table = |entry: &CalibrationEntry| {
            let CalibrationEntry { name, calibration, games, positions } = entry.clone();
            let Calibration { scale, even, upset, low, high, .. } = calibration;
            let table = Table { scale, low, high, even, upset, games, positions };
            (name, toml::Value::try_from(table).expect("numbers can be written"))
        };
        let evaluations = self.entries.iter().map(table).collect();
        let file = File { command: self.command.clone(), evaluations };
        let text = toml::to_string(&file).expect("names and numbers can be written");
        format!("{HEADING}{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    fn entry(name: &str, scale: f64, positions: u64) -> CalibrationEntry {
        let measured = Calibration::measured(scale, scale - 10.0, scale + 12.5);
        let measured = measured.with_shape(30.0, 0.125);
        let calibration = Calibration { measured: positions > 0, ..measured };
        CalibrationEntry { name: name.into(), calibration, games: positions / 50, positions }
    }

    fn notes(text: &str) -> Notes {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn every_shipped_evaluation_has_a_scale() {
        let shipped = Calibrations::shipped();
        for name in Model::names().chain(["material"]) {
            let model = Model::named(name);
            let scale = Calibration::of(name, model.as_ref().map(Model::result));
            assert_eq!(Some(scale), shipped.of(name), "{name}");
        }
    }

    #[test]
    fn the_file_is_read_as_it_was_written() {
        let command = "tesuji winrate calibrate --games \"a b.tsv\"".to_owned();
        let entries = vec![entry("tables", 512.5, 90_000), entry("my/own.toml", 300.0, 0)];
        let written = Calibrations { command, entries };
        let text = written.to_text();
        assert!(text.starts_with("# How scores") && text.contains("[tables]\nscale = 512.5\n"));
        assert_eq!(Calibrations::parse(&text), Ok(written.clone()));
        // What was measured, what was not, and what is not there.
        let tables = Calibration::measured(512.5, 502.5, 525.0).with_shape(30.0, 0.125);
        assert_eq!(written.of("tables"), Some(tables));
        assert!(!written.of("my/own.toml").unwrap().measured);
        assert_eq!(written.of("unknown"), None);
    }

    #[test]
    fn wrong_files_are_refused() {
        let table = |scale: &str| {
            format!("command = ''\n[x]\nscale = {scale}\nlow = 1.0\nhigh = 9.0\ngames = 1\n")
        };
        let with_positions = |scale: &str| table(scale) + "positions = 1\n";
        assert!(Calibrations::parse(&with_positions("5.0")).is_ok());
        for text in ["", "[tables]\nscale = 1.0", &table("5.0"), &with_positions("'x'")] {
            let error = Calibrations::parse(text).unwrap_err().to_string();
            assert!(error.starts_with("not a file of calibrations: "), "{error}");
        }
        for scale in ["0.5", "10.0", "nan", "-2.0", "5.0\nupset = 1.0", "5.0\neven = inf"] {
            let error = Calibrations::parse(&with_positions(scale)).unwrap_err();
            assert_eq!(error, CalibrationError::Scale("x".into()), "{scale}");
        }
    }

    #[test]
    fn the_notes_of_a_file_count_first() {
        let mut model = Model::named("evolved").unwrap();
        let Model::Features(weights) = &mut model else { panic!("named features") };
        weights.result =
            notes("scale = 300\nscale_low = 290.5\nscale_high = 310\neven = 20\nupset = 0.1");
        let expected = Calibration::measured(300.0, 290.5, 310.0).with_shape(20.0, 0.1);
        for name in ["evolved", "some/file.toml"] {
            assert_eq!(Calibration::of(name, Some(model.result())), expected);
        }
        let plain = Model::named("evolved").unwrap();
        let tables = Calibrations::shipped().of("tables").unwrap();
        let fallback = Calibration { measured: false, ..tables };
        assert_eq!(Calibration::of("some/file.toml", Some(plain.result())), fallback);
    }

    #[test]
    fn notes_without_a_sound_interval_are_assumptions_and_nonsense_is_none() {
        let assumed = Some(Calibration::assumed(300.0));
        for text in ["scale = 300.0", "scale = 300\nscale_low = 310\nscale_high = 320"] {
            assert_eq!(Calibration::noted(&notes(text)), assumed, "{text}");
        }
        for text in ["", "scale = -1", "scale = 'x'", "scale = inf", "scale_low = 3"] {
            assert_eq!(Calibration::noted(&notes(text)), None, "{text}");
        }
    }

    #[test]
    fn chances_go_by_the_scale_and_mates_are_certain() {
        let calibration = Calibration::assumed(600.0);
        let chance = |score| calibration.chance(score);
        assert!((chance(Score::Centipawns(600)) - 0.731_058_578_630_004_9).abs() < 1e-12);
        assert!((chance(Score::MateIn(3)) - 1.0).abs() < 1e-12);
        assert!(chance(Score::MatedIn(2)).abs() < 1e-12);
    }

    #[test]
    fn chances_of_both_players_add_up_once_nobody_is_favoured() {
        let shaped = Calibration::measured(400.0, 390.0, 410.0).with_shape(40.0, 0.1);
        let chance = |score| shaped.chance(Score::Centipawns(score));
        assert!((chance(40) - 0.5).abs() < 1e-12);
        assert!((chance(30_000) - 0.95).abs() < 1e-12 && (chance(-30_000) - 0.05).abs() < 1e-12);
        let balanced = |score| shaped.balanced().chance(score);
        for score in [Score::Centipawns(0), Score::Centipawns(60), Score::MatedIn(2)] {
            assert!((balanced(score) + balanced(-score) - 1.0).abs() < 1e-12, "{score}");
        }
    }
}
