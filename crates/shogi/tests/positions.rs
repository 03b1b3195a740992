//! Which SFEN texts are positions and which are not, and that text and position agree.

mod common;

use common::{Random, recomputed};
use proptest::prelude::*;
use tesuji_shogi::{Color, Hand, Handicap, Piece, PieceKind, Position, PositionError, SfenError};

/// Texts that are read, and what they are written as.
#[test]
fn valid_texts() {
    for (text, written) in [
        (Position::STARTPOS, Position::STARTPOS),
        // No move number, and number 0 as some programs write it.
        ("4k4/9/9/9/9/9/9/9/4K4 b -", "4k4/9/9/9/9/9/9/9/4K4 b - 1"),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 0", "4k4/9/9/9/9/9/9/9/4K4 b - 1"),
        ("4k4/9/9/9/9/9/9/9/4K4 w - 65535", "4k4/9/9/9/9/9/9/9/4K4 w - 65535"),
        // Loose spacing, and empty squares counted in parts.
        ("  4k4/9/9/9/9/9/9/9/4K4\tb  -  7 \n", "4k4/9/9/9/9/9/9/9/4K4 b - 7"),
        ("22k13/333/9/9/9/9/9/111111111/4K4 b - 1", "4k4/9/9/9/9/9/9/9/4K4 b - 1"),
        // Hands in any order and in parts.
        ("4k4/9/9/9/9/9/9/9/4K4 b pP2p10PRr 1", "4k4/9/9/9/9/9/9/9/4K4 b R11Pr3p 1"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 1P 1", "4k4/9/9/9/9/9/9/9/4K4 b P 1"),
        // The whole set in one hand.
        ("4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1", "4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1"),
        // Mate problems without a king, or without anything.
        ("4k4/9/4P4/9/9/9/9/9/9 b G 1", "4k4/9/4P4/9/9/9/9/9/9 b G 1"),
        ("9/9/9/9/9/9/9/9/4K4 w - 1", "9/9/9/9/9/9/9/9/4K4 w - 1"),
        ("9/9/9/9/9/9/9/9/9 b - 1", "9/9/9/9/9/9/9/9/9 b - 1"),
        // The side to move may be in check, even twice.
        ("4k4/9/3N5/9/4R4/9/9/9/4K4 w - 1", "4k4/9/3N5/9/4R4/9/9/9/4K4 w - 1"),
        // Promoted pieces on the last ranks, tokins beside a pawn.
        ("+P+L+N6/+P+N6k/9/P8/9/9/9/9/4K4 b - 1", "+P+L+N6/+P+N6k/9/P8/9/9/9/9/4K4 b - 1"),
        // A knight on the third rank, a lance and a pawn on the second: they still move.
        ("8k/LP7/2N6/9/9/9/9/9/4K4 b - 1", "8k/LP7/2N6/9/9/9/9/9/4K4 b - 1"),
    ] {
        let position = Position::from_sfen(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(position.to_sfen(), written, "{text}");
        assert_eq!(Position::from_sfen(written), Ok(position));
        assert_eq!(text.parse(), Ok(position));
        assert_eq!(recomputed(&position), position);
    }
}

#[test]
fn handicaps_survive_their_text() {
    for handicap in Handicap::ALL {
        let position = handicap.position();
        assert_eq!(Position::from_sfen(&position.to_sfen()), Ok(position));
        assert_eq!(Handicap::of_position(&position), Some(handicap));
    }
}

/// Each text with the error it gives. Errors of form come first.
#[test]
fn texts_that_cannot_be_read() {
    use SfenError::*;
    let hand = |found: &str| BadHand { found: found.into() };
    for (text, expected) in [
        ("", FieldCount { found: 0 }),
        ("4k4/9/9/9/9/9/9/9/4K4", FieldCount { found: 1 }),
        ("4k4/9/9/9/9/9/9/9/4K4 b", FieldCount { found: 2 }),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 1 2", FieldCount { found: 5 }),
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1", FieldCount { found: 5 }),
        ("9/9/9/9/9/9/9/9 b - 1", RankCount { found: 8 }),
        ("9/9/9/9/9/9/9/9/9/9 b - 1", RankCount { found: 10 }),
        ("9/9/9/9/9/9/9/9/9/ b - 1", RankCount { found: 10 }),
        ("9 b - 1", RankCount { found: 1 }),
        ("8/9/9/9/9/9/9/9/9 b - 1", RankWidth { rank: 'a', found: 8 }),
        ("9/9/9/9/pppppppppp/9/9/9/9 b - 1", RankWidth { rank: 'e', found: 10 }),
        ("9/9/9/9/9/9/9/9/9K b - 1", RankWidth { rank: 'i', found: 10 }),
        ("9//9/9/9/9/9/9/9 b - 1", RankWidth { rank: 'b', found: 0 }),
        (
            "99999999999999999999999999999/9/9/9/9/9/9/9/9 b - 1",
            RankWidth { rank: 'a', found: 261 },
        ),
        ("4x4/9/9/9/9/9/9/9/9 b - 1", UnknownPiece { rank: 'a', found: 'x' }),
        ("9/9/4玉4/9/9/9/9/9/9 b - 1", UnknownPiece { rank: 'c', found: '玉' }),
        ("9/0/9/9/9/9/9/9/9 b - 1", UnknownPiece { rank: 'b', found: '0' }),
        ("９/9/9/9/9/9/9/9/9 b - 1", UnknownPiece { rank: 'a', found: '９' }),
        ("++P7/9/9/9/9/9/9/9/9 b - 1", UnknownPiece { rank: 'a', found: '+' }),
        ("+G8/9/9/9/9/9/9/9/9 b - 1", BadPromotion { rank: 'a' }),
        ("9/+k8/9/9/9/9/9/9/9 b - 1", BadPromotion { rank: 'b' }),
        ("9/9/9/9/9/9/9/+9/9 b - 1", BadPromotion { rank: 'h' }),
        ("9/9/9/9/9/9/9/9/9+ b - 1", BadPromotion { rank: 'i' }),
        ("9/9/9/9/9/9/9/9/9 x - 1", UnknownSide { found: "x".into() }),
        ("9/9/9/9/9/9/9/9/9 B - 1", UnknownSide { found: "B".into() }),
        ("9/9/9/9/9/9/9/9/9 - b 1", UnknownSide { found: "-".into() }),
        ("9/9/9/9/9/9/9/9/9 b K 1", hand("K")),
        ("9/9/9/9/9/9/9/9/9 b 2 1", hand("2")),
        ("9/9/9/9/9/9/9/9/9 b 0P 1", hand("0P")),
        ("9/9/9/9/9/9/9/9/9 b P- 1", hand("P-")),
        ("9/9/9/9/9/9/9/9/9 b -- 1", hand("--")),
        ("9/9/9/9/9/9/9/9/9 b +P 1", hand("+P")),
        ("9/9/9/9/9/9/9/9/9 b P2 1", hand("P2")),
        ("9/9/9/9/9/9/9/9/9 b 256P 1", hand("256P")),
        ("9/9/9/9/9/9/9/9/9 b 255P2P 1", hand("255P2P")),
        ("9/9/9/9/9/9/9/9/9 b 99999999999999999999P 1", hand("99999999999999999999P")),
        ("9/9/9/9/9/9/9/9/9 b 歩 1", hand("歩")),
        ("9/9/9/9/9/9/9/9/9 b - one", BadPly { found: "one".into() }),
        ("9/9/9/9/9/9/9/9/9 b - -1", BadPly { found: "-1".into() }),
        ("9/9/9/9/9/9/9/9/9 b - 65536", BadPly { found: "65536".into() }),
        ("9/9/9/9/9/9/9/9/9 b - moves", BadPly { found: "moves".into() }),
    ] {
        let error = Position::from_sfen(text).unwrap_err();
        assert_eq!(error, expected, "{text}");
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn positions_that_cannot_be() {
    use PieceKind::*;
    use PositionError::*;
    let square = |name: &str| name.parse().unwrap();
    for (text, expected) in [
        ("kk7/9/9/9/9/9/9/9/9 b - 1", TwoKings { color: Color::White }),
        ("K8/9/9/9/9/9/9/9/8K b - 1", TwoKings { color: Color::Black }),
        ("9/9/9/9/9/9/9/9/9 b 19P 1", TooMany { kind: Pawn, count: 19 }),
        ("9/9/9/9/9/9/9/9/9 b 10P9p 1", TooMany { kind: Pawn, count: 19 }),
        ("9/9/9/9/9/9/9/9/9 b 200P 1", TooMany { kind: Pawn, count: 200 }),
        ("9/9/9/9/LL7/9/9/9/9 b 2Ll 1", TooMany { kind: Lance, count: 5 }),
        ("9/9/9/9/+N+n7/9/9/9/9 b 2Nn 1", TooMany { kind: Knight, count: 5 }),
        ("9/9/9/9/9/9/9/9/9 b 5S 1", TooMany { kind: Silver, count: 5 }),
        ("9/9/9/9/+B8/9/9/9/9 b Bb 1", TooMany { kind: Bishop, count: 3 }),
        ("9/9/9/9/RRR6/9/9/9/9 b - 1", TooMany { kind: Rook, count: 3 }),
        ("9/9/9/9/GG7/9/9/9/9 b 3g 1", TooMany { kind: Gold, count: 5 }),
        (
            "9/9/9/9/9/+P+P+P+P+P+P+P+P+P/+p+p+p+p+p+p+p+p+p/9/9 b p 1",
            TooMany { kind: Pawn, count: 19 },
        ),
        ("P8/9/9/9/9/9/9/9/9 b - 1", DeadPiece { square: square("9a"), kind: Pawn }),
        ("9/9/9/9/9/9/9/9/8p b - 1", DeadPiece { square: square("1i"), kind: Pawn }),
        ("4L4/9/9/9/9/9/9/9/9 b - 1", DeadPiece { square: square("5a"), kind: Lance }),
        ("9/9/9/9/9/9/9/9/l8 w - 1", DeadPiece { square: square("9i"), kind: Lance }),
        ("9/1N7/9/9/9/9/9/9/9 b - 1", DeadPiece { square: square("8b"), kind: Knight }),
        ("9/9/9/9/9/9/9/7n1/9 b - 1", DeadPiece { square: square("2h"), kind: Knight }),
        ("9/9/P8/9/P8/9/9/9/9 b - 1", TwoPawns { color: Color::Black, file: 9 }),
        ("9/8p/9/9/9/9/8p/9/9 b - 1", TwoPawns { color: Color::White, file: 1 }),
        ("4k4/9/9/9/4R4/9/9/9/4K4 b - 1", OpponentInCheck { color: Color::White }),
        ("4k4/9/9/9/4r4/9/9/9/4K4 w - 1", OpponentInCheck { color: Color::Black }),
        ("4kK3/9/9/9/9/9/9/9/9 b - 1", OpponentInCheck { color: Color::White }),
        ("4k4/9/9/9/9/9/9/9/9 b 3R 1", TooMany { kind: Rook, count: 3 }),
    ] {
        let error = Position::from_sfen(text).unwrap_err();
        assert_eq!(error, SfenError::Impossible(expected), "{text}");
        assert_eq!(error.to_string(), format!("impossible position: {expected}"));
    }
}

#[test]
fn a_square_cannot_hold_two_pieces() {
    let square = "5e".parse().unwrap();
    let pawn = Piece::new(Color::Black, PieceKind::Pawn);
    let gold = Piece::new(Color::White, PieceKind::Gold);
    let found =
        Position::from_parts([(square, pawn), (square, gold)], [Hand::EMPTY; 2], Color::Black, 1);
    assert_eq!(found, Err(PositionError::SquareTwice { square }));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn positions_survive_their_text(seed: u64, plies in 0..300_usize, pieces in 0..10_usize) {
        let mut random = Random::new(seed);
        for position in [random.played_position(plies), random.sparse_position(pieces)] {
            let sfen = position.to_sfen();
            prop_assert_eq!(Position::from_sfen(&sfen), Ok(position));
            let without_ply = sfen.rsplit_once(' ').unwrap().0;
            prop_assert!(Position::from_sfen(without_ply).unwrap().same_position(&position));
        }
    }

    /// A text with one character changed is refused, or read as what it then says.
    #[test]
    fn damaged_text_never_panics(seed: u64, plies in 0..100_usize, at: usize, with in "\\PC") {
        let sfen = Random::new(seed).played_position(plies).to_sfen();
        let mut chars: Vec<char> = sfen.chars().collect();
        let at = at % chars.len();
        chars[at] = with.chars().next().unwrap_or('?');
        let damaged: String = chars.into_iter().collect();
        if let Ok(position) = Position::from_sfen(&damaged) {
            prop_assert_eq!(Position::from_sfen(&position.to_sfen()), Ok(position));
        }
    }

    #[test]
    fn nonsense_is_refused_without_a_panic(text in "([1-9+plnsbrgkPLNSBRGK/ bw-]|\\PC){0,90}") {
        if let Ok(position) = Position::from_sfen(&text) {
            prop_assert_eq!(Position::from_sfen(&position.to_sfen()), Ok(position));
        }
    }
}

/// What the first column of a file holds.
struct Survey {
    rows: usize,
    /// Why rows are not positions, with the number of the line.
    refused: Vec<(usize, SfenError)>,
    /// Positions of fewer than 40 pieces.
    incomplete: usize,
    /// Positions of fewer than two kings.
    kingless: usize,
    /// Positions whose hands are written in another order than ours.
    reordered: usize,
}

/// The text with its hands spelt out piece by piece in the order of the letters.
fn sorted_hands(sfen: &str) -> String {
    let mut fields: Vec<String> = sfen.split(' ').map(String::from).collect();
    let mut letters = Vec::new();
    let mut count = String::new();
    for letter in fields[2].chars() {
        if letter.is_ascii_digit() {
            count.push(letter);
        } else {
            letters.extend(vec![letter; count.parse().unwrap_or(1)]);
            count.clear();
        }
    }
    letters.sort_unstable();
    fields[2] = letters.into_iter().collect();
    fields.join(" ")
}

fn survey(file: &str) -> Option<Survey> {
    let text = common::shared_data::read(file)?;
    let mut survey =
        Survey { rows: 0, refused: Vec::new(), incomplete: 0, kingless: 0, reordered: 0 };
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#')) {
        survey.rows += 1;
        let sfen = line.split('\t').next().unwrap_or_default();
        match Position::from_sfen(sfen) {
            Err(error) => survey.refused.push((number, error)),
            Ok(position) => {
                let written = position.to_sfen();
                assert_eq!(Position::from_sfen(&written), Ok(position), "{file}, line {number}");
                assert_eq!(sorted_hands(&written), sorted_hands(sfen), "{file}, line {number}");
                survey.reordered += usize::from(written != sfen);
                assert_eq!(recomputed(&position), position, "{file}, line {number}");
                let held: u8 = Color::ALL.iter().map(|&color| position.hand(color).total()).sum();
                let pieces = position.pieces().count() + usize::from(held);
                survey.incomplete += usize::from(pieces < 40);
                let kings = Color::ALL.into_iter().filter_map(|color| position.king(color));
                survey.kingless += usize::from(kings.count() < 2);
            }
        }
    }
    println!(
        "{file}: {} rows, {} refused, {} with missing pieces, {} without a king, {} with hands in another order",
        survey.rows,
        survey.refused.len(),
        survey.incomplete,
        survey.kingless,
        survey.reordered
    );
    for (line, error) in survey.refused.iter().take(3) {
        println!("  for example line {line}: {error}");
    }
    Some(survey)
}

#[test]
fn positions_of_the_data() {
    for (file, rows, refused, incomplete, kingless) in [
        ("openings_records2016_ply24.sfen", 10_831, 0, 0, 0),
        ("openings_taya36.sfen", 1_473, 0, 0, 0),
        ("openings_taya_kamaitachi.sfen", 238, 0, 0, 0),
        ("cain_train.tsv", 5_000, 0, 3, 0),
        // All that is refused are made-up problems with two pawns of one player in a file.
        ("tsume.tsv", 7_634, 154, 1_732, 1_731),
        ("tactical.tsv", 301, 0, 1, 0),
    ] {
        let Some(found) = survey(file) else { continue };
        let counts = (found.rows, found.refused.len(), found.incomplete, found.kingless);
        assert_eq!(counts, (rows, refused, incomplete, kingless), "{file}");
        for (line, error) in found.refused {
            let two_pawns = matches!(error, SfenError::Impossible(PositionError::TwoPawns { .. }));
            assert!(two_pawns, "{file}, line {line}: {error}");
        }
    }
}
