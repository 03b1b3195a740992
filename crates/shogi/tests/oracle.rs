//! Whole lists of legal moves compared with an independent implementation.

mod common;

use rsshogi::board::{LegalAll, MoveList as TheirList, generate_moves, position_from_sfen};
use tesuji_shogi::{Move, PieceKind, Position, Square};

use common::mate_nets::{mate_net, pawn_drop_mate_square};
use common::{Random, for_each_position};

/// What the compared positions were like, so that the test can say that it saw the hard cases.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    moves: usize,
    checks: usize,
    double_checks: usize,
    pinned: usize,
    full_hands: usize,
    pawn_drop_mates: usize,
    pawn_drop_mates_in_check: usize,
    without_king: usize,
    checkmates: usize,
}

impl Seen {
    fn note(&mut self, position: &Position, moves: usize) {
        let us = position.side_to_move();
        let mate = pawn_drop_mate_square(position).is_some();
        self.positions += 1;
        self.moves += moves;
        self.checks += usize::from(position.in_check());
        self.double_checks += usize::from(position.checkers().has_several());
        self.pinned += usize::from(!position.pinned(us).is_empty());
        self.full_hands += usize::from(position.hand(us).iter().count() == 7);
        self.pawn_drop_mates += usize::from(mate);
        self.pawn_drop_mates_in_check += usize::from(mate && position.in_check());
        self.without_king += usize::from(position.king(us).is_none());
        self.checkmates += usize::from(position.in_check() && moves == 0);
    }
}

/// Their 16-bit move as one of ours. The layout is checked against their text below.
fn ours(raw: u16) -> Move {
    let to = Square::from_index(usize::from(raw & 0x7f)).unwrap();
    let origin = usize::from(raw >> 7 & 0x7f);
    if raw & 0x4000 != 0 {
        return Move::drop(PieceKind::HAND[origin - 1], to).unwrap();
    }
    let from = Square::from_index(origin).unwrap();
    if raw & 0x8000 != 0 { Move::promotion(from, to) } else { Move::normal(from, to) }
}

/// Compares the lists of one position after another.
#[derive(Default)]
struct Comparison {
    list: TheirList,
    seen: Seen,
}

impl Comparison {
    fn compare(&mut self, position: &Position) {
        let theirs = position_from_sfen(&position.to_sfen()).expect("they read our SFEN");
        generate_moves::<LegalAll>(&theirs, &mut self.list);
        let mut expected: Vec<Move> = self.list.iter().map(|mv| ours(mv.raw())).collect();
        let mut found: Vec<Move> = position.legal_moves().into_iter().collect();
        if self.seen.positions.is_multiple_of(1000) {
            for mv in &self.list {
                assert_eq!(mv.to_usi(), ours(mv.raw()).to_string());
            }
        }
        assert_eq!(found.len(), position.count_legal_moves(), "{position:?}");
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "legal moves of {position:?}");
        self.seen.note(position, found.len());
    }
}

/// `count` random positions, and `nets` with a pawn-drop mate.
fn compare(count: usize, nets: usize, seed: u64) -> Seen {
    let mut comparison = Comparison::default();
    for_each_position(count, seed, |position| comparison.compare(position));
    let mut random = Random::new(seed);
    for _ in 0..nets {
        let (position, in_check) = mate_net(&mut random);
        comparison.compare(&position);
        in_check.iter().for_each(|position| comparison.compare(position));
    }
    println!("{:?}", comparison.seen);
    comparison.seen
}

#[test]
fn legal_moves_equal_rsshogi() {
    let seen = compare(200_000, 3_000, 1);
    assert!(seen.checks > 20_000, "{seen:?}");
    assert!(seen.double_checks > 500, "{seen:?}");
    assert!(seen.pinned > 5_000, "{seen:?}");
    assert!(seen.full_hands > 5_000, "{seen:?}");
    assert!(seen.pawn_drop_mates > 3_000, "{seen:?}");
    assert!(seen.pawn_drop_mates_in_check > 300, "{seen:?}");
    assert!(seen.without_king > 5_000, "{seen:?}");
}

#[test]
#[ignore = "slow: 5 million positions; .ci/run runs it in release"]
fn legal_moves_equal_rsshogi_long() {
    let seen = compare(5_000_000, 50_000, 2);
    assert!(seen.pawn_drop_mates > 60_000, "{seen:?}");
}
