//! What plausible moves cost: all moves of a position generated and rated, beside their exchange
//! values.

use std::hint::black_box;
use std::sync::Arc;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tesuji_eval::moves::Past;
use tesuji_eval::plausible::{Development, Lore, Merits, Rater, Scene};
use tesuji_search::book;
use tesuji_search::positions::POSITIONS;
use tesuji_shogi::{ExchangeValues, Position};

use crate::timing::{rounded, timed};

/// How often all positions are gone through for one measurement.
const REPEATS: usize = 200;

/// A position with what its players build, which a search works out once, at its root.
type Subject = (Position, Development);

/// Measures all moves of the positions of `tesuji bench` and gives the report.
pub fn run(rounds: usize) -> Result<Value> {
    ensure!(rounds > 0, "--rounds must be at least 1");
    let openings = Arc::new(book::openings(&book::shipped()));
    let lore = Lore { openings, ..Lore::shipped() };
    let positions: Result<Vec<Subject>, _> = POSITIONS
        .iter()
        .map(|sfen| {
            let position = Position::from_sfen(sfen)?;
            let development = Development::new(&lore, &position, [None; 2]);
            Ok::<_, tesuji_shogi::SfenError>((position, development))
        })
        .collect();
    let positions = positions?;
    let moves: usize = positions.iter().map(|(position, _)| position.count_legal_moves()).sum();
    let (merits, values) = (Merits::shipped(), ExchangeValues::default());
    let once: [&dyn Fn(&Subject); 5] = [
        &|(position, _)| {
            black_box(position.legal_moves());
        },
        &|(position, _)| {
            for mv in &position.legal_moves() {
                black_box(position.exchange(mv, &values));
            }
        },
        &|(position, development)| {
            black_box(&Scene::new(position, Past::default(), development));
        },
        &|(position, development)| {
            let scene = Scene::new(position, Past::default(), development);
            let rater = Rater::new(&scene, &merits, scene.asked(true));
            black_box(rater.rate_all(&position.legal_moves()));
        },
        &|(position, development)| {
            let scene = Scene::new(position, Past::default(), development);
            let rater = Rater::new(&scene, &merits, scene.asked(false));
            black_box(rater.rate_all(&position.legal_moves()));
        },
    ];
    // Rounds go through all kinds of work, so that a change of the machine's speed meets them all.
    let mut best = [f64::INFINITY; 5];
    for _ in 0..rounds {
        for (best, work) in best.iter_mut().zip(once) {
            let (_, seconds) = timed(|| (0..REPEATS).for_each(|_| positions.iter().for_each(work)));
            *best = best.min(seconds * 1e9 / (REPEATS * positions.len()) as f64);
        }
    }
    let exchanges = best[1];
    let of = |nanoseconds: f64| json!({ "nanoseconds": rounded(nanoseconds), "ratio": rounded(nanoseconds / exchanges) });
    Ok(json!({
        "positions": positions.len(),
        "moves": moves,
        "per_position": {
            "legal moves": of(best[0]),
            "exchange values": of(best[1]),
            "scene": of(best[2]),
            "generated and rated": of(best[3]),
            "without the hierarchy": of(best[4]),
        },
    }))
}
