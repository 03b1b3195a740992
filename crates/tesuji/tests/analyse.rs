//! `tesuji analyse`: a game judged move by move.

mod common;

use std::path::PathBuf;

use common::{Folder, Ran, made_up_rows};
use serde_json::Value;
use tesuji_eval::{Calibration, Calibrations, Weights};
use tesuji_search::score::calibration_json;

/// Limits that are enough for what the tests plant.
const QUICK: &str = "--nodes 3000 --hash 1";

/// Black takes a pawn that a bishop protects, and loses the rook. White sees to the corner then.
const HANGS_A_ROOK: &str = "startpos moves 2g2f 3c3d 2f2e 2b3c 2e2d 2c2d 2h2d 3c2d 7g7f 3a2b\n";

fn analysed(folder: &Folder, file: &str, flags: &str) -> Value {
    // A busy machine may have been told how far it is.
    folder.run(&format!("analyse {file} {QUICK} {flags} --json")).any_json()
}

fn file_of(folder: &Folder, result: &Value, name: &str) -> String {
    let path = PathBuf::from(result["folder"].as_str().unwrap()).join(name);
    folder.read(path.to_str().unwrap())
}

#[test]
fn a_rook_that_is_left_to_be_taken_is_a_blunder_that_gave_away_material() {
    let folder = Folder::new();
    folder.write("game.usi", HANGS_A_ROOK);
    let result = analysed(&folder, "game.usi", "");
    let moves = result["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 10);
    let blunder = &moves[6];
    assert_eq!((&blunder["move"], &blunder["class"]), (&"2h2d".into(), &"blunder".into()));
    assert!(blunder["loss"].as_f64().unwrap() > 0.2, "{blunder}");
    let given = &blunder["gave_away"];
    assert_eq!(given["reasons"][0]["group"], "material");
    let text = given["reasons"][0]["text"].as_str().unwrap();
    assert!(text.contains("takes the rook on 2d"), "{given}");
    let said: i64 = given["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["centipawns"].as_i64().unwrap())
        .sum();
    assert_eq!(said + given["unsaid"].as_i64().unwrap(), given["change"].as_i64().unwrap());
    assert_eq!(moves[7]["class"], "best", "taking it is");
    assert_eq!(result["players"]["black"]["blunders"], 1);
    assert_eq!(result["players"]["white"]["blunders"], 0);
    // From then on White leads.
    let after = moves[6..].iter().map(|mv| mv["chance"].as_f64().unwrap());
    assert!(after.into_iter().all(|chance| chance < 0.3), "{result}");
    let page = file_of(&folder, &result, "report.html");
    assert!(page.contains("☗同飛") && page.contains("A blunder: costs Black"));
}

#[test]
fn a_mate_that_was_not_played_is_named() {
    let folder = Folder::new();
    folder.write("mate.usi", "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r 1 moves 5i5h R*5i\n");
    let result = analysed(&folder, "mate.usi", "");
    let missed = &result["moves"][0];
    assert_eq!((&missed["best"], &missed["missed_mate"]), (&"G*5b".into(), &1.into()));
    assert_eq!(missed["best_score"]["mate"], 1);
    assert_eq!(result["players"]["black"]["missed_mates"], 1);
    assert!(file_of(&folder, &result, "report.html").contains("Misses a mate in 1 ply."));
    let text = folder.run(&format!("analyse mate.usi {QUICK} --kanji")).stdout;
    assert!(text.contains("misses a mate in 1 ply"), "{text}");
    assert!(text.contains("☗５二金"), "{text}");
}

#[test]
fn a_mate_on_the_board_ends_the_game_and_the_analysis() {
    let folder = Folder::new();
    folder.write("mated.usi", "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r 1 moves G*5b\n");
    let result = analysed(&folder, "mated.usi", "");
    let mate = &result["moves"][0];
    assert_eq!((&mate["class"], &mate["chance"]), (&"best".into(), &1.0.into()));
    assert!(file_of(&folder, &result, "report.html").contains("+#"));
}

/// A run that was cut off after any number of positions, or in the middle of a line, goes on to the same
/// bytes, with one thread and with two.
#[test]
fn an_analysis_that_was_cut_off_goes_on_to_the_same_bytes() {
    let folder = Folder::new();
    folder.write("game.usi", HANGS_A_ROOK);
    let result = analysed(&folder, "game.usi", "");
    let files = ["journal.jsonl", "result.json", "report.html"];
    let expected = files.map(|name| file_of(&folder, &result, name));
    let run = result["folder"].as_str().unwrap();
    for (bytes, threads) in [(0, 2), (700, 1), (expected[0].len() / 2, 2), (expected[0].len(), 1)] {
        folder.write(&format!("{run}/journal.jsonl"), &expected[0].as_bytes()[..bytes]);
        for name in &files[1..] {
            std::fs::remove_file(folder.path(run).join(name)).unwrap();
        }
        let resumed =
            folder.run(&format!("analyse --resume {run} --threads {threads} --json")).any_json();
        assert_eq!(files.map(|name| file_of(&folder, &resumed, name)), expected, "{bytes} bytes");
    }
}

#[test]
fn part_of_a_game_from_standard_input_is_analysed() {
    let folder = Folder::new();
    let args = format!("analyse - {QUICK} --first 7 --last 8 --json");
    let result = folder.run_with(&args, HANGS_A_ROOK).json();
    let numbers: Vec<&Value> =
        result["moves"].as_array().unwrap().iter().map(|mv| &mv["number"]).collect();
    assert_eq!(numbers, [7, 8]);
    assert_eq!(result["moves"][0]["class"], "blunder");
    let page = file_of(&folder, &result, "report.html");
    assert!(page.contains("id=\"ply-6\"") && !page.contains("id=\"ply-5\""));
    // What came from standard input can be gone on with: the folder has the game.
    let run = result["folder"].as_str().unwrap();
    assert_eq!(
        folder.run(&format!("analyse --resume {run} --json")).json()["moves"],
        result["moves"]
    );
}

#[test]
fn names_of_players_are_text_on_the_page() {
    let folder = Folder::new();
    let name = "<script>alert(1)</script>&\"";
    folder.write("game.kif", format!("先手：{name}\n後手：b\n1 ７六歩(77)\n2 ３四歩(33)\n"));
    let result = analysed(&folder, "game.kif", "");
    assert_eq!(result["headers"]["black"], name);
    let page = file_of(&folder, &result, "report.html");
    assert!(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert"));
}

#[test]
fn mistakes_are_told_in_one_line() {
    let folder = Folder::new();
    folder.write("game.usi", HANGS_A_ROOK);
    folder.write("none.usi", "startpos\n");
    folder.write("empty.usi", "");
    folder.write("nonsense.txt", "what is this?\n");
    folder.write("several.tsv", made_up_rows([1, 2, 3]));
    folder.write("positions.psv", [0; 40]);
    let failures = [
        ("missing.kif", "missing.kif"),
        ("none.usi", "no moves"),
        ("empty.usi", "empty.usi"),
        ("nonsense.txt", "nonsense.txt"),
        ("several.tsv", "--game N"),
        ("several.tsv --game 4", "no game 4, there are 3"),
        ("positions.psv", "expected a game"),
        ("game.usi --first 11", "moves 1 to 10"),
        ("game.usi --last 11", "moves 1 to 10"),
        ("game.usi --first 5 --last 4", "moves 5 to 4"),
        ("game.usi --eval nothing", "nothing"),
        ("", "FILE"),
    ];
    for (args, expected) in failures {
        let ran: Ran = folder.run(&format!("analyse {args}"));
        assert!(ran.failure().contains(expected), "{args}: {ran:?}");
    }
    assert!(!folder.path("runs").exists(), "nothing is left behind");
    let ran = folder.run("analyse game.usi several.tsv --game 1");
    assert!(ran.failure().contains("--game is for one file"), "{ran:?}");
    assert_eq!(analysed(&folder, "several.tsv", "--game 2 --last 3")["game"], 2);
}

/// The chance of a score by the curve that an analysis says.
fn chance_of(result: &Value, cp: f64) -> f64 {
    let number = |key: &str| result[key].as_f64().unwrap();
    let (scale, upset) = (number("chance_scale"), number("chance_upset"));
    upset / 2.0 + (1.0 - upset) / (1.0 + (-cp / scale).exp())
}

/// The evaluation brings the scale of chances with it, and a user may give another.
#[test]
fn chances_have_the_scale_of_the_evaluation() {
    let folder = Folder::new();
    folder.write("game.usi", HANGS_A_ROOK);
    let mut weights = Weights::named("evolved").unwrap();
    folder.write("plain.toml", weights.to_text());
    for (key, value) in [("scale", 300.0), ("scale_low", 290.0), ("scale_high", 310.0)] {
        weights.result.insert(key.to_owned(), value.into());
    }
    folder.write("noted.toml", weights.to_text());
    let shipped = Calibrations::shipped();
    let [tables, material] =
        ["tables", "material"].map(|name| shipped.of(name).unwrap().balanced());
    let cases = [
        ("", tables),
        ("--eval material", material),
        ("--eval plain.toml", Calibration { measured: false, ..tables }),
        ("--eval noted.toml", Calibration::measured(300.0, 290.0, 310.0)),
        ("--chance-scale 700", Calibration::assumed(700.0)),
    ];
    for (flags, expected) in cases {
        let result = analysed(&folder, "game.usi", &format!("{flags} --first 7 --last 8"));
        for (key, value) in calibration_json(&expected) {
            assert_eq!(result[key], value, "{flags} {key}");
        }
        for mv in result["moves"].as_array().unwrap() {
            let Some(cp) = mv["score"]["cp"].as_f64() else { continue };
            let chance = chance_of(&result, cp);
            assert!((mv["chance"].as_f64().unwrap() - chance).abs() < 1e-12, "{flags} {mv}");
        }
        let page = file_of(&folder, &result, "report.html");
        let unknown = page.contains("a scale that was not measured for this evaluation");
        assert_eq!(unknown, !expected.measured, "{flags}");
        let interval = page.contains("a scale measured by games (95 % interval 290 to 310)");
        assert_eq!(interval, flags == "--eval noted.toml", "{flags}");
    }
    let ran = folder.run("analyse game.usi --chance-scale 0");
    assert!(ran.failure().contains("expected a whole number from 1"), "{ran:?}");
}

/// The chance before a move less the chance after it is what the move lost, on every line; and the
/// turning point is a move of the player who lost the lead.
#[test]
fn chances_and_losses_agree_and_the_turning_point_is_the_movers() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows([1, 2, 3]));
    for game in 1..=3 {
        let result = analysed(&folder, "games.tsv", &format!("--game {game} --last 16"));
        let moves = result["moves"].as_array().unwrap();
        let start = &result["start_score"];
        let mut before = match start["cp"].as_f64() {
            Some(cp) => chance_of(&result, cp),
            None => f64::from(u8::from(start["mate"].as_i64().unwrap() > 0)),
        };
        for mv in moves {
            let (chance, loss) = (mv["chance"].as_f64().unwrap(), mv["loss"].as_f64().unwrap());
            let sign = if mv["side"] == "black" { 1.0 } else { -1.0 };
            assert!((sign * (before - chance) - loss).abs() < 1e-9, "{mv}");
            assert!(mv["class"] != "best" || loss == 0.0, "{mv}");
            before = chance;
        }
        let Some(turning) = result["turning_point"].as_u64() else { continue };
        let turning = &moves[usize::try_from(turning).unwrap() - 1];
        let leads_at_end = if before > 0.5 { "black" } else { "white" };
        assert_ne!(turning["side"], leads_at_end, "{turning}");
    }
}

#[test]
fn many_games_are_counted_by_player() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("games")).unwrap();
    folder.write("games/a.usi", HANGS_A_ROOK);
    folder.write("games/b.tsv", made_up_rows([1, 2]));
    folder.write("games/c.usi", "nonsense\n");
    let ran = folder.run(&format!("analyse games {QUICK} --json --annotate noted"));
    assert!(ran.stderr.contains("c.usi"), "the bad file is named: {ran:?}");
    let result = ran.any_json();
    assert_eq!(result["format"], "tesuji-analyses");
    assert_eq!(result["games"].as_array().unwrap().len(), 3);
    let players = result["players"].as_array().unwrap();
    let games: u64 = players.iter().map(|player| player["games"].as_u64().unwrap()).sum();
    assert_eq!(games, 6, "two players a game");
    for player in players {
        let bins = player["histogram"].as_array().unwrap().iter();
        let moves: u64 = bins.map(|bin| bin.as_u64().unwrap()).sum();
        assert_eq!(player["summary"]["chosen"], moves);
    }
    for number in 1..=3 {
        let page = file_of(&folder, &result, &format!("games/{number:04}.html"));
        assert!(page.contains("</html>"));
        assert!(folder.read(&format!("noted/{number:04}.kifu")).contains("評価値"));
    }
    // A journal that was cut off goes on to the same result.
    let run = result["folder"].as_str().unwrap();
    let journal = file_of(&folder, &result, "journal.jsonl");
    let expected = file_of(&folder, &result, "result.json");
    folder.write(&format!("{run}/journal.jsonl"), &journal.as_bytes()[..journal.len() / 2]);
    let resumed = folder.run(&format!("analyse --resume {run} --json")).any_json();
    assert_eq!(file_of(&folder, &resumed, "result.json"), expected);
    assert_eq!(file_of(&folder, &resumed, "journal.jsonl"), journal);
}

