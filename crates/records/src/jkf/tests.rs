use std::time::Duration;

use serde_json::{Value, json};
use tesuji_shogi::{Color, EndReason, GameResult, Handicap, Move, Outcome, Position};

use super::*;
use crate::{Ending, GameRecord, Line, MoveRecord, ParseError, ParseErrorKind, WriteError};

/// A game with everything that the format can say.
fn full() -> Value {
    json!({
        "header": {
            "先手": "Sente", "後手": "Gote", "棋戦": "A tournament", "場所": "Tokyo",
            "開始日時": "2003/05/03 10:30", "終了日時": "2003/05/03 11:11",
            "持ち時間": "25分", "戦型": "矢倉", "備考": "kept"
        },
        "initial": {"preset": "HIRATE"},
        "moves": [
            {"comments": ["before the first move", "two lines"]},
            {"move": {"color": 0, "from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"},
             "time": {"now": {"h": 0, "m": 1, "s": 2}, "total": {"h": 0, "m": 1, "s": 2}}},
            {"move": {"color": 1, "from": {"x": 3, "y": 3}, "to": {"x": 3, "y": 4}, "piece": "FU"},
             "comments": ["a comment"],
             "forks": [
                [{"move": {"color": 1, "from": {"x": 8, "y": 3}, "to": {"x": 8, "y": 4},
                           "piece": "FU"},
                  "time": {"now": {"h": 0, "m": 0, "s": 9}, "total": {"h": 0, "m": 0, "s": 9}}},
                 {"move": {"color": 0, "from": {"x": 2, "y": 7}, "to": {"x": 2, "y": 6},
                           "piece": "FU"},
                  "time": {"now": {"h": 0, "m": 0, "s": 1}, "total": {"h": 0, "m": 1, "s": 3}},
                  "forks": [[{"special": "CHUDAN"}]]}],
                [{"move": {"color": 1, "from": {"x": 4, "y": 3}, "to": {"x": 4, "y": 4},
                           "piece": "FU"}},
                 {"special": "TORYO"}]
             ]},
            {"move": {"color": 0, "from": {"x": 8, "y": 8}, "to": {"x": 2, "y": 2}, "piece": "KA",
                      "promote": true, "capture": "KA"},
             "time": {"now": {"h": 1, "m": 0, "s": 0}, "total": {"h": 1, "m": 1, "s": 2}}},
            {"move": {"color": 1, "from": {"x": 3, "y": 1}, "to": {"x": 2, "y": 2}, "piece": "GI",
                      "same": true, "capture": "UM"}},
            {"move": {"color": 0, "to": {"x": 5, "y": 5}, "piece": "KA"}},
            {"special": "TIME_UP", "comments": ["after the end"],
             "time": {"now": {"h": 0, "m": 0, "s": 7}, "total": {"h": 0, "m": 0, "s": 7}},
             "forks": [[{"move": {"color": 1, "from": {"x": 2, "y": 2}, "to": {"x": 3, "y": 3},
                                  "piece": "GI"}}]]}
        ]
    })
}

fn played(mv: &str) -> MoveRecord {
    MoveRecord::from(mv.parse::<Move>().unwrap())
}

fn timed(mv: &str, seconds: u64) -> MoveRecord {
    MoveRecord { time: Some(Duration::from_secs(seconds)), ..played(mv) }
}

