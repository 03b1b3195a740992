//! `import`.

mod common;

use std::process::Stdio;
use std::time::Duration;

use common::{Folder, made_up_rows};
use serde_json::{Value, json};

#[test]
fn a_collection_is_imported() {
    let folder = Folder::new();
    folder.write("a.tsv", made_up_rows([1, 2, 3]));
    folder.write("b.tsv", made_up_rows([3, 4]));
    let report = folder.run("import a.tsv b.tsv -o all.tsv --dedup --json").json();
    for (key, value) in [("games", 4), ("duplicates", 1), ("rejected", 0)] {
        assert_eq!(report[key], json!(value), "{key}");
    }
    assert_eq!(report["errors"], json!([]));
    assert_eq!(report["outputs"][0]["path"], json!("all.tsv"));
    assert_eq!(report["manifest"], json!("all.tsv.manifest.json"));
    assert!(report["moves_per_second"].as_u64().unwrap() > 0);
    assert_eq!(folder.read("all.tsv"), made_up_rows([1, 2, 3, 4]));
    let manifest: Value = serde_json::from_str(&folder.read("all.tsv.manifest.json")).unwrap();
    assert_eq!(manifest["moves"], report["moves"]);
    let command = "tesuji import a.tsv b.tsv -o all.tsv --dedup --json";
    assert_eq!(manifest["command"], command.split(' ').collect::<Value>());
    assert_eq!(folder.names(), ["a.tsv", "all.tsv", "all.tsv.manifest.json", "b.tsv"]);
    let text = folder.run("import a.tsv -o all.tsv").stdout;
    assert!(text.starts_with("3 games, "), "{text}");
}

#[test]
fn standard_input_and_folders_are_imported() {
    let folder = Folder::new();
    let games = "startpos moves 7g7f\nstartpos moves 2g2f\n";
    let report = folder.run_with("import - -o all.tsv --json", games).json();
    assert_eq!(report["games"], json!(2));
    std::fs::create_dir(folder.path("games")).unwrap();
    folder.write("games/b.usi", games);
    folder.write("games/a.tsv", made_up_rows([1]));
    folder.write("games/notes.txt", "not games");
    let report = folder.run("import games -o all.tsv --json").json();
    assert_eq!(report["games"], json!(3));
}

/// The collection with three games spoilt.
fn spoilt() -> String {
    let mut rows: Vec<String> = made_up_rows(0..40).lines().map(String::from).collect();
    rows[3] += " 5e5e";
    rows[10] = rows[10].replacen("moves ", "moves 9z9z ", 1);
    rows[20] = rows[20].replacen("\tb\t", "\tz\t", 1).replacen("\tw\t", "\tz\t", 1);
    rows.join("\n") + "\n"
}

#[test]
fn bad_games_are_listed_with_line_and_ply() {
    let folder = Folder::new();
    folder.write("games.tsv", spoilt());
    let report = folder.run("import games.tsv -o all.tsv --json").json();
    assert_eq!((&report["games"], &report["rejected"]), (&json!(37), &json!(3)));
    let ply = common::made_up_game(2).main.moves.len() + 1;
    assert_eq!(
        report["errors"],
        json!([
            {
                "file": "games.tsv", "line": 4, "ply": ply,
                "message": format!("ply {ply}: illegal move \"5e5e\""),
            },
            {
                "file": "games.tsv", "line": 11, "ply": 1,
                "message": "ply 1: cannot read a move from \"9z9z\"",
            },
            {
                "file": "games.tsv", "line": 21, "ply": null,
                "message": "expected a result b, w, d or ?, found \"z\"",
            },
        ])
    );
    let kept = (0..40).filter(|n| ![2, 9, 19].contains(n));
    assert_eq!(folder.read("all.tsv"), made_up_rows(kept));
    let ran = folder.run("import games.tsv -o all.tsv");
    assert_eq!(ran.code, Some(0));
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1], "tesuji: games.tsv:11: ply 1: cannot read a move from \"9z9z\"");
}

#[test]
fn strict_and_empty_imports_fail_and_write_nothing() {
    let folder = Folder::new();
    folder.write("games.tsv", spoilt());
    folder.write("bad.usi", "nonsense\n");
    folder.write("empty.usi", "\n");
    let ran = folder.run("import games.tsv -o all.tsv --strict --json");
    assert_eq!(ran.failure(), "3 games are bad, nothing was written");
    let report = ran.any_json();
    assert_eq!((&report["rejected"], &report["outputs"]), (&json!(3), &json!([])));
    let ran = folder.run("import bad.usi -o all.tsv --json");
    assert_eq!(ran.failure(), "1 game is bad, nothing was written");
    let ran = folder.run("import empty.usi -o all.tsv --json");
    assert_eq!(ran.failure(), "no games in the input, nothing was written");
    assert_eq!(folder.names(), ["bad.usi", "empty.usi", "games.tsv"]);
}

