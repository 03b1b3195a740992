use std::time::Duration;

use tesuji_shogi::{Color, EndReason, GameResult, Handicap, Outcome, Position};

use super::*;
use crate::{Ending, Line, MoveRecord, WriteError};

/// A record with everything that version 2.2 can say.
const FULL: &str = "\
V2.2
N+Sente, 6 dan
N-Gote
$EVENT:A tournament: final
$SITE:Tokyo
$START_TIME:2003/05/03 10:30:00
$END_TIME:2003/05/03 11:11:05
$TIME_LIMIT:00:25+00
$OPENING:YAGURA
$X_KEPT:word for word
PI
+
'*before the first move
+7776FU
T12
-3334FU
T6
'*a comment
'** 120 +8822UM -3122GI
+8822UM
T0
-3122GI
+0055KA
%TORYO
T7
'*after the end
";

fn header(key: &str, value: &str) -> Header {
    Header { key: key.into(), value: value.into() }
}

fn played(mv: &str, seconds: Option<u64>, comments: &[&str]) -> MoveRecord {
    MoveRecord {
        mv: mv.parse().unwrap(),
        time: seconds.map(Duration::from_secs),
        comments: comments.iter().map(ToString::to_string).collect(),
        variations: vec![],
    }
}

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap()
}

#[test]
fn reads_every_field() {
    let record = read(FULL).unwrap();
    assert_eq!(
        record.headers,
        [
            header(Header::BLACK, "Sente, 6 dan"),
            header(Header::WHITE, "Gote"),
            header(Header::EVENT, "A tournament: final"),
            header(Header::SITE, "Tokyo"),
            header(Header::STARTED, "2003/05/03 10:30:00"),
            header(Header::ENDED, "2003/05/03 11:11:05"),
            header(Header::TIME_LIMIT, "00:25+00"),
            header(Header::OPENING, "YAGURA"),
            header("X_KEPT", "word for word"),
        ]
    );
    assert_eq!(record.start, Position::startpos());
    assert_eq!(record.comments, ["before the first move"]);
    assert_eq!(
        record.main.moves,
        [
            played("7g7f", Some(12), &[]),
            played("3c3d", Some(6), &["a comment", "* 120 +8822UM -3122GI"]),
            played("8h2b+", Some(0), &[]),
            played("3a2b", None, &[]),
            played("B*5e", None, &[]),
        ]
    );
    assert_eq!(
        record.main.ending,
        Some(Ending {
            // White is to move and resigns.
            result: GameResult::win(Color::Black, EndReason::Resignation),
            time: Some(Duration::from_secs(7)),
            comments: vec!["after the end".into()],
            variations: vec![],
        })
    );
}

#[test]
fn writes_what_it_read() {
    assert_eq!(write(&read(FULL).unwrap()).unwrap(), FULL);
}

#[test]
fn reads_version_3() {
    let text = "\
'CSA encoding=UTF-8
V3.0
N+先手
N-後手
$TIME:600+10+5
$MAX_MOVES:256
$JISHOGI:27
$NOTE:first line\\nsecond line
PI
+
+7776FU
T1.5
-3334FU
T0.250
%MAX_MOVES
T0
";
    let record = read(text).unwrap();
    assert_eq!(
        record.headers,
        [
            header(Header::BLACK, "先手"),
            header(Header::WHITE, "後手"),
            header(Header::TIME_LIMIT, "600+10+5"),
            header("MAX_MOVES", "256"),
            header("JISHOGI", "27"),
            header("NOTE", "first line\\nsecond line"),
        ]
    );
    assert!(record.comments.is_empty());
    let times: Vec<_> = record.main.moves.iter().map(|played| played.time).collect();
    assert_eq!(times, [Some(Duration::from_millis(1500)), Some(Duration::from_millis(250))]);
    assert_eq!(record.result(), GameResult::draw(EndReason::MoveLimit));
    assert_eq!(write(&record).unwrap(), text.replace("T1.5\n", "T1.500\n"));
}

#[test]
fn writes_version_3_only_where_it_is_needed() {
    let version = |record: &GameRecord| {
        let text = write(record).unwrap();
        assert_eq!(read(&text).as_ref(), Ok(record), "{text}");
        text.lines().find(|line| line.starts_with('V')).unwrap().to_string()
    };
    let mut record = GameRecord::new(Position::startpos());
    record.main.moves = vec![played("7g7f", Some(3), &[])];
    assert_eq!(version(&record), "V2.2");
    let mut fraction = record.clone();
    fraction.main.moves[0].time = Some(Duration::from_millis(3001));
    assert_eq!(version(&fraction), "V3.0");
    let mut time_control = record.clone();
    time_control.add_header(Header::TIME_LIMIT, "00:25+00");
    assert_eq!(version(&time_control), "V2.2");
    time_control.headers[0].value = "1500+0+2.5".into();
    assert_eq!(version(&time_control), "V3.0");
    let mut move_limit = record.clone();
    move_limit.main.ending = Some(Ending::new(GameResult::draw(EndReason::MoveLimit)));
    assert_eq!(version(&move_limit), "V2.2");
    let mut ending_time = record;
    ending_time.main.ending = Some(Ending {
        time: Some(Duration::from_millis(10)),
        ..Ending::new(GameResult::win(Color::Black, EndReason::Resignation))
    });
    assert_eq!(version(&ending_time), "V3.0");
}

