//! The fast paths against the rules written down plainly, and against each other.

mod common;

use std::collections::BTreeSet;

use common::mate_nets::mate_net;
use common::naive::Naive;
use common::{Random, for_each_position, random_move, recomputed};
use tesuji_shogi::{Move, MoveKind, Position};

fn set(moves: impl IntoIterator<Item = Move>) -> BTreeSet<Move> {
    moves.into_iter().collect()
}

/// Every encodable move is legal exactly if the plain rules say so and exactly if it is generated.
fn check_every_encodable_move(position: &Position) {
    let generated = set(&position.legal_moves());
    let naive = Naive::new(position);
    for mv in Move::all() {
        let legal = position.is_legal(mv);
        assert_eq!(legal, generated.contains(&mv), "{mv} in {position:?}");
        assert_eq!(legal, naive.is_legal(mv), "{mv} in {position:?} by the plain rules");
    }
}

#[test]
fn every_encodable_move_is_legal_exactly_if_generated() {
    assert_eq!(Move::all().count(), 81 * 81 * 2 + 7 * 81);
    for_each_position(4_000, 11, check_every_encodable_move);
    let mut random = Random::new(12);
    for _ in 0..300 {
        let (position, in_check) = mate_net(&mut random);
        check_every_encodable_move(&position);
        in_check.iter().for_each(check_every_encodable_move);
    }
}

#[test]
fn each_kind_is_its_part_of_all_legal_moves() {
    for_each_position(40_000, 13, |position| {
        let all = position.legal_moves();
        let naive = Naive::new(position);
        let part = |wanted: &dyn Fn(Move) -> bool| set(all.into_iter().filter(|&mv| wanted(mv)));
        let takes = |mv: Move| position.piece_on(mv.to()).is_some();
        let kinds: [(MoveKind, &dyn Fn(Move) -> bool); 6] = [
            (MoveKind::All, &|_| true),
            (MoveKind::Captures, &takes),
            (MoveKind::Quiets, &|mv| !takes(mv) && !mv.is_drop()),
            (MoveKind::QuietPromotions, &|mv| !takes(mv) && mv.is_promotion()),
            (MoveKind::Drops, &Move::is_drop),
            (MoveKind::Checks, &|mv| position.gives_check(mv)),
        ];
        for (kind, wanted) in kinds {
            let moves = position.moves_of(kind);
            assert_eq!(set(&moves), part(&wanted), "{kind:?} in {position:?}");
            assert_eq!(set(&moves).len(), moves.len(), "a move twice: {kind:?} in {position:?}");
        }
        for mv in all.into_iter().step_by(7) {
            assert_eq!(position.gives_check(mv), naive.gives_check(mv), "{mv} in {position:?}");
        }
    });
}

/// Sets, keys, checkers, hands and kings that are kept from move to move equal those worked out
/// from the pieces alone.
#[test]
fn incremental_state_equals_recomputed_state() {
    let mut random = Random::new(14);
    for_each_position(20_000, 15, |position| {
        if let Some(mv) = random_move(position, &mut random) {
            let next = position.after(mv).expect("generated moves are legal");
            assert_eq!(recomputed(&next), next, "after {mv} in {position:?}");
            assert_eq!(recomputed(&next).key(), next.key());
            assert_eq!(next.ply(), position.ply() + 1);
        }
    });
}

#[test]
fn a_pass_changes_only_the_side() {
    for_each_position(2_000, 16, |position| match position.after_pass() {
        Some(passed) => {
            assert_eq!(recomputed(&passed), passed);
            assert_ne!(passed.key(), position.key());
            let back = passed.after_pass().expect("nobody is in check");
            assert_eq!(back.key(), position.key());
        }
        None => assert!(position.in_check()),
    });
}

#[test]
fn text_survives_the_round_trip() {
    for_each_position(5_000, 17, |position| {
        assert_eq!(Position::from_sfen(&position.to_sfen()).as_ref(), Ok(position));
    });
    for mv in Move::all() {
        assert_eq!(mv.to_string().parse(), Ok(mv));
        assert_eq!(Move::from_u16(mv.to_u16()), Some(mv));
    }
}

#[test]
fn mirror_images_have_mirrored_moves() {
    for_each_position(500, 8, |position| {
        let mirrored = position.mirrored();
        assert_eq!(mirrored.mirrored(), *position);
        let moves = position.legal_moves();
        let expected = set(moves.iter().map(|mv| mv.mirrored()));
        assert_eq!(set(mirrored.legal_moves().iter().copied()), expected, "{}", position.to_sfen());
    });
}
