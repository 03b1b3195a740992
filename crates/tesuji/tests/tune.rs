//! `tesuji tune`: the same seed gives the same parameters, also after the program was killed.

mod common;

use std::fs;
use std::path::PathBuf;

use common::Folder;
use serde_json::Value;

const PROBLEMS: &str = "#id\tsfen\tanswer\tkind
1\t4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r 1\tG*5b\tmate
2\t4k4/9/4P4/9/9/9/9/9/4K4 b G 1\tG*5b\tmate
3\t8k/9/7+PP/9/9/9/9/9/4K4 b G 1\tG*2b\tmate
4\tlnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t7g7f,2g2f\topening
";

const TUNE: &str = "tune --positions problems.tsv --generations 3 --population 4 --cap 3000 --hash 1 \
                    --seed 2 --json";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("problems.tsv", PROBLEMS);
    folder
}

/// What must be the same every time.
fn result(value: &Value) -> Value {
    let mut value = value.clone();
    for key in ["seconds", "folder", "report_file"] {
        value[key] = Value::Null;
    }
    value
}

#[test]
fn the_same_seed_gives_the_same_parameters() {
    let folder = folder();
    let first = folder.run(&format!("{TUNE} --threads 1")).any_json();
    let second = folder.run(&format!("{TUNE} --threads 2")).any_json();
    assert_eq!(result(&first), result(&second));
    assert_eq!((&first["problems"], &first["test_problems"]), (&2.into(), &2.into()));
    let count = |side: &str, key: &str| first[side][key].as_u64().unwrap();
    assert!(count("after", "nodes") <= count("before", "nodes"));
    assert_eq!(first["before"]["parameters"]["null_move"], 1);
    assert_eq!(first["generations"].as_array().unwrap().len(), 3);
    // What was tuned is an engine that matches can name.
    let engine = first["engine"].as_str().unwrap();
    let args = format!("match {engine} tesuji --nodes 10 --maxmoves 20 --games 2 --json");
    assert_eq!(folder.run(&args).games_json()["games"], 2);
}

#[test]
fn a_run_that_was_cut_off_goes_on_to_the_same_parameters() {
    let folder = folder();
    let whole = folder.run(TUNE).any_json();
    let run = PathBuf::from(whole["folder"].as_str().unwrap());
    let journal = folder.path(run.join("journal.jsonl").to_str().unwrap());
    let text = fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for (kept, torn) in [(0, 0), (3, 15), (lines.len() - 1, 0)] {
        fs::write(&journal, lines[..kept].concat() + &lines[kept][..torn]).unwrap();
        let again = folder.run(&format!("tune --resume {} --json", run.display())).any_json();
        assert_eq!(result(&again), result(&whole), "after {kept} organisms");
        assert_eq!(fs::read_to_string(&journal).unwrap(), text);
    }
}

#[test]
fn chosen_parameters_alone_change() {
    let folder = folder();
    let names = ["null_reduction", "lmr_base"];
    let tuned = folder.run(&format!("{TUNE} --genes {} --random", names.join(","))).any_json();
    let parameters = tuned["after"]["parameters"].as_object().unwrap();
    assert_eq!(parameters.keys().collect::<Vec<_>>(), names);
    let mirrored = folder.run(&format!("{TUNE} --mirror")).any_json();
    assert_eq!((&mirrored["problems"], &mirrored["test_problems"]), (&4.into(), &2.into()));
    let paper = folder.run(&format!("{TUNE} --genes paper --roulette")).any_json();
    assert_eq!(paper["after"]["parameters"].as_object().unwrap().len(), 18);
}

