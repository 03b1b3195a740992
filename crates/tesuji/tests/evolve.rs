//! `tesuji evolve` and `tesuji ablate` by the real command.

mod common;

use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use common::{Folder, made_up_rows, names_in};
use serde_json::Value;

/// The only run in a folder of runs.
fn only_run(folder: &Folder, out: &str) -> String {
    let names = names_in(&folder.path(out));
    assert_eq!(names.len(), 1, "{names:?}");
    format!("{out}/{}", names[0])
}

/// What must not depend on threads, on being stopped, or on the clock.
fn result(folder: &Folder, run: &str) -> (Value, String, Vec<String>) {
    let report: Value = serde_json::from_str(&folder.read(&format!("{run}/result.json"))).unwrap();
    let lasting = serde_json::json!([report["best"], report["runs"], report["generations"]]);
    let weights = folder.read(&format!("{run}/weights.toml"));
    let journal = folder.read(&format!("{run}/journal.jsonl"));
    let mut lines: Vec<String> = journal
        .lines()
        .map(|line| {
            let mut entry: Value = serde_json::from_str(line).unwrap();
            entry.as_object_mut().unwrap().remove("seconds");
            entry.to_string()
        })
        .collect();
    lines.sort();
    (lasting, weights, lines)
}

#[test]
fn a_small_evolution_leaves_all_it_promises() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..40));
    folder.write("test.tsv", made_up_rows(40..60));
    let args = "evolve --games games.tsv --per-game 2 --test test.tsv --runs 2 --population 12 \
                --generations 6 --folds 2 --seed 3 --json";
    let report = folder.run(args).json();
    let run = only_run(&folder, "runs");
    assert_eq!(report["best"]["of"], 80);
    assert_eq!(report["generations"].as_array().unwrap().len(), 6);
    assert!(report["generations"][5]["mean"].is_number());
    assert_eq!(report["best"]["test"]["of"], 20);
    assert_eq!(report["held_out"]["of"], 80);
    assert_eq!(report["runs"].as_array().unwrap().len(), 2);
    assert!(report["mean_of_runs"]["test"]["correct"].is_number());
    let mean = folder.read(&format!("{run}/weights-mean.toml"));
    assert!(mean.contains("run = \"mean of all\""), "{mean}");
    for part in ["legal_moves", "features", "evolution"] {
        assert!(report["seconds"][part].is_number(), "{part}");
    }
    let page = folder.read(&format!("{run}/report.html"));
    for part in ["How it went", "What a piece is worth", "Instructive misses", "</html>"] {
        assert!(page.contains(part), "{part}");
    }
    // The weights know their set, and predict what the evolution says: those to use, which are
    // polished, and those of the best run.
    let weights = report["weights_file"].as_str().unwrap();
    let best_run = format!("{run}/weights-{:02}.toml", report["best"]["run"].as_u64().unwrap());
    for (weights, of) in [(weights, "polished"), (&best_run, "best")] {
        let games = "--games games.tsv --per-game 2 --seed 3 --from-ply 1";
        let predicted = folder.run(&format!("predict --weights {weights} {games} --json")).json();
        assert_eq!(predicted["correct"], report[of]["correct"], "{of}");
    }
    assert_eq!(report["polished"]["held_out"]["of"], 80);
}

#[test]
fn the_threads_change_nothing() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..60));
    let args = "evolve --games games.tsv --runs 3 --population 20 --generations 15 --json";
    for threads in ["1", "2"] {
        folder.run(&format!("{args} --threads {threads} --out out{threads}")).json();
    }
    let [one, two] = ["out1", "out2"].map(|out| result(&folder, &only_run(&folder, out)));
    assert_eq!(one, two);
}

#[test]
fn a_killed_evolution_comes_to_the_same_end() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..150));
    let args = "evolve --games games.tsv --per-game 3 --runs 2 --population 60 --generations 150";
    folder.run(&format!("{args} --out whole --json"));
    let whole = result(&folder, &only_run(&folder, "whole"));
    assert_eq!(whole.2.len(), 300);
    let (mut killed, mut had_state) = (0, 0);
    for (number, milliseconds) in [60, 400, 700, 1100].into_iter().enumerate() {
        let out = format!("killed{number}");
        let mut child = folder
            .command(&format!("{args} --out {out}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        // A run that was killed before it had a folder has nothing to go on with.
        if !folder.path(&out).exists() {
            continue;
        }
        let run = only_run(&folder, &out);
        had_state += usize::from(folder.path(&format!("{run}/state.json")).exists());
        folder.run(&format!("evolve --resume {run} --json")).any_json();
        assert!(result(&folder, &run) == whole, "killed after {milliseconds} ms");
    }
    assert!(killed > 0, "every run was over before it could be killed");
    println!("{killed} killed, {had_state} of them with a state");
}

#[test]
fn fits_take_the_same_road() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..60));
    for learner in ["likelihood", "accuracy"] {
        let args = format!("evolve --games games.tsv --learner {learner} --out {learner} --json");
        let report = folder.run(&args).json();
        assert_eq!(report["runs"].as_array().unwrap().len(), 1);
        let text = folder.read(&format!("{}/weights.toml", only_run(&folder, learner)));
        assert!(text.contains(&format!("learner = \"{learner}\"")), "{text}");
    }
}

