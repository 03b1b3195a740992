use std::time::Duration;

use tesuji_shogi::{Color, EndReason, GameResult, Handicap, Position};

use super::*;
use crate::{Header, Line, ParseErrorKind, decode, encode_shift_jis};

const GAME: &str = "\
開始日時：2003/09/09
手合割：平手
先手：谷川浩司
後手：羽生善治

*開始前の評
▲７六歩    △３四歩    ▲２二角成  △同　銀
*角を換える
▲４五角　△５二金右 ▼３四角 ▽６二銀
☗５八金右 ☖３三銀
まで10手で後手の勝ち

変化：7手
▲６三角成
まで7手で中断

変化：6手
△６二銀 ▲６三角成
";

fn usi(line: &Line) -> Vec<String> {
    line.moves.iter().map(|record| record.mv.to_string()).collect()
}

fn error(text: &str) -> (usize, ParseErrorKind) {
    let error = read(text).expect_err(text);
    (error.line, error.kind)
}

#[test]
fn a_game_field_by_field() {
    let record = read(GAME).unwrap();
    assert_eq!(record.header(Header::STARTED), Some("2003/09/09"));
    assert_eq!(record.header(Header::BLACK), Some("谷川浩司"));
    assert_eq!(record.header(Header::WHITE), Some("羽生善治"));
    assert_eq!(record.headers.len(), 3);
    assert_eq!(record.start, Position::startpos());
    assert_eq!(record.comments, ["開始前の評"]);
    assert_eq!(
        usi(&record.main),
        ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "6a5b", "4e3d", "7a6b", "4i5h", "2b3c"]
    );
    assert_eq!(record.main.moves[3].comments, ["角を換える"]);
    assert_eq!(record.result(), GameResult::win(Color::White, EndReason::Resignation));
    let seventh = &record.main.moves[6].variations;
    assert_eq!((seventh.len(), usi(&seventh[0])), (1, vec!["4e6c+".into()]));
    assert_eq!(seventh[0].ending.as_ref().unwrap().result.reason, EndReason::Interrupted);
    let sixth = &record.main.moves[5].variations;
    assert_eq!((sixth.len(), usi(&sixth[0])), (1, vec!["7a6b".into(), "4e6c+".into()]));
}

#[test]
fn what_is_written() {
    let record = read(GAME).unwrap();
    let written = write(&record).unwrap();
    assert_eq!(
        written,
        "\
手合割：平手
開始日時：2003/09/09
先手：谷川浩司
後手：羽生善治

*開始前の評
▲７六歩 △３四歩 ▲２二角成 △同　銀
*角を換える
▲４五角 △５二金右 ▲３四角 △６二銀 ▲５八金右 △３三銀
まで10手で後手の勝ち

変化：7手
▲６三角成
まで7手で中断

変化：6手
△６二銀 ▲６三角成
"
    );
    assert_eq!(read(&written), Ok(record.clone()));
    let bytes = encode_shift_jis(&written).unwrap();
    assert_eq!(read(&decode(&bytes).unwrap()), Ok(record));
}

#[test]
fn a_handicap_game_starts_with_white() {
    let record = read("手合割：二枚落ち\n△６二銀 ▲７六歩 △５四歩まで3手で上手の勝ち\n").unwrap();
    assert_eq!(record.start, Handicap::TwoPiece.position());
    assert_eq!(usi(&record.main), ["7a6b", "7g7f", "5c5d"]);
    assert_eq!(record.result(), GameResult::win(Color::White, EndReason::Resignation));
    assert!(write(&record).unwrap().contains("まで3手で上手の勝ち"));
}

#[test]
fn words_for_one_of_several_pieces() {
    let start = Position::from_sfen("9/9/9/9/9/2G1G4/9/2G6/K8 b G 1").unwrap();
    let diagram = crate::bod::write(&start);
    for (text, mv) in [
        ("▲６五金左", "7f6e"),
        ("▲６五金右", "5f6e"),
        ("▲６六金左", "7f6f"),
        ("▲７七金上", "7h7g"),
        ("▲７七金引", "7f7g"),
        ("▲７七金打", "G*7g"),
        ("▲１五金", "G*1e"),
    ] {
        let record = read(&format!("{diagram}{text}\n")).unwrap();
        assert_eq!(usi(&record.main), [mv], "{text}");
    }
    let line = diagram.lines().count() + 1;
    let ambiguous = |text: &str| ParseErrorKind::AmbiguousMove { ply: 1, text: text.into() };
    assert_eq!(error(&format!("{diagram}▲６五金\n")), (line, ambiguous("▲６五金")));
    assert_eq!(error(&format!("{diagram}▲７七金\n")), (line, ambiguous("▲７七金")));
}

#[test]
fn errors_name_the_line_and_the_ply() {
    let illegal = |ply, text: &str| ParseErrorKind::IllegalMove { ply, text: text.into() };
    let bad = |ply, text: &str| ParseErrorKind::BadMove { ply, text: text.into() };
    for (text, line, kind) in [
        ("▲７六歩 △３四歩\n▲２二飛成\n", 2, illegal(3, "▲２二飛成")),
        ("▲７六歩 ▲３四歩\n", 1, illegal(2, "▲３四歩")),
        ("△３四歩\n", 1, illegal(1, "△３四歩")),
        ("▲７六歩 △\n", 1, bad(2, "△")),
        ("▲同　歩\n", 1, bad(1, "▲同　歩")),
        ("▲７六歩とか\n", 1, bad(1, "▲７六歩とか")),
        (
            "▲７六歩\nまで1手で先手の勝ち\n△３四歩\n",
            3,
            ParseErrorKind::Unexpected {
                expected: "no move after the end",
                found: "△３四歩".into(),
            },
        ),
        ("", 1, ParseErrorKind::Truncated { expected: "a header or a move" }),
    ] {
        assert_eq!(error(text), (line, kind), "{text:?}");
    }
}

#[test]
fn times_are_left_out() {
    let mut record = read("▲７六歩\n").unwrap();
    let without = record.clone();
    record.main.moves[0].time = Some(Duration::from_secs(5));
    assert_eq!(read(&write(&record).unwrap()), Ok(without));
}
