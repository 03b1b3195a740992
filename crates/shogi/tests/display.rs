//! Board diagrams, compared as a whole.

use tesuji_shogi::{Bitboard, BoardStyle, Color, Game, Position, Square};

fn squares(names: &[&str]) -> Bitboard {
    names.iter().map(|name| name.parse::<Square>().unwrap()).collect()
}

const LATE: &str = "ln2r3l/1kgs2g2/ppps1+P1pp/6p2/P3P1nP1/2PGSR2P/1PB6/1KS1+p+b3/LN1G4L b NP3p 81";

#[test]
fn letters_at_the_start() {
    let expected = "\
White in hand: -
  9   8   7   6   5   4   3   2   1
  l   n   s   g   k   g   s   n   l  a
  .   r   .   .   .   .   .   b   .  b
  p   p   p   p   p   p   p   p   p  c
  .   .   .   .   .   .   .   .   .  d
  .   .   .   .   .   .   .   .   .  e
  .   .   .   .   .   .   .   .   .  f
  P   P   P   P   P   P   P   P   P  g
  .   B   .   .   .   .   .   R   .  h
  L   N   S   G   K   G   S   N   L  i
Black in hand: -
Black to play move 1
";
    assert_eq!(Position::startpos().display(BoardStyle::Letters).to_string(), expected);
}

#[test]
fn letters_with_marks() {
    let game = Game::from_usi("startpos moves 7g7f 3c3d 8h2b+").unwrap();
    let text = game
        .position()
        .display(BoardStyle::Letters)
        .last_move(game.last_move())
        .highlight(squares(&["3a", "5e"]));
    let expected = "\
White in hand: -
  9   8   7   6   5   4   3   2   1
  l   n   s   g   k   g [ s]  n   l  a
  .   r   .   .   .   .   . (+B)  .  b
  p   p   p   p   p   p   .   p   p  c
  .   .   .   .   .   .   p   .   .  d
  .   .   .   . [ .]  .   .   .   .  e
  .   .   P   .   .   .   .   .   .  f
  P   P   .   P   P   P   P   P   P  g
  . ( .)  .   .   .   .   .   R   .  h
  L   N   S   G   K   G   S   N   L  i
Black in hand: B
White to play move 4 after 8h2b+
";
    assert_eq!(text.to_string(), expected);
}

#[test]
fn letters_with_hands() {
    let position = Position::from_sfen(LATE).unwrap();
    let expected = "\
White in hand: 3P
  9   8   7   6   5   4   3   2   1
  l   n   .   .   r   .   .   .   l  a
  .   k   g   s   .   .   g   .   .  b
  p   p   p   s   .  +P   .   p   p  c
  .   .   .   .   .   .   p   .   .  d
  P   .   .   .   P   .   n   P   .  e
  .   .   P   G   S   R   .   .   P  f
  .   P   B   .   .   .   .   .   .  g
  .   K   S   .  +p  +b   .   .   .  h
  L   N   .   G   .   .   .   .   L  i
Black in hand: N P
Black to play move 81
";
    assert_eq!(position.display(BoardStyle::Letters).to_string(), expected);
}

#[test]
fn kanji_at_the_start() {
    let expected = "\
後手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香v桂v銀v金v玉v金v銀v桂v香|一
| ・v飛 ・ ・ ・ ・ ・v角 ・|二
|v歩v歩v歩v歩v歩v歩v歩v歩v歩|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| 歩 歩 歩 歩 歩 歩 歩 歩 歩|七
| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八
| 香 桂 銀 金 玉 金 銀 桂 香|九
+---------------------------+
先手の持駒：なし
先手番
手数＝0
";
    assert_eq!(Position::startpos().display(BoardStyle::Kanji).to_string(), expected);
}

#[test]
fn kanji_with_hands_and_promoted_pieces() {
    let sfen = "+R3k2+r1/+B6+b1/+P+L+N+S5/9/9/9/5+s+n+l+p/9/4K4 w 4G2S2N2L16P 11";
    let position = Position::from_sfen(sfen).unwrap();
    let expected = "\
後手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| 龍 ・ ・ ・v玉 ・ ・v龍 ・|一
| 馬 ・ ・ ・ ・ ・ ・v馬 ・|二
| と 杏 圭 全 ・ ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・v全v圭v杏vと|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金四　銀二　桂二　香二　歩十六
後手番
手数＝10
";
    assert_eq!(position.display(BoardStyle::Kanji).to_string(), expected);
}

