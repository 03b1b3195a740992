//! Entering kings: the point rules at their edges, the try rule, and a recount from the SFEN text.

mod common;

use common::Random;
use proptest::prelude::*;
use tesuji_shogi::{
    Color, EndReason, EnteringKing, EnteringKingRule, Game, GameResult, Hand, Outcome, Piece,
    PieceKind, Position, Rules, Square,
};

use EnteringKingRule::{Csa24, Csa24H, Csa27, Csa27H, TryRule};

/// Ten tokins and the king in the enemy camp: ten points on the board.
const BLACK_CAMP: &str = "+P+P+P+P+P+P+P+P+P/+P3K4/9/9/9/9/9/9/4k4 b";
const WHITE_CAMP: &str = "4K4/9/9/9/9/9/9/4k3+p/+p+p+p+p+p+p+p+p+p w";

fn declared(board: &str, hands: &str, rule: EnteringKingRule) -> Option<GameResult> {
    Position::from_sfen(&format!("{board} {hands} 1")).unwrap().declaration(rule)
}

fn win(color: Color) -> Option<GameResult> {
    Some(GameResult::win(color, EndReason::Declaration))
}

const DRAW: Option<GameResult> = Some(GameResult::draw(EndReason::Impasse));

#[test]
fn black_needs_28_points_under_the_27_point_rule() {
    assert_eq!(declared(BLACK_CAMP, "2RB3P", Csa27), win(Color::Black));
    assert_eq!(declared(BLACK_CAMP, "2RB2P", Csa27), None);
}

#[test]
fn white_needs_27_points_under_the_27_point_rule() {
    assert_eq!(declared(WHITE_CAMP, "2rb2p", Csa27), win(Color::White));
    assert_eq!(declared(WHITE_CAMP, "2rbp", Csa27), None);
}

#[test]
fn the_24_point_rule_knows_draws() {
    for (board, color, hands) in [
        (BLACK_CAMP, Color::Black, ["2R2BP", "2R2B", "2R4P", "2R3P"]),
        (WHITE_CAMP, Color::White, ["2r2bp", "2r2b", "2r4p", "2r3p"]),
    ] {
        let found = hands.map(|hands| declared(board, hands, Csa24));
        assert_eq!(found, [win(color), DRAW, DRAW, None]);
    }
}

#[test]
fn without_a_rule_nothing_can_be_declared() {
    assert_eq!(declared(BLACK_CAMP, "2R2B8P", EnteringKingRule::None), None);
}

#[test]
fn ten_other_pieces_must_have_entered() {
    let nine = "+P+P+P+P+P+P+P+P+P/4K4/9/9/9/9/9/9/4k4 b";
    let tenth_outside = "+P+P+P+P+P+P+P+P+P/4K4/9/+P8/9/9/9/9/4k4 b";
    let tenth_on_the_edge = "+P+P+P+P+P+P+P+P+P/4K4/+P8/9/9/9/9/9/4k4 b";
    assert_eq!(declared(nine, "2R2B4G4S", Csa27), None);
    assert_eq!(declared(tenth_outside, "2R2B4G4S", Csa27), None);
    assert_eq!(declared(tenth_on_the_edge, "2R2B4G4S", Csa27), win(Color::Black));
}

#[test]
fn the_king_must_have_entered() {
    let on_rank_c = "+P+P+P+P+P+P+P+P+P/+P8/4K4/9/9/9/9/9/4k4 b";
    let on_rank_d = "+P+P+P+P+P+P+P+P+P/+P8/9/4K4/9/9/9/9/4k4 b";
    let no_king = "+P+P+P+P+P+P+P+P+P/+P8/9/9/9/9/9/9/4k4 b";
    assert_eq!(declared(on_rank_c, "2R2B", Csa27), win(Color::Black));
    assert_eq!(declared(on_rank_d, "2R2B", Csa27), None);
    assert_eq!(declared(no_king, "2R2B", Csa27), None);
}

