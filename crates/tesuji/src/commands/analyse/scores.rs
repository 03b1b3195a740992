//! What a score means: chances to win, and scores as text.

use tesuji_learn::tables::Objective;
use tesuji_search::score::{MATE, is_mate};

use crate::usi::lines::plies_to_mate;

/// How many hundredths of a pawn raise the odds of winning by a factor of e. It is the scale by which the
/// piece tables were fitted to the results of games.
pub fn scale() -> f64 {
    Objective::default().result_scale
}

/// The chance to win of the player whose score it is. A mate is certain.
pub fn chance(score: i32) -> f64 {
    if is_mate(score) {
        return if score > 0 { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + (-f64::from(score) / scale()).exp())
}

/// The score for the player who has just moved to a position that its side to move scores like this.
/// Mates are counted from the position before.
pub const fn of_mover(score: i32) -> i32 {
    match -score {
        mate if is_mate(mate) && mate > 0 => mate - 1,
        mated if is_mate(mated) => mated + 1,
        plain => plain,
    }
}

/// `+120`, `-35`, `+#7` for a mate in seven plies; `+#` where it stands on the board.
pub fn text(score: i32) -> String {
    let sign = if score > 0 { '+' } else { '-' };
    match plies_to_mate(score) {
        Some(0) => format!("{sign}#"),
        Some(plies) => format!("{sign}#{}", plies.abs()),
        None if score == 0 => "0".to_owned(),
        None => format!("{score:+}"),
    }
}

/// Plies to the mate that the player with this score gives.
pub fn mates_in(score: i32) -> Option<i32> {
    (is_mate(score) && score > 0).then_some(MATE - score)
}

/// Plies to the mate that the player with this score suffers.
pub fn mated_after(score: i32) -> Option<i32> {
    (is_mate(score) && score < 0).then_some(MATE + score)
}

#[cfg(test)]
mod tests {
    use tesuji_search::score;

    use super::*;

    #[test]
    fn chances_grow_with_the_score_and_mirror_each_other() {
        assert!((chance(0) - 0.5).abs() < 1e-12);
        assert!((chance(450) - 0.731_058_578_630_004_9).abs() < 1e-12);
        for score in [0, 1, 60, 700, 27_000, score::mate_in(3)] {
            assert!((chance(score) + chance(-score) - 1.0).abs() < 1e-12);
            assert!(chance(score) >= chance(score - 1));
        }
        assert!((chance(score::mate_in(1)) - 1.0).abs() < 1e-12);
        // What is decided stays decided: half a rook less is no blunder.
        assert!(chance(3000) - chance(2500) < 0.01);
    }

    #[test]
    fn mates_are_counted_from_the_position_before() {
        assert_eq!(of_mover(score::mated_in(0)), score::mate_in(1));
        assert_eq!(of_mover(score::mate_in(5)), score::mated_in(6));
        assert_eq!(of_mover(-120), 120);
    }

    #[test]
    fn scores_as_text() {
        assert_eq!(text(0), "0");
        assert_eq!(text(120), "+120");
        assert_eq!(text(-35), "-35");
        assert_eq!(text(score::mate_in(7)), "+#7");
        assert_eq!(text(score::mated_in(6)), "-#6");
        assert_eq!(text(score::mated_in(0)), "-#");
        assert_eq!((mates_in(score::mate_in(3)), mated_after(score::mate_in(3))), (Some(3), None));
    }
}