fn full_record() -> GameRecord {
    let mut record = GameRecord::new(Position::startpos());
    for (key, value) in [
        (Header::BLACK, "Sente"),
        (Header::WHITE, "Gote"),
        (Header::EVENT, "A tournament"),
        (Header::SITE, "Tokyo"),
        (Header::STARTED, "2003/05/03 10:30"),
        (Header::ENDED, "2003/05/03 11:11"),
        (Header::TIME_LIMIT, "25分"),
        (Header::OPENING, "矢倉"),
        ("備考", "kept"),
    ] {
        record.add_header(key, value);
    }
    record.comments = vec!["before the first move".into(), "two lines".into()];
    let interrupted = GameResult { outcome: Outcome::Unknown, reason: EndReason::Interrupted };
    let inner = Line { moves: vec![], ending: Some(Ending::new(interrupted)) };
    let first = Line {
        moves: vec![timed("8c8d", 9), MoveRecord { variations: vec![inner], ..timed("2g2f", 1) }],
        ending: None,
    };
    let second = Line {
        moves: vec![played("4c4d")],
        // Black is to move and resigns.
        ending: Some(Ending::new(GameResult::win(Color::White, EndReason::Resignation))),
    };
    record.main.moves = vec![
        timed("7g7f", 62),
        MoveRecord {
            comments: vec!["a comment".into()],
            variations: vec![first, second],
            ..played("3c3d")
        },
        timed("8h2b+", 3600),
        played("3a2b"),
        played("B*5e"),
    ];
    record.main.ending = Some(Ending {
        result: GameResult::win(Color::Black, EndReason::TimeUp),
        time: Some(Duration::from_secs(7)),
        comments: vec!["after the end".into()],
        variations: vec![Line { moves: vec![played("2b3c")], ending: None }],
    });
    record
}

/// The text of a game with this part in place of the even start or the moves.
fn game(initial: &Value, moves: &Value) -> String {
    json!({"header": {}, "initial": initial, "moves": moves}).to_string()
}

