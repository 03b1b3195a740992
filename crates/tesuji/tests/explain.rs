//! `tesuji explain` by the real command.

mod common;

use common::{Folder, made_up_game, made_up_rows};
use serde_json::{Value, json};
use tesuji_eval::{FeatureSet, Weights, published};
use tesuji_shogi::{Color, Position};

/// Black can take a free pawn with the rook, or a silver with the bishop.
const SFEN: &str = "lnsgkg1nl/1r5b1/pppppp1pp/5s3/6p2/2P4R1/PP1PPPP1P/1B7/LNSGKGSNL b P 9";

/// The weights of the thesis for the features of its text.
fn paper_weights() -> Weights {
    Weights::new(FeatureSet::named("paper").unwrap(), published::weights()).unwrap()
}

/// A folder with those weights and a few games.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("paper.toml", paper_weights().to_text());
    folder.write("games.tsv", made_up_rows(0..5));
    folder
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn sum(list: &Value, part: impl Fn(&Value) -> &Value) -> i64 {
    list.as_array().unwrap().iter().map(|entry| number(part(entry))).sum()
}

#[test]
fn json_has_every_feature_and_agrees_with_the_score() {
    let folder = folder();
    let weights = paper_weights();
    for (game, ply) in [(1, 0), (2, 9), (3, 20), (5, 30)] {
        let (position, mv) = made_up_game(game - 1).positions().nth(ply).unwrap();
        let args = format!("explain games.tsv --game {game} --ply {ply}");
        let report = folder.run(&format!("{args} --weights paper.toml --json")).json();
        assert_eq!(report["position"]["sfen"], json!(position.to_sfen()));
        assert_eq!(report["source"]["game"], json!(game));
        assert_eq!((&report["played"], &report["move"]), (&json!(mv.to_string()), &json!(null)));
        let features = &report["features"];
        assert_eq!(features.as_array().unwrap().len(), 74);
        for color in Color::ALL {
            let view = color.to_string();
            let score = i64::from(weights.score(&position, color));
            assert_eq!(number(&report["scores"][&view]), score, "{args}");
            assert_eq!(sum(features, |feature| &feature[&view]["contribution"]), score, "{args}");
        }
        let effects: Vec<i64> =
            features.as_array().unwrap().iter().map(|feature| number(&feature["effect"])).collect();
        assert!(effects.is_sorted_by_key(|effect| -effect.abs()), "{effects:?}");
    }
}

#[test]
fn json_says_how_weights_are_linked_and_which_squares_are_meant() {
    let report = folder().run(&format!("explain {SFEN} --weights paper.toml --json")).json();
    let named = |name: &str| {
        let features = report["features"].as_array().unwrap();
        features.iter().find(|feature| feature["name"] == json!(name)).unwrap()
    };
    let hand = named("PAWN_IN_HAND_BONUS");
    assert_eq!((&hand["weight"], &hand["effective_weight"]), (&json!(649), &json!(749)));
    assert_eq!((&hand["linked_to"], &hand["group"]), (&json!("PAWN_VALUE"), &json!("material")));
    let expected = json!({ "value": -1, "contribution": -749, "squares": [] });
    assert_eq!((&hand["white"], &hand["effect"]), (&expected, &json!(1498)));
    let silvers = &named("DTK_FRIENDLY_SILVER")["white"];
    assert_eq!(silvers["squares"], json!(["4d", "7a"]));
}

#[test]
fn moves_are_ranked_by_the_score_after_them() {
    let report = folder().run(&format!("explain {SFEN} --weights paper.toml --json")).json();
    let (position, weights) = (Position::from_sfen(SFEN).unwrap(), paper_weights());
    let moves = report["moves"].as_array().unwrap();
    assert_eq!(moves.len(), position.legal_moves().len());
    let before = weights.score(&position, Color::Black);
    let scores: Vec<i32> = moves
        .iter()
        .map(|entry| {
            let mv = entry["move"].as_str().unwrap().parse().unwrap();
            weights.score(&position.after(mv).unwrap(), Color::Black)
        })
        .collect();
    assert!(scores.is_sorted_by_key(|score| -score));
    for (entry, &score) in moves.iter().zip(&scores) {
        let better = scores.iter().filter(|&&other| other > score).count();
        assert_eq!(entry["rank"], json!(better + 1));
        assert_eq!((&entry["score"], &entry["change"]), (&json!(score), &json!(score - before)));
    }
}

