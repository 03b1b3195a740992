//! What models that choose as masters do take for a move, beside finding the legal moves.

use std::hint::black_box;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tesuji_eval::moves::{MoveContext, Past};
use tesuji_eval::positions::Comparison;
use tesuji_eval::{MoveModel, PositionModel};
use tesuji_search::positions::POSITIONS;
use tesuji_shogi::Position;

use crate::timing::{rounded, timed};

/// How often all positions are gone through for one measurement.
const REPEATS: usize = 50;

/// Measures all moves of the positions of `tesuji bench` and gives the report.
pub fn run(rounds: usize) -> Result<Value> {
    ensure!(rounds > 0, "--rounds must be at least 1");
    let positions: Result<Vec<Position>, _> =
        POSITIONS.iter().map(|sfen| Position::from_sfen(sfen)).collect();
    let positions = positions?;
    let moves: usize = positions.iter().map(Position::count_legal_moves).sum();
    let (by_moves, by_positions) = (MoveModel::shipped(), PositionModel::shipped());
    let per_move = |work: &dyn Fn(&Position)| {
        let once = || positions.iter().for_each(work);
        let seconds = (0..rounds).map(|_| timed(|| (0..REPEATS).for_each(|_| once())).1);
        seconds.fold(f64::INFINITY, f64::min) * 1e9 / (REPEATS * moves) as f64
    };
    let legal = per_move(&|position| {
        black_box(position.legal_moves());
    });
    let by_moves = per_move(&|position| {
        let context = MoveContext::new(position, Past::default());
        let judge = by_moves.judge(&context);
        for mv in &position.legal_moves() {
            black_box(judge.score(mv));
        }
    });
    let by_positions = per_move(&|position| {
        let comparison = Comparison::new(position);
        for mv in &position.legal_moves() {
            black_box(by_positions.relative_score(&comparison, mv));
        }
    });
    let of = |nanoseconds: f64| json!({ "nanoseconds": rounded(nanoseconds), "ratio": rounded(nanoseconds / legal) });
    Ok(json!({
        "moves": moves,
        "per_move": {
            "legal moves": of(legal),
            "move": of(by_moves),
            "static": of(by_positions),
        },
    }))
}
