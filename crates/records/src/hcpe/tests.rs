use super::*;
use crate::packed::fixtures::{
    bytes_of, check_moves, check_positions, check_refusals, start_sample,
};

/// The start position, bit by bit. Of a piece come the code, the owner and the promotion; a gold
/// has the owner only.
const START_BITS: &str = "
    0                               ; Black to move
    0011010 0010010                 ; kings on squares 44 = 0b0101100 and 36 = 0b0100100
    1100,1,0 0 10,1,0 0 0 0 10,0,0 0 1100,0,0                      ; lance, pawn, pawn, lance
    1110,1,0 111110,1,0 10,1,0 0 0 0 10,0,0 111111,0,0 1110,0,0    ; knight, bishop, …, rook, knight
    1101,1,0 0 10,1,0 0 0 0 10,0,0 0 1101,0,0                      ; silver, …, silver
    11110,1 0 10,1,0 0 0 0 10,0,0 0 11110,0                        ; gold, …, gold
    0 10,1,0 0 0 0 10,0,0 0                                        ; the file of the kings
    11110,1 0 10,1,0 0 0 0 10,0,0 0 11110,0
    1101,1,0 0 10,1,0 0 0 0 10,0,0 0 1101,0,0
    1110,1,0 111111,1,0 10,1,0 0 0 0 10,0,0 111110,0,0 1110,0,0
    1100,1,0 0 10,1,0 0 0 0 10,0,0 0 1100,0,0";

/// The position `HANDS` of the fixtures, bit by bit. A piece in hand has its own code, the owner
/// last.
const HANDS_BITS: &str = "
    1                               ; White to move
    0011010 0010010                 ; kings
    000000000 000000000 000000000 000000000     ; files 1 to 4
    000 10,1,1 000                  ; file 5 without the kings: a promoted pawn of White
    000000000 000000000 000000000   ; files 6 to 8
    00000000 111111,0,1             ; file 9: a promoted rook of Black
    000 000 000 000 000 000 000 000 000         ; Black's nine pawns
    1000,0 1000,0 1100,0 1100,0 1010,0 1010,0 1110,0 1110,0        ; lances, …, golds
    111110,0                                    ; a bishop
    001 001 001 001 001 001 001 001             ; White's eight pawns
    1000,1 1000,1 1100,1 1100,1 1010,1 1010,1 1110,1 1110,1
    111110,1 111111,1                           ; a bishop and a rook";

/// The start without White's rook, bishop and left lance, bit by bit.
const BOX_BITS: &str = "
    1
    0011010 0010010
    0 0 10,1,0 0 0 0 10,0,0 0 1100,0,0                             ; no lance on 1a
    1110,1,0 0 10,1,0 0 0 0 10,0,0 111111,0,0 1110,0,0             ; no bishop on 2b
    1101,1,0 0 10,1,0 0 0 0 10,0,0 0 1101,0,0
    11110,1 0 10,1,0 0 0 0 10,0,0 0 11110,0
    0 10,1,0 0 0 0 10,0,0 0
    11110,1 0 10,1,0 0 0 0 10,0,0 0 11110,0
    1101,1,0 0 10,1,0 0 0 0 10,0,0 0 1101,0,0
    1110,1,0 0 10,1,0 0 0 0 10,0,0 111110,0,0 1110,0,0             ; no rook on 8b
    1100,1,0 0 10,1,0 0 0 0 10,0,0 0 1100,0,0
    10010 1111000 1111010                       ; lance, bishop and rook in the box";

#[test]
fn positions_have_the_bits_of_the_format() {
    check_positions(&PACKING, START_BITS, HANDS_BITS, BOX_BITS);
}

#[test]
fn record_has_the_bytes_of_the_format() {
    let sample = start_sample();
    let bytes = encode(&sample).unwrap();
    assert_eq!(bytes[..32], bytes_of(START_BITS));
    assert_eq!(bytes[32..34], [0xfe, 0xfe], "-258");
    // 7g is square 60, 7f is 59.
    assert_eq!(bytes[34..36], [(60_u16 << 7 | 59) as u8, ((60_u16 << 7 | 59) >> 8) as u8]);
    assert_eq!(bytes[36..], [2, 0], "White won");

    let read = decode(&bytes).unwrap();
    assert!(read.position.same_position(&sample.position));
    assert_eq!(read.mv, sample.mv);
    assert_eq!(read.score, Some(-258));
    assert_eq!(read.outcome, Outcome::Win(Color::White));
    assert_eq!((read.game, read.ply), (0, 0));
}