#[test]
fn mistakes_are_one_line() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..3));
    folder.write("other.tsv", "1\t2\n");
    folder.write("what", "neither\n");
    folder.write("positions.psv", [0; 80]);
    for (args, part) in [
        ("import", "required"),
        ("import games.tsv", "--output"),
        ("import missing.tsv -o all.tsv", "missing.tsv: "),
        ("import games.tsv -o missing/all.tsv", "missing/all.tsv: "),
        ("import games.tsv -o .", ".: is a folder"),
        ("import games.tsv -o -", "give a file with -o"),
        ("import games.tsv -o /dev/null", "regular file"),
        ("import games.tsv -o all.tsv --split 1.5", "--split 1.5"),
        ("import games.tsv -o all.tsv --split nan", "--split NaN"),
        ("import games.tsv -o all.tsv --seed 1", "--split"),
        ("import games.tsv -o all.tsv --threads 0", "--threads"),
        ("import games.tsv -o all.tsv --threads 5000000", "--threads"),
        ("import games.tsv -o all.tsv --split -0.5", "--split -0.5"),
        ("import games.tsv -o all.tsv --from pgn", "pgn"),
        ("import games.tsv -o all.kif", "all.kif: collections are TSV"),
        ("import games.tsv -o all.csa.zst", "all.csa.zst: collections are TSV"),
        ("import games.tsv -o all.tsv --max-unpacked 5X", "a size such as 500M"),
    ] {
        let ran = folder.run(args);
        assert!(ran.failure().contains(part), "{args}: {ran:?}");
        assert_eq!(ran.stdout, "", "{args}");
    }
    assert_eq!(folder.names(), ["games.tsv", "other.tsv", "positions.psv", "what"]);
}

#[test]
fn threads_do_not_change_the_files() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..1500) + "nonsense\n" + &made_up_rows(5..8));
    let split = "--dedup --split 0.7 --seed 11 --json";
    let reports = [1, 2].map(|threads| {
        let args = format!("import games.tsv -o {threads}.tsv --threads {threads} {split}");
        folder.run(&args).json()
    });
    assert_eq!(reports[0]["errors"], reports[1]["errors"]);
    for part in ["train", "test"] {
        let [one, two] = [1, 2].map(|threads| folder.read(&format!("{threads}.{part}.tsv")));
        assert!(one == two && one.len() > 100_000);
    }
}

/// A killed import leaves the old files, and no half-written one in their place.
#[test]
fn a_killed_import_leaves_the_old_collection() {
    let folder = Folder::new();
    folder.write("all.tsv", "old");
    let mut killed = 0;
    for wait in [1, 5, 20, 50, 100] {
        // Standard input stays open, so that the import cannot be over.
        let mut child = folder
            .command("import - -o all.tsv --from tsv")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, made_up_rows(0..2000).as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success());
        killed += 1;
        assert_eq!(folder.read("all.tsv"), "old");
        assert!(!folder.path("all.tsv.manifest.json").exists());
    }
    let left: Vec<String> =
        folder.names().into_iter().filter(|name| !name.ends_with(".partial")).collect();
    assert_eq!(left, ["all.tsv"]);
    assert!(folder.names().len() <= 1 + killed);
    // What a killed run left is no obstacle to the next one.
    let report = folder.run_with("import - -o all.tsv --json", &made_up_rows(0..3)).json();
    assert_eq!(report["games"], json!(3));
    assert_eq!(folder.read("all.tsv"), made_up_rows(0..3));
}

#[test]
fn a_bad_file_is_named_and_the_rest_is_kept() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..3));
    folder.write("other.tsv", "1\t2\n3\t4\n");
    folder.write("what", "neither\n");
    folder.write("positions.psv", [0; 80]);
    let ran = folder.run("import other.tsv what games.tsv positions.psv -o all.tsv");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let named: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(named.len(), 3, "{ran:?}");
    assert!(named[0].starts_with("tesuji: other.tsv:1: expected a # line"), "{ran:?}");
    assert!(named[1].starts_with("tesuji: what: neither the name nor the content"), "{ran:?}");
    assert!(named[2].contains("positions.psv:1: ") && named[2].contains("single positions"));
    assert!(ran.stdout.contains(", 0 rejected, 3 files unreadable; "), "{ran:?}");
    assert_eq!(folder.read("all.tsv"), made_up_rows(0..3));
    let report = folder.run("import games.tsv what -o all.tsv --json").json();
    assert_eq!((&report["games"], &report["unreadable"]), (&json!(3), &json!(1)));
    assert_eq!(report["errors"][0]["file"], json!("what"));
    for (args, why) in [
        ("import what -o none.tsv --json", "1 file cannot be read, nothing was written"),
        ("import what other.tsv -o none.tsv --json", "2 files cannot be read, nothing was written"),
        ("import games.tsv what -o none.tsv --strict --json", "1 file cannot be read"),
    ] {
        assert!(folder.run(args).failure().starts_with(why), "{args}");
    }
    assert!(!folder.path("none.tsv").exists());
}

#[test]
fn what_a_file_unpacks_to_is_bounded() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..40));
    folder.run("import games.tsv -o small.tsv.zst --json").json();
    let ran = folder.run("import small.tsv.zst -o all.tsv --max-unpacked 2K --json");
    assert_eq!(ran.failure(), "1 file cannot be read, nothing was written");
    let report = ran.any_json();
    let message = report["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("2048 bytes that --max-unpacked allows"), "{message}");
    let report = folder.run("import small.tsv.zst -o all.tsv --max-unpacked 1M --json").json();
    assert_eq!(report["games"], json!(40));
}

#[test]
fn nothing_that_a_terminal_obeys_is_printed() {
    let folder = Folder::new();
    let name = "a\u{1b}[31mb\u{9b}2J.usi";
    folder
        .write(name, format!("startpos moves 7g7f\nstartpos moves {}\u{1b}c\n", "x".repeat(5000)));
    let output = "all\u{1b}]0;x\u{7}.tsv";
    for json in ["", " --json"] {
        let ran = folder.run(&format!("import {name} -o {output}{json}"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        for text in [&ran.stdout, &ran.stderr] {
            assert!(!text.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{text:?}");
            assert!(text.len() < 2000, "{text}");
        }
    }
    let ran = folder.run(&format!("import {name} -o all.tsv --threads {}", "9".repeat(4000)));
    assert!(ran.failure().len() < 400, "{ran:?}");
}
