//! Perft: counting the leaves of the tree of legal moves.

use crate::{Move, Position};

/// The number of move sequences of length `depth`, counting the moves of the last ply without
/// making them.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => {
            let mut nodes = 0;
            for mv in &position.legal_moves() {
                let mut next = *position;
                next.play_unchecked(mv);
                nodes += perft(&next, depth - 1);
            }
            nodes
        }
    }
}

/// The same number, every move of the last ply being made.
pub fn perft_full(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    for mv in &position.legal_moves() {
        let mut next = *position;
        next.play_unchecked(mv);
        core::hint::black_box(&next);
        nodes += perft_full(&next, depth - 1);
    }
    nodes
}

/// [`perft`] for each move of the position separately, in the order of their USI text.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let mut counts: Vec<(Move, u64)> = position
        .legal_moves()
        .into_iter()
        .map(|mv| (mv, perft(&position.after_unchecked(mv), depth - 1)))
        .collect();
    counts.sort_by_key(|(mv, _)| mv.to_string());
    counts
}
