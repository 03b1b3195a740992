//! What our engine says: the results of a search in the words of the protocol.

use std::time::Duration;

use tesuji_search::mate::Outcome;
use tesuji_search::{Info, SearchResult, score};
use tesuji_shogi::{Move, Position};

use crate::info_line::InfoLine;
use crate::response::{BestMove, Checkmate, Response};

/// Who the engine is.
pub fn identity() -> [Response; 2] {
    [
        Response::Name(format!("Tesuji {}", env!("CARGO_PKG_VERSION"))),
        Response::Author(env!("CARGO_PKG_AUTHORS").to_owned()),
    ]
}

/// What a search has found; `numbered` where several lines are wanted.
pub fn info(info: &Info, numbered: bool) -> InfoLine {
    InfoLine {
        depth: Some(info.depth),
        seldepth: Some(info.seldepth),
        multipv: numbered.then_some(info.multipv),
        score: Some(score::public(info.score)),
        bound: info.bound.into(),
        nodes: Some(info.nodes),
        nps: Some(nodes_per_second(info.nodes, info.time)),
        hashfull: Some(info.hashfull),
        time: Some(info.time),
        pv: (!info.pv.is_empty()).then(|| info.pv.clone()),
        string: None,
    }
}

/// A sign of life: how far a search is that has found nothing new for a while.
pub fn pulse(nodes: u64, time: Duration) -> InfoLine {
    let nps = Some(nodes_per_second(nodes, time));
    InfoLine { nodes: Some(nodes), nps, time: Some(time), ..InfoLine::default() }
}

/// A remark for people. Whatever it quotes stays on one line, and is no longer than a line should
/// be.
pub fn remark(text: &str) -> InfoLine {
    const LONGEST: usize = 200;
    let mut line: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    InfoLine { string: Some(line), ..InfoLine::default() }
}

/// The answer to `go`: a move with the expected reply, or that there is none worth playing.
pub fn best_move(result: &SearchResult, position: &Position, resign_below: i64) -> BestMove {
    match result.best {
        Some(best) if result.from_book || i64::from(result.score) > -resign_below => {
            let expected = |mv: &Move| position.after_unchecked(best).is_legal(*mv);
            BestMove::Move { mv: best, ponder: result.ponder.filter(expected) }
        }
        _ => BestMove::Resign,
    }
}

/// The answer to `go mate`.
pub fn checkmate(outcome: &Outcome) -> Checkmate {
    match outcome {
        Outcome::Mate(mate) => Checkmate::Mate(mate.line.clone()),
        Outcome::NoMate => Checkmate::NoMate,
        // A mate whose proof has a flaw is not claimed.
        Outcome::Unknown | Outcome::Flawed(_) => Checkmate::Timeout,
    }
}

/// Nodes per second (`nps`).
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-3)) as u64
}

#[cfg(test)]
mod tests {
    use tesuji_search::Bound;

    use super::*;

    fn moves(text: &str) -> Vec<Move> {
        text.split(' ').map(|mv| mv.parse().unwrap()).collect()
    }

    fn found() -> Info {
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
            from_book: false,
        }
    }

    #[test]
    fn info_lines_have_everything() {
        let rest = "nodes 50000 nps 200000 hashfull 7 time 250 pv 7g7f 3c3d";
        assert_eq!(
            info(&found(), false).to_string(),
            format!("info depth 9 seldepth 14 score cp -35 {rest}")
        );
        let mated = Info { score: score::mated_in(6), bound: Bound::Upper, ..found() };
        assert_eq!(
            info(&mated, true).to_string(),
            format!("info depth 9 seldepth 14 multipv 2 score mate -6 upperbound {rest}")
        );
    }

    #[test]
    fn a_line_without_moves_does_not_announce_any() {
        let line = info(&Info { pv: Vec::new(), ..found() }, false).to_string();
        assert!(line.ends_with(" time 250"), "{line}");
        let line = pulse(3000, Duration::from_millis(1500)).to_string();
        assert_eq!(line, "info nodes 3000 nps 2000 time 1500");
    }

    #[test]
    fn a_move_comes_with_the_expected_reply_if_that_is_legal() {
        let position = Position::startpos();
        let answer =
            |result: &SearchResult, resign| best_move(result, &position, resign).to_string();
        assert_eq!(answer(&result(0, "3c3d"), 100), "bestmove 7g7f ponder 3c3d");
        assert_eq!(answer(&result(0, "3c3e"), 100), "bestmove 7g7f");
        assert_eq!(answer(&result(-100, "3c3d"), 100), "bestmove resign");
        let mated = SearchResult { best: None, ..result(0, "") };
        assert_eq!(answer(&mated, 99_999), "bestmove resign");
    }

    #[test]
    fn remarks_stay_on_one_line() {
        assert_eq!(remark("a\u{7}b\nc").to_string(), "info string abc");
        assert!(remark(&"長".repeat(5000)).to_string().chars().count() < 220);
    }
}
