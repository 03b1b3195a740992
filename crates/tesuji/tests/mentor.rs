//! `tesuji evolve --mentor`: weights that think like a stronger evaluation.

mod common;

use std::fs;

use common::{Folder, made_up_rows};
use serde_json::Value;

const EVOLVE: &str = "evolve --games games.tsv --per-game 2 --population 30 --generations 12 --batch 15 \
                      --seed 4 --json";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..40));
    folder
}

/// What must be the same every time.
fn result(value: &Value) -> Value {
    let mut value = value.clone();
    for key in ["seconds", "folder", "weights_file", "report_file"] {
        value[key] = Value::Null;
    }
    value
}

#[test]
fn weights_come_nearer_to_the_mentor_and_runs_go_on() {
    let folder = folder();
    let whole = folder.run(&format!("{EVOLVE} --mentor tesuji --threads 2")).any_json();
    let again = folder.run(&format!("{EVOLVE} --mentor tesuji --threads 1")).any_json();
    assert_eq!(result(&whole), result(&again));
    let error = |generation: usize| whole["generations"][generation]["mean"].as_f64().unwrap();
    assert!(error(11) < error(0), "{} and {}", error(0), error(11));
    let count = |name: &str| whole[name].as_u64().unwrap();
    assert_eq!(count("lessons") + count("test_lessons") + count("decided"), 80);
    let run = whole["folder"].as_str().unwrap();
    let weights = folder.read(&format!("{run}/weights.toml"));
    let journal = folder.path(&format!("{run}/journal.jsonl"));
    let text = fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 80);
    for (kept, keep_state) in [(0, false), (33, false), (79, false), (80, true)] {
        fs::write(&journal, lines[..kept].concat()).unwrap();
        if !keep_state {
            fs::remove_file(folder.path(&format!("{run}/state.json"))).unwrap();
        }
        let again = folder.run(&format!("evolve --resume {run} --json")).any_json();
        assert_eq!(result(&again), result(&whole), "after {kept} scores");
        assert_eq!(folder.read(&format!("{run}/weights.toml")), weights);
        assert_eq!(fs::read_to_string(&journal).unwrap(), text);
    }
    // The weights are an evaluation like any other.
    let args = format!("search startpos --eval {run}/weights.toml --nodes 100 --json");
    assert_eq!(folder.run(&args).code, Some(0));
    assert!(folder.read(&format!("{run}/report.html")).contains("<svg"));
}

#[test]
fn an_engine_behind_a_pipe_says_the_same() {
    let folder = folder();
    let inside = folder.run(&format!("{EVOLVE} --mentor tesuji:hash=1")).any_json();
    let mentor = format!("cmd:{},arg=usi,option.USI_Hash=1", env!("CARGO_BIN_EXE_tesuji"));
    let outside = folder.run(&format!("{EVOLVE} --mentor {mentor}")).any_json();
    assert_eq!(inside["hash"], outside["hash"]);
    assert_eq!(inside["test_error"], outside["test_error"]);
}

#[test]
fn wrong_input_gets_one_line() {
    let folder = folder();
    for (args, expected) in [
        ("evolve --games games.tsv --mentor nobody", "expected tesuji"),
        ("evolve --games games.tsv --mentor cmd:no-such-program", "no-such-program"),
        ("evolve --games games.tsv --mentor tesuji --runs 3", "--runs"),
        ("evolve --games games.tsv --mentor tesuji --islands 3", "--islands"),
        ("evolve --games games.tsv --mentor tesuji --batch 0", "--batch"),
        ("evolve --games games.tsv --mentor-depth 3", "--mentor"),
    ] {
        let ran = folder.run(args);
        assert_ne!(ran.code, Some(0), "{args}");
        assert!(ran.stderr.contains(expected), "{args}: {}", ran.stderr);
    }
    assert_eq!(folder.names(), ["games.tsv"], "nothing is left behind");
}
