//! How a game ended: the words in place of a last move, and the line that starts with まで.

use tesuji_shogi::{Color, EndReason, GameResult, Outcome, Position};

use crate::japanese::player_name;

/// The result that a word in place of a move says, seen from who is to move; `None` if the word is
/// not one of an ending. The words in English are those of 81Dojo.
pub(crate) fn read_word(word: &str, position: &Position) -> Option<GameResult> {
    let us = position.side_to_move();
    let wins = |reason| GameResult::win(us, reason);
    let loses = |reason| GameResult::win(!us, reason);
    Some(match word {
        "投了" | "Resign" => loses(EndReason::Resignation),
        "詰み" | "詰" => loses(mate_or_stalemate(position)),
        "切れ負け" | "時間切れ" | "Time-up" => loses(EndReason::TimeUp),
        "反則負け" | "反則手" => loses(EndReason::IllegalMove),
        "反則勝ち" | "反則勝" => wins(EndReason::IllegalMove),
        "入玉勝ち" | "入玉宣言" | "宣言勝ち" | "入玉宣言勝ち" => {
            wins(EndReason::Declaration)
        }
        "トライ" => loses(EndReason::TryRule),
        "不戦勝" => wins(EndReason::Forfeit),
        "不戦敗" => loses(EndReason::Forfeit),
        "千日手" | "Repetition Draw" => GameResult::draw(EndReason::Repetition),
        "持将棋" => GameResult::draw(EndReason::Impasse),
        "最大手数" => GameResult::draw(EndReason::MoveLimit),
        "引き分け" | "引分" | "引分け" => GameResult::draw(EndReason::Unknown),
        "中断" | "封じ手" | "打ち切り" => {
            GameResult { outcome: Outcome::Unknown, reason: EndReason::Interrupted }
        }
        "不詰" => GameResult::UNKNOWN,
        _ => return None,
    })
}

/// 詰み is also written where a player cannot move without being in check.
fn mate_or_stalemate(position: &Position) -> EndReason {
    if position.in_check() || position.has_legal_move() {
        EndReason::Checkmate
    } else {
        EndReason::NoLegalMove
    }
}

/// The word in place of a move for a result in this position; `None` if there is nothing to tell.
///
/// Only words that other programs know are written: most take how the game ended from here alone.
/// So every draw is 千日手 or 持将棋, and a loser of whom no more is known has resigned. When the
/// player who is not to move lost, by resigning out of turn or by the scores of engines, the one
/// word with the right winner that all of them know is 反則勝ち; a comment tells the reason.
pub(crate) fn result_word(result: GameResult, position: &Position) -> Option<&'static str> {
    let wins = result.winner() == Some(position.side_to_move());
    Some(match (result.outcome, result.reason) {
        (Outcome::Win(_), EndReason::Resignation) if !wins => "投了",
        (Outcome::Win(_), EndReason::Checkmate | EndReason::NoLegalMove) if !wins => "詰み",
        (Outcome::Win(_), EndReason::TimeUp) if !wins => "切れ負け",
        (Outcome::Win(_), EndReason::IllegalMove | EndReason::PerpetualCheck) if wins => "反則勝ち",
        (Outcome::Win(_), EndReason::IllegalMove | EndReason::PerpetualCheck) => "反則負け",
        (Outcome::Win(_), EndReason::Declaration) if wins => "入玉勝ち",
        (Outcome::Win(_), EndReason::TryRule) if !wins => "トライ",
        (Outcome::Win(_), EndReason::Forfeit) if wins => "不戦勝",
        (Outcome::Win(_), EndReason::Forfeit) => "不戦敗",
        (Outcome::Win(_), _) if !wins && !position.has_legal_move() => "詰み",
        (Outcome::Win(_), _) if !wins => "投了",
        (Outcome::Win(_), _) => "反則勝ち",
        (Outcome::Draw, EndReason::Repetition) => "千日手",
        (Outcome::Draw, _) => "持将棋",
        (Outcome::Unknown, EndReason::Interrupted) => "中断",
        _ => return None,
    })
}

