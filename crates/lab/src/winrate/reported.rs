//! The score that the mover reported with a move, as records of games between programs have it.

use tesuji_records::GameRecord;
use tesuji_search::score::{EVAL_LIMIT, MATE};

/// The column of a collection that has the scores of a game, one a move.
const COLUMN: &str = "scores";

/// What the players of a game thought of its positions, each before its own move: how many moves
/// were played before the position, and the score in **Black's** view. Positions without one are
/// left out.
///
/// Scores come from the column `scores` of a collection, in which `-` stands for none, or from the
/// comments behind the moves of CSA and KIF (`'** 120 +8822UM`). Both are in Black's view whoever
/// moves, as floodgate has it. Beyond all evaluations stand mates, which each program counts in its
/// own way: they are mates without a length here, plus or minus 32,000. A score of 0 may be that of
/// a book.
pub fn reported(game: &GameRecord) -> Vec<(usize, i32)> {
    let scores: Vec<Option<i32>> = match game.header(COLUMN) {
        Some(scores) => scores.split_whitespace().map(|word| word.parse().ok()).collect(),
        None => game.main.moves.iter().map(|played| commented(&played.comments)).collect(),
    };
    // What is behind the last move belongs to no position.
    let scores = scores.into_iter().take(game.moves().len()).enumerate();
    scores.filter_map(|(ply, score)| Some((ply, within_bounds(score?)))).collect()
}

/// The score among the comments on a move.
fn commented(comments: &[String]) -> Option<i32> {
    let score =
        |comment: &String| comment.strip_prefix("* ")?.split_whitespace().next()?.parse().ok();
    comments.iter().find_map(score)
}

fn within_bounds(score: i32) -> i32 {
    if score.unsigned_abs() > EVAL_LIMIT.unsigned_abs() { MATE * score.signum() } else { score }
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::io::{self, Write};
    use std::path::PathBuf;

    use tesuji_records::stream::{Games, Input};
    use tesuji_records::{csa, tsv};
    use tesuji_shogi::{Color, Outcome};

    use super::*;
    use crate::reproduce::DataFolder;

    #[test]
    fn scores_of_a_collection() {
        let columns = tsv::Columns::read("#result\tgame\tscores (one a move)").unwrap();
        let row = "b\tstartpos moves 7g7f 3c3d 2g2f 8c8d 2f2e\t0 - -35 100000 -31990 7";
        let game = columns.read_game(row).unwrap();
        assert_eq!(reported(&game), [(0, 0), (2, -35), (3, MATE), (4, -MATE)]);
        let plain = tsv::Columns::read("#result\tgame").unwrap();
        assert_eq!(reported(&plain.read_game("b\tstartpos moves 7g7f").unwrap()), []);
    }

    #[test]
    fn scores_in_comments() {
        let text = "PI\n+\n+7776FU\nT1\n'*a word\n'** 120 +8822UM #50\n-3334FU\n'** -\n+2726FU\n\
                    '** -40\n%TORYO\n";
        let game = csa::read(text).unwrap();
        assert_eq!(reported(&game), [(0, 120), (2, -40)]);
    }

    /// The side that both players think better wins more often, whoever has the move: scores are in
    /// Black's view.
    #[test]
    fn better_scores_win_more_often() {
        let name = "floodgate2016.tsv.zst";
        let folder = env::var_os(DataFolder::VARIABLE).map_or_else(
            || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..").join("shared/data"),
            PathBuf::from,
        );
        let path = folder.join(name);
        if !path.exists() {
            // Past the capture of the harness, which keeps what a test that passes says.
            let why = format!("{name} is not there; set TESUJI_DATA to the folder that has it");
            let _ = writeln!(io::stderr(), "skipped: better_scores_win_more_often: {why}");
            return;
        }
        // By the side that moves: decided scores, and those whose better side won.
        let mut counts = [[0_u32; 2]; 2];
        for game in Games::new(vec![Input::File(path)], None).take(300) {
            let game = game.unwrap().value;
            let Outcome::Win(winner) = game.outcome() else { continue };
            for (ply, score) in reported(&game).into_iter().filter(|(_, score)| score.abs() > 200) {
                let better = if score > 0 { Color::Black } else { Color::White };
                counts[ply % 2][0] += 1;
                counts[ply % 2][1] += u32::from(better == winner);
            }
        }
        for [all, right] in counts {
            assert!(all > 1000, "{all} scores");
            assert!(f64::from(right) > 0.8 * f64::from(all), "{right} of {all}");
        }
    }
}
