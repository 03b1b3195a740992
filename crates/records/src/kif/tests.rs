use std::time::Duration;

use tesuji_shogi::{Color, EndReason, GameResult, Handicap, Move, Outcome, Position};

use super::*;
use crate::{Header, Line, ParseErrorKind, decode, encode_shift_jis};

const EVEN: &str = "\
# ---- Kifu for Windows V7.56 棋譜ファイル ----
開始日時：2003/09/09 10:00
終了日時：2003/09/09 21:34
棋戦：第４４期王位戦
場所：神戸
持ち時間：各８時間
手合割：平手　　
先手：谷川浩司
後手：羽生善治
戦型：角換わり
備考:half-width colon
手数----指手---------消費時間--
*開始前の評
   1 ７六歩(77)   ( 0:16/00:00:16)
*初手の評
**解析 depth=12
   2 ３四歩(33)   ( 1:05/00:01:05)
&ここが大事
   3 ２二角成(88) (75:00/01:15:16)
   4 同　銀(31)   ( 0:00/00:01:05)
   5 ４五角打     ( 0:01.5/01:15:17)
   6 投了         ( 0:03/00:01:08)
*投了の評
まで5手で先手の勝ち
";

fn usi(line: &Line) -> Vec<String> {
    line.moves.iter().map(|record| record.mv.to_string()).collect()
}

fn seconds(line: &Line) -> Vec<Option<f64>> {
    line.moves.iter().map(|record| record.time.map(|time| time.as_secs_f64())).collect()
}

/// The line and the kind of the error that a text gives.
fn error(text: &str) -> (usize, ParseErrorKind) {
    let error = read(text).expect_err(text);
    (error.line, error.kind)
}

#[test]
fn an_even_game_field_by_field() {
    let record = read(EVEN).unwrap();
    let headers: Vec<(&str, &str)> =
        record.headers.iter().map(|header| (&*header.key, &*header.value)).collect();
    assert_eq!(
        headers,
        [
            (Header::STARTED, "2003/09/09 10:00"),
            (Header::ENDED, "2003/09/09 21:34"),
            (Header::EVENT, "第４４期王位戦"),
            (Header::SITE, "神戸"),
            (Header::TIME_LIMIT, "各８時間"),
            (Header::BLACK, "谷川浩司"),
            (Header::WHITE, "羽生善治"),
            (Header::OPENING, "角換わり"),
            ("備考", "half-width colon"),
        ]
    );
    assert_eq!(record.start, Position::startpos());
    assert_eq!(record.comments, ["開始前の評"]);
    assert_eq!(usi(&record.main), ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]);
    assert_eq!(seconds(&record.main), [Some(16.0), Some(65.0), Some(4500.0), Some(0.0), Some(1.5)]);
    assert_eq!(record.main.moves[0].comments, ["初手の評", "*解析 depth=12"]);
    assert_eq!(record.main.moves[1].comments, ["&ここが大事"]);
    let ending = record.main.ending.as_ref().unwrap();
    assert_eq!(ending.result, GameResult::win(Color::Black, EndReason::Resignation));
    assert_eq!(ending.time, Some(Duration::from_secs(3)));
    assert_eq!(ending.comments, ["投了の評"]);
}

#[test]
fn what_is_written_is_the_table_that_programs_know() {
    let mut record = read(EVEN).unwrap();
    record.headers.truncate(1);
    assert_eq!(
        write(&record).unwrap(),
        "\
手合割：平手
開始日時：2003/09/09 10:00
手数----指手---------消費時間--
*開始前の評
   1 ７六歩(77)   ( 0:16/00:00:16)
*初手の評
**解析 depth=12
   2 ３四歩(33)   ( 1:05/00:01:05)
&ここが大事
   3 ２二角成(88) (75:00/01:15:16)
   4 同　銀(31)   ( 0:00/00:01:05)
   5 ４五角打     ( 0:01/01:15:17)
   6 投了         ( 0:03/00:01:08)
*投了の評
まで5手で先手の勝ち
"
    );
}