/// The closing line of a line whose end has a word in the table: who won, in the few ways that
/// other programs can read, some of which refuse a file with any other.
pub(crate) fn closing_below_word(
    result: GameResult,
    plies: usize,
    us: Color,
    handicap: bool,
) -> Option<String> {
    let reason = match (result.outcome, result.reason) {
        (Outcome::Win(_), EndReason::IllegalMove | EndReason::PerpetualCheck) => {
            EndReason::IllegalMove
        }
        (Outcome::Win(_), _) => EndReason::Unknown,
        (Outcome::Draw, EndReason::Repetition) => EndReason::Repetition,
        (Outcome::Draw, _) => EndReason::Impasse,
        (Outcome::Unknown, reason) => reason,
    };
    closing_line(GameResult { reason, ..result }, plies, us, handicap)
}

/// The closing line where it alone tells the end and other programs are to understand it.
pub(crate) fn closing_alone(
    result: GameResult,
    plies: usize,
    us: Color,
    handicap: bool,
) -> Option<String> {
    let kept = match (result.outcome, result.reason) {
        (Outcome::Win(winner), EndReason::TimeUp) => winner != us,
        (Outcome::Win(winner), EndReason::Declaration) => winner == us,
        _ => false,
    };
    match result.outcome {
        _ if kept => closing_line(result, plies, us, handicap),
        // A plain win of the player to move is read as the opponent's: the word would be 投了.
        Outcome::Win(winner) if winner == us => {
            closing_line(GameResult::win(us, EndReason::IllegalMove), plies, us, handicap)
        }
        _ => closing_below_word(result, plies, us, handicap),
    }
}

/// The closing line that tells the most, `まで112手で後手の勝ち`; `None` if there is no result to
/// tell.
pub(crate) fn closing_line(
    result: GameResult,
    plies: usize,
    us: Color,
    handicap: bool,
) -> Option<String> {
    let phrase = match result.outcome {
        Outcome::Win(winner) => {
            let name = player_name(winner, handicap);
            match result.reason {
                EndReason::Checkmate | EndReason::NoLegalMove if winner != us => "詰み".into(),
                EndReason::TimeUp => format!("時間切れにより{name}の勝ち"),
                EndReason::PerpetualCheck => format!("連続王手の千日手により{name}の勝ち"),
                EndReason::IllegalMove if winner == us => format!("{name}の反則勝ち"),
                EndReason::IllegalMove => format!("{}の反則負け", player_name(!winner, handicap)),
                EndReason::Declaration => format!("{name}の入玉勝ち"),
                EndReason::TryRule => format!("{name}のトライ勝ち"),
                EndReason::Forfeit => format!("{name}の不戦勝"),
                _ => format!("{name}の勝ち"),
            }
        }
        Outcome::Draw => match result.reason {
            EndReason::Repetition => "千日手".into(),
            EndReason::Impasse => "持将棋".into(),
            EndReason::MoveLimit => "最大手数により引き分け".into(),
            _ => "引き分け".into(),
        },
        Outcome::Unknown if result.reason == EndReason::Interrupted => "中断".into(),
        Outcome::Unknown => return None,
    };
    Some(format!("まで{plies}手で{phrase}"))
}

/// The result that a closing line says in the final position; `None` if it says none.
///
/// A plain 勝ち has no reason. `plain_win` is what to make of it when the player to move lost.
pub(crate) fn read_closing(
    text: &str,
    position: &Position,
    plain_win: EndReason,
) -> Option<GameResult> {
    let us = position.side_to_move();
    let has = |word: &str| text.contains(word);
    if has("不詰") {
        return Some(GameResult::UNKNOWN);
    }
    if has("中断") || has("封じ手") || has("打ち切り") {
        return Some(GameResult { outcome: Outcome::Unknown, reason: EndReason::Interrupted });
    }
    if !has("連続王手") && has("千日手") {
        return Some(GameResult::draw(EndReason::Repetition));
    }
    if has("持将棋") {
        return Some(GameResult::draw(EndReason::Impasse));
    }
    if has("最大手数") {
        return Some(GameResult::draw(EndReason::MoveLimit));
    }
    if has("引き分け") || has("引分") {
        return Some(GameResult::draw(EndReason::Unknown));
    }
    let reasons = [
        ("連続王手", EndReason::PerpetualCheck),
        ("反則", EndReason::IllegalMove),
        ("切れ", EndReason::TimeUp),
        ("入玉", EndReason::Declaration),
        ("宣言", EndReason::Declaration),
        ("トライ", EndReason::TryRule),
        ("不戦", EndReason::Forfeit),
        ("投了", EndReason::Resignation),
        ("詰", mate_or_stalemate(position)),
    ];
    let reason = reasons.into_iter().find(|(word, _)| has(word)).map(|(_, reason)| reason);
    let named = named_player(text);
    let loses = has("負") || has("敗") || (has("投了") && !has("勝"));
    match (named, reason) {
        (Some(player), reason) if loses || has("勝") => {
            let winner = if loses { !player } else { player };
            let plain = match winner {
                _ if winner == us => EndReason::Unknown,
                _ if !position.has_legal_move() => mate_or_stalemate(position),
                _ => plain_win,
            };
            Some(GameResult::win(winner, reason.unwrap_or(plain)))
        }
        // `まで35手で詰み` names nobody: the player to move lost, unless the word says otherwise.
        (_, Some(EndReason::Declaration)) => Some(GameResult::win(us, EndReason::Declaration)),
        (None, Some(reason)) if has("勝") => Some(GameResult::win(us, reason)),
        (_, Some(reason)) => Some(GameResult::win(!us, reason)),
        (_, None) => None,
    }
}

