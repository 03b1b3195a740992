//! The families on small boards, both sides' symmetry, and the slow twin of exchanges.

use std::collections::HashSet;

use tesuji_shogi::{Bitboard, Color, Piece, PieceKind, Position, Square, attacks};

use super::exchange::{CAPTURE, PROMOTION, RISK, gain_on};
use crate::{FeatureSet, View, all_features, feature_named};

/// The size of a value, whichever way round the feature counts it.
fn size(sfen: &str, player: Color, name: &str) -> i32 {
    let position = Position::from_sfen(sfen).unwrap();
    feature_named(name).expect(name).value(&View::new(&position, player)).abs()
}

fn squares(sfen: &str, player: Color, name: &str) -> Bitboard {
    let position = Position::from_sfen(sfen).unwrap();
    feature_named(name).expect(name).squares(&View::new(&position, player))
}

fn set_of(names: &[&str]) -> Bitboard {
    names.iter().map(|name| name.parse::<Square>().unwrap()).collect()
}

/// Positions of one pseudo-random game after another; the same for the same seed.
fn random_positions(seed: u64, count: usize) -> Vec<Position> {
    let mut state = seed;
    let mut next = move |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut positions = Vec::new();
    let mut position = Position::startpos();
    while positions.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || position.ply() > 200 {
            position = Position::startpos();
            continue;
        }
        let chosen = next(moves.len());
        position = position.after_unchecked((&moves).into_iter().nth(chosen).unwrap());
        positions.push(position);
    }
    positions
}

fn turned(position: &Position) -> Position {
    let pieces = position.pieces().map(|(square, piece)| {
        (square.seen_by(Color::White), Piece::new(!piece.color(), piece.kind()))
    });
    let hands = [position.hand(Color::White), position.hand(Color::Black)];
    Position::from_parts(pieces, hands, !position.side_to_move(), 1).unwrap()
}

#[test]
fn names_are_unique_and_every_feature_explains_itself() {
    let mut names = HashSet::new();
    for feature in all_features() {
        assert!(names.insert(feature.name), "{} twice", feature.name);
        assert!(feature.sentence.ends_with('.'), "{}", feature.name);
        assert!((1..=16).contains(&feature.bits), "{}", feature.name);
    }
    for name in FeatureSet::NAMES {
        assert!(!FeatureSet::named(name).unwrap().is_empty());
    }
    assert!(feature_named("NO_SUCH_FEATURE").is_none());
}

#[test]
fn penalties_are_features_of_the_set() {
    let set = FeatureSet::named("extended").unwrap();
    assert!(super::penalties::PENALTIES.is_sorted());
    for name in super::penalties::PENALTIES {
        assert!(set.index_of(name).is_some(), "{name}");
    }
}

#[test]
fn both_sides_mirror_each_other_and_values_fit() {
    let features = all_features();
    for position in random_positions(1, 400) {
        let other = turned(&position);
        for color in Color::ALL {
            let (view, mirror) = (View::new(&position, color), View::new(&other, !color));
            for feature in &features {
                let value = feature.value(&view);
                let text = || format!("{} in {}", feature.name, position.to_sfen());
                assert_eq!(value, feature.value(&mirror), "{}", text());
                assert!(i16::try_from(value).is_ok(), "{}", text());
                let seen: Bitboard =
                    feature.squares(&mirror).into_iter().map(|s| s.seen_by(Color::White)).collect();
                assert_eq!(feature.squares(&view), seen, "{}", text());
            }
        }
    }
}

#[test]
fn families_on_small_boards() {
    let cases: [(&str, &str, i32); 21] = [
        // A rook on 5e that a bishop attacks, with and without protection.
        ("4k4/9/2b6/9/4R4/9/9/9/K8 w - 1", "HANGING_OWN_ROOK", 1),
        ("4k4/9/2b6/9/4R4/4P4/9/9/K8 w - 1", "HANGING_OWN_ROOK", 0),
        ("4k4/9/2b6/9/4R4/4S4/9/9/K8 w - 1", "HANGING_OWN_ROOK", 0),
        ("4k4/9/2b6/9/4R4/4S4/9/9/K8 w - 1", "UNDERCUT_OWN_ROOK", 1),
        ("4k4/9/2r6/9/2B6/2S6/9/9/K8 w - 1", "ATTACKED_OWN_BISHOP", 1),
        ("4k4/9/9/9/4R4/9/9/9/K8 w - 1", "LOOSE_OWN_ROOK", 1),
        ("9/k8/4b4/9/4R4/9/9/9/K8 w - 1", "HANGING_ENEMY_BISHOP", 1),
        ("9/k8/4b4/9/4R4/9/9/9/K8 w - 1", "LARGEST_WIN", 38),
        ("4k4/9/2b6/9/4R4/4S4/9/9/K8 w - 1", "LARGEST_LOSS", 8),
        ("4k4/9/2b6/9/4R4/4S4/9/9/K8 w - 1", "LOST_ROOK", 1),
        ("4k4/9/9/9/4R4/9/9/9/K8 w - 1", "CHECK", 1),
        ("4k4/4G4/4P4/9/9/9/9/9/K8 w - 1", "MATE", 1),
        ("4k4/4G4/9/9/9/9/9/9/K8 w - 1", "MATE", 0),
        ("4k4/9/9/9/9/9/9/9/K8 w G 1", "DROP_CHECKS_OWN", 0),
        ("4k4/9/4P4/9/9/9/9/9/K8 w G 1", "DROP_CHECKS_OWN", 1),
        ("4k4/9/4P4/9/9/9/9/9/K8 w G 1", "MATE_SQUARES_ENEMY", 1),
        ("4k4/9/9/9/9/9/9/1G7/K8 w - 1", "SHELTER_GOLD_AHEAD_RIGHT", 1),
        ("4k4/9/9/9/9/9/9/1G7/K8 w - 1", "GUARD_GOLD", 2),
        ("4k4/9/9/9/4P4/9/9/9/K8 w - 1", "PAWN_RANK_5", 1),
        ("4k4/9/9/9/4P4/9/9/9/K8 w - 1", "FREE_FILES", 8),
        ("4k4/9/9/9/9/9/4R4/4P4/4K4 w - 1", "PINNED_OWN", 0),
    ];
    for (sfen, name, expected) in cases {
        assert_eq!(size(sfen, Color::Black, name), expected, "{name} in {sfen}");
    }
}

