//! Scores: centipawns in the view of the side to move, and mates by their distance.

use serde_json::{Value, json};
use tesuji_eval::Calibration;
use tesuji_shogi::Score;

/// More than any score.
pub const INFINITE: i32 = 32_001;
/// A mate on the board: the side to move has lost.
pub const MATE: i32 = 32_000;
/// The deepest line that is searched.
pub const MAX_PLY: usize = 127;
/// From here on a score is a mate.
pub const MATE_IN_MAX: i32 = MATE - 1000;
/// What a board is worth that stood before with less in hand: nearly won, but no mate.
pub const SUPERIOR: i32 = 28_000;
/// The largest score of an evaluation.
pub const EVAL_LIMIT: i32 = 27_000;

/// The score of winning after so many plies.
pub const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

/// The score of having lost after so many plies.
pub const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Does the score say that somebody is mated?
pub const fn is_mate(score: i32) -> bool {
    score.abs() >= MATE_IN_MAX
}

/// Does an evaluation stand behind this score, and not a mate or a superior position?
pub const fn is_evaluation(score: i32) -> bool {
    score.abs() <= EVAL_LIMIT
}

/// A score of the search as everybody else knows it.
pub const fn public(score: i32) -> Score {
    let plies = (MATE - score.abs()).unsigned_abs();
    if !is_mate(score) {
        Score::Centipawns(score)
    } else if score > 0 {
        Score::MateIn(plies)
    } else {
        Score::MatedIn(plies)
    }
}

/// `{"cp": 120}` or `{"mate": -6}`.
pub fn to_json(score: i32) -> Value {
    let mate = public(score).plies_to_mate();
    mate.map_or_else(|| json!({ "cp": score }), |plies| json!({ "mate": plies }))
}

/// The chance to win of the player to move, whose score it is, from 0 to 1. A mate is certain.
pub fn chance(score: i32, calibration: &Calibration) -> f64 {
    calibration.chance(public(score))
}

/// The curve of chances, and the 95 % interval of its scale where it was measured for the
/// evaluation: `chance_scale`, `chance_scale_low`, `chance_scale_high`, `chance_even`,
/// `chance_upset` and `calibrated`.
pub fn calibration_json(calibration: &Calibration) -> [(&'static str, Value); 6] {
    let Calibration { scale, even, upset, low, high, measured } = *calibration;
    let interval = |end: f64| if measured { json!(end) } else { Value::Null };
    [
        ("chance_scale", json!(scale)),
        ("chance_scale_low", interval(low)),
        ("chance_scale_high", interval(high)),
        ("chance_even", json!(even)),
        ("chance_upset", json!(upset)),
        ("calibrated", json!(measured)),
    ]
}

/// A score from elsewhere as the search knows it; what is too large for that is cut.
pub fn internal(score: Score) -> i32 {
    let longest = (MATE - MATE_IN_MAX).unsigned_abs();
    match score {
        Score::Centipawns(score) => score.clamp(-EVAL_LIMIT, EVAL_LIMIT),
        Score::MateIn(plies) => mate_in(plies.min(longest) as usize),
        Score::MatedIn(plies) => mated_in(plies.min(longest) as usize),
    }
}

/// What a score in the table says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// Nothing: only the evaluation or the move is known.
    #[default]
    None,
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// The score is exact.
    Exact,
}

impl Bound {
    pub(crate) const fn from_bits(bits: u64) -> Self {
        match bits & 3 {
            1 => Self::Upper,
            2 => Self::Lower,
            3 => Self::Exact,
            _ => Self::None,
        }
    }
}

impl Bound {
    /// Does a score with this bound decide a window?
    pub(crate) const fn decides(self, score: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score <= alpha,
            Self::None => false,
        }
    }

    /// Does a score with this bound say more than an evaluation?
    pub(crate) const fn mends(self, score: i32, eval: i32) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score > eval,
            Self::Upper => score < eval,
            Self::None => false,
        }
    }
}

/// A score as the table keeps it: mates are counted from the position itself.
pub(crate) const fn to_table(score: i32, ply: usize) -> i32 {
    if score >= MATE_IN_MAX {
        score + ply as i32
    } else if score <= -MATE_IN_MAX {
        score - ply as i32
    } else {
        score
    }
}

/// A score of the table, counted from the root again.
pub(crate) const fn from_table(score: i32, ply: usize) -> i32 {
    if score >= MATE_IN_MAX {
        score - ply as i32
    } else if score <= -MATE_IN_MAX {
        score + ply as i32
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_from_where_one_stands() {
        let found = mate_in(7);
        assert!(is_mate(found) && is_mate(mated_in(0)) && !is_mate(SUPERIOR));
        // Found at ply 4 as a mate three plies further, met again at ply 2.
        assert_eq!(from_table(to_table(found, 4), 2), mate_in(5));
        assert_eq!(from_table(to_table(-found, 4), 2), mated_in(5));
        assert_eq!(from_table(to_table(120, 4), 2), 120);
    }

    #[test]
    fn chances_grow_with_the_score_and_mirror_each_other() {
        let calibration = Calibration::assumed(600.0);
        let chance = |score: i32| chance(score, &calibration);
        assert!((chance(0) - 0.5).abs() < 1e-12);
        assert!((chance(600) - 0.731_058_578_630_004_9).abs() < 1e-12);
        for score in [0, 1, 60, 700, EVAL_LIMIT, mate_in(3)] {
            assert!((chance(score) + chance(-score) - 1.0).abs() < 1e-12);
            assert!(chance(score) >= chance(score - 1));
        }
        assert!((chance(mate_in(1)) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_interval_is_told_only_where_it_was_measured() {
        let values = |calibration| calibration_json(&calibration).map(|(_, value)| value);
        let measured = values(Calibration::measured(500.0, 490.0, 510.0).with_shape(20.0, 0.125));
        let numbers = [500.0, 490.0, 510.0, 20.0, 0.125].map(|number| json!(number));
        assert_eq!(measured[..5], numbers);
        assert_eq!(measured[5], json!(true));
        let assumed = values(Calibration::assumed(500.0));
        let (zero, none) = (json!(0.0), Value::Null);
        assert_eq!(assumed, [json!(500.0), none.clone(), none, zero.clone(), zero, json!(false)]);
    }

    #[test]
    fn scores_go_out_and_come_back() {
        assert_eq!(public(-35), Score::Centipawns(-35));
        assert_eq!(public(mate_in(7)), Score::MateIn(7));
        assert_eq!(public(mated_in(6)), Score::MatedIn(6));
        assert_eq!(public(MATE_IN_MAX), Score::MateIn(1000));
        for score in [0, 1, -35, EVAL_LIMIT, MATE_IN_MAX, mate_in(0), mated_in(0), mated_in(999)] {
            assert_eq!(internal(public(score)), score);
        }
        assert_eq!(internal(Score::Centipawns(99_999_999)), EVAL_LIMIT);
        assert_eq!(internal(Score::MatedIn(u32::MAX)), -MATE_IN_MAX);
    }
}