#[test]
fn shift_jis_bytes_with_windows_line_ends() {
    let windows = EVEN.replace('\n', "\r\n");
    let bytes = encode_shift_jis(&windows).unwrap();
    assert!(std::str::from_utf8(&bytes).is_err());
    assert_eq!(read(&decode(&bytes).unwrap()), read(EVEN));
    // The same with a byte order mark that a program left in the text.
    assert_eq!(read(&format!("\u{feff}{EVEN}")), read(EVEN));
}

#[test]
fn every_handicap_is_read_and_written() {
    for handicap in Handicap::ALL {
        let text = format!("手合割：{}　\n下手：甲\n上手：乙\n", handicap.japanese());
        let record = read(&text).unwrap();
        assert_eq!(record.start, handicap.position());
        assert_eq!(record.header(Header::BLACK), Some("甲"));
        assert_eq!(record.header(Header::WHITE), Some("乙"));
        let written = write(&record).unwrap();
        assert!(written.contains(&format!("手合割：{}\n", handicap.japanese())), "{written}");
        assert_eq!(written.contains("下手：甲"), handicap != Handicap::Even);
        assert_eq!(read(&written), Ok(record));
    }
    for (name, handicap) in [
        ("2枚落ち", Handicap::TwoPiece),
        ("六枚落", Handicap::SixPiece),
        ("飛落ち", Handicap::Rook),
    ] {
        assert_eq!(read(&format!("手合割:{name}\n")).unwrap().start, handicap.position());
    }
}

#[test]
fn a_handicap_game() {
    let record = read(
        "手合割：二枚落ち\n上手：\n下手：弟子\n   1 ６二銀(71)\n   2 ７六歩(77)\n   3 投了\nまで2手で下手の勝ち\n",
    )
    .unwrap();
    assert_eq!(usi(&record.main), ["7a6b", "7g7f"]);
    assert_eq!(record.outcome(), Outcome::Win(Color::Black));
    assert_eq!(record.header(Header::WHITE), None);
    assert!(write(&record).unwrap().ends_with("まで2手で下手の勝ち\n"));
}

const MIDDLE: &str = "\
後手：羽生善治
後手の持駒：飛　角　金　銀　桂　香　歩四　
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香v桂 ・ ・ ・ ・ ・ ・ ・|一
| ・ ・ ・ 馬 ・ ・ 龍 ・ ・|二
| ・ ・v玉 ・v歩 ・ ・ ・ ・|三
|v歩 ・ ・ ・v金 ・ ・ ・ ・|四
| ・ ・v銀 ・ ・ ・v歩 ・ ・|五
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|六
| 歩 歩 ・ 歩 歩v歩 歩 ・ 歩|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| 香 桂v金 ・v金 ・ ・ 桂 香|九
+---------------------------+
先手：谷川浩司
先手の持駒：銀二　歩四　
手数＝171  ▲６二角成  まで
*第44期王位戦第4局
後手番
   1 投了
";

#[test]
fn a_start_in_the_middle_of_a_game() {
    let record = read(MIDDLE).unwrap();
    assert_eq!(
        record.start.to_sfen(),
        "ln7/3+B2+R2/2k1p4/p3g4/2s3p2/4K4/PP1PPpP1P/9/LNg1g2NL w 2S4Prbgsnl4p 172"
    );
    assert_eq!(record.comments, ["第44期王位戦第4局"]);
    assert_eq!(record.result(), GameResult::win(Color::Black, EndReason::Resignation));
    let written = write(&record).unwrap();
    assert!(written.starts_with("手合割：その他\n後手：羽生善治\n"), "{written}");
    assert!(written.contains("後手の持駒：飛　角　金　銀　桂　香　歩四\n"));
    assert!(written.contains("|v香v桂 ・ ・ ・ ・ ・ ・ ・|一\n"));
    assert!(written.contains("手数＝171  まで\n後手番\n"));
    assert_eq!(read(&written), Ok(record));
}

