//! Move texts compared with those of rsshogi, which was written by others from the same rules.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rsshogi::board::position_from_sfen;
use rsshogi::types::Move as TheirMove;
use tesuji_records::japanese::{move_name, triangle};
use tesuji_shogi::Position;

#[test]
fn move_texts_equal_rsshogi() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(99);
    let (mut checked, mut beyond_them) = (0, 0);
    for _ in 0..40 {
        let mut position = Position::startpos();
        for _ in 0..250 {
            let moves = position.legal_moves();
            let Some(&played) = moves.choose(&mut random) else { break };
            let theirs = position_from_sfen(&position.to_sfen()).unwrap();
            for &mv in moves.iter() {
                let ours =
                    triangle(position.side_to_move()).to_string() + &move_name(&position, mv, None);
                let their_text = TheirMove::from_usi(&mv.to_string())
                    .and_then(|mv| theirs.move32_from_move(mv).to_ki2(&theirs));
                // rsshogi 1.7 cannot say that one of two pieces from a side moves sideways.
                if ours.contains("左寄") || ours.contains("右寄") {
                    beyond_them += 1;
                    continue;
                }
                assert_eq!(Some(ours), their_text, "{mv} in {position:?}");
                checked += 1;
            }
            position.play_unchecked(played);
        }
    }
    assert!(checked > 400_000 && beyond_them < 500, "{checked} {beyond_them}");
}