#[test]
fn a_move_is_explained_by_what_it_changes() {
    let folder = folder();
    let weights = paper_weights();
    let position = Position::from_sfen(SFEN).unwrap();
    let score =
        |mv: &str| weights.score(&position.after(mv.parse().unwrap()).unwrap(), Color::Black);
    let before = weights.score(&position, Color::Black);
    for mv in ["2f2c+", "9g9f", "P*2d"] {
        let args = format!("explain {SFEN} --weights paper.toml --move {mv} --json");
        let report = &folder.run(&args).json()["move"];
        let after = score(mv);
        assert_eq!((&report["before"], &report["after"]), (&json!(before), &json!(after)), "{mv}");
        assert_eq!(report["change"], json!(after - before), "{mv}");
        assert_eq!(sum(&report["changes"], |change| &change["effect"]), number(&report["change"]));
        let best = report["best"].as_str().unwrap();
        assert_eq!(report["best_score"], json!(score(best)));
        let more = i64::from(score(best) - after);
        assert_eq!(sum(&report["against_best"], |change| &change["effect"]), more, "{mv}");
    }
    // The best move itself needs no comparison.
    let args = format!("explain {SFEN} --weights paper.toml --json");
    let best = folder.run(&args).json()["moves"][0]["move"].as_str().unwrap().to_owned();
    let report = &folder.run(&format!("{args} --move {best}")).json()["move"];
    assert_eq!((&report["rank"], &report["against_best"]), (&json!(1), &json!([])));
}

