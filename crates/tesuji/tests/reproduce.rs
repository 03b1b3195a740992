//! `tesuji reproduce tables` by the real command, with sizes that mean nothing.

mod common;

use std::fs;
use std::io::BufRead;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use common::{Folder, names_in};
use serde_json::Value;
use tesuji_records::stream::Input;
use tesuji_shogi::Position;

const QUICK: &str = "reproduce tables --quick --data data --json";

/// A folder with data of the laboratory's form, made of games that come with the program.
fn folder() -> Folder {
    let folder = Folder::new();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/games.tsv.zst");
    let (_, games) = Input::File(sample).open(None).unwrap();
    let lines: Vec<String> = games.lines().take(101).map(Result::unwrap).collect();
    let (head, games) = lines.split_first().unwrap();
    fs::create_dir(folder.path("data")).unwrap();
    let collections =
        [("pro", &games[..80]), ("engine", &games[80..90]), ("amateur", &games[90..])];
    for (name, games) in collections {
        folder.write(&format!("data/{name}_games.tsv"), format!("{head}\n{}\n", games.join("\n")));
    }
    folder.write("data/cain_train.tsv", positions(&games[75..85]));
    folder
}

/// A position of each game with the move that was played, as the thesis has them.
fn positions(games: &[String]) -> String {
    let row = |game: &String| {
        let mut position = Position::startpos();
        let mut moves = game.split("startpos moves ").nth(1)?.split_whitespace();
        for mv in moves.by_ref().take(41) {
            position = position.after(mv.parse().ok()?)?;
        }
        Some(format!("{}\t{}\n", position.to_sfen(), moves.next()?))
    };
    let rows: Vec<String> = games.iter().filter_map(row).collect();
    assert!(rows.len() > 5);
    format!("#sfen\tmove\n{}", rows.concat())
}

/// Everything that a run leaves for readers.
fn written(folder: &Folder, page: &str, out: &str) -> Vec<String> {
    let stem = page.trim_end_matches(".md");
    let pictures = names_in(&folder.path(stem));
    assert!(pictures.iter().any(|name| name == "curve.svg"), "{pictures:?}");
    let mut files = vec![
        folder.read(page).replace(stem, "page"),
        folder.read(&format!("{out}/report.html")),
        folder.read(&format!("{out}/result.json")),
    ];
    files.extend(pictures.iter().map(|name| folder.read(&format!("{stem}/{name}"))));
    files
}

#[test]
fn a_run_that_is_killed_goes_on_to_the_same_bytes() {
    let folder = folder();
    let ran = folder.run(&format!("{QUICK} --threads 1 --out whole --page one.md"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let numbers: Value = serde_json::from_str(&ran.stdout).unwrap();
    let page = folder.read("one.md");
    for section in ["The models that come", "What each step wins", "More games", "on the board"] {
        assert!(page.contains(section), "{section}\n{page}");
    }
    assert!(page.contains("| move ") && page.contains("(one/gold-own-king-8h.svg)"), "{page}");
    assert_eq!(numbers["learned"]["move"].as_array().map(Vec::len), Some(2));

    let args = format!("{QUICK} --threads 2 --out killed --page two.md");
    let mut killed = 0;
    for steps in [1, 9, 20] {
        let mut child =
            folder.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let done = || {
            let folders = ["shipped", "learned", "experts", "ablation"].map(|name| {
                fs::read_dir(folder.path("killed").join(name)).map_or(0, Iterator::count)
            });
            folders.iter().sum::<usize>() >= steps
        };
        while !done() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        killed += usize::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
    }
    assert!(killed > 0);
    assert!(!folder.path("two.md").exists());
    let ran = folder.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let (whole, resumed) =
        (written(&folder, "one.md", "whole"), written(&folder, "two.md", "killed"));
    assert_eq!(whole.len(), resumed.len());
    for (one, other) in whole.iter().zip(&resumed) {
        assert_eq!(one.replace("one", "page"), other.replace("two", "page"));
    }

    let ran = folder.run(&format!("{QUICK} --games 5 --out killed --page two.md"));
    assert!(ran.failure().contains("made with other settings"), "{ran:?}");
}

#[test]
fn what_cannot_be_done_is_said_before_the_work() {
    let folder = folder();
    for (args, expected) in [
        ("reproduce tables --data nowhere", "docs/results/tables.md: there is no such folder"),
        ("reproduce tables --data nowhere --page -", "cain_train.tsv: no such file"),
        ("reproduce tables --data data --page - --games 0", "--games is 0"),
        ("reproduce tables --data data --page - --ablation-games 0", "--ablation-games is 0"),
    ] {
        let ran = folder.run(args);
        assert!(ran.failure().contains(expected), "{args}: {ran:?}");
    }
    assert_eq!(folder.names(), ["data"]);
}