#[test]
fn nobody_declares_in_check() {
    let in_check = "+P+P+P+P+P+P+P+P+P/+P3K4/9/4r4/9/9/9/9/4k4 b";
    let beside = "+P+P+P+P+P+P+P+P+P/+P3K4/9/5r3/9/9/9/9/4k4 b";
    assert_eq!(declared(in_check, "R2B3P", Csa27), None);
    assert_eq!(declared(beside, "R2B3P", Csa27), win(Color::Black));
}

#[test]
fn only_the_side_to_move_declares() {
    let waiting = BLACK_CAMP.replace(" b", " w");
    assert_eq!(declared(&waiting, "2R2B", Csa27), None);
}

#[test]
fn promoted_rooks_and_bishops_count_five_and_the_king_nothing() {
    let sfen = "+R+B+R+B5/+P+P+P+P+P+P3/4K4/9/4k4/9/9/9/9 b GSNL 1";
    let position = Position::from_sfen(sfen).unwrap();
    assert_eq!(
        position.entering_king(Color::Black),
        EnteringKing { king_entered: true, pieces_in_camp: 10, points: 30, in_check: false }
    );
    assert_eq!(
        position.entering_king(Color::White),
        EnteringKing { king_entered: false, pieces_in_camp: 0, points: 0, in_check: false }
    );
    assert_eq!(position.declaration(Csa27), win(Color::Black));
    assert_eq!(position.declaration(Csa24), DRAW);
}

#[test]
fn white_is_given_the_points_of_the_handicap() {
    // Two-piece handicap: a rook and a bishop are missing, White has the others.
    let hands = "8P4L4N4S4Grb";
    let found = [Csa27, Csa27H, Csa24, Csa24H].map(|rule| declared(WHITE_CAMP, hands, rule));
    assert_eq!(found, [None, win(Color::White), None, DRAW]);
    let position = Position::from_sfen(&format!("{WHITE_CAMP} {hands} 1")).unwrap();
    assert_eq!(position.handicap_points(), 10);
    assert_eq!(position.entering_king(Color::White).points, 20);
    // The taker of the handicap gets nothing.
    let found =
        [Csa27, Csa27H, Csa24, Csa24H].map(|rule| declared(BLACK_CAMP, "RB8p4l4n4s4g", rule));
    assert_eq!(found, [None, None, None, None]);
    assert_eq!(declared(BLACK_CAMP, "RB4P", Csa24H), DRAW);
    assert_eq!(Position::startpos().handicap_points(), 0);
}

#[test]
fn names_are_those_of_the_option() {
    let names = EnteringKingRule::ALL.map(EnteringKingRule::name);
    let expected =
        ["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"];
    assert_eq!(names, expected);
    for rule in EnteringKingRule::ALL {
        assert_eq!(EnteringKingRule::from_name(rule.name()), Some(rule));
    }
    assert_eq!(EnteringKingRule::from_name("csarule27"), None);
    assert_eq!(Rules::default().entering_king, Csa27);
}

const TRY: Rules = Rules { entering_king: TryRule, max_moves: None };

#[test]
fn the_king_that_arrives_wins_under_the_try_rule() {
    let black = Game::from_usi("sfen 9/4K4/9/9/9/9/9/9/k8 b - 1 moves 5b5a").unwrap();
    assert_eq!(black.result(&TRY), Some(GameResult::win(Color::Black, EndReason::TryRule)));
    assert_eq!(black.result(&Rules::default()), None);
    let white = Game::from_usi("sfen K8/9/9/9/9/9/9/5k3/9 w - 1 moves 4h5i").unwrap();
    assert_eq!(white.result(&TRY), Some(GameResult::win(Color::White, EndReason::TryRule)));
}

#[test]
fn only_the_enemy_kings_square_counts_under_the_try_rule() {
    // The own start square, another square of the camp, another piece on the goal.
    for text in [
        "sfen 9/9/9/9/9/9/9/4K4/k8 b - 1 moves 5h5i",
        "sfen 9/4K4/9/9/9/9/9/9/k8 b - 1 moves 5b4a",
        "sfen 9/9/4G4/9/9/9/9/9/k7K b R 1 moves R*5a",
    ] {
        assert_eq!(Game::from_usi(text).unwrap().result(&TRY), None, "{text}");
    }
}