/// The player whose name comes first in the text.
fn named_player(text: &str) -> Option<Color> {
    let names = [
        ("先手", Color::Black),
        ("下手", Color::Black),
        ("後手", Color::White),
        ("上手", Color::White),
    ];
    names
        .into_iter()
        .filter_map(|(name, color)| Some((text.find(name)?, color)))
        .min_by_key(|&(index, _)| index)
        .map(|(_, color)| color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back() {
        let position = Position::startpos();
        let mut words = 0;
        for reason in EndReason::ALL {
            for outcome in [
                Outcome::Win(Color::Black),
                Outcome::Win(Color::White),
                Outcome::Draw,
                Outcome::Unknown,
            ] {
                let result = GameResult { outcome, reason };
                let Some(word) = result_word(result, &position) else { continue };
                words += 1;
                let back = read_word(word, &position).unwrap();
                assert_eq!(back.outcome, outcome, "{word}");
                let nearest = ["投了", "詰み", "持将棋", "反則勝ち", "反則負け"].contains(&word);
                assert!(back.reason == reason || nearest, "{word}: {reason}");
            }
        }
        assert!(words > 12);
    }

    #[test]
    fn every_closing_line_keeps_the_outcome() {
        let position = Position::startpos();
        for reason in EndReason::ALL {
            for color in Color::ALL {
                let result = GameResult::win(color, reason);
                for handicap in [false, true] {
                    let line = closing_line(result, 7, Color::Black, handicap).unwrap();
                    let back = read_closing(&line, &position, EndReason::Resignation).unwrap();
                    assert_eq!(back.winner(), Some(color), "{line}");
                }
            }
            let draw = GameResult::draw(reason);
            let line = closing_line(draw, 7, Color::Black, false).unwrap();
            let back = read_closing(&line, &position, EndReason::Resignation).unwrap();
            assert_eq!(back.outcome, Outcome::Draw, "{line}");
        }
    }

    #[test]
    fn closing_lines_of_other_programs() {
        let black_to_move = Position::startpos();
        let read = |text| read_closing(text, &black_to_move, EndReason::Unknown);
        let black = |reason| Some(GameResult::win(Color::Black, reason));
        let white = |reason| Some(GameResult::win(Color::White, reason));
        assert_eq!(read("まで112手で後手の勝ち"), white(EndReason::Unknown));
        assert_eq!(read("まで、112手で先手の勝ち"), black(EndReason::Unknown));
        assert_eq!(read("まで80手で時間切れにより後手の勝ち"), white(EndReason::TimeUp));
        assert_eq!(read("まで80手で先手の反則負け"), white(EndReason::IllegalMove));
        assert_eq!(read("まで80手で先手の反則勝ち"), black(EndReason::IllegalMove));
        assert_eq!(read("まで80手で上手の勝ち"), white(EndReason::Unknown));
        assert_eq!(read("まで80手で先手の投了"), white(EndReason::Resignation));
        assert_eq!(read("まで80手で先手の入玉勝ち"), black(EndReason::Declaration));
        assert_eq!(read("まで35手で詰み"), white(EndReason::Checkmate));
        assert_eq!(read("まで80手で千日手"), Some(GameResult::draw(EndReason::Repetition)));
        assert_eq!(read("まで80手"), None);
    }
}