#[test]
fn plain_comments_blank_lines_and_line_ends_do_not_matter() {
    let text = "\u{feff}'CSA encoding=SHIFT_JIS\r\nV2\r\n'plain\r\n\r\nN+a\r\nPI\r\n+\r\n\
                \x20 +7776FU , T3 ,-3334FU,T4,'* a, b\r\n'\r\n'*\r\n%CHUDAN\r\n'summary:x, y\r\n";
    let record = read(text).unwrap();
    assert_eq!(record.headers, [header(Header::BLACK, "a")]);
    assert_eq!(record.comments, ["plain"]);
    assert_eq!(
        record.main.moves,
        [played("7g7f", Some(3), &[]), played("3c3d", Some(4), &[" a, b", "", ""])]
    );
    assert_eq!(
        record.main.ending,
        Some(Ending {
            result: GameResult { outcome: Outcome::Unknown, reason: EndReason::Interrupted },
            time: None,
            comments: vec!["summary:x, y".into()],
            variations: vec![],
        })
    );
    assert_eq!(read(&write(&record).unwrap()), Ok(record));
}

#[test]
fn reads_start_positions() {
    let start = |text: &str| read(text).unwrap().start;
    assert_eq!(start("PI\n+"), Position::startpos());
    assert_eq!(start("+"), Position::startpos());
    assert_eq!(start("PI,+"), Position::startpos());
    assert_eq!(start("PI82HI22KA\n-\n"), Handicap::TwoPiece.position());
    assert_eq!(start("+7776FU"), Position::startpos());
    // Spaces as the format wants them, as they are often left, and none at all.
    for rank in ["P2 * -HI *  *  *  *  * -KA * ", "P2 * -HI * * * * * -KA *", "P2*-HI*****-KA*"] {
        let text = format!(
            "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n{rank}\nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n\
             P4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \n\
             P6 *  *  *  *  *  *  *  *  * \nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU\n\
             P8 * +KA *  *  *  *  * +HI * \nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n"
        );
        assert_eq!(start(&text), Position::startpos(), "{rank}");
    }
    // A mate problem: single pieces, a hand, and all the rest in White's hand.
    assert_eq!(
        start("P-51OU\nP+53TO32RY00KI00KI\nP-00AL\n+\n"),
        position("4k4/6+R2/4+P4/9/9/9/9/9/9 b 2Gr2b2g4s4n4l17p 1")
    );
    assert_eq!(
        start("P-00AL\nP+00FU\nP-51OU\nP+59OU\n-\n"),
        position("4k4/9/9/9/9/9/9/9/4K4 w P2r2b4g4s4n4l17p 1")
    );
}

#[test]
fn writes_start_positions() {
    let head = |start| write(&GameRecord::new(start)).unwrap();
    assert_eq!(head(Position::startpos()), "V2.2\nPI\n+\n");
    assert_eq!(head(Handicap::TwoPiece.position()), "V2.2\nPI22KA82HI\n-\n");
    assert_eq!(
        head(position("4k4/6+R2/4+P4/9/9/9/9/9/9 b 2Gp 1")),
        "V2.2\n\
         P1 *  *  *  * -OU *  *  *  * \n\
         P2 *  *  *  *  *  * +RY *  * \n\
         P3 *  *  *  * +TO *  *  *  * \n\
         P4 *  *  *  *  *  *  *  *  * \n\
         P5 *  *  *  *  *  *  *  *  * \n\
         P6 *  *  *  *  *  *  *  *  * \n\
         P7 *  *  *  *  *  *  *  *  * \n\
         P8 *  *  *  *  *  *  *  *  * \n\
         P9 *  *  *  *  *  *  *  *  * \n\
         P+00KI00KI\n\
         P-00FU\n\
         +\n"
    );
    for handicap in Handicap::ALL {
        let record = GameRecord::new(handicap.position());
        assert_eq!(read(&write(&record).unwrap()), Ok(record), "{handicap:?}");
    }
}

