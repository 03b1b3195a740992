//! What the rules decide inside a search: repetition, declaration, the last move of a game.

use tesuji_shogi::{KeyHistory, Outcome, Position, Repetition};

use crate::score::{SUPERIOR, mate_in, mated_in};
use crate::searcher::Settings;

/// How far back repetition is looked for.
const REPETITION_REACH: usize = 32;

/// The score of a position whose outcome the rules decide, if they do; `keys` has the positions of
/// the game and of the line up to it.
#[inline]
pub(crate) fn outcome(
    keys: &KeyHistory,
    position: &Position,
    settings: &Settings,
    ply: usize,
) -> Option<i32> {
    match keys.repetition(REPETITION_REACH) {
        Repetition::None => {}
        Repetition::Draw => return Some(0),
        Repetition::Win => return Some(mate_in(ply)),
        Repetition::Loss => return Some(mated_in(ply)),
        Repetition::Superior => return Some(SUPERIOR),
        Repetition::Inferior => return Some(-SUPERIOR),
    }
    if settings.max_moves.is_some_and(|last| position.ply() > last) {
        // A mate by the last move counts.
        return Some(if position.has_legal_move() { 0 } else { mated_in(ply) });
    }
    let declared = position.declaration(settings.entering_king)?;
    match declared.outcome {
        Outcome::Win(winner) if winner == position.side_to_move() => Some(mate_in(ply + 1)),
        Outcome::Win(_) => Some(mated_in(ply)),
        Outcome::Draw | Outcome::Unknown => None,
    }
}