#[test]
fn a_diagram_of_a_handicap_start_needs_no_side() {
    let diagram = crate::bod::write(&Handicap::TwoPiece.position()).replace("後手番\n", "");
    let text = format!("手合割：二枚落ち\n{diagram}   1 ６二銀(71)\n");
    assert_eq!(read(&text).unwrap().start, Handicap::TwoPiece.position());
    assert_eq!(read(&diagram).unwrap().start.side_to_move(), Color::Black);
}

#[test]
fn tables_of_other_programs() {
    let record = read(
        "#KIF version=2.0 encoding=UTF-8
手合割：平手
先手：a
後手：b
手数----指手---------消費時間--
1 ７六歩(77) (0:6/)
2 34歩(33) (00:02 / 00:00:02)
３　２六歩（27）　（０：０１／００：００：０７）
   4   ▽８四歩(83)
   5 ▲２五歩(26)   ( 0:10/ 0:00:20)+
   6 ８五歩成らず(84)
",
    );
    assert_eq!(
        record,
        Err(ParseErrorKind::BadMove { ply: 6, text: "８五歩成らず(84)".into() }.at(11))
    );
    let record = read(
        "   1 ７六歩(77) (0:6/)\n   2 34歩(33) (00:02 / 00:00:02)\n３　２六歩（27）　（０：０１／００：００：０７）\n   4   ▽８四歩(83)\n   5 ▲２五歩(26)   ( 0:10/ 0:00:20)+\n",
    )
    .unwrap();
    assert_eq!(usi(&record.main), ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e"]);
    assert_eq!(seconds(&record.main), [Some(6.0), Some(2.0), Some(1.0), None, Some(10.0)]);
    assert_eq!(record.main.ending, None);
}

#[test]
fn promoted_pieces_by_all_their_names() {
    let start = Position::from_sfen("9/9/1+L+N+S1+B1+R1/9/4+P4/9/9/9/K8 b - 1").unwrap();
    let diagram = crate::bod::write(&start);
    for (text, mv) in [
        ("８二成香(83)", "8c8b"),
        ("８二杏(83)", "8c8b"),
        ("７二成桂(73)", "7c7b"),
        ("７二圭(73)", "7c7b"),
        ("６二成銀(63)", "6c6b"),
        ("６二全(63)", "6c6b"),
        ("４二馬(43)", "4c4b"),
        ("２二龍(23)", "2c2b"),
        ("２二竜(23)", "2c2b"),
        ("５四と(55)", "5e5d"),
        ("８九王(99)", "9i8i"),
        ("８九玉(99)", "9i8i"),
    ] {
        let record = read(&format!("{diagram}   1 {text}\n")).unwrap();
        assert_eq!(usi(&record.main), [mv], "{text}");
    }
}

#[test]
fn every_word_of_an_ending() {
    let win = |color, reason| GameResult::win(color, reason);
    // After one move White is to move.
    for (word, result) in [
        ("投了", win(Color::Black, EndReason::Resignation)),
        ("詰み", win(Color::Black, EndReason::Checkmate)),
        ("切れ負け", win(Color::Black, EndReason::TimeUp)),
        ("反則負け", win(Color::Black, EndReason::IllegalMove)),
        ("反則勝ち", win(Color::White, EndReason::IllegalMove)),
        ("入玉勝ち", win(Color::White, EndReason::Declaration)),
        ("不戦勝", win(Color::White, EndReason::Forfeit)),
        ("不戦敗", win(Color::Black, EndReason::Forfeit)),
        ("千日手", GameResult::draw(EndReason::Repetition)),
        ("持将棋", GameResult::draw(EndReason::Impasse)),
        ("中断", GameResult { outcome: Outcome::Unknown, reason: EndReason::Interrupted }),
        ("不詰", GameResult::UNKNOWN),
    ] {
        let record = read(&format!("   1 ７六歩(77)\n   2 {word}   ( 0:01/00:00:01)\n")).unwrap();
        assert_eq!(record.result(), result, "{word}");
        assert_eq!(record.main.ending.unwrap().time, Some(Duration::from_secs(1)));
    }
}

#[test]
fn the_closing_line_counts_where_no_word_does() {
    let result = |closing: &str| read(&format!("   1 ７六歩(77)\n{closing}\n")).unwrap().result();
    assert_eq!(result("まで1手で先手の勝ち"), GameResult::win(Color::Black, EndReason::Unknown));
    assert_eq!(result("まで1手で千日手"), GameResult::draw(EndReason::Repetition));
    // The word in the table is the better witness.
    assert_eq!(
        result("   2 切れ負け\nまで1手で後手の勝ち"),
        GameResult::win(Color::Black, EndReason::TimeUp)
    );
    assert_eq!(
        result("   2 反則勝ち\nまで1手で連続王手の千日手により後手の勝ち"),
        GameResult::win(Color::White, EndReason::PerpetualCheck)
    );
}

/// The shape of a sample that Kifu for Windows writes: two variations of move 4, the first with a
/// variation of its own, one of move 6, one of the first move, and one in place of the end.
const TREE: &str = "\
手合割：平手
手数----指手---------消費時間--
   1 ２六歩(27)+
   2 ３四歩(33)
   3 ２五歩(26)
   4 ３三角(22)+
   5 ７六歩(77)
   6 ４四歩(43)+
   7 投了+
まで6手で後手の勝ち

変化：7手
   7 ４八銀(39)
*指し続ければ
   8 ９四歩(93)

変化：6手
*変化の前の評
   6 ２二銀(31)

変化：4手
   4 ８四歩(83)+
   5 ２四歩(25)
   6 同　歩(23)+
   7 同　飛(28)

変化：6手
   6 投了

変化：4手
   4 ３二金(41)

変化：1手
   1 ７六歩(77)
   2 中断
";

#[test]
fn variations_inside_variations() {
    let record = read(TREE).unwrap();
    let main = &record.main;
    assert_eq!(usi(main), ["2g2f", "3c3d", "2f2e", "2b3c", "7g7f", "4c4d"]);
    let branching: Vec<usize> = main.moves.iter().map(|record| record.variations.len()).collect();
    assert_eq!(branching, [1, 0, 0, 2, 0, 1]);

    let first = &main.moves[0].variations[0];
    assert_eq!(usi(first), ["7g7f"]);
    assert_eq!(first.ending.as_ref().unwrap().result.reason, EndReason::Interrupted);

    let fourth = &main.moves[3].variations;
    assert_eq!(usi(&fourth[0]), ["8c8d", "2e2d", "2c2d", "2h2d"]);
    assert_eq!(fourth[0].moves[2].variations.len(), 1);
    let nested = &fourth[0].moves[2].variations[0];
    assert!(nested.moves.is_empty());
    assert_eq!(
        nested.ending.as_ref().unwrap().result,
        GameResult::win(Color::Black, EndReason::Resignation)
    );
    assert_eq!(usi(&fourth[1]), ["4a3b"]);

    let sixth = &main.moves[5].variations[0];
    assert_eq!(usi(sixth), ["3a2b"]);
    assert_eq!(sixth.moves[0].comments, ["変化の前の評"]);

    let ending = main.ending.as_ref().unwrap();
    assert_eq!(ending.variations.len(), 1);
    assert_eq!(usi(&ending.variations[0]), ["3i4h", "9c9d"]);
    assert_eq!(ending.variations[0].moves[0].comments, ["指し続ければ"]);
}

#[test]
fn variations_are_written_as_they_were() {
    let record = read(TREE).unwrap();
    let written = write(&record).unwrap();
    assert_eq!(read(&written), Ok(record));
    // All but the spaces before the pluses, and the comment that moved behind its move.
    let plain = |text: &str| text.replace(' ', "");
    let expected =
        TREE.replace("*変化の前の評\n   6 ２二銀(31)\n", "   6 ２二銀(31)\n*変化の前の評\n");
    assert_eq!(plain(&written), plain(&expected));
}

#[test]
fn a_variation_may_go_on_where_a_game_stops() {
    let text =
        "手合割：\n1 ７六歩(77)\n\n変化：2手\n手数----指手---------消費時間--\n2 ３四歩(33)\n";
    let record = read(text).unwrap();
    assert_eq!(usi(&record.main), ["7g7f"]);
    let ending = record.main.ending.as_ref().unwrap();
    assert_eq!(ending.result, GameResult::UNKNOWN);
    assert_eq!(usi(&ending.variations[0]), ["3c3d"]);
    assert_eq!(read(&write(&record).unwrap()), Ok(record));
}

#[test]
fn numbers_may_go_on_from_the_diagram() {
    let diagram = crate::bod::write(&Position::startpos());
    let text =
        format!("{diagram}  41 ７六歩(77)\n  42 ３四歩(33)\n\n変化：42手\n  42 ８四歩(83)\n");
    let record = read(&text).unwrap();
    assert_eq!(usi(&record.main), ["7g7f", "3c3d"]);
    assert_eq!(usi(&record.main.moves[1].variations[0]), ["8c8d"]);
}

#[test]
fn errors_name_the_line_and_the_ply() {
    let illegal = |ply, text: &str| ParseErrorKind::IllegalMove { ply, text: text.into() };
    let bad = |ply, text: &str| ParseErrorKind::BadMove { ply, text: text.into() };
    let unexpected =
        |expected, found: &str| ParseErrorKind::Unexpected { expected, found: found.into() };
    let position = |text: &str| ParseErrorKind::BadPosition(text.into());
    for (text, line, kind) in [
        ("手合割：平手\n1 ７六歩(77)\n2 ３三歩(34)\n", 3, illegal(2, "３三歩(34)")),
        ("1 ７六歩(77)\n2 ５五角打\n", 2, illegal(2, "５五角打")),
        ("1 ７六銀(77)\n", 1, illegal(1, "７六銀(77)")),
        ("1 ７六歩(77)\n\n変化：1手\n1 ５五飛(28)\n", 4, illegal(1, "５五飛(28)")),
        ("1 同　歩(77)\n", 1, bad(1, "同　歩(77)")),
        ("1 ７六\n", 1, bad(1, "７六")),
        ("1 ７六歩(77\n", 1, bad(1, "７六歩(77")),
        ("1 ７六歩(77) (a:b/c)\n", 1, unexpected("a time such as ( 0:16/00:00:16)", "(a:b/c)")),
        ("1 ７六歩(77)\n3 ３四歩(33)\n", 2, unexpected("the number of the next move", "3")),
        ("1 投了\n2 ７六歩(77)\n", 2, unexpected("the number of the next move", "2")),
        ("1 投了\n1 ７六歩(77)\n", 2, unexpected("no move after the end", "７六歩(77)")),
        ("1 ７六歩(77)\n先手：甲\n", 2, unexpected("a move or a comment", "先手：甲")),
        ("変化：2手\n", 1, unexpected("the number of a move before", "2手")),
        ("変化：0手\n", 1, unexpected("the number of a move before", "0手")),
        ("変化：一手\n", 1, unexpected("the number of a move, as in 変化：9手", "一手")),
        (
            "変化：99999999999999999999手\n",
            1,
            unexpected("the number of a move, as in 変化：9手", "99999999999999999999手"),
        ),
        ("1 ７六歩(77)\n変化：1手\n変化：1手\n", 3, unexpected("a move of the variation", "1手")),
        (
            "1 ７六歩(77)\n変化：1手\n",
            2,
            ParseErrorKind::Truncated { expected: "a move of the variation" },
        ),
        ("1 ７六歩(77)\nまで\n", 2, unexpected("the result of the game", "まで")),
        ("", 1, ParseErrorKind::Truncated { expected: "a header or a move" }),
        ("\n# nothing\n\n", 3, ParseErrorKind::Truncated { expected: "a header or a move" }),
        ("nonsense\n", 1, unexpected("a header, a comment or a move", "nonsense")),
        ("\0\u{1}\u{2}", 1, unexpected("a header, a comment or a move", "\0\u{1}\u{2}")),
        ("手合割：その他\n", 1, position("the handicap \"その他\" needs a board diagram")),
        ("先手の持駒：歩\n", 1, position("pieces in hand, but no board diagram")),
        ("先手の持駒：歩十九\n", 1, unexpected("pieces in hand", "歩十九")),
        ("先手の持駒：玉\n", 1, unexpected("pieces in hand", "玉")),
        ("手数＝多い\n", 1, unexpected("a number of moves", "手数＝多い")),
        ("| ・ ・ ・|一\n", 1, unexpected("a rank of a board diagram", "| ・ ・ ・|一")),
        (
            "| ・ ・ ・ ・ ・ ・ ・ ・ ・|一\n",
            1,
            ParseErrorKind::Truncated { expected: "a diagram of nine ranks" },
        ),
    ] {
        assert_eq!(error(text), (line, kind), "{text:?}");
    }
}

#[test]
fn an_impossible_diagram_is_refused() {
    let two_pawns = MIDDLE.replace("|v歩 ・ ・ ・v金", "| 歩 ・ ・ ・v金");
    assert_eq!(
        error(&two_pawns),
        (5, ParseErrorKind::BadPosition("black has two pawns on file 9".into()))
    );
    let ten_ranks = MIDDLE.replace("|九\n", "|九\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|十\n");
    assert!(matches!(error(&ten_ranks), (14, ParseErrorKind::Unexpected { .. })));
}

#[test]
fn variations_nested_without_end_are_refused() {
    let shuffle = ["５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"];
    let row = |ply: usize| format!("{ply} {}\n", shuffle[(ply - 1) % 4]);
    // Each variation has two moves, and the next one replaces the second of them.
    let nested = |depth: usize| {
        let mut text = row(1) + &row(2);
        for ply in 2..depth + 2 {
            text += &format!("変化：{ply}手\n{}{}", row(ply), row(ply + 1));
        }
        text
    };
    let deepest = read(&nested(200)).unwrap();
    assert_eq!(read(&write(&deepest).unwrap()), Ok(deepest));
    let expected = "variations nested at most 200 deep";
    assert_eq!(
        error(&nested(201)),
        (603, ParseErrorKind::Unexpected { expected, found: "202手".into() })
    );
}

#[test]
fn what_kif_cannot_hold_is_an_error() {
    let mut record = GameRecord::new(Position::startpos());
    for key in
        ["手合割", "a:b", "*a", "#a", "&a", "まで", "変化", "後手の持駒", "|", "1 a", "", "a\nb"]
    {
        record.headers = vec![Header { key: key.into(), value: "x".into() }];
        let error = write(&record).unwrap_err();
        assert_eq!(error.to_string(), format!("KIF cannot hold the header {key:?}"));
    }
    record.headers = vec![Header { key: "a".into(), value: "x\ny".into() }];
    assert!(write(&record).is_err());
    record.headers.clear();
    record.main.moves.push("7g7e".parse::<Move>().unwrap().into());
    assert_eq!(
        write(&record).unwrap_err().to_string(),
        "KIF cannot hold the illegal move 7g7e at ply 1"
    );
}

#[test]
fn times_add_up_for_each_player() {
    let mut record = GameRecord::new(Position::startpos());
    for (mv, millis) in [("7g7f", 1_900), ("3c3d", 61_000), ("2g2f", 3_599_900)] {
        let mut played = crate::MoveRecord::from(mv.parse::<Move>().unwrap());
        played.time = Some(Duration::from_millis(millis));
        record.main.moves.push(played);
    }
    let text = write(&record).unwrap();
    let rows: Vec<&str> = text.lines().skip(2).collect();
    assert_eq!(
        rows,
        [
            "   1 ７六歩(77)   ( 0:01/00:00:01)",
            "   2 ３四歩(33)   ( 1:01/00:01:01)",
            "   3 ２六歩(27)   (59:59/01:00:00)",
        ]
    );
}