#[test]
fn wrong_input_gets_one_line() {
    let folder = folder();
    folder.write("bad.tsv", "#sfen\tanswer\nnonsense\t7g7f\n");
    folder.write("one.tsv", PROBLEMS.lines().take(2).collect::<Vec<_>>().join("\n"));
    for (args, expected) in [
        ("tune", "--positions"),
        ("tune --positions nothing.tsv", "nothing.tsv"),
        ("tune --positions bad.tsv", "bad.tsv:2"),
        ("tune --positions problems.tsv --genes no_such", "no_such"),
        ("tune --positions problems.tsv --genes ,", "--genes"),
        ("tune --positions problems.tsv --genes null_move,null_move", "null_move is there twice"),
        ("tune --positions one.tsv", "one problem"),
        ("tune --positions problems.tsv --match-games 3", "--match-games is 3"),
        ("tune --positions problems.tsv --match-games 18446744073709551614", "--match-games"),
        ("tune --objective spsa --crossover 0.5", "--crossover"),
        ("tune --positions problems.tsv --population 1", "population"),
        ("tune --positions problems.tsv --mutation-rate 7", "mutation"),
        ("tune --positions problems.tsv --eval nothing", "nothing"),
        ("tune --resume nothing", "nothing"),
    ] {
        let ran = folder.run(args);
        assert_ne!(ran.code, Some(0), "{args}");
        assert!(ran.stderr.contains(expected), "{args}: {}", ran.stderr);
    }
    assert_eq!(folder.names(), ["bad.tsv", "one.tsv", "problems.tsv"], "nothing is left behind");
}

const PLAY: &str = "tune --generations 3 --population 3 --nodes 30 --maxmoves 40 --pool 6 --match-games 4 \
                    --genes null_reduction,reverse_futility_margin_1,check_extension --seed 2 --json";

#[test]
fn games_tune_too_and_go_on_after_a_kill() {
    let folder = folder();
    for (objective, lines_of_games) in [("games", 9), ("spsa", 9)] {
        let args = format!("{PLAY} --objective {objective} --positions problems.tsv --cap 500");
        let whole = folder.run(&format!("{args} --threads 2")).any_json();
        let again = folder.run(&format!("{args} --threads 1")).any_json();
        assert_eq!(result(&whole), result(&again));
        assert_eq!(whole["objective"], objective);
        assert_eq!(whole["match"]["result"]["games"], 4);
        assert!(whole["after"]["test_nodes"].as_u64().is_some());
        let run = PathBuf::from(whole["folder"].as_str().unwrap());
        let journal = folder.path(run.join("journal.jsonl").to_str().unwrap());
        let text = fs::read_to_string(&journal).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        assert!(lines.len() > lines_of_games + 2, "{text}");
        for kept in [0, 4, lines_of_games + 1] {
            fs::write(&journal, lines[..kept].concat() + &lines[kept][..7]).unwrap();
            let state = journal.with_file_name("state.json");
            if state.exists() {
                fs::remove_file(state).unwrap();
            }
            let again = folder.run(&format!("tune --resume {} --json", run.display())).any_json();
            assert_eq!(result(&again), result(&whole), "{objective} after {kept} lines");
            assert_eq!(fs::read_to_string(&journal).unwrap(), text);
        }
        let page = folder.read(run.join("report.html").to_str().unwrap());
        assert!(page.contains("against those before") && page.contains("<svg"));
    }
}

#[test]
fn games_need_no_problems() {
    let folder = folder();
    let tuned = folder.run(&format!("{PLAY} --objective spsa")).any_json();
    assert_eq!(tuned["steps"].as_array().unwrap().len(), 3);
    // One pair of settings a step is enough, and the engine that comes out says all that it is.
    let small = PLAY.replace("--population 3", "--population 1").replace("--match-games 4", "");
    let args =
        format!("{small} --objective spsa --match-games 2 --eval material --set aspiration=77");
    let engine = folder.run(&args).any_json()["engine"].to_string();
    assert!(engine.contains("tesuji:eval=material,preset=default,aspiration=77"), "{engine}");
    assert!(tuned["after"]["nodes"].is_null());
    let wrong = folder.run("tune --generations 2");
    assert!(wrong.stderr.contains("no file of problems (--positions)"), "{wrong:?}");
}
