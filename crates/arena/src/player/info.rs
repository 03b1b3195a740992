//! What an engine says while it searches, and its answer, as a game keeps them.

use tesuji_search::score;
use tesuji_usi::{BestMove, InfoLine, Response, SyntaxError, response};

use super::{Action, Thought};

/// Takes what a line of an engine tells of the best line.
fn note(thought: &mut Thought, info: &InfoLine) {
    if info.multipv.is_some_and(|number| number != 1) {
        return;
    }
    thought.depth = info.depth.or(thought.depth);
    thought.nodes = info.nodes.or(thought.nodes);
    thought.score = info.score.map(score::internal).or(thought.score);
}

/// Reads a line that comes after `go`, and notes what it tells of the best line. `None` if it is
/// not the answer, an error if it is a wrong one.
pub fn hear(thought: &mut Thought, line: &str) -> Option<Result<Action, SyntaxError>> {
    match response::parse(line) {
        Ok(Some(Response::Info(info))) => {
            note(thought, &info);
            None
        }
        Ok(Some(Response::BestMove(best))) => Some(Ok(match best {
            BestMove::Move { mv, .. } => Action::Move(mv),
            BestMove::Resign => Action::Resign,
            BestMove::Win => Action::Declare,
        })),
        Err(error @ SyntaxError::BestMove(_)) => Some(Err(error)),
        // What else an engine says here is nobody's business.
        Ok(_) | Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(lines: &[&str]) -> Thought {
        let mut thought = Thought::default();
        for line in lines {
            let _ = hear(&mut thought, line);
        }
        thought
    }

    #[test]
    fn the_last_of_the_best_line_counts() {
        let thought = noted(&[
            "info depth 3 seldepth 5 score cp 12 nodes 100 time 3 pv 7g7f",
            "info depth 4 score cp -35 upperbound nodes 250 pv 2g2f depth 9",
            "info depth 5 multipv 2 score cp 99 nodes 300 pv 2g2f",
            "info nodes 400 nps 100000",
            "info string depth 77 score cp 5",
            "bestmove 7g7f",
        ]);
        assert_eq!(thought, Thought { score: Some(-35), depth: Some(4), nodes: Some(400) });
    }

    #[test]
    fn mates_are_scores() {
        assert_eq!(noted(&["info score mate 5"]).score, Some(score::mate_in(5)));
        assert_eq!(noted(&["info score mate -6"]).score, Some(score::mated_in(6)));
        assert_eq!(noted(&["info score mate +"]).score, Some(score::mate_in(0)));
        assert_eq!(noted(&["info score mate -"]).score, Some(score::mated_in(0)));
        assert_eq!(noted(&["info score mate 99999999"]).score, Some(score::MATE_IN_MAX));
        assert_eq!(noted(&["info score cp 99999999"]).score, Some(score::EVAL_LIMIT));
        assert_eq!(noted(&["info score cp x"]).score, None);
        assert_eq!(noted(&["info score"]).score, None);
    }

    fn answer(line: &str) -> Option<Result<Action, SyntaxError>> {
        hear(&mut Thought::default(), line)
    }

    #[test]
    fn answers_are_read() {
        assert_eq!(answer("info depth 3"), None);
        let mv = Action::Move("7g7f".parse().unwrap());
        assert_eq!(answer("bestmove 7g7f ponder 3c3d"), Some(Ok(mv)));
        let drop = Action::Move("P*5e".parse().unwrap());
        assert_eq!(answer("bestmove P@5e"), Some(Ok(drop)));
        assert_eq!(answer("bestmove resign"), Some(Ok(Action::Resign)));
        assert_eq!(answer("bestmove win"), Some(Ok(Action::Declare)));
        assert!(answer("bestmove e2e4e5").unwrap().is_err());
        assert!(answer("bestmove").unwrap().is_err());
    }
}
