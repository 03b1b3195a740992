use super::groups::CODES;
use super::*;
use crate::testing::{POSITIONS, assert_one_after_the_other, changed_position};
use std::collections::HashSet;
use tesuji_shogi::{Bitboard, Color, Origin, Piece, PieceKind, Position, Square, attacks};

/// Weights that tell features from each other, so small that no sum is out of range.
fn sample() -> MoveModel {
    let mut number: u32 = 7;
    let numbers: Vec<i16> = (0..MoveModel::NUMBERS)
        .map(|_| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 22) as i16 - 512
        })
        .collect();
    MoveModel::new(&numbers).unwrap()
}

/// A move with its squares changed.
fn changed(mv: Move, change: &impl Fn(Square) -> Square) -> Move {
    let to = change(mv.to());
    match mv.origin() {
        Origin::Hand(kind) => Move::drop(kind, to).unwrap(),
        Origin::Board(from) if mv.is_promotion() => Move::promotion(change(from), to),
        Origin::Board(from) => Move::normal(change(from), to),
    }
}

/// Calls `check` with positions, the moves before them, and their legal moves.
fn for_each_position(mut check: impl FnMut(&Position, Past)) {
    for text in POSITIONS {
        let mut position = Position::from_sfen(text).unwrap();
        let mut past = Past::default();
        for ply in 0..12 {
            check(&position, past);
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(ply * 31 % moves.len().max(1)) else { break };
            position.play_unchecked(mv);
            past = past.then(mv);
        }
    }
}

/// Does the change of a position leave all scores as they were?
fn assert_unchanged(exchange: bool, change: impl Fn(Square) -> Square) {
    let model = sample();
    let (mut compared, mut different) = (0, 0);
    for_each_position(|position, past| {
        let other = changed_position(position, exchange, &change);
        let other_past = Past {
            last: past.last.map(|mv| changed(mv, &change)),
            before: past.before.map(|mv| changed(mv, &change)),
        };
        let contexts = (MoveContext::new(position, past), MoveContext::new(&other, other_past));
        let judges = (model.judge(&contexts.0), model.judge(&contexts.1));
        for mv in &position.legal_moves() {
            // Of two equal pieces the exchange takes with that on the lower square, though only one
            // of them may promote: there the value itself depends on the side.
            let values = &contexts.0.values;
            let exchange = other.exchange(changed(mv, &change), values);
            if position.exchange(mv, values) != exchange {
                different += 1;
                continue;
            }
            compared += 1;
            let scores = (judges.0.score(mv), judges.1.score(changed(mv, &change)));
            assert_eq!(scores.0, scores.1, "{} {mv}", position.to_sfen());
        }
    });
    assert!(different * 50 < compared, "{different} of {compared}");
}

#[test]
fn mirroring_the_board_changes_no_score() {
    assert_unchanged(false, Square::mirrored);
}

#[test]
fn exchanging_the_players_changes_no_score() {
    assert_unchanged(true, |square| square.seen_by(Color::White));
}

#[test]
fn groups_lie_one_after_the_other() {
    let groups = Group::ALL.iter().map(|group| (group.name(), group.range()));
    assert_one_after_the_other(groups, Group::FEATURES);
}

/// A change of a feature changes this number; then `DEFINITIONS` must be counted up too.
#[test]
fn features_stay_what_they_are() {
    let mut sum: u64 = 0;
    for_each_position(|position, past| {
        let context = MoveContext::new(position, past);
        for mv in &position.legal_moves() {
            context.for_each_feature(mv, |feature, sign| {
                assert!(feature < Group::FEATURES);
                let signed = (feature as u64 * 2).wrapping_add_signed(sign.into());
                sum = sum.wrapping_mul(0x100_0000_01b3).wrapping_add(signed);
            });
        }
    });
    assert_eq!((feature_set_id().as_str(), sum), ("move-08976854", 16_604_967_979_735_567_126));
}

