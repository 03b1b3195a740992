//! What the engine says.

use std::time::Duration;

use tesuji_search::mate::Outcome;
use tesuji_search::{Bound, Info, SearchResult, score};
use tesuji_shogi::{Move, Position};

/// Who the engine is.
pub fn identity() -> [String; 2] {
    [
        format!("id name Tesuji {}", env!("CARGO_PKG_VERSION")),
        format!("id author {}", env!("CARGO_PKG_AUTHORS")),
    ]
}

/// What a search has found; `numbered` where several lines are wanted.
pub fn info(report: &Info, numbered: bool) -> String {
    let Info { depth, seldepth, multipv, nodes, hashfull, .. } = report;
    let number = if numbered { format!(" multipv {multipv}") } else { String::new() };
    let bound = match report.bound {
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
        Bound::Exact | Bound::None => "",
    };
    let score = score_text(report.score);
    let (nps, time) = (per_second(*nodes, report.time), report.time.as_millis());
    let line = moves_text(&report.pv);
    format!(
        "info depth {depth} seldepth {seldepth}{number} score {score}{bound} nodes {nodes} \
         nps {nps} hashfull {hashfull} time {time} pv{line}"
    )
}

/// A remark for people. Whatever it quotes stays on one line, and is no longer than a line should be.
pub fn remark(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut line: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    format!("info string {line}")
}

/// The answer to `go`: a move with the expected reply, or that there is none worth playing.
pub fn best_move(result: &SearchResult, position: &Position, resign_below: i64) -> String {
    match result.best {
        Some(best) if i64::from(result.score) > -resign_below => {
            let expected = |mv: &Move| position.after_unchecked(best).is_legal(*mv);
            let ponder = result.ponder.filter(expected);
            let ponder = ponder.map_or_else(String::new, |mv| format!(" ponder {mv}"));
            format!("bestmove {best}{ponder}")
        }
        _ => RESIGN.to_owned(),
    }
}

/// The answer where there is no legal move.
pub const RESIGN: &str = "bestmove resign";
/// The answer where the game is won by declaration.
pub const WIN: &str = "bestmove win";

/// The answer to `go mate`.
pub fn checkmate(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Mate(mate) => format!("checkmate{}", moves_text(&mate.line)),
        Outcome::NoMate => "checkmate nomate".to_owned(),
        // A mate whose proof has a flaw is not claimed.
        Outcome::Unknown | Outcome::Flawed(_) => "checkmate timeout".to_owned(),
    }
}

/// `cp 120`, or `mate -6` for a mate in so many plies.
pub fn score_text(score: i32) -> String {
    match plies_to_mate(score) {
        Some(plies) => format!("mate {plies}"),
        None => format!("cp {score}"),
    }
}

/// Plies to the mate that a score speaks of, negative if it is the side to move that gets mated.
pub fn plies_to_mate(score: i32) -> Option<i32> {
    let plies = score::MATE - score.abs();
    score::is_mate(score).then_some(if score > 0 { plies } else { -plies })
}

/// How many in a second.
pub fn per_second(count: u64, time: Duration) -> u64 {
    (count as f64 / time.as_secs_f64().max(1e-3)) as u64
}

/// The moves, each with a space before it.
fn moves_text(moves: &[Move]) -> String {
    moves.iter().map(|mv| format!(" {mv}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<Move> {
        text.split(' ').map(|mv| mv.parse().unwrap()).collect()
    }

    fn report() -> Info {
        Info {
            depth: 9,
            seldepth: 14,
            multipv: 2,
            score: -35,
            bound: Bound::Exact,
            nodes: 50_000,
            time: Duration::from_millis(250),
            hashfull: 7,
            pv: moves("7g7f 3c3d"),
            ..Info::default()
        }
    }

    fn result(score: i32, ponder: &str) -> SearchResult {
        SearchResult {
            best: "7g7f".parse().ok(),
            ponder: ponder.parse().ok(),
            score,
            depth: 1,
            nodes: 1,
            time: Duration::ZERO,
            lines: Vec::new(),
        }
    }

    #[test]
    fn info_lines_have_everything() {
        let rest = "nodes 50000 nps 200000 hashfull 7 time 250 pv 7g7f 3c3d";
        assert_eq!(info(&report(), false), format!("info depth 9 seldepth 14 score cp -35 {rest}"));
        let mated = Info { score: score::mated_in(6), bound: Bound::Upper, ..report() };
        assert_eq!(
            info(&mated, true),
            format!("info depth 9 seldepth 14 multipv 2 score mate -6 upperbound {rest}")
        );
        assert_eq!(score_text(score::mate_in(1)), "mate 1");
    }

    #[test]
    fn a_move_comes_with_the_expected_reply_if_that_is_legal() {
        let position = Position::startpos();
        assert_eq!(best_move(&result(0, "3c3d"), &position, 100), "bestmove 7g7f ponder 3c3d");
        assert_eq!(best_move(&result(0, "3c3e"), &position, 100), "bestmove 7g7f");
        assert_eq!(best_move(&result(-100, "3c3d"), &position, 100), RESIGN);
        let mated = SearchResult { best: None, ..result(0, "") };
        assert_eq!(best_move(&mated, &position, 99_999), RESIGN);
    }

    #[test]
    fn remarks_stay_on_one_line() {
        assert_eq!(remark("a\u{7}b\nc"), "info string abc");
        assert!(remark(&"長".repeat(5000)).chars().count() < 220);
    }
}
