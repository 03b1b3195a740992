use super::*;
use crate::testing::{POSITIONS, assert_one_after_the_other, changed_position};
use tesuji_shogi::{Color, Square};

/// Promoted pieces on both sides and full hands.
const LATE: &str = "l7l/5G3/2b+B3k1/p3pNsps/1p1P2P2/P1SnP2Pp/1P1G+r4/1K7/LN3+r1N1 w GS3Pgl4p 114";

/// Weights that tell every feature from every other.
fn sample() -> PositionModel {
    let mut number: u32 = 7;
    let weights = (0..Group::FEATURES).map(|_| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 16) as i16
    });
    PositionModel::new(weights.collect()).unwrap()
}

/// Calls `check` with positions, as far as possible on and on from each.
fn for_each_position(mut check: impl FnMut(&Position)) {
    for text in POSITIONS.into_iter().chain([LATE]) {
        let mut position = Position::from_sfen(text).unwrap();
        for ply in 0..16 {
            check(&position);
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(ply * 31 % moves.len().max(1)) else { break };
            position.play_unchecked(mv);
        }
    }
}

#[test]
fn moves_are_compared_as_if_all_features_were_worked_out() {
    let model = sample();
    for_each_position(|position| {
        let comparison = Comparison::new(position);
        let mut expected = None;
        for mv in &position.legal_moves() {
            let after = position.after_unchecked(mv);
            let common = model.score(&after) - model.relative_score(&comparison, mv);
            assert_eq!(*expected.get_or_insert(common), common, "{} {mv}", position.to_sfen());
        }
    });
}

#[test]
fn exchanging_the_players_changes_no_score() {
    let model = sample();
    let mut compared = 0;
    for_each_position(|position| {
        let other =
            changed_position(position, true, &|square: Square| square.seen_by(Color::White));
        if gains(position) == gains(&other) {
            compared += 1;
            assert_eq!(model.score(position), model.score(&other), "{}", position.to_sfen());
        }
    });
    assert!(compared > 80, "{compared}");
}

/// What each side gains by taking. Of two equal pieces the exchange takes with that on the lower
/// square, though only one of them may promote: there the value itself depends on the side.
fn gains(position: &Position) -> [Vec<i32>; 2] {
    let values = ExchangeValues::default();
    [!position.side_to_move(), position.side_to_move()].map(|by| {
        let mut gains: Vec<i32> =
            Square::all().map(|square| position.capture_gain(square, by, &values)).collect();
        gains.sort_unstable();
        gains
    })
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
    for_each_position(|position| {
        for_each_feature(position, |feature| {
            assert!(feature < Group::FEATURES);
            sum = sum.wrapping_mul(0x100_0000_01b3).wrapping_add(feature as u64);
        });
    });
    assert_eq!((feature_set_id().as_str(), sum), ("static-b3dd35aa", 3_040_138_324_863_124_866));
}

#[test]
fn a_position_has_a_feature_of_each_piece_pair_and_square() {
    for_each_position(|position| {
        let mut counts = [0; Group::COUNT];
        for_each_feature(position, |feature| {
            let group = Group::ALL.iter().position(|group| group.range().contains(&feature));
            counts[group.unwrap()] += 1;
        });
        let placed = position.pieces().count();
        let held: usize = Color::ALL.map(|color| position.hand(color).iter().count()).iter().sum();
        let piece_squares = placed + held;
        assert_eq!(counts[Group::Place as usize], placed);
        assert_eq!(counts[Group::Hand as usize], held);
        assert_eq!(counts[Group::Pair as usize], piece_squares * (piece_squares - 1) / 2);
        assert_eq!(counts[Group::Control as usize], Square::COUNT);
        assert_eq!(counts[Group::Balance as usize], 1);
    });
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let mut model = sample();
    model.run.insert("seed".into(), 1.into());
    let bytes = model.to_bytes();
    assert!(PositionModel::is_file(&bytes));
    assert_eq!(PositionModel::parse(&bytes).unwrap(), model);
    assert!(!crate::MoveModel::is_file(&bytes));
}

#[test]
fn the_number_of_weights_is_checked() {
    let error = PositionModel::new(vec![0; 3]).unwrap_err().to_string();
    assert!(error.contains("3 numbers"), "{error}");
}
