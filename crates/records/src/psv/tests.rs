use std::io::{self, Read};

use super::*;
use crate::packed::fixtures::{
    HANDS, bytes_of, check_moves, check_positions, check_refusals, kingless_sample, start_sample,
};

/// The start position, bit by bit. Of a piece come the code, the promotion (not for a gold) and
/// the owner.
const START_BITS: &str = "
    0                               ; Black to move
    0011010 0010010                 ; kings on squares 44 = 0b0101100 and 36 = 0b0100100
    1100,0,1 0 10,0,1 0 0 0 10,0,0 0 1100,0,0                      ; lance, pawn, pawn, lance
    1101,0,1 111110,0,1 10,0,1 0 0 0 10,0,0 111111,0,0 1101,0,0    ; knight, bishop, …, rook, knight
    1110,0,1 0 10,0,1 0 0 0 10,0,0 0 1110,0,0                      ; silver, …, silver
    11110,1 0 10,0,1 0 0 0 10,0,0 0 11110,0                        ; gold, …, gold
    0 10,0,1 0 0 0 10,0,0 0                                        ; the file of the kings
    11110,1 0 10,0,1 0 0 0 10,0,0 0 11110,0
    1110,0,1 0 10,0,1 0 0 0 10,0,0 0 1110,0,0
    1101,0,1 111111,0,1 10,0,1 0 0 0 10,0,0 111110,0,0 1101,0,0
    1100,0,1 0 10,0,1 0 0 0 10,0,0 0 1100,0,0";

/// The position [`HANDS`], bit by bit. Of a piece in hand come the code without its first bit, a
/// zero (not for a gold) and the owner.
const HANDS_BITS: &str = "
    1                               ; White to move
    0011010 0010010                 ; kings
    000000000 000000000 000000000 000000000     ; files 1 to 4
    000 10,1,1 000                  ; file 5 without the kings: a promoted pawn of White
    000000000 000000000 000000000   ; files 6 to 8
    00000000 111111,1,0             ; file 9: a promoted rook of Black
    000 000 000 000 000 000 000 000 000         ; Black's nine pawns
    100,0,0 100,0,0 101,0,0 101,0,0 110,0,0 110,0,0 1110,0 1110,0   ; lances, …, golds
    11110,0,0                                   ; a bishop
    001 001 001 001 001 001 001 001             ; White's eight pawns
    100,0,1 100,0,1 101,0,1 101,0,1 110,0,1 110,0,1 1110,1 1110,1
    11110,0,1 11111,0,1                         ; a bishop and a rook";

/// The start without White's rook, bishop and left lance, bit by bit.
const BOX_BITS: &str = "
    1
    0011010 0010010
    0 0 10,0,1 0 0 0 10,0,0 0 1100,0,0                             ; no lance on 1a
    1101,0,1 0 10,0,1 0 0 0 10,0,0 111111,0,0 1101,0,0             ; no bishop on 2b
    1110,0,1 0 10,0,1 0 0 0 10,0,0 0 1110,0,0
    11110,1 0 10,0,1 0 0 0 10,0,0 0 11110,0
    0 10,0,1 0 0 0 10,0,0 0
    11110,1 0 10,0,1 0 0 0 10,0,0 0 11110,0
    1110,0,1 0 10,0,1 0 0 0 10,0,0 0 1110,0,0
    1101,0,1 0 10,0,1 0 0 0 10,0,0 111110,0,0 1101,0,0             ; no rook on 8b
    1100,0,1 0 10,0,1 0 0 0 10,0,0 0 1100,0,0
    100,1,0 11110,1,0 11111,1,0                 ; lance, bishop and rook in the box";

#[test]
fn positions_have_the_bits_of_the_format() {
    check_positions(&PACKING, START_BITS, HANDS_BITS, BOX_BITS);
}

/// Older versions of YaneuraOu write the golds behind the rooks.
#[test]
fn hands_are_read_in_any_order() {
    let old = HANDS_BITS
        .replace("1110,1 1110,1\n    11110,0,1 11111,0,1", "11110,0,1 11111,0,1 1110,1 1110,1");
    assert_ne!(bytes_of(&old), bytes_of(HANDS_BITS));
    assert_eq!(unpack(&bytes_of(&old), 30).unwrap(), Position::from_sfen(HANDS).unwrap());
}

