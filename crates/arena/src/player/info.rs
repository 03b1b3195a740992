//! What an engine says while it thinks, and its answer.

use tesuji_search::score;
use tesuji_shogi::Move;

use super::{Action, Thought};

/// Takes what a line `info …` tells of the best line; other lines are left alone.
pub fn note(thought: &mut Thought, line: &str) {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("info") {
        return;
    }
    let mut found = *thought;
    while let Some(word) = words.next() {
        match word {
            // Whatever follows is for people, or moves.
            "string" | "pv" => break,
            "multipv" if words.next().is_some_and(|number| number != "1") => return,
            "depth" => found.depth = parsed(words.next()).or(found.depth),
            "nodes" => found.nodes = parsed(words.next()).or(found.nodes),
            "score" => {
                let (kind, value) = (words.next(), words.next());
                found.score = read_score(kind, value).or(found.score);
            }
            _ => {}
        }
    }
    *thought = found;
}

fn parsed<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

/// `cp 120`, `mate 5`, `mate -6`, or `mate +` of a mate whose length is not known.
fn read_score(kind: Option<&str>, value: Option<&str>) -> Option<i32> {
    let value = value?;
    match kind? {
        "cp" => {
            let score: i32 = value.parse().ok()?;
            Some(score.clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT))
        }
        "mate" => {
            let lost = value.starts_with('-');
            let plies: usize = value.trim_start_matches(['+', '-']).parse().unwrap_or(0);
            let plies = plies.min((score::MATE - score::MATE_IN_MAX) as usize);
            Some(if lost { score::mated_in(plies) } else { score::mate_in(plies) })
        }
        _ => None,
    }
}

/// Reads the answer to `go`: `None` if the line is not one, an error if it is a wrong one.
pub fn answer(line: &str) -> Option<Result<Action, String>> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("bestmove") {
        return None;
    }
    Some(match words.next() {
        Some("resign") => Ok(Action::Resign),
        Some("win") => Ok(Action::Declare),
        // Some engines write drops as `P@5e`.
        Some(word) => match word.replacen('@', "*", 1).parse::<Move>() {
            Ok(mv) => Ok(Action::Move(mv)),
            Err(_) => Err(format!("expected a move, resign or win, found {word:?}")),
        },
        None => Err("expected a move, resign or win, found nothing".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(lines: &[&str]) -> Thought {
        let mut thought = Thought::default();
        for line in lines {
            note(&mut thought, line);
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
