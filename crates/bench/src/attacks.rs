//! Attack counts of both sides, beside rsshogi's attack functions looped over all pieces.

use std::hint::black_box;

use anyhow::{Context, ensure};
use rsshogi::board::attack_tables::{
    GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, SILVER_ATTACKS, bishop_attacks,
    lance_attacks, rook_attacks,
};
use rsshogi::types::{Bitboard, Color as TheirColor, PieceType, Square as TheirSquare};
use serde_json::{Value, json};
use tesuji_math::Random;
use tesuji_shogi::{AttackCounts, Color, Position, Square};

use crate::timing::{rounded, timed};

/// Something that is measured: its name, and what it does once.
type Contestant<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// How often all positions are gone through for one measurement.
const REPEATS: usize = 500;

/// Every tenth position of some random games: from the full opening board to bare endings.
fn positions() -> Vec<Position> {
    let mut random = Random::new(0x2026);
    let mut positions = Vec::new();
    for _ in 0..5 {
        let mut position = Position::startpos();
        for ply in 0..300 {
            if ply % 10 == 0 {
                positions.push(position);
            }
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(random.below(moves.len())) else { break };
            position.play_unchecked(mv);
        }
    }
    positions
}

/// The squares that one of their pieces attacks.
#[inline(always)]
fn their_attacks(
    kind: PieceType,
    from: TheirSquare,
    color: TheirColor,
    occupied: Bitboard,
) -> Bitboard {
    match kind {
        PieceType::PAWN => PAWN_ATTACKS[from][color.to_index()],
        PieceType::LANCE => lance_attacks(from, occupied, color),
        PieceType::KNIGHT => KNIGHT_ATTACKS[from][color.to_index()],
        PieceType::SILVER => SILVER_ATTACKS[from][color.to_index()],
        PieceType::BISHOP => bishop_attacks(from, occupied),
        PieceType::ROOK => rook_attacks(from, occupied),
        PieceType::HORSE => bishop_attacks(from, occupied) | KING_ATTACKS[from],
        PieceType::DRAGON => rook_attacks(from, occupied) | KING_ATTACKS[from],
        PieceType::KING => KING_ATTACKS[from],
        _ => GOLD_ATTACKS[from][color.to_index()],
    }
}

/// Calls `visit` with the attacks of every piece on the board.
#[inline(always)]
fn for_each_piece(
    position: &rsshogi::board::Position,
    mut visit: impl FnMut(TheirColor, Bitboard),
) {
    let occupied = position.pieces();
    let mut rest = occupied;
    while let Some(square) = rest.pop_lsb() {
        let piece = position.piece_on(square);
        let color = piece.color();
        visit(color, their_attacks(piece.piece_type(), square, color, occupied));
    }
}

/// Their attacks added up square by square: the same arrays that ours gives.
fn their_counts(position: &rsshogi::board::Position) -> [[u8; 81]; 2] {
    let mut counts = [[0; 81]; 2];
    for_each_piece(position, |color, mut attacks| {
        while let Some(square) = attacks.pop_lsb() {
            counts[color.to_index()][square.to_index()] += 1;
        }
    });
    counts
}

/// Their attack sets alone, united for each side, without counting.
fn their_sets(position: &rsshogi::board::Position) -> [Bitboard; 2] {
    let mut sets = [Bitboard::EMPTY; 2];
    for_each_piece(position, |color, attacks| sets[color.to_index()] |= attacks);
    sets
}

fn our_arrays(position: &Position) -> [[u8; Square::COUNT]; 2] {
    let counts = AttackCounts::new(position);
    Color::ALL.map(|color| counts.to_array(color))
}

/// Nanoseconds a position, the best of some rounds in which all take turns.
fn measure(rounds: usize, contestants: &mut [Contestant<'_>], count: usize) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; contestants.len()];
    for _ in 0..rounds {
        for (best, (_, run)) in best.iter_mut().zip(contestants.iter_mut()) {
            let ((), seconds) = timed(run);
            *best = best.min(seconds * 1e9 / (count * REPEATS) as f64);
        }
    }
    best
}

/// Measures attack counts and gives the report.
pub fn run(rounds: usize) -> anyhow::Result<Value> {
    ensure!(rounds > 0, "--rounds must be at least 1");
    let ours = positions();
    let theirs = ours
        .iter()
        .map(|position| rsshogi::board::position_from_sfen(&position.to_sfen()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| anyhow::anyhow!("rsshogi: {error}"))?;
    for (ours, theirs) in ours.iter().zip(&theirs) {
        ensure!(our_arrays(ours) == their_counts(theirs), "counts differ in {ours:?}");
    }
    let mut contestants: Vec<Contestant<'_>> = vec![
        ("tesuji_arrays", Box::new(|| each(&ours, |p| black_box(our_arrays(p))))),
        ("rsshogi_arrays", Box::new(|| each(&theirs, |p| black_box(their_counts(p))))),
        ("tesuji_planes", Box::new(|| each(&ours, |p| black_box(AttackCounts::new(p))))),
        ("rsshogi_sets_only", Box::new(|| each(&theirs, |p| black_box(their_sets(p))))),
    ];
    let best = measure(rounds, &mut contestants, ours.len());
    let nanoseconds: serde_json::Map<String, Value> = contestants
        .iter()
        .zip(&best)
        .map(|((name, _), &ns)| ((*name).to_owned(), rounded(ns).into()))
        .collect();
    let [arrays, their_arrays, planes, their_sets] = best[..].try_into().context("four figures")?;
    Ok(json!({
        "unit": "nanoseconds of processor time a position, both sides, best of the rounds",
        "rounds": rounds,
        "positions": ours.len(),
        "nanoseconds": nanoseconds,
        "ratio": {
            "attacks_vs_rsshogi": rounded(their_arrays / arrays),
            "planes_vs_rsshogi": rounded(their_arrays / planes),
            "planes_vs_rsshogi_sets_only": rounded(their_sets / planes),
        },
    }))
}

/// Goes through all positions again and again.
fn each<P, T>(positions: &[P], work: impl Fn(&P) -> T) {
    for _ in 0..REPEATS {
        for position in positions {
            black_box(work(black_box(position)));
        }
    }
}
