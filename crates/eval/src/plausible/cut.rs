//! Cuts: which of the rated moves of a position are kept.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Rating, UNITS};

/// Which moves are plausible enough.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cut {
    /// All that some generator produces.
    All,
    /// Those among them whose merit is not negative.
    Merit,
    /// So many of the greatest merit.
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
        let kept: Vec<bool> = match self {
            Self::All => ratings.iter().map(Rating::is_produced).collect(),
            Self::Merit => ratings.iter().map(Rating::is_plausible).collect(),
            Self::Best(_) | Self::Mass(_) => {
                let merits: Vec<i32> = ratings.iter().map(|rating| rating.merit).collect();
                let first = self.first(&merits, UNITS).unwrap_or_default();
                ratings.iter().zip(first).map(|(of, first)| first && of.is_produced()).collect()
            }
        };
        if kept.contains(&true) {
            return kept;
        }
        let best = ratings.iter().map(|rating| rating.merit).max();
        ratings.iter().map(|rating| Some(rating.merit) == best).collect()
    }

    /// Which of the moves of a position are the first by any scores, with so many units in one of
    /// the log-odds; `None` for cuts that ask what a move is for, which scores do not say.
    pub fn first(self, scores: &[i32], units: i32) -> Option<Vec<bool>> {
        match self {
            Self::All | Self::Merit => None,
            Self::Best(count) => Some(keep_first(scores, units, |number, _| number < count)),
            Self::Mass(share) => Some(keep_first(scores, units, |_, before| before < share)),
        }
    }
}

/// Which places are kept, from the greatest score on, by how many come before and by the share of
/// the probability that these have.
fn keep_first(scores: &[i32], units: i32, is_kept: impl Fn(usize, f64) -> bool) -> Vec<bool> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by_key(|&place| std::cmp::Reverse(scores[place]));
    let best = order.first().map_or(0, |&place| scores[place]);
    let odds = |score: i32| (f64::from(score - best) / f64::from(units)).exp();
    let sum: f64 = scores.iter().map(|&score| odds(score)).sum();
    let mut kept = vec![false; scores.len()];
    let mut before = 0.0;
    for (number, place) in order.into_iter().enumerate() {
        kept[place] = is_kept(number, before / sum);
        before += odds(scores[place]);
    }
    kept
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
    fn any_scores_have_a_first_move() {
        assert_eq!(Cut::Best(1).first(&[-7, -5], 100), Some(vec![false, true]));
        // A tenth of the unit is ten times the difference.
        let scores = [0, 10];
        assert_eq!(Cut::Mass(0.6).first(&scores, 100), Some(vec![true, true]));
        assert_eq!(Cut::Mass(0.6).first(&scores, 10), Some(vec![false, true]));
        assert_eq!(Cut::Merit.first(&scores, 100), None);
    }

    #[test]
    fn something_is_left() {
        assert_eq!(Cut::Merit.keep(&ratings(&[-10, -5, -300]), false), [false, true, false]);
        assert_eq!(Cut::Merit.keep(&[], false), Vec::<bool>::new());
    }
}
