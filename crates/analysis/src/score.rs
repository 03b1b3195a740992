//! What a score means: as text, for either player, and as a mate.

use tesuji_search::score::{MATE, is_mate, public};

/// What a mate is worth where only centipawns can be written.
pub const MATE_AS_CENTIPAWNS: i32 = 30_000;

/// The score for the player who has just moved to a position with this score for its side to move.
/// Mates are counted from the position before.
pub const fn of_mover(score: i32) -> i32 {
    match -score {
        mate if is_mate(mate) && mate > 0 => mate - 1,
        mated if is_mate(mated) => mated + 1,
        plain => plain,
    }
}

/// The score for the opponent of a player for whom a move has this score: [`of_mover`] the other way
/// round.
pub const fn of_opponent(score: i32) -> i32 {
    match score {
        mate if is_mate(mate) && mate > 0 => -(mate + 1),
        mated if is_mate(mated) => -(mated - 1),
        plain => -plain,
    }
}

/// `+120`, `-35`, `+#7` for a mate in seven plies; `+#` where it stands on the board.
pub fn text(score: i32) -> String {
    let sign = if score > 0 { '+' } else { '-' };
    match public(score).plies_to_mate() {
        Some(0) => format!("{sign}#"),
        Some(plies) => format!("{sign}#{}", plies.abs()),
        None if score == 0 => "0".to_owned(),
        None => format!("{score:+}"),
    }
}

/// Plies to the mate that the player with this score gives.
pub fn gives_mate_in(score: i32) -> Option<i32> {
    (is_mate(score) && score > 0).then_some(MATE - score)
}

/// Plies to the mate that the player with this score suffers.
pub fn gets_mated_in(score: i32) -> Option<i32> {
    (is_mate(score) && score < 0).then_some(MATE + score)
}

#[cfg(test)]
mod tests {
    use tesuji_search::score;

    use super::*;

    #[test]
    fn mates_are_counted_from_the_position_before() {
        assert_eq!(of_mover(score::mated_in(0)), score::mate_in(1));
        assert_eq!(of_mover(score::mate_in(5)), score::mated_in(6));
        assert_eq!(of_mover(-120), 120);
        for score in [0, 35, -700, score::mated_in(0), score::mate_in(3), score::mated_in(8)] {
            assert_eq!(of_opponent(of_mover(score)), score);
        }
    }

    #[test]
    fn scores_as_text() {
        assert_eq!(text(0), "0");
        assert_eq!(text(120), "+120");
        assert_eq!(text(-35), "-35");
        assert_eq!(text(score::mate_in(7)), "+#7");
        assert_eq!(text(score::mated_in(6)), "-#6");
        assert_eq!(text(score::mated_in(0)), "-#");
        assert_eq!(
            (gives_mate_in(score::mate_in(3)), gets_mated_in(score::mate_in(3))),
            (Some(3), None)
        );
    }
}