#[test]
fn a_king_that_stood_there_from_the_start_has_not_tried() {
    let mut game = Game::from_usi("sfen 4K4/9/9/9/9/9/9/9/k7R w - 1").unwrap();
    assert_eq!(game.result(&TRY), None);
    game.play("9i9h".parse().unwrap()).unwrap();
    game.play("1i1a".parse().unwrap()).unwrap();
    assert_eq!(game.result(&TRY), None);
    // The position by itself says that it would have.
    let position = game.position();
    assert_eq!(position.declaration(TryRule).and_then(GameResult::winner), Some(Color::Black));
}

#[test]
fn an_attacked_goal_cannot_be_reached() {
    let text = "sfen 8r/4K4/9/9/9/9/9/9/k8 b - 1 moves 5b5a";
    assert!(Game::from_usi(text).is_err());
}

#[test]
fn a_declaration_ends_the_game() {
    let rules = Rules { entering_king: Csa27, max_moves: None };
    let mut game = Game::from_usi(&format!("sfen {BLACK_CAMP} 2RB3P 1")).unwrap();
    assert_eq!(game.result(&rules), None, "nobody has declared yet");
    assert_eq!(Some(game.declare(&rules)), win(Color::Black));
    assert_eq!(game.result(&rules), win(Color::Black));
}

#[test]
fn a_declaration_without_ground_loses() {
    let lost = GameResult::win(Color::White, EndReason::IllegalMove);
    for rule in [Csa27, Csa24, TryRule, EnteringKingRule::None] {
        let rules = Rules { entering_king: rule, max_moves: None };
        let mut game = Game::new(Position::startpos());
        assert_eq!(game.declare(&rules), lost);
        assert_eq!(game.result(&rules), Some(lost));
    }
    // A game that is over stays as it ended.
    let mut game = Game::new(Position::startpos());
    game.resign(Color::White);
    let resigned = GameResult::win(Color::Black, EndReason::Resignation);
    assert_eq!(game.declare(&Rules::default()), resigned);
}

/// Counts from the text of the position, letter by letter.
fn recount(position: &Position, color: Color) -> (bool, u8, u8) {
    let sfen = position.to_sfen();
    let fields: Vec<&str> = sfen.split(' ').collect();
    let value = |letter: char| if "RB".contains(letter.to_ascii_uppercase()) { 5 } else { 1 };
    let own = |letter: char| letter.is_ascii_uppercase() == (color == Color::Black);
    let ranks: Vec<&str> = fields[0].split('/').collect();
    let camp = if color == Color::Black { &ranks[..3] } else { &ranks[6..] };
    let (mut entered, mut pieces, mut points) = (false, 0, 0);
    for letter in camp.concat().chars().filter(|&c| c.is_ascii_alphabetic() && own(c)) {
        if letter.eq_ignore_ascii_case(&'k') {
            entered = true;
        } else {
            pieces += 1;
            points += value(letter);
        }
    }
    let mut count = 0;
    for letter in fields[2].chars().filter(|&c| c != '-') {
        if let Some(digit) = letter.to_digit(10) {
            count = count * 10 + digit as u8;
        } else {
            if own(letter) {
                points += value(letter) * count.max(1);
            }
            count = 0;
        }
    }
    (entered, pieces, points)
}

