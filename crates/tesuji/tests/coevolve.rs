//! `tesuji coevolve`: the same seed gives the same weights, also after the program was killed.

mod common;

use std::fs;
use std::path::PathBuf;

use common::Folder;
use serde_json::Value;

/// Short games between few organisms.
const COEVOLVE: &str = "coevolve --generations 3 --population 3 --nodes 40 --maxmoves 60 --pool 6 \
                        --match-games 6 --seed 3 --json";

fn file(result: &Value, name: &str) -> PathBuf {
    PathBuf::from(result["folder"].as_str().unwrap()).join(name)
}

/// Everything in the folder of a run that must be the same every time.
fn contents(folder: &Folder, result: &Value) -> [String; 2] {
    ["journal.jsonl", "weights.toml"].map(|name| folder.read(file(result, name).to_str().unwrap()))
}

#[test]
fn the_same_seed_gives_the_same_winner() {
    let folder = Folder::new();
    let whole = folder.run(&format!("{COEVOLVE} --concurrency 2")).any_json();
    let again = folder.run(&format!("{COEVOLVE} --concurrency 1")).any_json();
    assert_eq!(contents(&folder, &whole), contents(&folder, &again));
    assert_eq!(whole["hash"], again["hash"]);
    let other = folder.run(&COEVOLVE.replace("--seed 3", "--seed 4")).any_json();
    assert_ne!(contents(&folder, &whole)[0], contents(&folder, &other)[0]);
    let generations = whole["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 3);
    let games: u64 = generations.iter().map(|round| round["games"].as_u64().unwrap()).sum();
    assert_eq!(whole["games"].as_u64().unwrap(), games);
    // Three pairings in each generation, and after the first three more with the founder that plays along,
    // of three or four games each.
    assert!((27..=60).contains(&games), "{games}");
    assert_eq!(whole["match"]["result"]["games"], 6);
    let page = folder.read(file(&whole, "report.html").to_str().unwrap());
    assert!(page.contains("Where the winner comes from") && page.contains("<svg"));
    // The winner is an evaluation like any other.
    let weights = file(&whole, "weights.toml");
    let shown =
        folder.run(&format!("search startpos --eval {} --nodes 100 --json", weights.display()));
    assert_eq!(shown.code, Some(0), "{shown:?}");
}

#[test]
fn a_run_that_was_cut_off_goes_on_to_the_same_winner() {
    let folder = Folder::new();
    let whole = folder.run(COEVOLVE).any_json();
    let expected = contents(&folder, &whole);
    let journal = folder.path(file(&whole, "journal.jsonl").to_str().unwrap());
    let state = folder.path(file(&whole, "state.json").to_str().unwrap());
    let run = whole["folder"].as_str().unwrap();
    let lines: Vec<&str> = expected[0].split_inclusive('\n').collect();
    // Without a state the run begins anew with the games that it has; a line may be torn.
    let played = lines.iter().filter(|line| !line.contains("\"generation\":0,")).count();
    for (kept, torn, keep_state) in
        [(0, 0, false), (2, 10, false), (5, 0, false), (played, 0, true), (played + 1, 30, true)]
    {
        let mut text: String = lines[..kept].concat();
        text += lines.get(kept).map_or("", |line| &line[..torn]);
        fs::write(&journal, text).unwrap();
        if !keep_state {
            fs::remove_file(&state).unwrap();
        }
        let result = folder.run(&format!("coevolve --resume {run} --json")).any_json();
        assert_eq!(contents(&folder, &result), expected, "after {kept} pairings");
        assert_eq!(result["hash"], whole["hash"]);
    }
}

#[test]
fn wrong_input_gets_one_line() {
    let folder = Folder::new();
    folder.write("bad.toml", "nonsense");
    for (args, expected) in [
        ("coevolve --from bad.toml", "bad.toml"),
        ("coevolve --from nothing.toml", "nothing.toml"),
        ("coevolve --from evolved extended", "extended"),
        ("coevolve --games 3", "even number"),
        ("coevolve --match-games 5", "even number"),
        ("coevolve --population 1", "population"),
        ("coevolve --mutation-rate 2", "mutation"),
        ("coevolve --openings nothing.sfen", "nothing.sfen"),
        ("coevolve --resume nothing", "nothing"),
    ] {
        let ran = folder.run(args);
        assert_ne!(ran.code, Some(0), "{args}");
        assert!(ran.stderr.contains(expected), "{args}: {}", ran.stderr);
        assert_eq!(ran.stderr.trim().lines().count(), 1, "{args}: {}", ran.stderr);
    }
    assert_eq!(folder.names(), ["bad.toml"], "nothing is left behind");
}
