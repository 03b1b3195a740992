//! The numbers of pieces, and the program's features on small boards.

use tesuji_shogi::{Bitboard, Color, Move, Position, Square};

use super::{Numbering, differences, distance, features, move_code, move_order};
use crate::{FeatureSet, View, Weights, paper, published};

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap()
}

fn value(sfen: &str, player: Color, name: &str) -> i32 {
    let set = FeatureSet::named("legacy").unwrap();
    let feature = &set.features()[set.index_of(name).expect(name)];
    feature.value(&View::new(&position(sfen), player))
}

/// Positions with many sorts of pieces, reached by moves picked here and there.
fn positions() -> impl Iterator<Item = Position> {
    let mut position = Position::startpos();
    (0..150_usize).map_while(move |i| {
        let moves = position.legal_moves();
        position.play_unchecked(*moves.get(i * 31 % moves.len().max(1))?);
        Some(position)
    })
}

#[test]
fn every_difference_has_its_feature() {
    let paper = paper::features();
    let legacy = features();
    assert_eq!(legacy.len(), 74);
    for difference in differences() {
        assert!(paper.iter().any(|feature| feature.name == difference.name), "{}", difference.name);
    }
    let changed = legacy.iter().zip(&paper).filter(|(a, b)| a.sentence != b.sentence).count();
    // The distances, and the one reading that is no difference of this module.
    assert_eq!(changed, differences().count() + 26 + 1);
    let kinds = paper.iter().filter(|feature| distance::measure(feature.name).is_some()).count();
    assert_eq!(kinds, 26);
    for (a, b) in legacy.iter().zip(&paper) {
        assert_eq!((a.name, a.bits, a.group), (b.name, b.bits, b.group));
        let unlinked = ["PROMOTED_PAWN_BONUS", "PAWN_IN_HAND_BONUS"].contains(&a.name);
        assert_eq!(a.linked_to, if unlinked { None } else { b.linked_to });
    }
}

/// Numbers as the program gave them, piece by piece: 40 at most, silvers marked.
#[test]
fn pieces_are_numbered_square_by_square_then_hand_by_hand() {
    // On the board 1i, 5a, 5e, 5i; Black's hand has a pawn, a silver, a gold, White's a silver.
    let numbering = Numbering::of(&position("4k4/9/9/9/4+S4/9/9/9/4K3L b GSPs 1"));
    let silvers: Vec<usize> = (0..81).filter(|&number| numbering.is_silver(number)).collect();
    assert_eq!(silvers, [2, 5, 7]);
}

#[test]
fn a_moved_piece_keeps_its_place_and_a_dropped_one_is_last() {
    let root = position("4k4/9/9/9/9/9/7R1/9/4K3L b 2G2S 1");
    let squares = |names: &[&str]| -> Vec<Square> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    };
    let order = |mv: &str, names: &[&str]| -> Vec<Square> {
        let pieces: Bitboard = squares(names).into_iter().collect();
        let numbering = Numbering::of(&root).after(mv.parse().unwrap());
        numbering.in_order(pieces).collect()
    };
    assert_eq!(order("2g9g", &["1i", "9g", "5i"]), squares(&["1i", "9g", "5i"]));
    assert_eq!(order("5i5h", &["1i", "2g", "5h"]), squares(&["1i", "2g", "5h"]));
    assert_eq!(order("S*1a", &["1a", "1i", "5i"]), squares(&["1i", "5i", "1a"]));
    assert_eq!(order("2g9g", &["1i", "5i"]), squares(&["1i", "5i"]));
}

#[test]
fn the_last_piece_is_the_last_in_order() {
    for root in positions() {
        let loaded = Numbering::of(&root);
        for mv in &root.legal_moves() {
            let next = root.after(mv).unwrap();
            for numbering in [loaded.after(mv), Numbering::of(&next)] {
                for kind in tesuji_shogi::PieceKind::ALL {
                    let pieces = next.of_kind(kind);
                    assert_eq!(numbering.last(pieces), numbering.in_order(pieces).last());
                    assert_eq!(numbering.in_order(pieces).collect::<Bitboard>(), pieces);
                }
            }
        }
    }
}

