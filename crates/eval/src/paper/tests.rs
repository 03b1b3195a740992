//! The worked examples of the thesis, and the features one by one on small boards.

use tesuji_shogi::{Bitboard, Color, Position, Square};

use crate::{FeatureSet, View};

fn value(sfen: &str, player: Color, name: &str) -> i32 {
    let position = Position::from_sfen(sfen).unwrap();
    let set = FeatureSet::named("paper").unwrap();
    let feature = &set.features()[set.index_of(name).expect(name)];
    feature.value(&View::new(&position, player))
}

fn squares(sfen: &str, player: Color, name: &str) -> Bitboard {
    let position = Position::from_sfen(sfen).unwrap();
    let set = FeatureSet::named("paper").unwrap();
    let feature = &set.features()[set.index_of(name).expect(name)];
    feature.squares(&View::new(&position, player))
}

fn set_of(names: &[&str]) -> Bitboard {
    names.iter().map(|name| name.parse::<Square>().unwrap()).collect()
}

#[test]
fn there_are_74_features_of_540_bits() {
    let set = FeatureSet::named("paper").unwrap();
    assert_eq!(set.len(), 74);
    assert_eq!(set.features().iter().map(|feature| u32::from(feature.bits)).sum::<u32>(), 540);
    let names: Vec<&str> = set.features().iter().map(|feature| feature.name).collect();
    assert_eq!(names[0], "PAWN_VALUE");
    assert_eq!(names[20], "PLAYER_KING_THREAT_PENALTY");
    assert_eq!(names[23], "ENEMY_KING_ATTACKS");
    assert_eq!(names[24], "BISHOP_HEAD_PROTECTED");
    assert_eq!(names[30], "CASTLE_FORMATION");
    assert_eq!(names[36], "CLAIMED_FILES");
    assert_eq!(names[45], "BLOCKED_FLOW_SAFE");
    assert_eq!(names[47], "TOTAL_ATTACKING");
    assert_eq!(names[73], "DTK_ENEMY_PROMOTED_ROOK");
}

/// Figure 10: a rook on 5a and a horse on 4h, stopped by a protected pawn on 5e and gold on 6f,
/// miss four squares; the horse still reaches 5g, 5h and 5i.
#[test]
fn blocked_flow_of_figure_10() {
    // The pawn is protected by the gold on 6f, the gold by a silver on 7g.
    let sfen = "k3r4/9/9/9/4P4/3G5/2S6/5+b3/8K w - 1";
    let name = "BLOCKED_FLOW_SAFE";
    assert_eq!(squares(sfen, Color::Black, name), set_of(&["5f", "7e", "8d", "9c"]));
    assert_eq!(value(sfen, Color::Black, name), 4);
    // Without the silver the gold is not protected and hides nothing.
    let sfen = "k3r4/9/9/9/4P4/3G5/9/5+b3/8K w - 1";
    assert_eq!(squares(sfen, Color::Black, name), set_of(&["5f"]));
}

#[test]
fn features_of_both_sides_mirror_each_other() {
    let position = Position::from_sfen(
        "l2g3nl/1ks1g1r2/ppnpppspp/2p3p2/9/2P2PP2/PPSPPS1PP/1KG1G2R1/LN5NL b Bb 1",
    )
    .unwrap();
    let turned = Position::from_parts(
        position.pieces().map(|(square, piece)| {
            let square = square.seen_by(Color::White);
            (square, tesuji_shogi::Piece::new(!piece.color(), piece.kind()))
        }),
        [position.hand(Color::White), position.hand(Color::Black)],
        Color::White,
        1,
    )
    .unwrap();
    let set = FeatureSet::named("paper").unwrap();
    for color in Color::ALL {
        assert_eq!(set.values(&position, color), set.values(&turned, !color));
    }
}

