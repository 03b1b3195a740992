//! Ends of games in the words that other programs know: they refuse a file with any other, or lose
//! who won.

use tesuji_records::{Ending, GameRecord, Header, csa, jkf, ki2, kif};
use tesuji_shogi::{Color, EndReason, GameResult, Outcome, Position};

/// The words in place of a last move that Kifu for Windows knows.
const WORDS: [&str; 11] = [
    "投了",
    "詰み",
    "切れ負け",
    "反則負け",
    "反則勝ち",
    "入玉勝ち",
    "不戦勝",
    "不戦敗",
    "千日手",
    "持将棋",
    "中断",
];

/// A game of two moves (Black is to move) that ended so.
fn game(result: GameResult) -> GameRecord {
    let mut game = GameRecord::new(Position::startpos());
    game.main.moves =
        ["7g7f", "3c3d"].map(|mv| mv.parse::<tesuji_shogi::Move>().unwrap().into()).to_vec();
    game.main.ending = Some(Ending::new(result));
    game
}

/// Every end that a game can have with Black to move.
fn results() -> Vec<GameResult> {
    use EndReason::*;
    let loses = [Resignation, Checkmate, TimeUp, IllegalMove, PerpetualCheck, Forfeit, Unknown];
    // Engines whose scores agree end a game on either's move.
    let wins = [IllegalMove, PerpetualCheck, Declaration, Forfeit, Resignation, TimeUp, Unknown];
    let draws = [Repetition, Impasse, MoveLimit, Unknown];
    let mut results: Vec<GameResult> = Vec::new();
    results.extend(loses.map(|reason| GameResult::win(Color::White, reason)));
    results.extend(wins.map(|reason| GameResult::win(Color::Black, reason)));
    results.extend(draws.map(GameResult::draw));
    results.push(GameResult { outcome: Outcome::Unknown, reason: Interrupted });
    results
}

/// What is read again; a loser of whom no more is known has resigned.
fn kept(result: GameResult) -> GameResult {
    match result {
        GameResult { outcome: Outcome::Win(Color::White), reason: EndReason::Unknown } => {
            GameResult { reason: EndReason::Resignation, ..result }
        }
        _ => result,
    }
}

/// Can json-kifu-format read this closing line? It refuses the whole file otherwise.
fn is_common(closing: &str) -> bool {
    let Some(rest) = closing.strip_prefix("まで2手で") else { return false };
    let of_player = |text: &str| ["勝ち", "反則勝ち", "反則負け"].contains(&text);
    let rest = rest.strip_prefix("時間切れにより").unwrap_or(rest);
    let player = ["先手の", "後手の"].iter().find_map(|name| rest.strip_prefix(name));
    player.map_or(["千日手", "持将棋", "中断"].contains(&rest), of_player)
}

#[test]
fn kif_ends_with_a_word_and_a_sentence_that_all_programs_know() {
    for result in results() {
        let text = kif::write(&game(result)).unwrap();
        let row = text.lines().find_map(|line| line.strip_prefix("   3 ")).map(str::trim);
        assert!(row.is_some_and(|word| WORDS.contains(&word)), "{result:?}:\n{text}");
        let closing = text.lines().last().unwrap();
        assert!(is_common(closing), "{result:?}:\n{text}");
        // Who won stands in the sentence too: some programs look there alone.
        if let Outcome::Win(winner) = result.outcome {
            let name = if winner == Color::Black { "先手" } else { "後手" };
            assert_eq!(closing.contains(name), !closing.contains("負け"), "{text}");
        }
        assert_eq!(kif::read(&text).unwrap(), game(kept(result)), "{text}");
    }
}

#[test]
fn ki2_ends_with_a_sentence_that_all_programs_know() {
    for result in results() {
        let text = ki2::write(&game(result)).unwrap();
        let closing = text.lines().last().unwrap();
        // Kifu for Windows has a sentence for a declaration, json-kifu-format has none.
        let own = result == GameResult::win(Color::Black, EndReason::Declaration);
        assert!(own || is_common(closing), "{result:?}:\n{text}");
        assert_eq!(ki2::read(&text).unwrap(), game(kept(result)), "{text}");
    }
}

#[test]
fn csa_keeps_to_version_2_2() {
    for result in results() {
        let text = csa::write(&game(result)).unwrap();
        assert!(text.starts_with("V2.2\n") && !text.contains("MAX_MOVES"), "{text}");
        assert_eq!(csa::read(&text).unwrap(), game(kept(result)), "{text}");
    }
}

#[test]
fn jkf_has_only_the_names_of_its_schema() {
    const NAMES: [&str; 11] = [
        "TORYO",
        "CHUDAN",
        "SENNICHITE",
        "TIME_UP",
        "ILLEGAL_MOVE",
        "+ILLEGAL_ACTION",
        "-ILLEGAL_ACTION",
        "JISHOGI",
        "KACHI",
        "HIKIWAKE",
        "TSUMI",
    ];
    for result in results() {
        let text = jkf::write(&game(result)).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let special = json["moves"][3]["special"].as_str().unwrap();
        assert!(NAMES.contains(&special), "{text}");
        assert_eq!(jkf::read(&text).unwrap(), game(kept(result)), "{text}");
    }
}

#[test]
fn csa_has_the_players_first_and_dates_in_one_form() {
    let mut record = game(GameResult::win(Color::White, EndReason::Resignation));
    for (key, value) in [
        (Header::STARTED, "2003-5-3 10:30"),
        (Header::EVENT, "A tournament"),
        (Header::WHITE, "White"),
        (Header::BLACK, "Black"),
        (Header::ENDED, "平成15年5月3日"),
    ] {
        record.add_header(key, value);
    }
    let text = csa::write(&record).unwrap();
    let head = "V2.2\nN+Black\nN-White\n$START_TIME:2003/05/03 10:30:00\n$EVENT:A tournament\nPI\n";
    assert!(text.starts_with(head), "{text}");
    // KIF and JKF have text there: what is no date to us stays as it is.
    let text = kif::write(&record).unwrap();
    assert!(text.contains("開始日時：2003/05/03 10:30\n"), "{text}");
    assert!(text.contains("終了日時：平成15年5月3日\n"), "{text}");
    assert!(jkf::write(&record).unwrap().contains("\"開始日時\":\"2003/05/03 10:30\""));
}
