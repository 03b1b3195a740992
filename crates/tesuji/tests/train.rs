//! `tesuji train` by the real command.

mod common;

use std::fs;
use std::io::BufRead;
use std::path::Path;

use common::Folder;
use serde_json::Value;
use tesuji_eval::{PhaseTables, PieceTables};
use tesuji_records::stream::Input;
use tesuji_shogi::Position;

const QUICK: &str = "train --games games.tsv --passes 2 --stride 40 --batch 100 --json";

/// A folder with some of the games that come with the program.
fn folder() -> Folder {
    let folder = Folder::new();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/games.tsv.zst");
    let (_, games) = Input::File(sample).open(None).unwrap();
    let lines: Vec<String> = games.lines().take(201).map(Result::unwrap).collect();
    folder.write("games.tsv", lines.join("\n") + "\n");
    folder
}

fn report(folder: &Folder, args: &str) -> Value {
    let ran = folder.run(args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_tables() {
    let folder = folder();
    let first = report(&folder, &format!("{QUICK} --threads 1 --out a"));
    let second = report(&folder, &format!("{QUICK} --threads 2 --out b"));
    assert_eq!(first["hash"], second["hash"]);
    assert_eq!(first["passes"].as_array().map(Vec::len), Some(2));
    let bytes = fs::read(folder.path(first["model"].as_str().unwrap())).unwrap();
    let tables = PieceTables::parse(&bytes).unwrap();
    // What has no part in the result is not in the file, so that it is the same everywhere.
    let command = tables.run["command"].as_str().unwrap();
    assert_eq!(command, format!("tesuji {}", QUICK.trim_end_matches(" --json")));

    // The tables can be played with, begun with, and are refused where features are wanted.
    let path = first["model"].as_str().unwrap();
    assert_eq!(folder.run(&format!("search startpos --depth 2 --eval {path}")).code, Some(0));
    let started = report(&folder, &format!("{QUICK} --start {path} --out c"));
    assert_ne!(started["hash"], first["hash"]);
    let ran = folder.run(&format!("explain startpos --weights {path}"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("expected weights of named features"), "{}", ran.stderr);
    let predicted = report(&folder, &format!("predict --model {path} --games games.tsv --json"));
    assert!(predicted["top1"].as_f64() > Some(0.05), "{predicted}");
}

#[test]
fn tables_of_two_phases_are_learned_and_play() {
    let folder = folder();
    let quick = format!("{QUICK} --model phase");
    let first = report(&folder, &format!("{quick} --threads 1 --out a"));
    let second = report(&folder, &format!("{quick} --threads 2 --out b"));
    assert_eq!(first["hash"], second["hash"]);
    let path = first["model"].as_str().unwrap();
    assert!(path.ends_with("phase.bin"), "{path}");
    let tables = PhaseTables::parse(&fs::read(folder.path(path)).unwrap()).unwrap();
    assert_eq!(tables.values().board[0], 100);

    // As if the run had been killed after its first pass: its state is gone.
    let run = first["folder"].as_str().unwrap();
    fs::remove_file(folder.path(run).join("state.bin")).unwrap();
    assert_eq!(report(&folder, &format!("train --resume {run} --json"))["hash"], first["hash"]);

    assert_eq!(folder.run(&format!("search startpos --depth 2 --eval {path}")).code, Some(0));
    let started = report(&folder, &format!("{quick} --start {path} --out c"));
    assert_ne!(started["hash"], first["hash"]);
    let predicted = report(&folder, &format!("predict --model {path} --games games.tsv --json"));
    assert!(predicted["top1"].as_f64() > Some(0.05), "{predicted}");
    for (flags, expected) in [
        (format!("--start {path}"), "phase tables, expected piece tables"),
        ("--model phase --start tables".into(), "piece tables, expected phase tables"),
        ("--model phase --objective move".into(), "--model is for tables alone"),
    ] {
        let ran = folder.run(&format!("train --games games.tsv {flags}"));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains(expected), "{flags}: {}", ran.stderr);
    }
}

const QUICK_MOVES: &str = "train --objective move --games games.tsv --passes 2 --json";

#[test]
fn a_model_of_moves_is_learned_and_predicts() {
    let folder = folder();
    let first = report(&folder, &format!("{QUICK_MOVES} --threads 1 --out a"));
    let second = report(&folder, &format!("{QUICK_MOVES} --threads 2 --out b"));
    assert_eq!(first["hash"], second["hash"]);
    let best = &first["best"]["test"];
    let path = first["model"].as_str().unwrap();
    let predict = format!("predict --model {path} --games games.tsv --json");
    let predicted = report(&folder, &format!("{predict} --part test"));
    for name in ["of", "correct", "top1", "top5", "top10"] {
        assert_eq!(predicted[name], best[name], "{name}");
    }
    assert!(predicted["top1"].as_f64() > Some(0.2), "{predicted}");
    // Positions that were learned from can be left out: none are left then.
    let ran = folder.run(&format!("{predict} --leave-out games.tsv"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("no positions to measure with"), "{}", ran.stderr);
    // It evaluates no positions.
    let ran = folder.run(&format!("search startpos --depth 2 --eval {path}"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("a model of moves"), "{}", ran.stderr);
}

#[test]
fn a_training_of_moves_goes_on_after_a_pass() {
    let folder = folder();
    let whole = report(&folder, &format!("{QUICK_MOVES} --out a"));
    let run = whole["folder"].as_str().unwrap();
    let again = report(&folder, &format!("train --resume {run} --json"));
    assert_eq!(again["hash"], whole["hash"]);
    let ran = folder.run("train --objective move --games games.tsv --start tables");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("--start is for tables alone"), "{}", ran.stderr);
}

#[test]
fn a_model_of_positions_is_learned_and_predicts() {
    let folder = folder();
    let quick = "train --objective static --games games.tsv --passes 1 --json";
    let first = report(&folder, &format!("{quick} --threads 1 --out a"));
    let second = report(&folder, &format!("{quick} --threads 2 --out b"));
    assert_eq!(first["hash"], second["hash"]);
    let path = first["model"].as_str().unwrap();
    let predict = format!("predict --model {path} --games games.tsv --part test --json");
    let predicted = report(&folder, &predict);
    for name in ["of", "correct", "top1", "top5", "top10"] {
        assert_eq!(predicted[name], first["best"]["test"][name], "{name}");
    }
    assert!(predicted["top1"].as_f64() > Some(0.15), "{predicted}");
    let ran = folder.run(&format!("search startpos --depth 2 --eval {path}"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("compares the moves of a position"), "{}", ran.stderr);
}

#[test]
fn games_with_positions_that_are_kept_apart_are_left_out() {
    let folder = folder();
    let games = fs::read_to_string(folder.path("games.tsv")).unwrap();
    let first = games.lines().find_map(|line| line.split("startpos moves ").nth(1)).unwrap();
    let mut position = Position::startpos();
    for mv in first.split_ascii_whitespace().take(30) {
        position = position.after(mv.parse().unwrap()).unwrap();
    }
    folder.write("apart.sfen", format!("# a comment\n{}\n", position.to_sfen()));
    let whole = report(&folder, &format!("{QUICK} --out a"));
    let less = report(&folder, &format!("{QUICK} --leave-out apart.sfen --out b"));
    let count = |report: &Value| {
        ["games", "test_games", "left_out"].map(|name| report[name].as_u64().unwrap())
    };
    let ([train, test, none], [fewer, tests, out]) = (count(&whole), count(&less));
    assert!(none == 0 && out > 0);
    assert_eq!(train + test, fewer + tests + out);

    folder.write("apart.sfen", "nonsense\n");
    let ran = folder.run(&format!("{QUICK} --leave-out apart.sfen"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("apart.sfen:1: "), "{}", ran.stderr);
}

#[test]
fn a_journal_has_each_pass_once_after_a_kill() {
    let folder = folder();
    let first = report(&folder, QUICK);
    let run = first["folder"].as_str().unwrap();
    let journal = folder.read(&format!("{run}/journal.jsonl"));
    assert_eq!(journal.lines().count(), 2);
    // As if the run had been killed after a line of the journal and before its state.
    fs::remove_file(folder.path(&format!("{run}/state.bin"))).unwrap();
    let again = report(&folder, &format!("train --resume {run} --json"));
    assert_eq!(again["hash"], first["hash"]);
    assert_eq!(folder.read(&format!("{run}/journal.jsonl")), journal);
}

#[test]
fn a_damaged_state_is_refused() {
    let folder = folder();
    let first = report(&folder, QUICK);
    let run = first["folder"].as_str().unwrap();
    let path = folder.path(&format!("{run}/state.bin"));
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let ran = folder.run(&format!("train --resume {run}"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("state.bin: damaged"), "{}", ran.stderr);
}

#[test]
fn a_run_that_is_done_is_told_again() {
    let folder = folder();
    let first = report(&folder, QUICK);
    let run = first["folder"].as_str().unwrap();
    let again = report(&folder, &format!("train --resume {run} --json"));
    assert_eq!(again["hash"], first["hash"]);
    folder.write(&format!("{run}/state.bin"), "nonsense");
    let ran = folder.run(&format!("train --resume {run}"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("not the state of this run"), "{}", ran.stderr);
}

#[test]
fn wrong_settings_are_refused() {
    let folder = folder();
    for (flags, expected) in [
        ("--rate 0", "--rate is 0"),
        ("--passes 0", "'--passes <N>': expected a whole number from 1 to 1,000,000"),
        ("--l2 -1", "unexpected argument"),
        ("--cell-l2=-1", "--cell-l2 is -1"),
        ("--start evolved", "expected piece tables"),
        ("--start nowhere.bin", "nowhere.bin: "),
    ] {
        let ran = folder.run(&format!("train --games games.tsv {flags}"));
        assert_ne!(ran.code, Some(0), "{flags}");
        assert!(ran.stderr.contains(expected), "{flags}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
    assert_eq!(folder.names(), ["games.tsv"]);
}