#[test]
fn a_move_has_one_feature_of_each_plain_group() {
    for_each_position(|position, past| {
        let context = MoveContext::new(position, past);
        for mv in &position.legal_moves() {
            let mut counts = [0; Group::COUNT];
            context.for_each_feature(mv, |feature, _| {
                let group = Group::ALL.iter().position(|group| group.range().contains(&feature));
                counts[group.unwrap()] += 1;
            });
            for group in [Group::OwnKingTarget, Group::Exchange, Group::Control, Group::Ahead] {
                assert_eq!(counts[group as usize], 1, "{mv}");
            }
            assert_eq!(counts[Group::Around as usize], 24);
            assert_eq!(counts[Group::FromTo as usize], usize::from(!mv.is_drop()));
            assert_eq!(counts[Group::Held as usize], usize::from(mv.is_drop()));
            // A move on the board has a pair with each other piece before and after it, unless
            // nothing tells left from right.
            let held = Color::ALL.map(|color| position.hand(color).iter().count());
            let taken = usize::from(position.piece_on(mv.to()).is_some());
            let others = position.pieces().count() + held[0] + held[1] - 1 - taken;
            let kings = Color::ALL.into_iter().filter_map(|color| position.king(color));
            let squares = kings.chain(mv.from()).chain([mv.to()]);
            let has_sides = squares.into_iter().any(|square| square.file() != 5);
            let pairs = if mv.is_drop() || !has_sides { 0 } else { 2 * others };
            assert_eq!(counts[Group::Pair as usize], pairs, "{mv}");
        }
    });
}

/// What is read from sets and arrays is what the position says square by square.
#[test]
fn facts_are_those_of_the_position() {
    for_each_position(|position, past| {
        let context = MoveContext::new(position, past);
        let us = position.side_to_move();
        let attackers = |square, by| position.attackers(square, by, position.occupied());
        for mv in &position.legal_moves() {
            let info = context.info(mv).unwrap();
            assert_eq!(info.exchange, position.exchange(mv, &context.values), "{mv}");
            assert_eq!(u32::from(info.attackers), attackers(mv.to(), !us).count());
            let moving: Bitboard = mv.from().into_iter().collect();
            let support = attackers(mv.to(), us).without(moving).count();
            assert_eq!(u32::from(info.support), support);
            let after = position.after_unchecked(mv);
            let standing = after.piece_on(mv.to()).unwrap();
            assert_eq!(info.occupied, after.occupied());
            assert_eq!(info.reach, attacks::of(standing, mv.to(), after.occupied()));
            assert_eq!(info.gives_check, after.in_check(), "{mv}");
        }
        for square in Square::all() {
            let code = |square: Option<Square>| {
                let Some(square) = square else { return CODES - 1 };
                position.piece_on(square).map_or(CODES - 2, |piece| {
                    piece.kind().index() + if piece.color() == us { 0 } else { PieceKind::COUNT }
                })
            };
            let turn = if us == Color::Black { 1 } else { -1 };
            for (files, ranks) in [(0, 0), (1, -2), (-2, 1), (2, 2), (-1, 0)] {
                let there = |side: i32| square.offset((side * files) as i8, (turn * ranks) as i8);
                assert_eq!(context.code(square, files, ranks, false), code(there(turn)));
                assert_eq!(context.code(square, files, ranks, true), code(there(-turn)));
            }
        }
    });
}

/// The pieces, other than those that the move touches, that each slider attacks or protects.
fn on_lines(position: &Position, mv: Move) -> HashSet<(Square, Square)> {
    let ends: Bitboard = mv.from().into_iter().chain([mv.to()]).collect();
    let slides = |piece: Piece| {
        let kind = piece.kind().unpromoted();
        matches!(kind, PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook)
            && piece.kind() != PieceKind::ProLance
    };
    let untouched =
        position.pieces().filter(|&(square, piece)| slides(piece) && !ends.contains(square));
    let pairs = untouched.flat_map(|(square, piece)| {
        let reach = attacks::of(piece, square, position.occupied());
        let targets = (reach & position.occupied()).without(ends);
        targets.into_iter().map(move |target| (square, target))
    });
    pairs.collect()
}

#[test]
fn lines_open_and_close_as_the_positions_before_and_after_say() {
    let mut changes = 0;
    for_each_position(|position, past| {
        let context = MoveContext::new(position, past);
        for mv in &position.legal_moves() {
            let (before, after) =
                (on_lines(position, mv), on_lines(&position.after_unchecked(mv), mv));
            let mut counts = [0; 2];
            context.for_each_feature(mv, |feature, _| {
                if let Some(index) = feature.checked_sub(Group::Opened.range().start)
                    && feature < Group::Opened.range().end
                {
                    counts[index % 2] += 1;
                }
            });
            let (closed, opened) = (before.difference(&after), after.difference(&before));
            assert_eq!(counts, [closed.count(), opened.count()], "{} {mv}", position.to_sfen());
            changes += counts[0] + counts[1];
        }
    });
    assert!(changes > 1_000, "{changes}");
}

