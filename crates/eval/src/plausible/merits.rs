//! Merits: what each reason for a move is worth.

use super::Rating;
use super::groups::{Group, feature_set_id};
use super::odds::{merit_of, odds};
use crate::numbers::{Kind, Notes, NumberFile, NumbersError};

/// Units of a merit in one of the log-odds, for merits that were fitted; those set by hand are in
/// hundredths of a pawn.
pub const UNITS: i32 = 100;

/// The value of every feature of every generator, and of the costs.
#[derive(Clone, PartialEq, Debug)]
pub struct Merits {
    values: Vec<i16>,
    /// Are they logarithms of odds?
    are_odds: bool,
    /// What made them: the command, the seed, the data, as the file says it.
    pub run: Notes,
    /// How good they were found to be.
    pub result: Notes,
}

fn kind() -> Kind {
    Kind {
        format: "tesuji-merits",
        name: "merits of moves",
        feature_set: "merit",
        feature_set_id: feature_set_id(),
        units: UNITS,
        count: Group::FEATURES,
    }
}

impl Merits {
    /// How many values there are.
    pub const VALUES: usize = Group::FEATURES;

    /// Merits with these values, in the order of [`Group::ALL`].
    pub fn new(values: Vec<i16>) -> Result<Self, NumbersError> {
        if values.len() != Self::VALUES {
            return Err(NumbersError::Count { found: values.len(), expected: Self::VALUES });
        }
        Ok(Self { values, are_odds: true, run: Notes::new(), result: Notes::new() })
    }

    /// Values that were set by hand.
    pub fn hand() -> Self {
        let mut values = vec![0; Self::VALUES];
        for &group in Group::ALL {
            for (index, place) in group.range().enumerate() {
                values[place] = super::hand::value(group, index);
            }
        }
        Self { values, are_odds: false, run: Notes::new(), result: Notes::new() }
    }

    /// The values that come with the program, fitted to games of masters.
    pub fn shipped() -> Self {
        Self::parse(include_bytes!("../../data/weights/merit.bin"))
            .expect("the merits that come with the program are for its features")
    }

    /// The names of those that come with the program.
    pub const NAMES: [&str; 2] = ["hand", "fitted"];

    /// The merits of a name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "hand" => Some(Self::hand()),
            "fitted" => Some(Self::shipped()),
            _ => None,
        }
    }

    /// Is this the beginning of a file of merits?
    pub fn is_file(bytes: &[u8]) -> bool {
        kind().begins(bytes)
    }

    /// Reads a file.
    pub fn parse(bytes: &[u8]) -> Result<Self, NumbersError> {
        let NumberFile { numbers, run, result, .. } = kind().read(bytes)?;
        Ok(Self { run, result, ..Self::new(numbers)? })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        kind().write(&NumberFile {
            numbers: self.values.clone(),
            run: self.run.clone(),
            result: self.result.clone(),
            values: None,
        })
    }

    /// All values, in the order of [`Group::ALL`].
    pub fn values(&self) -> &[i16] {
        &self.values
    }

    /// Are they logarithms of odds, as those are that were fitted?
    pub const fn are_odds(&self) -> bool {
        self.are_odds
    }

    /// What all merits of a position have in common, by the sums of its moves: the value of its level,
    /// and of logarithms of odds that of the chance of a move of sum 0. So a merit tells how likely a
    /// move is, whatever the others are.
    pub fn level(&self, level: usize, sums: impl Iterator<Item = i32> + Clone) -> i32 {
        let value = self.value(Group::Level.feature(level));
        match sums.clone().max().filter(|_| self.are_odds) {
            Some(best) => {
                let all: f64 = sums.map(|sum| odds(best - sum)).sum();
                value - best - merit_of(all)
            }
            None => value,
        }
    }

    /// Adds to the sums of all moves of a position what their merits have in common.
    pub fn add_level(&self, level: usize, ratings: &mut [Rating]) {
        let common = self.level(level, ratings.iter().map(|rating| rating.merit));
        ratings.iter_mut().for_each(|rating| rating.merit += common);
    }

    /// The same with all merits of some levels so much higher or lower, by the number of the level.
    #[must_use]
    pub fn raised(mut self, by: impl Fn(usize) -> i32) -> Self {
        for (level, value) in self.values[Group::Level.range()].iter_mut().enumerate() {
            let raised = i32::from(*value) + by(level);
            *value = raised.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        }
        self
    }

    /// The value of a feature.
    #[inline(always)]
    pub(super) fn value(&self, feature: usize) -> i32 {
        i32::from(self.values[feature])
    }
}