#[test]
fn a_gold_in_the_box_has_a_code_of_its_own() {
    let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 3G2R2B4S4N4L18P 1").unwrap();
    let bytes = pack(&position).unwrap();
    // The last five bits: a promoted silver of White.
    assert_eq!(bytes[31] >> 3, 0b1_1011);
    assert_eq!(unpack(&bytes, 1).unwrap(), position);
}

#[test]
fn record_has_the_bytes_of_the_format() {
    let sample = Sample { ply: 0x1234, ..start_sample() };
    let bytes = encode(&sample).unwrap();
    assert_eq!(bytes[..32], bytes_of(START_BITS));
    assert_eq!(bytes[32..34], [0xfe, 0xfe], "-258");
    // 7g is square 60, 7f is 59.
    assert_eq!(bytes[34..36], [(60_u16 << 7 | 59) as u8, ((60_u16 << 7 | 59) >> 8) as u8]);
    assert_eq!(bytes[36..38], [0x34, 0x12]);
    assert_eq!(bytes[38], 0xff, "Black is to move and lost");
    assert_eq!(bytes[39], 0);

    let read = decode(&bytes).unwrap();
    assert!(read.position.same_position(&sample.position));
    assert_eq!(read.position.ply(), 0x1234);
    assert_eq!(read.mv, sample.mv);
    assert_eq!(read.score, Some(-258));
    assert_eq!(read.outcome, Outcome::Win(Color::White));
    assert_eq!(read.game, 0);
    assert_eq!(read.ply, 0x1234);
}

#[test]
fn result_is_seen_from_the_side_to_move() {
    let white_to_move = Position::startpos().after("7g7f".parse().unwrap()).unwrap();
    for (position, outcome, byte) in [
        (Position::startpos(), Outcome::Win(Color::Black), 1),
        (Position::startpos(), Outcome::Win(Color::White), 0xff),
        (Position::startpos(), Outcome::Draw, 0),
        (white_to_move, Outcome::Win(Color::Black), 0xff),
        (white_to_move, Outcome::Win(Color::White), 1),
        (white_to_move, Outcome::Draw, 0),
    ] {
        let sample = Sample { position, mv: None, outcome, ..start_sample() };
        let bytes = encode(&sample).unwrap();
        assert_eq!(bytes[38], byte);
        assert_eq!(bytes[34..36], [0, 0], "no move");
        let read = decode(&bytes).unwrap();
        assert_eq!((read.outcome, read.mv), (outcome, None));
    }
}

#[test]
fn moves_have_the_bits_of_the_format() {
    let bits = |text: &str| move_to_u16(text.parse().unwrap());
    assert_eq!(bits("1a1b"), 1);
    assert_eq!(bits("7g7f"), 60 << 7 | 59);
    assert_eq!(bits("8h2b+"), 1 << 15 | 70 << 7 | 10);
    for (kind, letter) in [(1, 'P'), (2, 'L'), (3, 'N'), (4, 'S'), (5, 'B'), (6, 'R'), (7, 'G')] {
        assert_eq!(bits(&format!("{letter}*5e")), 1 << 14 | kind << 7 | 40);
    }
}

#[test]
fn moves_and_bits_are_one_to_one() {
    check_moves(&PACKING);
}

#[test]
fn what_the_format_cannot_hold_is_refused() {
    check_refusals("PSV", encode);
}

fn start_bytes() -> [u8; SIZE] {
    encode(&start_sample()).unwrap()
}

#[test]
fn bad_records_are_refused_with_the_reason() {
    let with = |at: usize, values: &[u8]| {
        let mut bytes = start_bytes();
        bytes[at..at + values.len()].copy_from_slice(values);
        decode(&bytes).unwrap_err()
    };
    let illegal = move_to_u16("7g7e".parse().unwrap()).to_le_bytes();
    assert_eq!(with(34, &illegal), ParseErrorKind::IllegalMove { ply: 1, text: "7g7e".into() });
    // Resignation is no move, and neither is square 127.
    let resign = (2_u16 << 7 | 2).to_le_bytes();
    assert_eq!(with(34, &resign), ParseErrorKind::BadMove { ply: 1, text: "0x0102".into() });
    assert_eq!(with(34, &[0x7f, 0]), ParseErrorKind::BadMove { ply: 1, text: "0x007f".into() });
    let expected = "a result of -1, 0 or 1";
    assert_eq!(with(38, &[2]), ParseErrorKind::Unexpected { expected, found: "2".into() });
    assert_eq!(with(38, &[0x80]), ParseErrorKind::Unexpected { expected, found: "-128".into() });
}

