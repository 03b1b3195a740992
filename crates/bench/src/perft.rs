//! Perft of three libraries on four positions.

use std::hint::black_box;

use anyhow::{Context, ensure};
use rsshogi::board::{Move32List, generate_legal_all_move32};
use serde_json::{Value, json};
use tesuji_shogi::Position;

use crate::timing::{geometric_mean, rounded, timed};

/// A position with the depths at which it is measured.
struct Case {
    name: &'static str,
    sfen: &'static str,
    bulk_depth: u8,
    full_depth: u8,
}

const CASES: [Case; 4] = [
    Case { name: "startpos", sfen: Position::STARTPOS, bulk_depth: 5, full_depth: 5 },
    Case {
        name: "most-moves",
        sfen: "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        bulk_depth: 3,
        full_depth: 3,
    },
    Case {
        name: "endgame",
        sfen: "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        bulk_depth: 4,
        full_depth: 3,
    },
    Case {
        name: "middlegame",
        sfen: "2s1k3l/2r1g1sb1/l2pp1n1p/1p3P1p1/2Pn1p2P/P1nBPg1P1/1P1P2PK1/5R3/L1SG1GSNL b 2Pp 61",
        bulk_depth: 4,
        full_depth: 4,
    },
];

const LIBRARIES: [&str; 3] = ["tesuji", "rsshogi", "haitaka"];
const TESUJI: usize = 0;
const RSSHOGI: usize = 1;
const HAITAKA: usize = 2;

/// One position as each library holds it.
struct Boards {
    tesuji: Position,
    rsshogi: rsshogi::board::Position,
    haitaka: haitaka::Board,
}

impl Boards {
    fn new(sfen: &str) -> anyhow::Result<Self> {
        Ok(Self {
            tesuji: Position::from_sfen(sfen)?,
            rsshogi: rsshogi::board::position_from_sfen(sfen)
                .map_err(|error| anyhow::anyhow!("rsshogi: {error}"))?,
            haitaka: haitaka::Board::from_sfen(sfen)
                .map_err(|error| anyhow::anyhow!("haitaka: {error}"))?,
        })
    }

    fn count(&mut self, library: usize, full: bool, depth: u8) -> u64 {
        match (library, full) {
            (TESUJI, false) => tesuji_shogi::perft(&self.tesuji, depth.into()),
            (TESUJI, true) => tesuji_shogi::perft_full(&self.tesuji, depth.into()),
            (RSSHOGI, false) => {
                rsshogi::board::perft::perft(&self.rsshogi, depth).map_or(0, |result| result.nodes)
            }
            (RSSHOGI, true) => rsshogi_full(&mut self.rsshogi, depth),
            (HAITAKA, false) => haitaka_bulk(&self.haitaka, depth),
            _ => haitaka_full(&self.haitaka, depth),
        }
    }
}

fn rsshogi_full(position: &mut rsshogi::board::Position, depth: u8) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Move32List::new();
    generate_legal_all_move32(position, &mut moves);
    let mut nodes = 0;
    for &mv in &moves {
        position.apply_move32(mv);
        black_box(&*position);
        nodes += rsshogi_full(position, depth - 1);
        position.undo_move32(mv).expect("the move was just made");
    }
    nodes
}

fn haitaka_bulk(board: &haitaka::Board, depth: u8) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.into_iter().len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += haitaka_bulk(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn haitaka_full(board: &haitaka::Board, depth: u8) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            black_box(&next);
            nodes += haitaka_full(&next, depth - 1);
        }
        false
    });
    nodes
}

/// Million nodes a second, the best of some rounds in which the libraries take turns.
fn measure(boards: &mut Boards, full: bool, depth: u8, rounds: usize) -> [(f64, u64); 3] {
    let mut best = [(0.0, 0); 3];
    for _ in 0..rounds {
        for (library, best) in best.iter_mut().enumerate() {
            let (nodes, seconds) = timed(|| boards.count(library, full, depth));
            let speed = nodes as f64 / seconds / 1e6;
            if speed > best.0 {
                *best = (speed, nodes);
            }
        }
    }
    best
}

/// Measures everything and gives the report.
pub fn run(rounds: usize) -> anyhow::Result<Value> {
    ensure!(rounds > 0, "--rounds must be at least 1");
    let mut positions = Vec::new();
    let mut speeds: [Vec<[f64; 3]>; 2] = [Vec::new(), Vec::new()];
    for case in &CASES {
        let mut boards = Boards::new(case.sfen).with_context(|| case.name)?;
        let mut entry = json!({ "name": case.name, "sfen": case.sfen });
        let kinds = [("bulk", case.bulk_depth), ("full", case.full_depth)];
        for (full, (kind, depth)) in kinds.into_iter().enumerate() {
            let best = measure(&mut boards, full == 1, depth, rounds);
            eprintln!(
                "{:<11} {kind} depth {depth}: tesuji {:.1}, rsshogi {:.1}, haitaka {:.1} Mnps",
                case.name, best[TESUJI].0, best[RSSHOGI].0, best[HAITAKA].0
            );
            entry[kind] = json!({ "depth": depth });
            for (library, (speed, nodes)) in LIBRARIES.iter().zip(best) {
                entry[kind][library] = json!({ "mnps": rounded(speed), "nodes": nodes });
            }
            entry[kind]["vs_rsshogi"] = rounded(best[TESUJI].0 / best[RSSHOGI].0).into();
            entry[kind]["vs_haitaka"] = rounded(best[TESUJI].0 / best[HAITAKA].0).into();
            speeds[full].push(best.map(|(speed, _)| speed));
        }
        positions.push(entry);
    }
    let ratio = |full: usize, other: usize| {
        rounded(geometric_mean(speeds[full].iter().map(|speed| speed[TESUJI] / speed[other])))
    };
    Ok(json!({
        "unit": "million nodes a second of processor time, one thread, best of the rounds",
        "rounds": rounds,
        "positions": positions,
        "ratio": {
            "bulk_vs_rsshogi": ratio(0, RSSHOGI),
            "full_vs_rsshogi": ratio(1, RSSHOGI),
            "bulk_vs_haitaka": ratio(0, HAITAKA),
            "full_vs_haitaka": ratio(1, HAITAKA),
        },
    }))
}