#[test]
fn removing_features_is_ranked_and_resumed() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..60));
    let args =
        "ablate --games games.tsv --names material,king,rook --folds 2 --repeats 2 --pairs 2";
    let report = folder.run(&format!("{args} --json --out a")).any_json();
    let groups = report["groups"].as_array().unwrap();
    let effects: Vec<f64> = groups.iter().map(|group| group["effect"].as_f64().unwrap()).collect();
    assert_eq!(effects.len(), 3);
    assert!(effects.is_sorted_by(|a, b| a >= b), "{effects:?}");
    for group in groups {
        let of = |key: &str| group[key].as_f64().unwrap();
        assert!(of("error") >= 0.0 && of("p") <= of("p_adjusted") && of("p_adjusted") <= 1.0);
    }
    let pairs = report["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 2);
    assert_eq!(pairs[0]["names"][0], groups[0]["name"]);
    assert!(pairs[0]["interaction"]["effect"].is_number());
    // The last line of the journal is lost: only that part is done again.
    let run = only_run(&folder, "a");
    let journal = folder.read(&format!("{run}/journal.jsonl"));
    let cut = journal.trim_end().rfind('\n').unwrap() + 20;
    folder.write(&format!("{run}/journal.jsonl"), &journal[..cut]);
    let again = folder.run(&format!("ablate --resume {run} --json")).any_json();
    assert_eq!((&again["groups"], &again["pairs"]), (&report["groups"], &report["pairs"]));
    assert_eq!(folder.read(&format!("{run}/journal.jsonl")), journal);
}

#[test]
fn mistakes_are_named_and_leave_nothing() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..3));
    folder.write("bad.toml", "population = 'many'\n");
    folder.write("set.toml", "name = 'x'\nbase = 'paper'\nwithout = ['NOTHING']\n");
    let cases = [
        ("evolve --positions none.tsv", "none.tsv"),
        ("evolve --games games.tsv --features other", "no feature set is named"),
        ("evolve --games games.tsv --features set.toml", "NOTHING"),
        ("evolve --games games.tsv --population 1", "population is 1"),
        ("evolve --games games.tsv --crossover 2", "crossover is 2"),
        ("evolve --games games.tsv --parameters bad.toml", "bad.toml"),
        (
            "evolve --games games.tsv --folds 1",
            "expected a whole number from 2 to 1,000, or 0 for none",
        ),
        ("evolve --games games.tsv --runs 0", "expected a whole number from 1 to 10,000"),
        ("evolve --games -", "give a file"),
        ("evolve --resume nowhere", "nowhere"),
        ("evolve --resume runs --games games.tsv", "cannot be used with"),
        ("ablate --games games.tsv --names nothing", "\"nothing\""),
    ];
    for (args, expected) in cases {
        let ran = folder.run(args);
        assert!(ran.failure().contains(expected), "{args}: {}", ran.stderr);
        assert!(!Path::new(&folder.path("runs")).exists(), "{args}");
    }
}

#[test]
fn a_run_does_not_go_on_with_other_data() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..10));
    let args = "evolve --games games.tsv --runs 1 --population 4 --generations 2 --json";
    folder.run(args).json();
    let run = only_run(&folder, "runs");
    folder.write("games.tsv", made_up_rows(1..11));
    let ran = folder.run(&format!("evolve --resume {run}"));
    assert!(ran.failure().contains("games.tsv: its content is not that"), "{}", ran.stderr);
    let ran = folder.run(&format!("ablate --resume {run}"));
    assert!(ran.failure().contains("a run of evolve, not of ablate"), "{}", ran.stderr);
}

#[test]
fn positions_of_both_sides_and_none_of_the_test() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..10));
    let small = "--runs 1 --population 4 --generations 2 --json";
    let of = |args: &str| {
        let report = folder.run(&format!("evolve --games games.tsv {args} {small}")).json();
        report["best"]["of"].as_u64().unwrap()
    };
    let winners = of("--per-game 1000");
    assert!(of("--per-game 1000 --both-sides") > winners);
    // The test has one position of each game.
    assert!(of("--per-game 1000 --test games.tsv --unseen-test") <= winners - 10);
    assert_eq!(of("--per-game 1000 --test games.tsv"), winners);
    let ran = folder.run("evolve --games games.tsv --test games.tsv --unseen-test");
    assert!(ran.failure().contains("every position is in the test"), "{}", ran.stderr);
}
