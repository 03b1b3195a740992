//! `tesuji evolve --player`: one player's moves beside all others'.

mod common;

use std::fs;

use common::{Folder, made_up_game};
use serde_json::Value;
use tesuji_records::{Header, tsv};

/// Made-up games: 36 of one player in several spellings, 10 of another, the rest of others.
fn folder() -> Folder {
    let mut rows = format!("{}\n", tsv::HEADER_LINE);
    for number in 0..130_u64 {
        let name = match number {
            0..20 => "Habu Yoshiharu".to_owned(),
            20..30 => "羽生　善治 九段".to_owned(),
            30..36 => "羽生善治".to_owned(),
            36..46 => "Sota Fujii".to_owned(),
            _ => format!("Player {number}"),
        };
        let mut game = made_up_game(number);
        for header in &mut game.headers {
            if header.key == Header::BLACK {
                header.value = format!("Opponent {number}");
            } else if header.key == Header::WHITE {
                header.value.clone_from(&name);
            }
        }
        rows += &tsv::write_game(&game);
    }
    let folder = Folder::new();
    folder.write("games.tsv", rows);
    folder
}

const HABU: &str =
    "evolve --games games.tsv --per-game 6 --player 羽生善治 --player habu-yoshiharu";

/// The command, with names that have spaces.
fn run(folder: &Folder, args: &str) -> common::Ran {
    let mut command = folder.command("");
    command
        .args(args.split_whitespace().map(|arg| arg.replace("habu-yoshiharu", "yoshiharu HABU")));
    common::finish(&mut command)
}

/// What must be the same every time.
fn result(value: &Value) -> Value {
    let mut value = value.clone();
    for key in ["seconds", "folder", "weights_file", "others_weights_file", "report_file"] {
        value[key] = Value::Null;
    }
    value
}

#[test]
fn spellings_are_joined_and_runs_go_on() {
    let folder = folder();
    let whole = run(&folder, &format!("{HABU} --json --threads 2")).any_json();
    assert_eq!(whole["player"], "羽生善治, yoshiharu HABU");
    assert_eq!(whole["games"], 36);
    assert_eq!(whole["spellings"].as_array().unwrap().len(), 3);
    assert_eq!(whole["positions"], 216);
    for key in ["auc", "auc_error", "game_auc", "game_auc_error"] {
        assert!(whole[key].is_f64(), "{key}");
        assert!(whole["control"]["sets"][2][key].is_f64(), "{key}");
    }
    assert_eq!(whole["features"].as_array().unwrap().len(), 74);
    for key in ["player", "others", "difference", "error", "p"] {
        assert!(whole["features"][20][key].is_number(), "{key}");
        assert!(whole["habits"][0][key].is_number(), "{key}");
    }
    for list in ["features", "habits"] {
        assert!(whole[list][0]["significant"].is_boolean());
        assert!(!whole[list][0]["text"].as_str().unwrap().is_empty());
    }
    let kept = whole["folder"].as_str().unwrap();
    let journal = folder.path(&format!("{kept}/journal.jsonl"));
    let text = fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let expected =
        "a player and three controls, in five parts and on the whole, and five times bred";
    assert_eq!(lines.len(), 4 * 6 + 5, "{expected}");
    let page = folder.read(&format!("{kept}/report.html"));
    for (kept_lines, torn) in [(0, 0), (1, 9), (13, 0), (23, 40), (26, 30)] {
        // Killed after so many lines, perhaps in the middle of one.
        let mut left = lines[..kept_lines].concat();
        left += &lines[kept_lines][..torn];
        fs::write(&journal, left).unwrap();
        fs::remove_file(folder.path(&format!("{kept}/report.html"))).unwrap();
        let again = run(&folder, &format!("evolve --resume {kept} --json --threads 1")).any_json();
        assert_eq!(result(&again), result(&whole), "after {kept_lines} lines");
        assert_eq!(fs::read_to_string(&journal).unwrap(), text);
        assert_eq!(folder.read(&format!("{kept}/report.html")), page);
    }
    // The weights are an evaluation like any other.
    let args = format!("search startpos --eval {kept}/weights.toml --nodes 100 --json");
    assert_eq!(folder.run(&args).code, Some(0));
}

#[test]
fn it_says_in_words_what_it_found() {
    let ran = run(&folder(), HABU);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for part in
        ["36 games", "Habu Yoshiharu (20 games)", "羽生　善治 九段 (10 games)", "AUC", "control"]
    {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    assert!(ran.stdout.contains("significant after"), "{}", ran.stdout);
}

#[test]
fn wrong_input_gets_one_line() {
    let folder = folder();
    for (args, expected) in [
        ("evolve --games games.tsv --player Fujii", "the nearest names: Sota Fujii (10 games)"),
        ("evolve --games games.tsv --player 羽生", "羽生　善治 九段 (10 games)"),
        ("evolve --games games.tsv --player Zzyzx", "no games of \"Zzyzx\""),
        ("evolve --games games.tsv --player fujii.sota", "10 games of fujii.sota, at least 30"),
        ("evolve --player Habu", "--games"),
        ("evolve --games games.tsv --player Habu --runs 3", "--runs"),
        ("evolve --games games.tsv --player Habu --mentor tesuji", "--mentor"),
        ("evolve --games games.tsv --player Habu --signed", "--signed"),
        ("evolve --games games.tsv --player Habu --l2 0", "--l2"),
        ("evolve --games none.tsv --player Habu", "none.tsv"),
        ("evolve --games games.tsv --player habu-yoshiharu --features none", "none"),
    ] {
        let ran = run(&folder, args);
        let line = ran.failure();
        assert!(line.contains(expected), "{args}: {line}");
    }
    assert_eq!(folder.names(), ["games.tsv"], "nothing is left behind");
}
