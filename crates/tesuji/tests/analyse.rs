//! `tesuji analyse`: a game judged move by move.

mod common;

use std::path::PathBuf;

use common::{Folder, Ran, made_up_rows};
use serde_json::Value;

/// Limits that are enough for what the tests plant.
const QUICK: &str = "--nodes 3000 --hash 1";

/// Black takes a pawn that a bishop protects, and loses the rook.
const HANGS_A_ROOK: &str = "startpos moves 2g2f 3c3d 2f2e 2b3c 2e2d 2c2d 2h2d 3c2d 7g7f 8c8d\n";

fn analysed(folder: &Folder, file: &str, flags: &str) -> Value {
    folder.run(&format!("analyse {file} {QUICK} {flags} --json")).json()
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
    assert_eq!(given["features"][0]["name"], "MATERIAL");
    assert!(given["pieces"].as_str().unwrap().starts_with("a rook"), "{given}");
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
            folder.run(&format!("analyse --resume {run} --threads {threads} --json")).json();
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
        (".", "folder"),
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
        ("game.usi --weights tables", "piece tables"),
        ("", "FILE"),
    ];
    for (args, expected) in failures {
        let ran: Ran = folder.run(&format!("analyse {args}"));
        assert!(ran.failure().contains(expected), "{args}: {ran:?}");
    }
    assert!(!folder.path("runs").exists(), "nothing is left behind");
    assert_eq!(analysed(&folder, "several.tsv", "--game 2 --last 3")["game"], 2);
}

/// The win rate of an analysis is the one that the piece tables learned to predict.
#[test]
fn the_win_rate_has_the_scale_that_the_piece_tables_were_fitted_with() {
    let learned = tesuji_learn::tables::Objective::default().result_scale;
    assert!((tesuji_analysis::score::WIN_RATE_SCALE - learned).abs() < f64::EPSILON);
}