#[test]
fn moves_have_the_programs_numbers() {
    let code = |text: &str| move_code(text.parse().unwrap());
    assert_eq!(code("1a1b"), 4);
    assert_eq!(code("1b1a+"), 81 * 4 + 2);
    assert_eq!(code("P*1a"), 1);
    assert_eq!(code("G*9i"), (7 * 81 + 80) * 4 + 1);
    for position in positions() {
        let moves = position.legal_moves();
        let ordered = move_order(&moves);
        assert!(ordered.is_sorted_by(|&a, &b| move_code(a) < move_code(b)));
        assert!(moves.into_iter().all(|mv| ordered.contains(&mv)) && ordered.len() == moves.len());
    }
}

#[test]
fn shapes_on_small_boards() {
    let cases: [(&str, Color, &str, i32); 16] = [
        // In front is toward rank a, for White too.
        ("4k4/7b1/7G1/9/9/9/9/9/4K4 b - 1", Color::Black, "BISHOP_HEAD_ATTACK", 0),
        ("4k4/6G2/7b1/7R1/9/9/9/9/4K4 b - 1", Color::Black, "BISHOP_HEAD_ATTACK", 1),
        ("4k4/9/4s4/4g4/9/9/9/9/4K4 b - 1", Color::White, "GOLD_AHEAD_SILVER_PENALTY", 0),
        ("4k4/9/4g4/4s4/9/9/9/9/4K4 b - 1", Color::White, "GOLD_AHEAD_SILVER_PENALTY", -1),
        ("4k4/9/9/9/9/9/4+P4/4S4/4K4 b - 1", Color::Black, "GOLD_AHEAD_SILVER_PENALTY", 0),
        ("4k4/9/9/9/9/2+S6/2P6/9/4K4 b - 1", Color::Black, "PIECE_AHEAD_OF_PAWN_PENALTY", 0),
        ("4k4/9/9/9/9/2S6/2+PP5/9/4K4 b - 1", Color::Black, "RECLINING_SILVER", 0),
        ("4k4/9/9/9/9/2SP5/2+P6/9/4K4 b - 1", Color::Black, "RECLINING_SILVER", 1),
        // Only the last bishop counts, and horses come after bishops.
        ("4k4/9/9/6N2/7B1/6L2/3P5/2B6/4K4 b - 1", Color::Black, "BOXED_IN_BISHOP_PENALTY", -1),
        ("4k4/9/9/6N2/7+B1/6L2/3P5/2B6/4K4 b - 1", Color::Black, "BOXED_IN_BISHOP_PENALTY", -2),
        // The second rook shares its file with an own pawn, the first with an enemy's.
        ("4k4/9/7p1/9/9/9/7R1/9/4K4 b - 1", Color::Black, "ROOK_SEMI_OPEN_FILE", 1),
        ("4k4/9/1P5p1/9/9/9/1R5R1/9/4K4 b - 1", Color::Black, "ROOK_SEMI_OPEN_FILE", 2),
        ("4k4/9/1p5P1/9/9/9/1R5R1/9/4K4 b - 1", Color::Black, "ROOK_SEMI_OPEN_FILE", 1),
        // One blocker before the edge, one at it.
        ("4k4/9/9/9/4r4/9/4P4/4G4/4K4 b - 1", Color::Black, "BLOCKED_FLOW_SAFE", 1),
        ("4k4/9/9/9/4r4/9/9/9/3GK4 b - 1", Color::Black, "BLOCKED_FLOW_SAFE", 0),
        // Attacked squares are escape routes.
        ("4k4/9/9/9/9/9/9/9/r3K4 b - 1", Color::Black, "PLAYER_KING_ESCAPE_ROUTES", 5),
    ];
    for (sfen, player, name, expected) in cases {
        assert_eq!(value(sfen, player, name), expected, "{name} in {sfen}");
    }
}

