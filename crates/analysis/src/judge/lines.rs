//! Lines (PVs) as players write them.

use tesuji_records::japanese;
use tesuji_shogi::{Move, Position};

/// Moves of a line in Japanese, each with its player's mark: `☗７六歩`, `☖同角`. A line ends before
/// a move that is not legal.
pub(super) fn japanese(position: &Position, line: &[Move], last: Option<Move>) -> Vec<String> {
    let mut position = *position;
    let mut last = last;
    let mut names = Vec::new();
    for &mv in line {
        let Some(next) = position.after(mv) else { break };
        names.push(japanese::move_text(&position, mv, last.map(Move::to)));
        position = next;
        last = Some(mv);
    }
    names
}

/// A line of at most so many moves, with an ellipsis where there are more.
pub(super) fn joined(names: &[String], most: usize) -> String {
    let shown = names.get(..most).unwrap_or(names);
    let more = if shown.len() < names.len() { " …" } else { "" };
    format!("{}{more}", shown.join(" "))
}