#[test]
fn result_does_not_depend_on_the_side_to_move() {
    let white_to_move = Position::startpos().after("7g7f".parse().unwrap()).unwrap();
    for position in [Position::startpos(), white_to_move] {
        for (outcome, byte) in
            [(Outcome::Draw, 0), (Outcome::Win(Color::Black), 1), (Outcome::Win(Color::White), 2)]
        {
            let sample = Sample { position, mv: None, outcome, ..start_sample() };
            let bytes = encode(&sample).unwrap();
            assert_eq!(bytes[34..], [0, 0, byte, 0]);
            let read = decode(&bytes).unwrap();
            assert_eq!((read.outcome, read.mv), (outcome, None));
        }
    }
}

#[test]
fn moves_have_the_bits_of_the_format() {
    let bits = |text: &str| move_to_u16(text.parse().unwrap());
    assert_eq!(bits("1a1b"), 1);
    assert_eq!(bits("7g7f"), 60 << 7 | 59);
    assert_eq!(bits("8h2b+"), 1 << 14 | 70 << 7 | 10);
    for (origin, letter) in
        [(81, 'P'), (82, 'L'), (83, 'N'), (84, 'S'), (85, 'B'), (86, 'R'), (87, 'G')]
    {
        assert_eq!(bits(&format!("{letter}*5e")), origin << 7 | 40);
    }
}

#[test]
fn moves_and_bits_are_one_to_one() {
    check_moves(&PACKING);
}

#[test]
fn what_the_format_cannot_hold_is_refused() {
    check_refusals("HCPE", encode);
}

#[test]
fn bad_records_are_refused_with_the_reason() {
    let with = |at: usize, values: &[u8]| {
        let mut bytes = encode(&start_sample()).unwrap();
        bytes[at..at + values.len()].copy_from_slice(values);
        decode(&bytes).unwrap_err()
    };
    let illegal = move_to_u16("P*5e".parse().unwrap()).to_le_bytes();
    assert_eq!(with(34, &illegal), ParseErrorKind::IllegalMove { ply: 0, text: "P*5e".into() });
    // Origin 88 is behind the last piece in hand; bit 15 means nothing.
    let origin = (88_u16 << 7).to_le_bytes();
    assert_eq!(with(34, &origin), ParseErrorKind::BadMove { ply: 0, text: "0x2c00".into() });
    assert_eq!(with(34, &[1, 0x80]), ParseErrorKind::BadMove { ply: 0, text: "0x8001".into() });
    let expected = "a result of 0, 1 or 2";
    assert_eq!(with(36, &[3]), ParseErrorKind::Unexpected { expected, found: "3".into() });
}

#[test]
fn bad_positions_are_refused_with_the_reason() {
    let refused = |bits: &str, reason: &str| {
        let error = unpack(&bytes_of(bits), 1).unwrap_err();
        assert_eq!(error, ParseErrorKind::BadPosition(reason.into()));
    };
    let no_king = START_BITS.replace("0011010 0010010", "0011010 1000101");
    refused(&no_king, "white's king on square number 81");
    // A bishop in the box has a zero at the end.
    let no_code = BOX_BITS.replace("1111000", "1111001");
    refused(&no_code, "a code that no piece in hand or box has");
    let no_rook = BOX_BITS.replace("1111010", "1111000");
    refused(&no_rook, "3 pieces of kind B, expected 2");
    let dead = START_BITS.replacen("1100,1,0", "1100,0,0", 1);
    refused(&dead, "L on 1a could never move");
}

#[test]
fn files_are_read_and_written() {
    let mut writer = writer(Vec::new());
    writer.write(&start_sample()).unwrap();
    writer.write(&start_sample()).unwrap();
    let file = writer.finish().unwrap();
    assert_eq!(file.len(), 2 * SIZE);
    let sample = Sample { ply: 0, ..start_sample() };
    let read: Vec<_> = reader(&*file).collect();
    assert_eq!(read, [Ok(sample), Ok(sample)]);
    let expected = "the rest of a record";
    let error = ParseErrorKind::Truncated { expected }.at(2);
    assert_eq!(reader(&file[..75]).nth(1), Some(Err(error)));
}