#[test]
fn text_says_it_in_words_and_squares() {
    let folder = folder();
    let text = folder.run(&format!("explain {SFEN} --weights paper.toml --top 74")).stdout;
    let weights = paper_weights();
    let position = Position::from_sfen(SFEN).unwrap();
    let [black, white] = Color::ALL.map(|color| weights.score(&position, color));
    for part in [
        "Black to play move 9\n",
        "Weights paper.toml for the 74 paper features. A pawn on the board counts 100.\n",
        &format!("Black's view of the position: {black}. White's view: {white}."),
        "one is not the other with its sign turned",
        "  1   +1498 What a pawn in hand is worth above one on the board.\n",
        "Black 1 × 749 = 749 ",
        "White -1 × 749 = -749 ",
        "weight 749 = 100 for PAWN_VALUE + 649 on top\n",
        "[ ] marks the squares of line",
        "squares: Black ",
        "left out, the same for both players or nothing for either: ",
        "Best moves for Black, by Black's view",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    assert!(!text.contains(" more feature"), "{text}");
    // The effects listed, and the line for those that are not, sum to the difference.
    let short = folder.run(&format!("explain {SFEN} --weights paper.toml --top 4")).stdout;
    for text in [text, short] {
        let effects = text.split("in whose view").nth(1).unwrap().split("Best moves").next();
        let effect = |line: &str| line.get(3..11)?.trim().parse::<i32>().ok();
        let total: i32 = effects.unwrap().lines().filter_map(effect).sum();
        assert_eq!(total, black - white, "{text}");
    }
}

#[test]
fn text_of_one_side_and_of_a_move() {
    let folder = folder();
    let white = folder
        .run("explain games.tsv --game 2 --ply 9 --side white --kanji --weights evolved")
        .stdout;
    for part in ["後手番", "White's view of the position: ", "\"You\" is White.", "☖", "* marks"]
    {
        assert!(white.contains(part), "{part:?} is not in\n{white}");
    }
    assert!(!white.contains("Black "), "{white}");
    assert!(white.contains("The record goes on with ☖"), "{white}");

    let text = folder.run(&format!("explain {SFEN} --weights paper.toml --move 9g9f")).stdout;
    for part in [
        "White to play move 10 after 9g9f\n",
        "9g9f in Black's view: ",
        " legal moves by this score; best is ",
        "What the move changes, the strongest first. \"You\" is Black.\n",
        "before 25 × 44 = 1100   after 26 × 44 = 1144 ",
        "squares: now 9f; no longer 9g\n",
        " more than 9g9f, the strongest first:\n",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

/// The engine's own words: numbers add up, the best move does not hang anything, a bad one is told
/// apart from it by the piece it loses.
#[test]
fn a_position_is_explained_by_the_engine() {
    let folder = Folder::new();
    // Black's rook can take a pawn that the bishop on 3c guards.
    let position = "startpos moves 2g2f 3c3d 2f2e 2b3c 2e2d 2c2d";
    let report = folder.run(&format!("explain {position} --nodes 20000 --json")).json();
    assert_eq!((&report["version"], &report["eval"]), (&json!(2), &json!("tables")));
    let balance = &report["balance"];
    let said = sum(&balance["reasons"], |reason| &reason["centipawns"]);
    assert_eq!(said + number(&balance["unsaid"]), number(&balance["score"]));
    assert_ne!(report["moves"][0]["move"], "2h2d", "it loses the rook");
    let args = format!("explain {position} --nodes 20000 --move 2h2d");
    let asked = &folder.run(&format!("{args} --json")).json()["move"];
    let against = &asked["against_best"];
    let said = sum(&against["reasons"], |reason| &reason["centipawns"]);
    assert_eq!(said + number(&against["unsaid"]), number(&against["change"]));
    assert!(number(&against["change"]) < -500, "{against}");
    let first = against["reasons"][0]["text"].as_str().unwrap();
    assert!(first.contains("rook on 2d") && first.contains("3c2d"), "{first}");
    let english = folder.run(&args).stdout;
    assert!(english.contains(first) && english.contains(" not said\n"), "{english}");
    let japanese = folder.run(&format!("{args} --kanji --lang ja")).stdout;
    assert!(japanese.contains("２四の飛を取る"), "{japanese}");
}

#[test]
fn moves_may_be_written_in_japanese() {
    let folder = Folder::new();
    let start = "explain startpos moves 7g7f 3c3d";
    for (text, usi) in [
        ("2g2f", "2g2f"),
        ("２六歩", "2g2f"),
        ("▲26歩(27)", "2g2f"),
        ("☗２二角成", "8h2b+"),
        ("22角不成", "8h2b"),
        ("５八金右", "4i5h"),
    ] {
        let report = folder.run(&format!("{start} --nodes 500 --move {text} --json")).json();
        assert_eq!(report["move"]["move"], json!(usi), "{text}");
    }
    let report = folder.run(&format!("{start} 8h2b+ --nodes 500 --move 同銀 --json")).json();
    assert_eq!(report["move"]["move"], json!("3a2b"));
    assert_eq!(report["move"]["japanese"], json!("☖同銀"));
}

#[test]
fn positions_without_moves_or_differences_are_explained_too() {
    let folder = Folder::new();
    let text = folder.run("explain 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").stdout;
    assert!(text.contains("\ncheckmate\n") && !text.contains("Best moves"), "{text}");
    folder.write("paper.toml", paper_weights().to_text());
    let start = folder.run("explain startpos --weights paper.toml").stdout;
    assert!(start.contains("nothing\n            left out"), "{start}");
    let report = folder.run("explain 4k4/9/9/9/9/9/9/9/9 b 18p 1 --json").json();
    assert_eq!(report["moves"], json!([]));
}

#[test]
fn mistakes_are_one_line() {
    let folder = folder();
    folder.write("no.toml", "nonsense");
    let other =
        paper_weights().to_text().replace("feature_set_id = \"paper-", "feature_set_id = \"x");
    folder.write("other.toml", other);
    for (args, part) in [
        ("explain", "required"),
        ("explain startpos --move 7g7e", "\"7g7e\" is not a legal move in this position"),
        ("explain startpos --move jump", "\"jump\" is no move: expected one such as 7g7f"),
        ("explain startpos --move ５五角", "\"５五角\" names no legal move"),
        ("explain startpos --weights evolved --move 7g7f --side black", "--side"),
        ("explain startpos --weights evolved --top -1", "--top"),
        ("explain startpos --top 3", "--weights"),
        ("explain startpos --weights evolved --nodes 5", "--nodes"),
        ("explain startpos --ply 3", "--ply"),
        ("explain 9/9/9 b - 1", "9/9/9"),
        ("explain missing.kif", "missing.kif: no such file"),
        ("explain games.tsv --ply 999", "games.tsv:2: the game has 30 moves"),
        ("explain games.tsv --game 9", "no game 9, there are 5"),
        ("explain startpos --weights none", "none: neither a file that can be read nor one of"),
        ("explain startpos --weights no.toml", "no.toml: not a weights file"),
        ("explain startpos --weights other.toml", "the weights are for the feature set x"),
    ] {
        let ran = folder.run(args);
        assert!(ran.failure().contains(part), "{args}: {ran:?}");
        assert_eq!(ran.stdout, "", "{args}");
    }
    let help = folder.run("explain --help").stdout;
    assert!(help.contains("Examples:"), "{help}");
}
