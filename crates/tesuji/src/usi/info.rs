//! What the engine says while it searches.

use std::fmt::Write;

use tesuji_search::score::{MATE, is_mate};
use tesuji_search::{Bound, Report};
use tesuji_shogi::Move;

/// An `info` line.
pub fn line(report: &Report, several: bool) -> String {
    let milliseconds = report.time.as_millis();
    let nps = report.nodes as f64 / report.time.as_secs_f64().max(1e-3);
    let mut text = format!("info depth {} seldepth {}", report.depth, report.deepest);
    if several {
        let _ = write!(text, " multipv {}", report.number);
    }
    let _ = write!(text, " score {}", score(report.score));
    match report.bound {
        Bound::Lower => text += " lowerbound",
        Bound::Upper => text += " upperbound",
        Bound::Exact | Bound::None => {}
    }
    let _ = write!(
        text,
        " nodes {} nps {nps:.0} hashfull {} time {milliseconds} pv {}",
        report.nodes,
        report.fullness,
        moves(&report.line)
    );
    text
}

/// `cp 120`, or `mate 5` with the plies until the mate.
pub fn score(score: i32) -> String {
    if is_mate(score) {
        let plies = MATE - score.abs();
        return format!("mate {}{plies}", if score > 0 { "" } else { "-" });
    }
    format!("cp {score}")
}

/// Moves with spaces between.
pub fn moves(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_told_by_their_plies() {
        assert_eq!(score(-35), "cp -35");
        assert_eq!(score(MATE - 3), "mate 3");
        assert_eq!(score(2 - MATE), "mate -2");
    }
}