#[test]
fn each_ending_has_its_winner() {
    use EndReason::{
        Checkmate, Declaration, IllegalMove, Impasse, Interrupted, MoveLimit, Repetition,
        Resignation, TimeUp,
    };
    let interrupted = GameResult { outcome: Outcome::Unknown, reason: Interrupted };
    let (black, white) = (Color::Black, Color::White);
    // After one move White is to move.
    for (name, expected) in [
        ("TORYO", GameResult::win(black, Resignation)),
        ("TSUMI", GameResult::win(black, Checkmate)),
        ("TIME_UP", GameResult::win(black, TimeUp)),
        ("ILLEGAL_MOVE", GameResult::win(black, IllegalMove)),
        ("+ILLEGAL_ACTION", GameResult::win(white, IllegalMove)),
        ("-ILLEGAL_ACTION", GameResult::win(black, IllegalMove)),
        ("KACHI", GameResult::win(white, Declaration)),
        ("SENNICHITE", GameResult::draw(Repetition)),
        ("JISHOGI", GameResult::draw(Impasse)),
        ("HIKIWAKE", GameResult::draw(Impasse)),
        ("MAX_MOVES", GameResult::draw(MoveLimit)),
        ("CHUDAN", interrupted),
        ("FUZUMI", GameResult::UNKNOWN),
        ("MATTA", GameResult::UNKNOWN),
        ("ERROR", GameResult::UNKNOWN),
    ] {
        let record = read(&format!("PI\n+\n+7776FU\n%{name}\n")).unwrap();
        assert_eq!(record.main.ending, Some(Ending::new(expected)), "{name}");
        let again = read(&write(&record).unwrap()).unwrap();
        assert_eq!(again.result(), expected, "{name}");
    }
}

#[test]
fn every_outcome_survives_whatever_its_reason() {
    let outcomes =
        [Outcome::Win(Color::Black), Outcome::Win(Color::White), Outcome::Draw, Outcome::Unknown];
    for moves in [vec![], vec![played("7g7f", None, &[])]] {
        for outcome in outcomes {
            for reason in EndReason::ALL {
                let mut record = GameRecord::new(Position::startpos());
                let mut ending = Ending::new(GameResult { outcome, reason });
                ending.comments = vec!["end".into()];
                record.main = Line { moves: moves.clone(), ending: Some(ending) };
                let text = write(&record).unwrap();
                let again = read(&text).unwrap();
                assert_eq!(again.outcome(), outcome, "{reason} {text}");
                assert!(text.contains("'*end\n"), "{text}");
            }
        }
    }
}

#[test]
fn variations_are_left_out_and_line_breaks_cannot_break_the_file() {
    let mut record = read("PI\n+\n+7776FU\n").unwrap();
    let plain = write(&record).unwrap();
    record.main.moves[0].variations =
        vec![Line { moves: vec![played("2g2f", None, &[])], ending: None }];
    assert_eq!(write(&record).unwrap(), plain);
    record.comments = vec!["one\ntwo".into()];
    record.add_header(Header::EVENT, "a\n%TORYO");
    record.add_header("a:b", "the key has a colon");
    let again = read(&write(&record).unwrap()).unwrap();
    assert_eq!(again.comments, ["one", "two"]);
    assert_eq!(again.headers, [header(Header::EVENT, "a %TORYO")]);
    assert_eq!(again.main.ending, None);
}

#[test]
fn a_game_that_breaks_the_rules_cannot_be_written() {
    let mut record = GameRecord::new(Position::startpos());
    record.main.moves = vec![played("7g7f", None, &[]), played("7f7e", None, &[])];
    let what = "the illegal move 7f7e at ply 2".into();
    assert_eq!(write(&record), Err(WriteError::Unsupported { format: "CSA", what }));
}

#[test]
fn reads_several_games() {
    let text = "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nN+b\nPI\n+\n+7776FU\n+3334FU\n/\n\n'only this\n \
                / \nPI\n+\n-3334FU\n/\n/\nPI22KA\n-\n%CHUDAN\n";
    let games = read_all(text);
    assert_eq!(games.len(), 4);
    assert_eq!(games[0].as_ref().unwrap().outcome(), Outcome::Win(Color::Black));
    let illegal = |ply, text: &str| ParseErrorKind::IllegalMove { ply, text: text.into() };
    assert_eq!(games[1], Err(illegal(2, "+3334FU").at(11)));
    assert_eq!(games[2], Err(illegal(1, "-3334FU").at(18)));
    assert_eq!(games[3].as_ref().unwrap().start, Handicap::Bishop.position());
    assert!(read_all("").is_empty() && read_all("/\n'x\n/").is_empty());
    assert!(is_separator("/") && is_separator(" /\r") && !is_separator("//"));
    // A separator after the only game is no second game.
    assert_eq!(read("PI\n+\n/\n").unwrap(), GameRecord::new(Position::startpos()));
    let expected = "the end of the text after one game";
    assert_eq!(
        read("PI\n+\n/\n\nN+b\nPI\n+\n"),
        Err(ParseErrorKind::Unexpected { expected, found: "N+b".into() }.at(5))
    );
}