/// The class of the most valuable piece that hangs after a move, from 1, or 0 without one.
fn left_hanging(sfen: &str, mv: &str) -> usize {
    let position = Position::from_sfen(sfen).unwrap();
    let range = Group::LeftHanging.range();
    let mut found = None;
    MoveContext::new(&position, Past::default()).for_each_feature(
        mv.parse().unwrap(),
        |feature, _| {
            if range.contains(&feature) {
                found = Some((feature - range.start) / 8 % 7);
            }
        },
    );
    found.unwrap()
}

#[test]
fn moves_save_pieces_or_leave_them_hanging() {
    let (none, silver, rook) = (0, 3, 5);
    let lone = "4k4/9/9/9/9/9/7p1/7R1/4K4 b - 1";
    assert_eq!(left_hanging(lone, "5i5h"), rook);
    assert_eq!(left_hanging(lone, "2h2g"), none, "the attacker is taken");
    assert_eq!(left_hanging(lone, "2h3h"), none, "the rook moves away");
    // The rook protects the silver, but against a lance that does not help.
    let both = "4k4/1l7/9/9/9/9/7p1/1S5R1/4K4 b P 1";
    assert_eq!(left_hanging(both, "2h3h"), silver);
    assert_eq!(left_hanging(both, "8h7g"), rook);
    let silver_alone = "4k4/1l7/9/9/9/9/9/1S7/4K4 b GP 1";
    assert_eq!(left_hanging(silver_alone, "P*8g"), none, "the line is closed");
    assert_eq!(left_hanging(silver_alone, "G*7h"), silver);
    // A gold that nothing but its equal attacks needs protection alone.
    let golds = "4k4/9/9/9/9/4g4/4G4/9/K8 b P 1";
    assert_eq!(left_hanging(golds, "9i9h"), silver, "generals are of one class");
    assert_eq!(left_hanging(golds, "5g5f"), none);
}

#[test]
fn the_number_of_weights_is_checked() {
    let expected = MoveModel::NUMBERS;
    for found in [0, 3, Group::FEATURES, expected - 1] {
        let error = MoveModel::new(&vec![0; found]).unwrap_err();
        assert_eq!(error, NumbersError::Count { found, expected });
    }
}

/// The score is what the description of the network says, worked out with real numbers.
#[test]
fn the_network_does_what_it_says() {
    let numbers: Vec<i16> = sample().numbers().map(|number| number / 16).collect();
    let model = MoveModel::new(&numbers).unwrap();
    let (weights, network) = numbers.split_at(Group::FEATURES);
    let row = |number: usize| &network[number * WIDTH..][..WIDTH];
    let output = &network[(Network::FEATURES + BOARD_INPUTS) * WIDTH..];
    for_each_position(|position, past| {
        let context = MoveContext::new(position, past);
        let judge = model.judge(&context);
        let mut board = [0.0; WIDTH];
        context.for_each_piece(|piece| {
            assert!(piece < BOARD_INPUTS);
            let row = row(Network::FEATURES + piece);
            board.iter_mut().zip(row).for_each(|(sum, &number)| *sum += f64::from(number));
        });
        for mv in &position.legal_moves() {
            let (mut linear, mut sums) = (0.0, [0.0; WIDTH]);
            context.for_each_feature(mv, |feature, sign| {
                linear += f64::from(sign) * f64::from(weights[feature]);
                if feature >= Group::FIRST_OF_NETWORK {
                    let row = row(feature - Group::FIRST_OF_NETWORK);
                    sums.iter_mut().zip(row).for_each(|(sum, &number)| *sum += f64::from(number));
                }
            });
            let (both, product) = (0..HALF_WIDTH, HALF_WIDTH..WIDTH);
            let both = both.map(|i| (sums[i] + board[i]).max(0.0) * f64::from(output[i]));
            let product = product.map(|i| sums[i] * board[i].max(0.0));
            let units = f64::from(ROW_UNITS * ROW_UNITS / UNITS);
            let expected = linear + (both.chain(product).sum::<f64>() / units).trunc();
            assert_eq!(f64::from(judge.score(mv)), expected, "{mv}");
        }
    });
}
