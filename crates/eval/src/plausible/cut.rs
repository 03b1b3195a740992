//! Cuts: which of the rated moves of a position are kept.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Rating;
use super::odds::odds;

/// Which moves are plausible enough.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cut {
    /// All that some generator produces.
    All,
    /// Those among them whose merit is not negative.
    Merit,
    /// So many of the greatest merit; of equals those that come first.
    Best(usize),
    /// The moves of the greatest merit that together have this share of probability, where merits
    /// are logarithms of odds.
    Mass(f64),
}

/// A text is not a cut.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{0:?} is no cut: expected all, merit, best:N with N from 1, or mass:X with X above 0 and at \
     most 1"
)]
pub struct CutError(String);

impl FromStr for Cut {
    type Err = CutError;

    fn from_str(text: &str) -> Result<Self, CutError> {
        let number = |name: &str| text.strip_prefix(name)?.strip_prefix(':');
        match text {
            "all" => return Ok(Self::All),
            "merit" => return Ok(Self::Merit),
            _ => {}
        }
        let best = number("best").and_then(|n| n.parse().ok()).filter(|&n| n >= 1).map(Self::Best);
        let mass = || number("mass").and_then(|x| x.parse().ok()).filter(|x| *x > 0.0 && *x <= 1.0);
        best.or_else(|| mass().map(Self::Mass)).ok_or_else(|| CutError(text.to_owned()))
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.pad("all"),
            Self::Merit => f.pad("merit"),
            Self::Best(count) => write!(f, "best:{count}"),
            Self::Mass(share) => write!(f, "mass:{share}"),
        }
    }
}

impl Cut {
    /// Which of the moves of a position are kept, by their ratings. Answers to a check are never cut,
    /// and if nothing would be left, the moves of the greatest merit stay.
    pub fn keep(self, ratings: &[Rating], in_check: bool) -> Vec<bool> {
        if in_check {
            return vec![true; ratings.len()];
        }
        let standings: Vec<i32> = ratings.iter().map(Rating::standing).collect();
        let mut bar = self.bar(&mut standings.clone());
        let best = standings.iter().copied().max();
        if best.is_some_and(|best| best < bar.least) {
            return standings.into_iter().map(|standing| Some(standing) == best).collect();
        }
        standings.into_iter().map(|standing| bar.admits(standing)).collect()
    }

    /// The bar that moves have to reach, by the standings of all moves of a position, whose order is
    /// changed.
    pub fn bar(self, standings: &mut [i32]) -> Bar {
        let (least, places) = match self {
            Self::All => (Rating::UNPRODUCED, usize::MAX),
            Self::Merit => (0, usize::MAX),
            Self::Best(count) if count >= standings.len() => (Rating::UNPRODUCED, usize::MAX),
            Self::Best(count) => {
                let place = standings.len() - count;
                let (_, &mut least, above) = standings.select_nth_unstable(place);
                let above = above.iter().filter(|&&standing| standing > least).count();
                (least, count - above)
            }
            Self::Mass(share) => {
                standings.sort_unstable_by_key(|&standing| Reverse(standing));
                (least_of_mass(standings, share), usize::MAX)
            }
        };
        if least > Rating::UNPRODUCED {
            Bar { least, places }
        } else {
            Bar { least: Rating::UNPRODUCED + 1, places: usize::MAX }
        }
    }
}

/// What a move has to reach to be kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bar {
    /// The least standing.
    pub least: i32,
    /// For so many moves that have just that there is place.
    places: usize,
}

impl Bar {
    /// All moves reach it.
    pub const NONE: Self = Self { least: i32::MIN, places: usize::MAX };

    /// Is a move of this standing kept? Those that have just reached it take its places.
    #[inline]
    pub const fn admits(&mut self, standing: i32) -> bool {
        if standing == self.least && self.places > 0 {
            self.places -= 1;
            return true;
        }
        standing > self.least
    }
}

/// The least of the standings, from the greatest on, that together have a share of the probability.
fn least_of_mass(standings: &[i32], share: f64) -> i32 {
    let Some(&best) = standings.first() else { return 0 };
    let sum: f64 = standings.iter().map(|standing| odds(best - standing)).sum();
    let mut before = 0.0;
    for &standing in standings {
        before += odds(best - standing);
        if before >= share * sum {
            return standing;
        }
    }
    Rating::UNPRODUCED
}

#[cfg(test)]
mod tests {
    use super::super::{Generator, Generators};
    use super::*;

    fn ratings(merits: &[i32]) -> Vec<Rating> {
        let generators = Generators::NONE.with(Generator::Capture);
        merits.iter().map(|&merit| Rating { generators, merit }).collect()
    }

    #[test]
    fn cuts_are_read_as_they_are_written() {
        for text in ["all", "merit", "best:30", "mass:0.99", "mass:1"] {
            assert_eq!(text.parse::<Cut>().unwrap().to_string(), text);
        }
        for text in ["", "best", "best:0", "best:-1", "mass:0", "mass:1.5", "mass:nan", "some"] {
            let error = text.parse::<Cut>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("{text:?} is no cut: expected all")), "{error}");
        }
    }

    #[test]
    fn moves_that_nobody_produced_take_no_place() {
        let mut rated = ratings(&[10, 400, 300, 0]);
        rated[1].generators = Generators::NONE;
        assert_eq!(Cut::Best(2).keep(&rated, false), [true, false, true, false]);
        assert_eq!(Cut::Best(9).keep(&rated, false), [true, false, true, true]);
        assert_eq!(Cut::Mass(1.0).keep(&rated, false), [true, false, true, true]);
    }

    #[test]
    fn of_equals_the_first_are_kept() {
        let rated = ratings(&[10, 50, 10, 0, 10]);
        assert_eq!(Cut::Best(2).keep(&rated, false), [true, true, false, false, false]);
        assert_eq!(Cut::Best(3).keep(&rated, false), [true, true, true, false, false]);
    }

    #[test]
    fn the_best_are_kept() {
        let mut rated = ratings(&[10, -5, 300, 0]);
        assert_eq!(Cut::All.keep(&rated, false), [true; 4]);
        assert_eq!(Cut::Merit.keep(&rated, false), [true, false, true, true]);
        assert_eq!(Cut::Best(2).keep(&rated, false), [true, false, true, false]);
        // The best has a share of 0.86, the second one of 0.05.
        assert_eq!(Cut::Mass(0.85).keep(&rated, false), [false, false, true, false]);
        assert_eq!(Cut::Mass(0.90).keep(&rated, false), [true, false, true, false]);
        assert_eq!(Cut::Mass(1.0).keep(&rated, false), [true; 4]);
        rated[0].generators = Generators::NONE;
        assert_eq!(Cut::All.keep(&rated, false), [false, true, true, true]);
        assert_eq!(Cut::Merit.keep(&rated, true), [true; 4]);
    }

    #[test]
    fn something_is_left() {
        assert_eq!(Cut::Merit.keep(&ratings(&[-10, -5, -300]), false), [false, true, false]);
        assert_eq!(Cut::Merit.keep(&[], false), Vec::<bool>::new());
    }
}