#[test]
fn bad_positions_are_refused_with_the_reason() {
    let refused = |bits: &str, reason: &str| {
        let error = unpack(&bytes_of(bits), 1).unwrap_err();
        assert_eq!(error, ParseErrorKind::BadPosition(reason.into()));
    };
    let no_king = START_BITS.replace("0011010 0010010", "1000101 0010010");
    refused(&no_king, "black's king on square number 81");
    let no_square = START_BITS.replace("0011010 0010010", "0011010 1111111");
    refused(&no_square, "white's king on square number 127");
    let together = START_BITS.replace("0011010 0010010", "0010010 0010010");
    refused(&together, "both kings on 5a");
    // A promoted pawn of White in hand: neither hand nor box.
    refused(&HANDS_BITS.replace("001 001 ", "001 011 "), "a code that no piece in hand or box has");
    // Five pawns, 15 bits, in place of three lances.
    let counts = HANDS_BITS.replacen("100,0,0 100,0,0 101,0,0", "000 000 000 000 000", 1);
    refused(&counts, "23 pieces of kind P, expected 18");
    // All squares full of rooks.
    refused(
        &format!("{}{}", "0 0011010 0010010", "1".repeat(241)),
        "the pieces take more than 256 bits",
    );
    // Two pawns on the fifth file: the bits are in order but the position is not.
    let two_pawns =
        START_BITS.replace("\n    0 10,0,1 0 0 0 10,0,0 0 ", "\n    0 10,0,1 0 0 0 10,0,1 0 ");
    refused(&two_pawns, "white has two pawns on file 5");
}

#[test]
fn reader_numbers_records_and_goes_on_after_a_bad_one() {
    let mut bad = start_bytes();
    bad[38] = 7;
    let file = [start_bytes(), bad, start_bytes()].concat();
    let mut records = reader(&*file);
    assert_eq!(records.next().unwrap().unwrap(), start_sample());
    let error = records.next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "line 2: expected a result of -1, 0 or 1, found \"7\"");
    assert_eq!(records.next().unwrap().unwrap(), start_sample());
    assert_eq!(records.next(), None);
    assert_eq!(reader(io::empty()).next(), None);
}

#[test]
fn truncated_file_ends_with_an_error() {
    let file = start_bytes().repeat(2);
    for length in 41..80 {
        let mut records = reader(&file[..length]);
        assert!(records.next().unwrap().is_ok());
        let expected = "the rest of a record";
        let error = ParseErrorKind::Truncated { expected }.at(2);
        assert_eq!(records.next(), Some(Err(error)));
        assert_eq!(records.next(), None);
    }
}

/// An input that fails after its first bytes, and is interrupted before them.
struct Failing(u8);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0 += 1;
        match self.0 {
            1 => Err(io::ErrorKind::Interrupted.into()),
            2 => {
                buffer[..SIZE].copy_from_slice(&start_bytes());
                Ok(SIZE)
            }
            _ => Err(io::Error::other("the disk is gone")),
        }
    }
}

#[test]
fn failing_input_ends_with_an_error() {
    let mut records = reader(Failing(0));
    assert_eq!(records.next(), Some(Ok(start_sample())));
    let error = ParseErrorKind::Io("the disk is gone".into()).at(2);
    assert_eq!(records.next(), Some(Err(error)));
    assert_eq!(records.next(), None);
}

#[test]
fn writer_writes_only_what_it_can() {
    let mut writer = writer(Vec::new());
    writer.write(&start_sample()).unwrap();
    assert!(writer.write(&kingless_sample()).is_err());
    writer.write(&start_sample()).unwrap();
    assert_eq!(writer.finish().unwrap(), start_bytes().repeat(2));
}