#[test]
fn move_errors_name_the_line_and_the_ply() {
    use ParseErrorKind::{BadMove, IllegalMove};
    let error = |mv: &str| read(&format!("V2.2\nPI\n+\n+7776FU,T1\n{mv}\n")).unwrap_err();
    for text in
        ["+3334FU", "-3335FU", "-3334TO", "-3334KI", "-0055FU", "-5455FU", "-7776FU", "-2233UM"]
    {
        assert_eq!(error(text), IllegalMove { ply: 2, text: text.into() }.at(5), "{text}");
    }
    for text in ["-", "-3334", "-3334XX", "-3334FUX", "-0355FU", "-3300FU", "-00TO", "-0055TO"] {
        assert_eq!(error(text), BadMove { ply: 2, text: text.into() }.at(5), "{text}");
    }
}

#[test]
fn other_errors_name_the_line() {
    use ParseErrorKind::{Truncated, Unexpected};
    let unexpected = |expected, found: &str| Unexpected { expected, found: found.into() };
    for (text, expected) in [
        ("", Truncated { expected: "a game" }.at(1)),
        ("'nothing but a comment\n", Truncated { expected: "a game" }.at(1)),
        ("V2.2\nN+a\n\nPI\n", Truncated { expected: "the side to move" }.at(4)),
        ("V4\n", unexpected("a CSA statement", "V4").at(1)),
        ("V2.2\nhello\n", unexpected("a CSA statement", "hello").at(2)),
        ("N=a\n", unexpected("a CSA statement", "N=a").at(1)),
        ("V2.2\n$EVENT\n", unexpected("$KEY:value", "$EVENT").at(2)),
        ("$:x\n", unexpected("$KEY:value", "$:x").at(1)),
        ("PX\n+\n", unexpected("PI, P1 to P9, P+ or P-", "PX").at(1)),
        ("P\n+\n", unexpected("PI, P1 to P9, P+ or P-", "P").at(1)),
        ("PI\n%TORYO\n", unexpected("the side to move", "%TORYO").at(2)),
        ("PI\n+\n%TORY\n", unexpected("the name of an ending", "%TORY").at(3)),
        ("PI\n+\n%CHUDAN\n+7776FU\n", unexpected("the end of the record", "+7776FU").at(4)),
        ("PI\n+\n%CHUDAN\n%TORYO\n", unexpected("the end of the record", "%TORYO").at(4)),
        ("PI\n+\nPI\n", unexpected("a CSA statement", "PI").at(3)),
        ("PI\n+\nT1\n", unexpected("a move before its time", "T1").at(3)),
        ("PI\n+\n+7776FU\nTx\n", unexpected("T and seconds", "Tx").at(4)),
        ("PI\n+\n+7776FU,T-1\n", unexpected("T and seconds", "T-1").at(3)),
        ("PI\n+\n+7776FU\nT1.\n", unexpected("T and seconds", "T1.").at(4)),
        ("PI\n+\n+7776FU\nT+1\n", unexpected("T and seconds", "T+1").at(4)),
    ] {
        assert_eq!(read(text), Err(expected), "{text}");
    }
}

#[test]
fn impossible_positions_are_errors_at_their_line() {
    for (text, line, expected) in [
        ("PI82KA\n-", 1, "82KA is not in the even start, or removed twice"),
        ("PI82HI82HI\n-", 1, "82HI is not in the even start, or removed twice"),
        ("PI82\n-", 1, "\"82\" is not a list of squares and pieces"),
        ("V2\nP1-KY\n-", 2, "rank 1 does not have nine squares"),
        ("P1**********\n-", 1, "rank 1 does not have nine squares"),
        ("P1*********\nP1*********\n+", 2, "rank 1 is given twice"),
        ("P1*********\n\n+", 3, "rank 2 is missing"),
        ("P1********-K\n+", 1, "cannot read \"-K\" in rank 1"),
        ("P1********?\n+", 1, "cannot read \"?\" in rank 1"),
        ("P+55XX\n+", 1, "there is no piece \"XX\""),
        ("P+05FU\n+", 1, "cannot read \"05FU\""),
        ("P+00TO\n+", 1, "cannot read \"00TO\""),
        ("P+00OU\n+", 1, "cannot read \"00OU\""),
        ("P+00AL\nP-00AL\n+", 2, "both players are given all other pieces"),
        ("P+00HI00HI00HI\n+", 2, "more pieces in hand than a set has"),
        ("P+55FU\nP-55FU\n+", 3, "two pieces on 5e"),
        ("PI\nP+55FU\n+", 3, "19 pieces of kind P, a set has 18"),
    ] {
        let expected = ParseErrorKind::BadPosition(expected.into()).at(line);
        assert_eq!(read(text), Err(expected), "{text}");
    }
}