/// A position near a declaration: a king in or near the enemy camp with many pieces around it.
fn entering_position(random: &mut Random) -> Option<Position> {
    let color = Color::ALL[random.below(2)];
    let in_camp = |random: &mut Random, ranks| {
        Square::new(1 + random.below(9) as u8, 1 + random.below(ranks) as u8)
    };
    let mut set = [18_u8, 4, 4, 4, 2, 2, 4];
    let mut board = vec![(in_camp(random, 4)?, Piece::new(color, PieceKind::King))];
    board.push((Square::from_index(random.below(81))?, Piece::new(!color, PieceKind::King)));
    for _ in 0..12 + random.below(10) {
        let kind = PieceKind::HAND[random.below(7)];
        let owner = if random.chance(95) { color } else { !color };
        let ranks = if random.chance(10) { 4 } else { 3 };
        let square = in_camp(random, ranks)?;
        let taken = board.iter().any(|&(other, _)| other == square);
        if taken || set[kind.index()] == 0 {
            continue;
        }
        set[kind.index()] -= 1;
        let kind = if random.chance(70) { kind.promoted().unwrap_or(kind) } else { kind };
        board.push((square, Piece::new(owner, kind)));
    }
    let turned = board.into_iter().map(|(square, piece)| (square.seen_by(color), piece));
    let mut counts = [[0; 7]; 2];
    for kind in PieceKind::HAND {
        let left = set[kind.index()];
        let held = random.below(usize::from(left) + 1) as u8;
        counts[color.index()][kind.index()] = held;
        if random.chance(70) {
            counts[color.flip().index()][kind.index()] = left - held;
        }
    }
    let hands = counts.map(|counts| Hand::from_counts(counts).unwrap());
    Position::from_parts(turned, hands, color, 1).ok()
}

/// The declaration as the rules read, on top of the recount.
fn expected(position: &Position, rule: EnteringKingRule) -> Option<GameResult> {
    let us = position.side_to_move();
    let (entered, pieces, mut points) = recount(position, us);
    let (winning, drawing, handicap) = match (rule, us) {
        (Csa24, _) => (31, 24, false),
        (Csa24H, _) => (31, 24, true),
        (Csa27, Color::Black) => (28, 28, false),
        (Csa27, Color::White) => (27, 27, false),
        (Csa27H, Color::Black) => (28, 28, true),
        (Csa27H, Color::White) => (27, 27, true),
        (EnteringKingRule::None | TryRule, _) => return None,
    };
    if !entered || pieces < 10 || position.in_check() {
        return None;
    }
    if handicap && us == Color::White {
        let large = |kind| matches!(kind, PieceKind::Rook | PieceKind::Bishop);
        let mut total = 0;
        for (_, piece) in position.pieces().filter(|(_, p)| p.kind() != PieceKind::King) {
            total += if large(piece.kind().unpromoted()) { 5 } else { 1 };
        }
        for (kind, count) in Color::ALL.into_iter().flat_map(|c| position.hand(c).iter()) {
            total += if large(kind) { 5 * count } else { count };
        }
        points += 54 - total;
    }
    if points >= winning {
        win(us)
    } else if points >= drawing {
        DRAW
    } else {
        None
    }
}

#[test]
fn declarations_equal_the_recount() {
    let mut random = Random::new(27);
    let mut outcomes = [0; 3];
    for _ in 0..20_000 {
        let Some(position) = entering_position(&mut random) else { continue };
        for color in Color::ALL {
            let found = position.entering_king(color);
            let counted = (found.king_entered, found.pieces_in_camp, found.points);
            assert_eq!(counted, recount(&position, color), "{position:?}");
        }
        assert_eq!(position.entering_king(position.side_to_move()).in_check, position.in_check());
        for rule in [EnteringKingRule::None, Csa24, Csa24H, Csa27, Csa27H] {
            let result = position.declaration(rule);
            assert_eq!(result, expected(&position, rule), "{rule:?} {position:?}");
            outcomes[match result.map(|result| result.outcome) {
                Some(Outcome::Win(_)) => 0,
                Some(_) => 1,
                None => 2,
            }] += 1;
        }
    }
    println!("wins, draws, neither: {outcomes:?}");
    assert!(outcomes.iter().all(|&count| count > 300), "{outcomes:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

    #[test]
    fn points_of_played_positions_equal_the_recount(seed: u64, plies in 0..300_usize) {
        let position = Random::new(seed).played_position(plies);
        prop_assert_eq!(position.handicap_points(), 0);
        for color in Color::ALL {
            let found = position.entering_king(color);
            let counted = (found.king_entered, found.pieces_in_camp, found.points);
            prop_assert_eq!(counted, recount(&position, color));
        }
    }
}
