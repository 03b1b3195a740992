use std::io::{self, BufReader, Read};

use super::*;
use crate::packed::fixtures::start_sample;

const START: &str = Position::STARTPOS;

fn read(text: impl AsRef<[u8]>) -> Vec<Result<Sample, ParseError>> {
    Reader::new(text.as_ref()).collect()
}

fn read_one(text: &str) -> Result<Sample, ParseError> {
    let [sample] = <[_; 1]>::try_from(read(text)).unwrap();
    sample
}

fn write(samples: &[Sample]) -> String {
    let mut writer = Writer::new(Vec::new()).unwrap();
    for sample in samples {
        writer.write(sample).unwrap();
    }
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

#[test]
fn written_lines_are_as_described() {
    let sample = Sample { game: 12, ..start_sample() };
    let bare = Sample { mv: None, score: None, outcome: Outcome::Unknown, ..sample };
    let draw = Sample { outcome: Outcome::Draw, score: Some(0), ..sample };
    let black = Sample { outcome: Outcome::Win(Color::Black), game: 0, ply: 0, ..sample };
    assert_eq!(
        write(&[sample, bare, draw, black]),
        format!(
            "#sfen\tmove\tresult\tgame\tply\tscore\n\
             {START}\t7g7f\tw\t12\t1\t-258\n\
             {START}\t-\t?\t12\t1\n\
             {START}\t7g7f\td\t12\t1\t0\n\
             {START}\t7g7f\tb\t0\t0\t-258\n"
        )
    );
    let samples = [sample, bare, draw, black];
    assert_eq!(read(write(&samples)), samples.map(Ok));
}

#[test]
fn reader_goes_by_the_names_of_the_columns() {
    let sample = read_one(&format!("#score\tkind\tanswer\tsfen\n31\tmate\t2g2f\t{START}\n"));
    let sample = sample.unwrap();
    assert_eq!(sample.position, Position::startpos());
    assert_eq!(sample.mv, Some("2g2f".parse().unwrap()));
    assert_eq!(sample.score, Some(31));
    assert_eq!(sample.outcome, Outcome::Unknown);
    assert_eq!((sample.game, sample.ply), (0, 1));

    let sample = read_one(&format!("# sfen\tusi_move\n{START}\t7g7f")).unwrap();
    assert_eq!(sample.mv, Some("7g7f".parse().unwrap()));
}

#[test]
fn files_without_names_have_the_columns_of_the_writer() {
    let sfen = START.replace(" 1", " 25");
    let sample = read_one(&format!("{sfen}\r\n")).unwrap();
    assert_eq!((sample.mv, sample.ply), (None, 25));
    let sample = read_one(&format!("{START}\t7g7f\tb\t3\t9\t-5")).unwrap();
    assert_eq!(sample.outcome, Outcome::Win(Color::Black));
    assert_eq!((sample.game, sample.ply, sample.score), (3, 9, Some(-5)));
    // A remark that names no position is no header.
    let text = format!("# made by hand\n\n{START}\t7g7f\n# end\n");
    assert_eq!(read_one(&text).unwrap().mv, Some("7g7f".parse().unwrap()));
}

#[test]
fn scores_beyond_the_range_are_its_ends() {
    for (text, score) in
        [("-32768", i16::MIN), ("-100000", i16::MIN), ("32767", i16::MAX), ("35281", i16::MAX)]
    {
        let sample = read_one(&format!("{START}\t7g7f\tb\t0\t1\t{text}")).unwrap();
        assert_eq!(sample.score, Some(score));
    }
}

#[test]
fn bad_lines_are_reported_and_passed() {
    let text = format!(
        "{HEADER}\n\
         {START}\t7g7f\n\
         {START}\t7g7e\n\
         {START}\tP*5e\td\t0\t77\n\
         {START}\t77gf\n\
         {START}\t7g7f\tx\n\
         {START}\t7g7f\tb\t-1\n\
         {START}\t7g7f\tb\t0\t65536\n\
         {START}\t7g7f\tb\t0\t1\t0.5\n\
         9/9/9 b - 1\t7g7f\n\
         ppppppppp/9/9/9/9/9/9/9/p8 w - 1\n\
         \t7g7f\n\
         {START}\t2g2f\n"
    );
    let unexpected =
        |expected, found: &str| ParseErrorKind::Unexpected { expected, found: found.into() };
    let position = |reason: &str| ParseErrorKind::BadPosition(reason.into());
    let expected = [
        ParseErrorKind::IllegalMove { ply: 1, text: "7g7e".into() }.at(3),
        ParseErrorKind::IllegalMove { ply: 77, text: "P*5e".into() }.at(4),
        ParseErrorKind::BadMove { ply: 1, text: "77gf".into() }.at(5),
        unexpected("a result: b, w, d or ?", "x").at(6),
        unexpected("the number of a game", "-1").at(7),
        unexpected("a move number from 0 to 65535", "65536").at(8),
        unexpected("a score", "0.5").at(9),
        position("SFEN board has 3 ranks, expected 9").at(10),
        position("impossible position: P on 9i could never move").at(11),
        ParseErrorKind::Truncated { expected: "a position" }.at(12),
    ];
    let lines = read(text);
    assert!(lines[0].is_ok() && lines[11].is_ok());
    let errors: Vec<_> = lines.into_iter().filter_map(Result::err).collect();
    assert_eq!(errors, expected);
}

#[test]
fn bytes_that_are_not_text_are_reported() {
    let lines = read([START.as_bytes(), b"\n\xff\xfe\n", START.as_bytes()].concat());
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1], Err(ParseErrorKind::Encoding.at(2)));
    assert!(lines[0].is_ok() && lines[2].is_ok());
}

/// An input that fails behind its text.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the disk is gone")),
            count => Ok(count),
        }
    }
}

#[test]
fn failing_input_ends_with_an_error() {
    let text = format!("{START}\n");
    let mut reader = Reader::new(BufReader::new(Failing(text.as_bytes())));
    assert!(reader.next().unwrap().is_ok());
    let error = ParseErrorKind::Io("the disk is gone".into()).at(2);
    assert_eq!(reader.next(), Some(Err(error)));
    assert_eq!(reader.next(), None);
}

#[test]
fn failing_output_is_reported() {
    let mut room = [0; HEADER.len() + 10];
    let mut writer = Writer::new(&mut room[..]).unwrap();
    assert!(matches!(writer.write(&start_sample()), Err(WriteError::Io(_))));
}

#[test]
fn the_first_line_tells_a_table() {
    for (start, table) in [
        (HEADER, true),
        ("#sfen\tmate_length\r\n", true),
        ("#date\tgame\n#sfen\n", false),
        ("sfen\tmove\n", false),
        ("", false),
    ] {
        assert_eq!(is_table(start.as_bytes()), table, "{start}");
    }
}