#[test]
fn shapes_on_small_boards() {
    let cases: [(&str, &str, i32); 22] = [
        ("4k4/9/9/9/9/9/4G4/4S4/4K4 b - 1", "GOLD_AHEAD_SILVER_PENALTY", -1),
        ("4k4/9/9/9/9/9/4+P4/4S4/4K4 b - 1", "GOLD_AHEAD_SILVER_PENALTY", -1),
        ("4k4/9/9/9/9/9/4S4/4G4/4K4 b - 1", "GOLD_AHEAD_SILVER_PENALTY", 0),
        ("4k4/9/9/9/9/9/9/6GRG/4K4 b - 1", "GOLD_ADJACENT_ROOK_PENALTY", -2),
        ("4k4/9/9/9/9/9/6P1P/7B1/4K1S1L b - 1", "BOXED_IN_BISHOP_PENALTY", -4),
        ("4k4/9/9/9/9/2N6/2P6/9/4K4 b - 1", "PIECE_AHEAD_OF_PAWN_PENALTY", -1),
        ("4k4/9/9/9/9/2S6/2P6/9/4K4 b - 1", "PIECE_AHEAD_OF_PAWN_PENALTY", 0),
        ("4k4/9/9/9/9/2SP5/2P6/9/4K4 b - 1", "RECLINING_SILVER", 1),
        ("4k4/9/9/9/9/2S6/2PP5/9/4K4 b - 1", "RECLINING_SILVER", 0),
        ("4k4/9/9/9/7P1/9/9/7R1/4K4 b - 1", "CLAIMED_FILES", 1),
        ("4k4/9/9/9/7P1/7N1/9/7R1/4K4 b - 1", "CLAIMED_FILES", 0),
        ("4k4/9/9/9/7P1/7S1/9/9/4K4 b - 1", "CLAIMED_FILES", 1),
        ("4k4/9/9/9/9/9/2SS5/9/4K4 b - 1", "ADJACENT_SILVERS", 1),
        ("4k4/9/9/9/9/9/2S1S4/9/4K4 b - 1", "ADJACENT_SILVERS", 0),
        ("4k4/9/9/9/9/9/2GG5/9/4K4 b - 1", "ADJACENT_GOLDS", 1),
        ("4k4/9/9/9/9/9/9/1B7/1L2K4 b - 1", "BISHOP_HEAD_PROTECTED", 0),
        ("4k4/9/9/9/9/9/2S6/1B7/1G2K4 b - 1", "BISHOP_HEAD_PROTECTED", 0),
        ("4k4/9/9/9/9/9/9/GB7/4K4 b - 1", "BISHOP_HEAD_PROTECTED", 1),
        ("4k4/7b1/9/7R1/9/9/9/9/4K4 b - 1", "BISHOP_HEAD_ATTACK", 1),
        ("4k4/9/9/7R1/9/9/9/9/4K4 b - 1", "ROOK_OPEN_FILE", 1),
        ("4k4/7p1/9/7R1/9/9/9/9/4K4 b - 1", "ROOK_SEMI_OPEN_FILE", 1),
        ("4k4/9/9/7R1/9/9/7P1/9/4K4 b - 1", "ROOK_SEMI_OPEN_FILE", 0),
    ];
    for (sfen, name, expected) in cases {
        assert_eq!(value(sfen, Color::Black, name), expected, "{name} in {sfen}");
    }
}

#[test]
fn kings_on_small_boards() {
    // The king attacks its five neighbours, the gold on 5h four squares of the zone and the king's.
    let sfen = "4k4/9/9/9/9/9/9/4G4/4K4 b - 1";
    assert_eq!(value(sfen, Color::Black, "PLAYER_KING_DEFENDERS"), 5 + 3);
    assert_eq!(value(sfen, Color::Black, "PLAYER_KING_ESCAPE_ROUTES"), 4);
    let sfen = "4k4/9/9/9/9/9/9/9/r3K4 b - 1";
    // 6i, the king's own square, and nothing behind it.
    assert_eq!(value(sfen, Color::Black, "PLAYER_KING_THREAT_PENALTY"), -2);
    assert_eq!(value(sfen, Color::White, "ENEMY_KING_ATTACKS"), 2);
    assert_eq!(value(sfen, Color::Black, "PLAYER_KING_ESCAPE_ROUTES"), 4);
}

#[test]
fn distances_are_sums_over_pieces() {
    let sfen = "4k4/9/9/9/9/9/4P4/3P5/4K4 b - 1";
    // 5g is two squares from 5i, 6h is √2 = 1.41, rounded 1.
    assert_eq!(value(sfen, Color::Black, "DTK_FRIENDLY_PAWN"), 3);
    // 5g is six squares from 5a, 6h is √50 = 7.07.
    assert_eq!(value(sfen, Color::Black, "DTK_ENEMY_PAWN"), 13);
}

#[test]
fn balances_of_the_start_are_zero() {
    let set = FeatureSet::named("paper").unwrap();
    let position = Position::startpos();
    let values = set.values(&position, Color::Black);
    assert_eq!(values, set.values(&position, Color::White));
    for name in ["PAWN_VALUE", "AGGRESSION_BALANCE", "TOTAL_ATTACKING", "ROOK_MOBILITY"] {
        assert_eq!(values[set.index_of(name).unwrap()], 0, "{name}");
    }
}
