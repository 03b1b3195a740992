//! Scores as both sides of USI say them: centipawns, or the distance to a mate.

use core::fmt;
use core::ops::Neg;
use core::str::FromStr;

/// What a position is worth to a player, in USI to the side to move: centipawns, or a mate and the
/// plies until it stands on the board.
///
/// ```
/// use tesuji_shogi::Score;
/// for text in ["cp -35", "mate 7", "mate -6", "mate +", "mate -"] {
///     assert_eq!(text.parse::<Score>().unwrap().to_string(), text);
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// The player gives mate in so many plies; 0 if nobody said in how many.
    MateIn(u32),
    /// The player gets mated in so many plies; 0 if that has happened or nobody said in how many.
    MatedIn(u32),
}

impl Score {
    /// Plies to the mate, negative if it is the player who gets mated; `None` if it is no mate.
    pub const fn plies_to_mate(self) -> Option<i32> {
        match self {
            Self::Centipawns(_) => None,
            Self::MateIn(plies) => Some(plies as i32),
            Self::MatedIn(plies) => Some(-(plies as i32)),
        }
    }
}

/// The score in the view of the opponent.
impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Centipawns(score) => Self::Centipawns(score.saturating_neg()),
            Self::MateIn(plies) => Self::MatedIn(plies),
            Self::MatedIn(plies) => Self::MateIn(plies),
        }
    }
}

impl fmt::Display for Score {
    /// USI text: `cp 120`, `mate 5`, `mate -6`; `mate +` and `mate -` without a length.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(score) => write!(f, "cp {score}"),
            Self::MateIn(0) => f.write_str("mate +"),
            Self::MateIn(plies) => write!(f, "mate {plies}"),
            Self::MatedIn(0) => f.write_str("mate -"),
            Self::MatedIn(plies) => write!(f, "mate -{plies}"),
        }
    }
}

/// The text is not a score of USI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseScoreError;

impl fmt::Display for ParseScoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a score such as cp 120, mate 5, mate -6 or mate +")
    }
}

impl core::error::Error for ParseScoreError {}

impl FromStr for Score {
    type Err = ParseScoreError;

    fn from_str(text: &str) -> Result<Self, ParseScoreError> {
        let (kind, value) = text.split_once(' ').ok_or(ParseScoreError)?;
        match kind {
            "cp" => value.parse().map(Self::Centipawns).map_err(|_| ParseScoreError),
            "mate" => {
                let (sign, digits) = match value.as_bytes() {
                    [sign @ (b'+' | b'-'), ..] => (Some(*sign), &value[1..]),
                    _ => (None, value),
                };
                let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
                if !plain || sign.is_none() && digits.is_empty() {
                    return Err(ParseScoreError);
                }
                let plies = match digits {
                    "" => 0,
                    digits => digits.parse().unwrap_or(LONGEST).min(LONGEST),
                };
                Ok(if sign == Some(b'-') { Self::MatedIn(plies) } else { Self::MateIn(plies) })
            }
            _ => Err(ParseScoreError),
        }
    }
}

/// A longer mate is not told apart from this one.
const LONGEST: u32 = i32::MAX as u32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_may_have_a_sign_and_no_length() {
        let read = |text: &str| text.parse::<Score>();
        assert_eq!(read("mate +5"), Ok(Score::MateIn(5)));
        assert_eq!(read("mate 0"), Ok(Score::MateIn(0)));
        assert_eq!(read("mate -"), Ok(Score::MatedIn(0)));
        assert_eq!(read("mate 99999999999999999999"), Ok(Score::MateIn(LONGEST)));
        for wrong in ["", "cp", "cp x", "cp 99999999999", "mate", "mate ", "mate 5x", "mate --5"] {
            assert_eq!(read(wrong), Err(ParseScoreError), "{wrong:?}");
        }
    }

    #[test]
    fn plies_have_the_sign_of_the_winner() {
        assert_eq!(Score::MateIn(7).plies_to_mate(), Some(7));
        assert_eq!((-Score::MateIn(7)).plies_to_mate(), Some(-7));
        assert_eq!(Score::Centipawns(7).plies_to_mate(), None);
        assert_eq!(-Score::Centipawns(-120), Score::Centipawns(120));
    }
}
