//! What a format has no word for, said in a comment on the end.
//!
//! A draw by the move limit is 持将棋 in KIF and `%JISHOGI` in CSA, the words that all programs
//! know; that it was the move limit stands in the first comment below. Readers take it back.

use tesuji_shogi::{EndReason, GameResult, Outcome};

use crate::Ending;

/// The comment that tells why a game was won or lost.
const WINS: [(EndReason, &str); 10] = [
    (EndReason::Resignation, "投了"),
    (EndReason::Checkmate, "詰み"),
    (EndReason::NoLegalMove, "合法手なし"),
    (EndReason::TimeUp, "時間切れ"),
    (EndReason::IllegalMove, "反則"),
    (EndReason::PerpetualCheck, "連続王手の千日手"),
    (EndReason::Declaration, "入玉宣言"),
    (EndReason::TryRule, "トライ"),
    (EndReason::Forfeit, "不戦"),
    (EndReason::Unknown, "理由不明"),
];

/// The comment that tells why a game was drawn.
const DRAWS: [(EndReason, &str); 4] = [
    (EndReason::Repetition, "千日手"),
    (EndReason::Impasse, "持将棋"),
    (EndReason::MoveLimit, "最大手数"),
    (EndReason::Unknown, "引き分け"),
];

const fn phrases(outcome: Outcome) -> &'static [(EndReason, &'static str)] {
    match outcome {
        Outcome::Win(_) => &WINS,
        Outcome::Draw => &DRAWS,
        Outcome::Unknown => &[],
    }
}

/// The comment for a result of which the format tells only `told`; `None` if that is all, or if
/// there is no more to tell.
pub(crate) fn phrase(result: GameResult, told: Option<GameResult>) -> Option<&'static str> {
    // That a loser of whom no more is known has resigned goes without saying.
    let lost = [EndReason::Resignation, EndReason::Checkmate, EndReason::NoLegalMove];
    let plain = result.winner().is_some()
        && result.reason == EndReason::Unknown
        && told.is_some_and(|told| lost.contains(&told.reason));
    if plain || told == Some(result) {
        return None;
    }
    let known = phrases(result.outcome).iter();
    known.copied().find(|(reason, _)| *reason == result.reason).map(|(_, phrase)| phrase)
}

/// The result with the reason that a comment names, if it is a comment of this kind.
pub(crate) fn refined(result: GameResult, comment: &str) -> Option<GameResult> {
    let known = phrases(result.outcome).iter();
    let (reason, _) = known.copied().find(|(_, phrase)| *phrase == comment)?;
    (reason != result.reason).then_some(GameResult { reason, ..result })
}

/// Takes the reason out of the first comment on an end.
pub(crate) fn take_phrase(ending: &mut Ending) {
    if let Some(first) = ending.comments.first()
        && let Some(result) = refined(ending.result, first)
    {
        ending.result = result;
        ending.comments.remove(0);
    }
}
