use tesuji_shogi::{Color, EndReason, GameResult};

use super::*;
use crate::Ending;

/// A game of `len` moves in which rooks and kings go to and fro, with this end.
fn game(len: usize, result: Option<GameResult>) -> GameRecord {
    let cycle = ["2h3h", "8b7b", "5i5h", "5a5b", "3h2h", "7b8b", "5h5i", "5b5a"];
    let mut record = GameRecord::new(Position::startpos());
    let moves = cycle.into_iter().cycle().take(len);
    record.main.moves = moves.map(|text| text.parse::<Move>().unwrap().into()).collect();
    record.main.ending = result.map(Ending::new);
    record
}

fn won_by(winner: Color, len: usize) -> GameRecord {
    game(len, Some(GameResult::win(winner, EndReason::Resignation)))
}

fn plies(samples: &[Sample]) -> Vec<u16> {
    samples.iter().map(|sample| sample.ply).collect()
}

#[test]
fn samples_are_all_positions_with_a_move() {
    let record = won_by(Color::White, 5);
    let samples: Vec<_> = record.samples(17).collect();
    assert_eq!(plies(&samples), [1, 2, 3, 4, 5]);
    let mut position = Position::startpos();
    for (sample, mv) in samples.iter().zip(record.moves()) {
        assert_eq!(sample.position, position);
        assert_eq!(sample.mv, Some(mv));
        assert_eq!(sample.score, None);
        assert_eq!(sample.outcome, Outcome::Win(Color::White));
        assert_eq!(sample.game, 17);
        position.play_unchecked(mv);
    }
    assert_eq!(game(0, None).samples(0).count(), 0);
}

#[test]
fn sampler_chooses_different_positions_in_order() {
    let record = won_by(Color::Black, 40);
    let all: Vec<_> = record.samples(3).collect();
    for per_game in [0, 1, 2, 7, 39, 40, 41, usize::MAX] {
        for seed in 0..20 {
            let sampler = Sampler { per_game, seed, ..Sampler::default() };
            let chosen = sampler.choose(&record, 3);
            assert_eq!(chosen.len(), per_game.min(40));
            assert!(chosen.is_sorted_by(|a, b| a.ply < b.ply));
            assert!(chosen.iter().all(|sample| all.contains(sample)));
        }
    }
}

#[test]
fn sampler_keeps_to_its_settings() {
    let sampler = Sampler { per_game: 100, winner_only: true, ..Sampler::default() };
    assert_eq!(plies(&sampler.choose(&won_by(Color::Black, 7), 0)), [1, 3, 5, 7]);
    assert_eq!(plies(&sampler.choose(&won_by(Color::White, 7), 0)), [2, 4, 6]);
    let draw = game(7, Some(GameResult::draw(EndReason::Repetition)));
    assert_eq!(sampler.choose(&draw, 0), []);
    assert_eq!(sampler.choose(&game(7, None), 0), []);

    let sampler = Sampler { skip_first: 4, ..sampler };
    assert_eq!(plies(&sampler.choose(&won_by(Color::White, 7), 0)), [6]);
    let sampler = Sampler { winner_only: false, ..sampler };
    assert_eq!(plies(&sampler.choose(&draw, 0)), [5, 6, 7]);
    let sampler = Sampler { skip_first: 7, ..sampler };
    assert_eq!(sampler.choose(&draw, 0), []);
}

#[test]
fn choice_depends_on_seed_and_game_alone() {
    let record = won_by(Color::Black, 200);
    let sampler = Sampler { per_game: 3, seed: 5, ..Sampler::default() };
    let forward: Vec<_> = (0..50).map(|game| sampler.choose(&record, game)).collect();
    let mut backward: Vec<_> = (0..50).rev().map(|game| sampler.choose(&record, game)).collect();
    backward.reverse();
    assert_eq!(forward, backward);
    let shared = std::thread::spawn(move || sampler.choose(&won_by(Color::Black, 200), 7));
    assert_eq!(shared.join().unwrap(), forward[7]);
    // Other games and other seeds choose otherwise.
    assert!((1..50).all(|game| plies(&forward[game]) != plies(&forward[0])));
    let other = Sampler { seed: 6, ..sampler };
    assert_ne!(other.choose(&record, 0), forward[0]);
}

/// Files that were sampled once must come out the same in every later version. The numbers were
/// worked out apart from this program, from the description in `docs/formats/samples.md`.
#[test]
fn choice_never_changes() {
    let record = won_by(Color::Black, 100);
    let sampler = Sampler { per_game: 4, seed: 2024, ..Sampler::default() };
    assert_eq!(plies(&sampler.choose(&record, 0)), [5, 12, 56, 95]);
    assert_eq!(plies(&sampler.choose(&record, 1)), [26, 30, 84, 89]);
    assert_eq!(plies(&sampler.choose(&record, u64::MAX)), [1, 18, 79, 80]);
}

/// How far the counts are from equal: about the number of counts if each is as likely.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
}

#[test]
fn every_position_is_as_likely() {
    const GAMES: u64 = 20_000;
    let record = won_by(Color::White, 51);
    let count = |sampler: Sampler| {
        let mut counts = [0; 52];
        for game in 0..GAMES {
            for sample in sampler.choose(&record, game) {
                counts[usize::from(sample.ply)] += 1;
            }
        }
        counts
    };
    // With 50 degrees of freedom, 99.99 of 100 fair samplers stay below 97.
    for seed in 0..3 {
        let counts = count(Sampler { seed, ..Sampler::default() });
        assert!(chi_square(&counts[1..]) < 97.0, "{counts:?}");
    }
    // Positions of one game exclude each other, which only brings the counts closer together.
    let counts = count(Sampler { per_game: 5, ..Sampler::default() });
    assert_eq!(counts.iter().sum::<u32>(), 5 * GAMES as u32);
    assert!(chi_square(&counts[1..]) < 97.0, "{counts:?}");
    // White is to move in 25 of them; 24 degrees of freedom, so 59.
    let counts = count(Sampler { winner_only: true, ..Sampler::default() });
    let white: Vec<u32> = counts.into_iter().step_by(2).skip(1).collect();
    assert_eq!(white.len(), 25);
    assert_eq!(white.iter().sum::<u32>(), GAMES as u32);
    assert!(chi_square(&white) < 59.0, "{white:?}");
}

#[test]
fn every_pair_is_as_likely() {
    let record = won_by(Color::White, 6);
    let mut counts = vec![0; 36];
    for game in 0..30_000 {
        let sampler = Sampler { per_game: 2, seed: 9, ..Sampler::default() };
        let chosen = plies(&sampler.choose(&record, game));
        counts[usize::from((chosen[0] - 1) * 6 + chosen[1] - 1)] += 1;
    }
    counts.retain(|&count| count > 0);
    assert_eq!(counts.len(), 15);
    // 14 degrees of freedom.
    assert!(chi_square(&counts) < 43.0, "{counts:?}");
}