fn error_after_7g7f(entry: &Value) -> ParseError {
    let first = json!({"move": {"color": 0, "from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}}});
    read(&game(&Value::Null, &json!([{}, first, entry]))).unwrap_err()
}

#[test]
fn reads_every_field() {
    let record = read(&full().to_string()).unwrap();
    let expected = full_record();
    assert_eq!(record.headers, expected.headers);
    assert_eq!(record.start, expected.start);
    assert_eq!(record.comments, expected.comments);
    for (found, expected) in record.main.moves.iter().zip(&expected.main.moves) {
        assert_eq!(found, expected);
    }
    assert_eq!(record, expected);
}

#[test]
fn writes_every_field() {
    let written: Value = serde_json::from_str(&write(&full_record()).unwrap()).unwrap();
    assert_eq!(written, full());
}

#[test]
fn reads_with_as_little_as_can_be() {
    let record = read(r#"{"moves":[]}"#).unwrap();
    assert_eq!(record, GameRecord::new(Position::startpos()));
    // No entry for the start, no color, no piece, `to` left to `same`, null in place of nothing.
    let text = r#"{"header": {"先手": null, "場所": ""}, "initial": null, "unknown": 1, "moves": [
        {"move": {"from": {"x":7,"y":7}, "to": {"x":7,"y":6}, "relative": "C"}, "forks": null},
        {"move": {"from": {"x":3,"y":3}, "to": {"x":3,"y":4}}, "time": {"now": {"m":1,"s":5}}},
        {"move": {"from": {"x":8,"y":8}, "to": {"x":2,"y":2}, "promote": true}, "special": null},
        {"move": {"from": {"x":3,"y":1}, "same": true, "promote": null}, "comments": null},
        {"comments": ["one\ntwo"]}
    ]}"#;
    let mut expected = GameRecord::new(Position::startpos());
    expected.main.moves = vec![played("7g7f"), timed("3c3d", 65), played("8h2b+"), played("3a2b")];
    expected.main.moves[3].comments = vec!["one".into(), "two".into()];
    assert_eq!(read(text), Ok(expected));
}

#[test]
fn every_handicap_has_its_preset() {
    let names = [
        "HIRATE", "KY", "KY_R", "KA", "HI", "HIKY", "2", "3", "4", "5", "5_L", "6", "7_L", "7_R",
        "8", "10",
    ];
    for (handicap, name) in Handicap::ALL.into_iter().zip(names) {
        let mut record = GameRecord::new(handicap.position());
        record.add_header(Header::BLACK, "a");
        record.add_header(Header::WHITE, "b");
        let text = write(&record).unwrap();
        let written: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(written["initial"], json!({"preset": name}));
        let players = if handicap == Handicap::Even {
            json!({"先手": "a", "後手": "b"})
        } else {
            json!({"下手": "a", "上手": "b"})
        };
        assert_eq!(written["header"], players);
        assert_eq!(read(&text), Ok(record));
    }
}

#[test]
fn other_starts_are_written_square_by_square() {
    let start = Position::from_sfen("4k4/6+R2/4+P4/9/9/9/9/9/9 b 2Gp 1").unwrap();
    let record = GameRecord::new(start);
    let text = write(&record).unwrap();
    let written: Value = serde_json::from_str(&text).unwrap();
    let data = &written["initial"]["data"];
    assert_eq!(written["initial"]["preset"], "OTHER");
    assert_eq!(data["color"], 0);
    assert_eq!(data["board"][4][0], json!({"color": 1, "kind": "OU"}));
    assert_eq!(data["board"][2][1], json!({"color": 0, "kind": "RY"}));
    assert_eq!(data["board"][4][2], json!({"color": 0, "kind": "TO"}));
    assert_eq!(data["board"][0][0], json!({}));
    assert_eq!(
        data["hands"],
        json!([
            {"FU": 0, "KY": 0, "KE": 0, "GI": 0, "KA": 0, "HI": 0, "KI": 2},
            {"FU": 1, "KY": 0, "KE": 0, "GI": 0, "KA": 0, "HI": 0, "KI": 0}
        ])
    );
    assert_eq!(read(&text), Ok(record));
}

#[test]
fn a_piece_that_could_have_promoted_says_so() {
    let promote = |sfen: &str, mv: &str| {
        let mut record = GameRecord::new(Position::from_sfen(sfen).unwrap());
        record.main.moves = vec![played(mv)];
        let text = write(&record).unwrap();
        assert_eq!(read(&text), Ok(record));
        let written: Value = serde_json::from_str(&text).unwrap();
        written["moves"][1]["move"].get("promote").cloned()
    };
    let black = "4k4/9/4S4/4S4/4S4/9/9/9/4K4 b G 1";
    let white = "4k4/9/9/9/9/9/4s4/2g6/4K4 w - 1";
    for (sfen, mv, expected) in [
        (black, "5c4b", Some(false)),
        (black, "5c4b+", Some(true)),
        (black, "5c4d", Some(false)),
        (black, "5d4c", Some(false)),
        (black, "5e4d", None),
        (black, "5i5h", None),
        (black, "G*5b", None),
        (white, "5g5h+", Some(true)),
        (white, "7h6h", None),
    ] {
        assert_eq!(promote(sfen, mv), expected.map(Value::Bool), "{mv}");
    }
}

#[test]
fn alternatives_to_the_end_are_kept() {
    let forks = json!([[{"move": {"from": {"x": 2, "y": 7}, "to": {"x": 2, "y": 6}}}]]);
    let alternative = Line { moves: vec![played("2g2f")], ending: None };
    for (end, result) in [
        (
            json!({"special": "TORYO", "forks": forks}),
            GameResult::win(Color::White, EndReason::Resignation),
        ),
        (json!({"forks": forks}), GameResult::UNKNOWN),
    ] {
        let record = read(&game(&Value::Null, &json!([{}, end]))).unwrap();
        assert_eq!(record.main.moves, []);
        let variations = vec![alternative.clone()];
        assert_eq!(record.main.ending, Some(Ending { variations, ..Ending::new(result) }));
        assert_eq!(read(&write(&record).unwrap()), Ok(record));
    }
}

#[test]
fn fractions_of_seconds_and_second_headers_are_left_out() {
    let mut record = GameRecord::new(Position::startpos());
    record.add_header(Header::EVENT, "first");
    record.add_header(Header::EVENT, "second");
    record.main.moves =
        vec![MoveRecord { time: Some(Duration::from_millis(1999)), ..played("7g7f") }];
    let again = read(&write(&record).unwrap()).unwrap();
    assert_eq!(again.main.moves, [timed("7g7f", 1)]);
    assert_eq!(again.headers, [Header { key: Header::EVENT.into(), value: "first".into() }]);
}

#[test]
fn every_outcome_survives_whatever_its_reason() {
    let outcomes =
        [Outcome::Win(Color::Black), Outcome::Win(Color::White), Outcome::Draw, Outcome::Unknown];
    for outcome in outcomes {
        for reason in EndReason::ALL {
            let mut record = GameRecord::new(Position::startpos());
            record.main.moves = vec![played("7g7f")];
            let mut ending = Ending::new(GameResult { outcome, reason });
            ending.comments = vec!["end".into()];
            record.main.ending = Some(ending);
            let again = read(&write(&record).unwrap()).unwrap();
            assert_eq!(again.outcome(), outcome, "{reason}");
            let last = again.main.moves[0].comments.first();
            let end = again.main.ending.as_ref().and_then(|ending| ending.comments.first());
            assert_eq!(end.or(last).map(String::as_str), Some("end"), "{reason}");
        }
    }
}

#[test]
fn moves_that_break_the_rules_name_their_ply() {
    let illegal = |entry: Value, text: &str| {
        let expected = ParseErrorKind::IllegalMove { ply: 2, text: text.into() }.at(1);
        assert_eq!(error_after_7g7f(&entry), expected);
    };
    let from_to = |from: [u8; 2], to: [u8; 2]| json!({"move": {"from": {"x": from[0], "y": from[1]}, "to": {"x": to[0], "y": to[1]}}});
    illegal(from_to([3, 3], [3, 5]), "3335");
    illegal(from_to([5, 5], [5, 4]), "5554");
    illegal(from_to([2, 7], [2, 6]), "2726");
    illegal(json!({"move": {"to": {"x": 5, "y": 5}, "piece": "FU"}}), "0055FU");
    let mut entry = from_to([3, 3], [3, 4]);
    entry["move"]["piece"] = "KI".into();
    illegal(entry.clone(), "3334KI");
    entry["move"]["piece"] = "FU".into();
    entry["move"]["color"] = 0.into();
    illegal(entry.clone(), "3334FU");
    entry["move"]["color"] = 1.into();
    entry["move"]["promote"] = true.into();
    illegal(entry.clone(), "3334FU+");
    // In a variation the ply is that of the game.
    entry["move"]["promote"] = Value::Null;
    entry["forks"] = json!([[from_to([8, 3], [8, 4]), from_to([2, 7], [2, 5])]]);
    let expected = ParseErrorKind::IllegalMove { ply: 3, text: "2725".into() }.at(1);
    assert_eq!(error_after_7g7f(&entry), expected);
}

#[test]
fn moves_that_say_too_little_name_their_ply() {
    let unreadable = |entry: Value, text: &str| {
        let expected = ParseErrorKind::BadMove { ply: 2, text: text.into() }.at(1);
        assert_eq!(error_after_7g7f(&entry), expected);
    };
    unreadable(json!({"move": {}}), "0000");
    unreadable(json!({"move": {"from": {"x": 3, "y": 3}}}), "3300");
    unreadable(json!({"move": {"to": {"x": 5, "y": 5}}}), "0055");
    unreadable(json!({"move": {"to": {"x": 5, "y": 5}, "piece": "TO"}}), "0055TO");
}

#[test]
fn misplaced_parts_are_errors() {
    let unexpected =
        |expected, found: &str| ParseErrorKind::Unexpected { expected, found: found.into() }.at(1);
    assert_eq!(
        error_after_7g7f(&json!({"special": "TORY"})),
        unexpected("the name of an ending", "TORY")
    );
    assert_eq!(
        error_after_7g7f(&json!({"special": "TORYO", "move": {}})),
        unexpected("a move or an ending, not both", "TORYO")
    );
    assert_eq!(
        error_after_7g7f(&json!({"special": "TORYO", "time": {"now": {"h": u64::MAX}}})),
        unexpected("a time that can be counted", "a longer one at ply 2")
    );
    let moves = json!([{}, {"special": "CHUDAN"}, {"special": "TORYO"}]);
    assert_eq!(
        read(&game(&Value::Null, &moves)),
        Err(unexpected("nothing after the end of a line", "TORYO"))
    );
    assert_eq!(
        read(r#"{"header": {"先手": 5}, "moves": []}"#),
        Err(unexpected("text as the value of a header", "5"))
    );
}

#[test]
fn impossible_starts_are_errors() {
    let empty = vec![vec![json!({}); 9]; 9];
    let with = |cell: Value| {
        let mut board = empty.clone();
        board[4][4] = cell;
        json!(board)
    };
    let hands = json!([{}, {}]);
    for (board, hands, expected) in [
        (json!([]), &hands, "the board is not nine by nine"),
        (json!(vec![vec![json!({}); 9]; 300]), &hands, "the board is not nine by nine"),
        (json!(vec![vec![json!({}); 10]; 9]), &hands, "the board is not nine by nine"),
        (with(json!({"kind": "FU"})), &hands, "the piece on 5e has no color"),
        (json!(empty), &json!([{"TO": 1}, {}]), "TO cannot be held in hand"),
        (json!(empty), &json!([{"HI": 3}, {}]), "more pieces in hand than a set has"),
        (json!(empty), &json!([{"HI": 2}, {"HI": 1}]), "3 pieces of kind R, a set has 2"),
    ] {
        let data = json!({"color": 0, "board": board, "hands": hands});
        let text = game(&json!({"preset": "OTHER", "data": data}), &json!([{}]));
        assert_eq!(read(&text), Err(ParseErrorKind::BadPosition(expected.into()).at(1)));
    }
    let expected = ParseErrorKind::BadPosition("the preset OTHER needs data".into()).at(1);
    assert_eq!(read(&game(&json!({"preset": "OTHER"}), &json!([]))), Err(expected));
}

#[test]
fn errors_of_the_json_text_name_their_line() {
    for (text, line, part) in [
        ("nonsense", 1, "expected"),
        ("[]\n", 1, "expected"),
        ("{\n\"moves\":\n5}", 3, "expected a sequence"),
        ("{\n}", 2, "missing field `moves`"),
        ("{\"moves\":[\n{\"move\":{\"to\":{\"x\":0,\"y\":1}}}]}", 2, "numbers from 1 to 9"),
        ("{\"moves\":[\n{\"move\":{\"piece\":\"XX\"}}]}", 2, "there is no piece \"XX\""),
        ("{\"moves\":[\n\n{\"move\":{\"color\":2}}]}", 3, "a color is 0 or 1"),
        ("{\"initial\":{\n\"preset\":\"9\"},\"moves\":[]}", 2, "there is no preset \"9\""),
        ("{\"moves\":[{\"time\":{\"now\":\n{\"m\":-1,\"s\":0}}}]}", 2, "invalid value"),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!(error.line, line, "{error}");
        let ParseErrorKind::Unexpected { found, .. } = error.kind else { panic!("{error}") };
        assert!(found.contains(part), "{found}");
    }
    let truncated = ParseErrorKind::Truncated { expected: "more JSON" };
    assert_eq!(read(""), Err(truncated.clone().at(1)));
    assert_eq!(read("{\"moves\":[{},\n{\"move\""), Err(truncated.at(2)));
    // Nesting without end is refused, not followed.
    let deep = "{\"moves\":[".to_string() + &"{\"forks\":[[".repeat(100_000);
    assert!(read(&deep).is_err());
}

#[test]
fn a_game_that_breaks_the_rules_cannot_be_written() {
    let mut record = GameRecord::new(Position::startpos());
    let bad = Line { moves: vec![played("2g2f"), played("2f2e")], ending: None };
    record.main.moves = vec![MoveRecord { variations: vec![bad], ..played("7g7f") }];
    let what = "the illegal move 2f2e at ply 2".into();
    assert_eq!(write(&record), Err(WriteError::Unsupported { format: "JKF", what }));
}

/// A game with variations nested so deep.
fn nested(depth: usize) -> GameRecord {
    let pair = || ["7g7f", "3c3d"].map(|mv| MoveRecord::from(mv.parse::<Move>().unwrap()));
    let mut line = Line::default();
    for _ in 0..=depth {
        let [mut first, second] = pair();
        first.time = Some(Duration::from_secs(1));
        if !line.moves.is_empty() {
            first.variations = vec![line];
        }
        line = Line { moves: vec![first, second], ending: None };
    }
    let mut record = GameRecord::new(Position::startpos());
    record.main = line;
    record
}

#[test]
fn what_could_not_be_read_again_is_refused() {
    for depth in [1, 39, 40] {
        let record = nested(depth);
        let text = write(&record).unwrap();
        assert_eq!(read(&text).as_ref(), Ok(&record), "{depth}");
        assert_eq!(record.variation_count(), depth);
    }
    for depth in [41, 42, 199] {
        let error = write(&nested(depth)).unwrap_err().to_string();
        assert_eq!(error, "JKF cannot hold variations nested more than 40 deep");
    }
}