#[test]
fn squares_that_features_talk_about() {
    let sfen = "4k4/9/2b6/9/4R4/4S4/9/9/K8 w - 1";
    assert_eq!(squares(sfen, Color::Black, "LOST_ROOK"), set_of(&["5e"]));
    assert_eq!(squares(sfen, Color::Black, "LARGEST_LOSS"), set_of(&["5e"]));
    assert_eq!(squares(sfen, Color::Black, "SILVER_RANK_6"), set_of(&["5f"]));
    assert_eq!(squares(sfen, Color::White, "HANGING_ENEMY_ROOK"), Bitboard::EMPTY);
    assert_eq!(squares(sfen, Color::White, "UNDERCUT_ENEMY_ROOK"), set_of(&["5e"]));
}

/// A check leaves the opponent only captures that answer it.
#[test]
fn in_check_only_answers_are_losses() {
    // The silver on 8c hangs to the rook, but the dragon on 5e gives check.
    let sfen = "4k4/9/rS7/9/4+R4/9/9/9/8K w - 1";
    assert_eq!(size(sfen, Color::Black, "LARGEST_LOSS"), 0);
    let sfen = "3k5/9/rS7/9/4+R4/9/9/9/8K w - 1";
    assert_eq!(size(sfen, Color::Black, "LARGEST_LOSS"), 20);
}

/// Exchanges played out piece by piece on a plain board.
fn naive_gain(board: &mut [Option<Piece>; Square::COUNT], target: Square, side: Color) -> i32 {
    let occupied: Bitboard = Square::all().filter(|s| board[s.index()].is_some()).collect();
    let takers =
        |side: Color, board: &[Option<Piece>; Square::COUNT]| -> Vec<(Square, PieceKind)> {
            let attacks_target = |&square: &Square| {
                board[square.index()].is_some_and(|piece| {
                    piece.color() == side && attacks::of(piece, square, occupied).contains(target)
                })
            };
            let kind = |square: Square| board[square.index()].map(Piece::kind);
            Square::all().filter(attacks_target).filter_map(|s| Some((s, kind(s)?))).collect()
        };
    let cost = |kind: PieceKind| RISK.iter().position(|&other| other == kind);
    let cheapest =
        takers(side, board).into_iter().min_by_key(|&(square, kind)| (cost(kind), square));
    let Some((from, kind)) = cheapest else { return 0 };
    if kind == PieceKind::King && !takers(!side, board).is_empty() {
        return 0;
    }
    let Some(taken) = board[target.index()] else { return 0 };
    let zone = Bitboard::promotion_zone(side);
    let promoted = kind.promoted().filter(|_| zone.contains(from) || zone.contains(target));
    let gain = CAPTURE[taken.kind().index()] + promoted.map_or(0, |_| PROMOTION[kind.index()]);
    board[from.index()] = None;
    board[target.index()] = Some(Piece::new(side, promoted.unwrap_or(kind)));
    (gain - naive_gain(board, target, !side)).max(0)
}

#[test]
fn exchanges_equal_those_played_out() {
    for position in random_positions(7, 3_000) {
        for (square, piece) in position.pieces() {
            if piece.kind() == PieceKind::King {
                continue;
            }
            let mut board: [Option<Piece>; Square::COUNT] = std::array::from_fn(|i| {
                Square::from_index(i).and_then(|square| position.piece_on(square))
            });
            let expected = naive_gain(&mut board, square, !piece.color());
            let found = gain_on(&position, square, !piece.color());
            assert_eq!(found, expected, "{square} in {}", position.to_sfen());
        }
    }
}

#[test]
fn kinds_are_risked_from_the_cheapest() {
    let costs = RISK.map(|kind| CAPTURE[kind.index()]);
    assert!(costs[..13].is_sorted());
    assert_eq!(RISK[13], PieceKind::King);
}