#[test]
fn pieces_in_hand_are_taken_for_others() {
    let sfen = "4k4/9/9/9/9/9/9/9/4K4 b R2B3G4S2N3L5P 1";
    let cases = [
        ("PAWN_IN_HAND_BONUS", 5),
        ("LANCE_IN_HAND_BONUS", 4),
        ("KNIGHT_IN_HAND_BONUS", 2),
        ("SILVER_IN_HAND_BONUS", 3),
        ("BISHOP_IN_HAND_BONUS", 2),
        ("ROOK_IN_HAND_BONUS", 0),
        ("GOLD_IN_HAND_BONUS", 1),
    ];
    for (name, expected) in cases {
        assert_eq!(value(sfen, Color::Black, name), expected, "{name}");
        assert_eq!(value(sfen, Color::White, name), -expected, "{name}");
    }
}

#[test]
fn distances_are_those_of_the_last_piece() {
    // The king on 5i is 4 off the diagonal, the pawns on 1g and 9f 6 and 3.
    let sfen = "4k4/9/9/9/9/P8/8P/9/4K4 b - 1";
    for name in ["DTK_FRIENDLY_PAWN", "DTK_ENEMY_PAWN"] {
        assert_eq!(value(sfen, Color::Black, name), (16 + 9) / 10);
    }
    // A pawn that is dropped is the last, wherever it is.
    let root = position("4k4/9/9/9/9/P8/9/9/4K4 b P 1");
    let set = FeatureSet::named("legacy").unwrap();
    let mut row = Vec::new();
    set.append_rows(&root, &["P*1g".parse().unwrap()], &mut row);
    assert_eq!(row[set.index_of("DTK_ENEMY_PAWN").unwrap()], (16 + 36) / 10);
}

/// The opponent's sliders count for what lies behind the first of our pieces, not for what they
/// attack.
#[test]
fn attacks_of_enemy_sliders_are_those_through_our_pieces() {
    let sfen = "4k4/9/9/9/4r4/9/4P4/9/4K4 b - 1";
    // Our king has five steps, the pawn one; their king has five, and the rook sees 5h and 5i.
    assert_eq!(value(sfen, Color::Black, "TOTAL_ATTACKING"), 6 - (5 + 2));
    // A dragon has its four steps besides.
    let sfen = "4k4/9/9/9/4+r4/9/4P4/9/4K4 b - 1";
    assert_eq!(value(sfen, Color::Black, "TOTAL_ATTACKING"), 6 - (5 + 4 + 2));
}

#[test]
fn a_neighbour_counts_if_its_square_has_the_number_of_a_silver() {
    let cases = [
        // Pieces in order: rook 1a, silver 1b, bishop 2a, gold 2b. Square 1b is number 1, as is the
        // silver there.
        ("4k2BR/7GS/9/9/9/9/9/9/4K4 b - 1", "ADJACENT_GOLDS", 1),
        // The gold on 2a has the rook beside it, which is number 0 on square number 0.
        ("4k2GR/7BS/9/9/9/9/9/9/4K4 b - 1", "ADJACENT_GOLDS", 0),
        // The rook on 1b passes for the silver: piece number 1 stands on 1e.
        ("4k4/7GR/9/9/8S/9/9/9/4K4 b - 1", "ADJACENT_GOLDS", 1),
        // Two silvers side by side on 1b and 2b, pieces number 0 and 1: square 1b is number 1.
        ("4k4/7SS/9/9/9/9/9/9/4K4 b - 1", "ADJACENT_SILVERS", 1),
        // Two silvers side by side in the middle of the board: squares 39 and 30 have no piece.
        ("4k4/9/9/4SS3/9/9/9/9/4K4 b - 1", "ADJACENT_SILVERS", 0),
    ];
    for (sfen, name, expected) in cases {
        assert_eq!(value(sfen, Color::Black, name), expected, "{name} in {sfen}");
    }
}

#[test]
fn explanations_of_moves_agree_with_rows() {
    let set = FeatureSet::named("legacy").unwrap();
    let weights = Weights::new(set, published::weights()).unwrap();
    for root in positions() {
        let moves: Vec<Move> = root.legal_moves().into_iter().collect();
        let mut rows = Vec::new();
        weights.set().append_rows(&root, &moves, &mut rows);
        for (&mv, row) in moves.iter().zip(rows.chunks_exact(weights.set().len())) {
            let score: i32 =
                row.iter().zip(weights.effective()).map(|(&v, w)| i32::from(v) * w).sum();
            assert_eq!(weights.explain_move(&root, mv).unwrap().after, score, "{mv} in {root:?}");
        }
    }
}