#[test]
fn a_game_is_annotated() {
    let folder = Folder::new();
    folder.write("game.usi", HANGS_A_ROOK);
    for file in ["noted.kifu", "noted.jkf"] {
        folder.run(&format!("analyse game.usi {QUICK} --annotate {file}"));
        let text = folder.read(file);
        assert!(text.contains("#評価値="), "{text}");
        assert!(text.contains("takes the rook on 2d"), "{text}");
        // It can be read again, with all moves and the better line.
        let again = folder.run(&format!("convert {file} --to jkf")).stdout;
        assert!(again.contains("forks"), "{again}");
    }
    folder.run(&format!("analyse game.usi {QUICK} --annotate noted.kif --lang ja"));
    let bytes = std::fs::read(folder.path("noted.kif")).unwrap();
    assert!(String::from_utf8(bytes).is_err(), "nothing in it that Shift_JIS does not have");
    let ran = folder.run(&format!("analyse game.usi {QUICK} --annotate noted.txt"));
    assert!(ran.failure().contains("noted.txt: expected a name"), "{ran:?}");
}

#[test]
fn an_annotated_game_keeps_what_its_record_said() {
    let folder = Folder::new();
    let record = "手合割：平手\n先手：一\n*Played in a park.\n\
        1 ７六歩(77) ( 0:12/0:0:12)\n*A calm start.\n\
        2 ３四歩(33) ( 0:05/0:0:05)\n\
        3 投了 ( 0:03/0:0:15)\n*It rained.\n\n\
        変化：2手\n2 ８四歩(83)\n";
    folder.write("game.kifu", record);
    folder.run(&format!("analyse game.kifu {QUICK} --annotate noted.kifu"));
    let noted = folder.read("noted.kifu");
    for kept in ["Played in a park.", "A calm start.", "It rained.", "0:12", "８四歩"] {
        assert!(noted.contains(kept), "{kept}: {noted}");
    }
    assert!(noted.contains("#評価値="), "{noted}");
}