#[test]
fn kanji_counts_up_to_a_whole_set() {
    let hands = |text: &str| {
        let sfen = format!("4k4/9/9/9/9/9/9/9/4K4 b {text} 1");
        let shown = Position::from_sfen(&sfen).unwrap().display(BoardStyle::Kanji).to_string();
        let line = |side: &str| {
            let found = shown.lines().find(|line| line.starts_with(side)).unwrap();
            found.split_once('：').unwrap().1.to_owned()
        };
        (line("先手"), line("後手"))
    };
    assert_eq!(hands("18P"), ("歩十八".into(), "なし".into()));
    assert_eq!(hands("10p"), ("なし".into(), "歩十".into()));
    assert_eq!(hands("R11Prb"), ("飛　歩十一".into(), "飛　角".into()));
    assert_eq!(
        hands("2R2B4G4S4N4LP17p"),
        ("飛二　角二　金四　銀四　桂四　香四　歩".into(), "歩十七".into())
    );
}

#[test]
fn kanji_with_last_move_and_highlights() {
    let game = Game::from_usi("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e").unwrap();
    let text = game
        .position()
        .display(BoardStyle::Kanji)
        .last_move(game.last_move())
        .highlight(squares(&["8b", "1a", "5e"]));
    let expected = "\
後手の持駒：角
   ９  ８  ７  ６  ５  ４  ３  ２  １
+------------------------------------+
| v香 v桂 v銀 v金 v玉 v金  ・ v桂*v香|一
|  ・*v飛  ・  ・  ・  ・  ・ v銀  ・|二
| v歩 v歩 v歩 v歩 v歩 v歩  ・ v歩 v歩|三
|  ・  ・  ・  ・  ・  ・ v歩  ・  ・|四
|  ・  ・  ・  ・* 角  ・  ・  ・  ・|五
|  ・  ・  歩  ・  ・  ・  ・  ・  ・|六
|  歩  歩  ・  歩  歩  歩  歩  歩  歩|七
|  ・  ・  ・  ・  ・  ・  ・  飛  ・|八
|  香  桂  銀  金  玉  金  銀  桂  香|九
+------------------------------------+
先手の持駒：なし
後手番
手数＝5  ▲５五角打  まで
";
    assert_eq!(text.to_string(), expected);
}

#[test]
fn moves_in_kanji() {
    let last_line = |usi: &str| {
        let game = Game::from_usi(usi).unwrap();
        let text = game.position().display(BoardStyle::Kanji).last_move(game.last_move());
        text.to_string().lines().last().unwrap().to_owned()
    };
    for (usi, expected) in [
        ("startpos moves 7g7f", "手数＝1  ▲７六歩(77)  まで"),
        ("startpos moves 7g7f 3c3d", "手数＝2  △３四歩(33)  まで"),
        ("startpos moves 7g7f 3c3d 8h2b+", "手数＝3  ▲２二角成(88)  まで"),
        ("sfen 4k4/9/9/9/9/9/9/9/+s3K4 w - 9 moves 9i9h", "手数＝9  △９八成銀(99)  まで"),
        ("sfen 4k4/9/9/9/9/9/9/+p8/4K4 w - 1 moves 9h9i", "手数＝1  △９九と(98)  まで"),
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 w p 1 moves P*1b", "手数＝1  △１二歩打  まで"),
    ] {
        assert_eq!(last_line(usi), expected);
    }
}

/// White sits below: files from 1, ranks from i, and in kanji Black's pieces have the `v`.
#[test]
fn the_board_is_turned_for_white() {
    let position = Position::from_sfen("4k4/9/9/9/9/9/9/7R1/4K4 b G2p 1").unwrap();
    let letters = position.display(BoardStyle::Letters).seen_by(Color::White).to_string();
    let lines: Vec<&str> = letters.lines().collect();
    assert_eq!(lines[0], "Black in hand: G");
    assert_eq!(lines[1], "  1   2   3   4   5   6   7   8   9");
    assert_eq!(lines[2], "  .   .   .   .   K   .   .   .   .  i");
    assert_eq!(lines[3], "  .   R   .   .   .   .   .   .   .  h");
    assert_eq!(lines[10], "  .   .   .   .   k   .   .   .   .  a");
    assert_eq!(lines[11], "White in hand: 2P");
    let kanji = position.display(BoardStyle::Kanji).seen_by(Color::White).to_string();
    let lines: Vec<&str> = kanji.lines().collect();
    assert_eq!(lines[0], "先手の持駒：金");
    assert_eq!(lines[1], "  １ ２ ３ ４ ５ ６ ７ ８ ９");
    assert_eq!(lines[3], "| ・ ・ ・ ・v玉 ・ ・ ・ ・|九");
    assert_eq!(lines[11], "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|一");
    assert_eq!(lines[13], "後手の持駒：歩二");
}
