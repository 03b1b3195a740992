//! `tesuji match`, `tournament` and `selfplay`, and games that go on after the program was killed.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::Folder;
use serde_json::{Value, json};
use tesuji_records::Format;
use tesuji_records::stream::{Games, Input};

/// A match of two engines with fixed nodes, short enough for a test.
const MATCH: &str = "match tesuji:eval=material,hash=1 tesuji:eval=material,hash=1,null_move=0 \
                     --nodes 150 --maxmoves 70 --games 8 --json";

fn run_folder(result: &Value) -> PathBuf {
    PathBuf::from(result["folder"].as_str().unwrap())
}

/// Everything in the folder of a run that must be the same every time.
fn contents(folder: &Folder, result: &Value) -> [String; 2] {
    ["journal.jsonl", "games.csa"]
        .map(|name| folder.read(run_folder(result).join(name).to_str().unwrap()))
}

fn games_in(path: &Path) -> usize {
    let inputs = Input::from_paths(&[path.to_owned()]).unwrap();
    Games::new(inputs, None).map(Result::unwrap).count()
}

#[test]
fn a_match_counts_its_games() {
    let folder = Folder::new();
    let result = folder.run(&format!("{MATCH} --games-file all.tsv")).games_json();
    let count = |key: &str| result[key].as_u64().unwrap();
    assert_eq!(count("games"), 8);
    assert_eq!(count("wins") + count("draws") + count("losses"), 8);
    assert_eq!(count("faults"), 0);
    let pairs = result["pentanomial"].as_array().unwrap();
    assert_eq!(pairs.iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), 4);
    assert_eq!(result["sprt"], Value::Null);
    assert_eq!(games_in(&folder.path("all.tsv")), 8);
    let csa = folder.path(run_folder(&result).join("games.csa").to_str().unwrap());
    assert_eq!(games_in(&csa), 8);
    assert!(fs::read_to_string(csa).unwrap().contains("'** "), "scores are in the games");
    // Games of a pair have the same opening, and the colours are swapped.
    let journal = contents(&folder, &result)[0].clone();
    let lines: Vec<Value> = journal.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    for pair in lines.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!((&pair[0]["black"], &pair[0]["white"]), (&pair[1]["white"], &pair[1]["black"]));
    }
}

#[test]
fn a_match_says_how_many_of_its_games_differ() {
    let folder = Folder::new();
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
    folder.write("one.sfen", start);
    let args = "match tesuji:eval=material,hash=1 tesuji:eval=material,hash=1,null_move=0 \
                --nodes 50 --maxmoves 30 --openings one.sfen --games";
    let differ = |games: u64| {
        folder.run(&format!("{args} {games} --json")).any_json()["different_games"].as_u64()
    };
    assert_eq!((differ(2), differ(6)), (Some(2), Some(2)));
    let ran = folder.run(&format!("{args} 6"));
    assert!(ran.stdout.contains("only 2 of the games differ"), "{}", ran.stdout);
    assert!(!folder.run(&format!("{args} 2")).stdout.contains("differ"));
}

/// A run that was cut off after any number of games, or in the middle of a line, goes on to the
/// same bytes, with one thread and with two.
#[test]
fn a_match_that_was_cut_off_goes_on_to_the_same_games() {
    let folder = Folder::new();
    let whole = folder.run(&format!("{MATCH} --concurrency 2")).games_json();
    let expected = contents(&folder, &whole);
    assert_eq!(
        contents(&folder, &folder.run(&format!("{MATCH} --concurrency 1")).games_json()),
        expected
    );
    let journal = folder.path(run_folder(&whole).join("journal.jsonl").to_str().unwrap());
    let lines: Vec<&str> = expected[0].split_inclusive('\n').collect();
    for (kept, torn) in [(0, 0), (1, 20), (5, 0), (7, 100), (8, 0)] {
        let mut text: String = lines[..kept].concat();
        text += lines.get(kept).map_or("", |line| &line[..torn]);
        fs::write(&journal, text).unwrap();
        let path = run_folder(&whole);
        for threads in [1, 2] {
            let args = format!("match --resume {} --concurrency {threads} --json", path.display());
            let result = folder.run(&args).games_json();
            assert_eq!(contents(&folder, &result), expected, "after {kept} games");
            assert_eq!((&result["wins"], &result["elo"]), (&whole["wins"], &whole["elo"]));
        }
    }
}

/// Real kills, at moments that are not chosen: while games go on, while files are written.
#[test]
fn a_match_that_was_killed_goes_on_to_the_same_games() {
    let folder = Folder::new();
    let expected = contents(&folder, &folder.run(MATCH).games_json());
    let mut command = folder.command(&format!("{MATCH} --out killed"));
    let mut path = String::new();
    for pause in [5, 60, 120, 30, 90, 200, 15] {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while path.is_empty() {
            std::thread::sleep(Duration::from_millis(1));
            let begun = |name: &String| folder.path(name).join("manifest.json").exists();
            let names = fs::read_dir(folder.path("killed")).into_iter().flatten().flatten();
            let mut names = names.map(|e| format!("killed/{}", e.file_name().display()));
            path = names.find(begun).unwrap_or_default();
        }
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        command = folder.command(&format!("match --resume {path} --json"));
    }
    let result = folder.run(&format!("match --resume {path} --json")).games_json();
    assert_eq!(contents(&folder, &result), expected);
}

#[test]
fn a_test_ends_the_match_when_it_has_decided() {
    let folder = Folder::new();
    let args = "match tesuji:eval=material,hash=1 tesuji:eval=material,hash=1,nodes=1 --nodes 300 \
                --games 400 --maxmoves 120 --sprt elo0=0 elo1=300 alpha=0.1 beta=0.1 --json";
    let result = folder.run(args).any_json();
    let games = result["games"].as_u64().unwrap();
    assert!(games < 400 && games.is_multiple_of(2), "{result}");
    assert_eq!(result["sprt"]["state"], "H1");
    let again = folder.run(&format!("{args} --concurrency 1")).any_json();
    assert_eq!(contents(&folder, &again), contents(&folder, &result));
}

/// An engine that introduces itself, gets ready, and misbehaves as soon as it is to move; its
/// argument says how.
const FAKE_ENGINE: &str = r#"
while read line; do
    case $line in
        usi) echo usiok ;;
        isready) echo readyok ;;
        quit) exit ;;
        go*) case $1 in
            crash) exit 9 ;;
            illegal) echo bestmove 5i5a ;;
            nonsense) echo bestmove e2e4e5 ;;
            win) echo bestmove win ;;
            flood) exec yes info string flood ;;
            silent) ;;
        esac ;;
    esac
done
"#;

#[test]
fn an_engine_that_dies_loses_and_the_match_goes_on() {
    let folder = Folder::new();
    folder.write("fake.sh", FAKE_ENGINE);
    let ran =
        folder.run("match tesuji:hash=1 cmd:sh,arg=fake.sh,arg=crash --nodes 50 --games 4 --json");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let result = ran.any_json();
    assert_eq!((&result["wins"], &result["faults"]), (&4.into(), &4.into()));
    assert_eq!(result["faults_by_kind"], json!({ "crash": 4 }));
    assert_eq!(result["faults_by_engine"], json!([{}, { "crash": 4 }]));
    assert_eq!(ran.stderr.lines().filter(|line| line.contains("crash")).count(), 4);
    let journal = &contents(&folder, &result)[0];
    assert!(journal.contains("> go nodes 50"), "{journal}");
}

#[test]
fn faults_are_counted_by_kind() {
    let folder = Folder::new();
    folder.write("fake.sh", FAKE_ENGINE);
    let manners = [
        ("crash", "crash"),
        ("illegal", "illegal-move"),
        ("nonsense", "bad-answer"),
        ("win", "false-declaration"),
        ("flood", "flood"),
        ("silent", "silence"),
    ];
    let fakes = manners.map(|(manner, _)| format!("cmd:sh,arg=fake.sh,arg={manner},name={manner}"));
    let args = "--gauntlet --rounds 1 --nodes 50 --patience 4 --json";
    let result = folder.run(&format!("tournament tesuji:hash=1 {} {args}", fakes.join(" ")));
    let result = result.any_json();
    assert_eq!(result["faults"], 12, "{result}");
    let engines = result["engines"].as_array().unwrap();
    for (manner, kind) in manners {
        assert_eq!(result["faults_by_kind"][kind], 2, "{result}");
        let engine = engines.iter().find(|engine| engine["name"] == manner).unwrap();
        assert_eq!(engine["faults_by_kind"], json!({ kind: 2 }));
    }
    let own = engines.iter().find(|engine| engine["faults"] == 0).unwrap();
    assert_eq!(own["faults_by_kind"], json!({}));
}

/// A run that is over can be resumed for its files: they are written, or there already.
#[test]
fn games_are_written_when_a_finished_run_is_resumed() {
    let folder = Folder::new();
    let result = folder.run(&format!("{MATCH} --games-file one.kif")).games_json();
    let resume = format!("match --resume {} --json", run_folder(&result).display());
    assert_eq!(games_in(&folder.path("one.kif")), 8);
    let first = fs::read(folder.path("one.kif/000001.kif")).unwrap();
    for args in ["", " --games-file one.kif", " --games-file two.kif", " --games-file all.tsv"] {
        assert_eq!(folder.run(&format!("{resume}{args}")).games_json()["games"], 8, "{args}");
    }
    assert_eq!(fs::read(folder.path("two.kif/000001.kif")).unwrap(), first);
    assert_eq!(games_in(&folder.path("two.kif")), 8);
    assert_eq!(games_in(&folder.path("all.tsv")), 8);

    // What is not of this run stays, and it is said what was expected.
    folder.write("one.kif/000001.kif", "mine");
    folder.write("two.kif/notes.txt", "mine");
    let expected = "a folder with other files in it, expected an empty one or a new name";
    for name in ["one.kif", "two.kif"] {
        for command in [&*resume, MATCH] {
            let ran = folder.run(&format!("{command} --games-file {name}"));
            assert!(ran.failure().contains(&format!("{name}: {expected}")), "{ran:?}");
        }
    }
    assert_eq!(folder.read("one.kif/000001.kif"), "mine");
    let runs = fs::read_dir(folder.path("runs")).unwrap();
    assert_eq!(runs.count(), 1, "a run that has no place for its games is not begun");
}

#[test]
fn a_tournament_has_a_cross_table() {
    let folder = Folder::new();
    let engines = "tesuji:eval=material,hash=1,name=one tesuji:eval=material,hash=1,nodes=1,name=two \
                   tesuji:eval=material,hash=1,depth=1,name=three";
    let args = format!("tournament {engines} --nodes 200 --rounds 2 --maxmoves 100");
    let result = folder.run(&format!("{args} --json")).games_json();
    assert_eq!(result["games"], 12);
    assert_eq!(result["meetings"].as_array().unwrap().len(), 3);
    let engines = result["engines"].as_array().unwrap();
    let sum: f64 = engines.iter().map(|engine| engine["elo"].as_f64().unwrap()).sum();
    assert!(sum.abs() < 1e-6);
    assert_eq!(engines[2]["name"], "two");
    assert!(engines.iter().all(|engine| engine["games"] == 8));
    let gauntlet = folder.run(&format!("{args} --gauntlet"));
    assert_eq!(gauntlet.code, Some(0), "{gauntlet:?}");
    assert!(gauntlet.stdout.starts_with("engine "), "{gauntlet:?}");
}

#[test]
fn self_play_is_the_same_for_every_number_of_threads() {
    let folder = Folder::new();
    let args = "selfplay --engine tesuji:eval=material,hash=1 --games 6 --nodes 150 --maxmoves 80 \
                --temperature 40 --json";
    let one = folder.run(&format!("{args} --concurrency 1 -o one.tsv")).games_json();
    let two = folder.run(&format!("{args} --concurrency 2 -o two.kif")).games_json();
    let journal =
        |result: &Value| folder.read(run_folder(result).join("journal.jsonl").to_str().unwrap());
    assert_eq!(journal(&one), journal(&two));
    assert_eq!((&one["faults"], &one["faults_by_kind"]), (&json!(0), &json!({})));
    assert_eq!(games_in(&folder.path("one.tsv")), 6);
    assert_eq!(folder.names().iter().filter(|name| *name == "two.kif").count(), 1);
    let games = folder.read("one.tsv");
    let mut rows: Vec<&str> =
        games.lines().skip(1).map(|row| row.rsplit('\t').next().unwrap()).collect();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), 6, "no two games are alike");
    assert!(Format::of_path(Path::new("one.tsv")).is_some());
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let folder = Folder::new();
    folder.write("mated.sfen", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1\n");
    for (args, expected) in [
        ("match tesuji --nodes 1", "expected two engines"),
        ("match tesuji tesuji", "nothing ends its thinking"),
        ("match tesuji tesuji:what=1 --nodes 1", "no such parameter"),
        ("match tesuji chess --nodes 1", "expected tesuji"),
        ("match tesuji cmd:no/such --nodes 1", "no/such"),
        ("match tesuji tesuji --st 0", "expected seconds"),
        ("match tesuji tesuji --tc a+b", "expected seconds"),
        ("match tesuji tesuji --nodes 1 --sprt elo0=5 elo1=0", "elo0 must be below elo1"),
        ("match tesuji tesuji --nodes 1 --sprt elo0=5", "elo1=… is missing"),
        ("match tesuji tesuji --nodes 1 --resign what=1", "expected movecount"),
        ("match tesuji tesuji --nodes 1 --openings none.sfen", "none.sfen"),
        ("match tesuji tesuji --nodes 1 --openings mated.sfen", "line 1: the game is over"),
        ("match tesuji tesuji --nodes 1 --openings .", ".: not a regular file"),
        ("match tesuji tesuji --nodes 1 --games-file games.xyz", "games.xyz"),
        ("match --resume nowhere", "nowhere"),
        ("tournament tesuji --nodes 1", "two or more engines"),
        ("selfplay --nodes 1 --engine cmd:cat", "only tesuji"),
        ("selfplay --nodes 1 --temperature=-1", "temperature"),
    ] {
        let ran = folder.run(args);
        assert!(ran.failure().contains(expected), "{args}: {ran:?}");
    }
    assert_eq!(folder.names(), ["mated.sfen"], "nothing is left behind");
}

#[test]
fn a_match_and_a_tournament_leave_a_page_and_a_line_a_game() {
    let folder = Folder::new();
    let quick = "--nodes 100 --maxmoves 30 --seed 3";
    let engines = "tesuji:eval=material,hash=1 tesuji:eval=material,hash=1,name=other";
    for (args, games) in [
        (format!("match {engines} --games 4 {quick}"), 4),
        (format!("tournament {engines} tesuji:eval=published,hash=1 --rounds 1 {quick}"), 6),
    ] {
        let mut pages = Vec::new();
        for out in ["a", "b"] {
            let ran = folder.run(&format!("{args} --out {out}"));
            assert_eq!(ran.code, Some(0), "{ran:?}");
            let run = ran.stderr.lines().next().unwrap();
            let run = run.strip_prefix("the run is kept in ").unwrap();
            let lines: Vec<&str> =
                ran.stderr.lines().filter(|line| line.starts_with("game ")).collect();
            assert_eq!(lines.len(), games, "{}", ran.stderr);
            assert!(lines[0].starts_with(&format!("game 1 of {games}: ")), "{}", lines[0]);
            assert!(lines[0].contains(" after ") && lines[0].contains(" moves "), "{}", lines[0]);
            let page = format!("{run}/report.html");
            assert!(ran.stdout.contains(&page), "{}", ran.stdout);
            pages.push(folder.read(&page));
        }
        assert!(pages[0].contains("ormalised Elo") && pages[0].contains("other"));
        // No time and no place of the run is in it.
        assert_eq!(pages[0], pages[1]);
    }
    let ran = folder.run(&format!("match {engines} --games 2 {quick} --json"));
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(report.get("nelo").is_some() && report.get("nelo_error").is_some(), "{report}");
}

#[cfg(unix)]
#[test]
fn openings_are_not_read_from_a_pipe() {
    let folder = Folder::new();
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap();
    assert!(made.success());
    let ran = folder.run("match tesuji tesuji --nodes 1 --openings pipe");
    assert!(ran.failure().contains("pipe: not a regular file"), "{ran:?}");
}

/// A match with an engine that starts another process, takes no notice of anything and spins:
/// whoever stops the match is told how to go on, and nothing is left behind.
#[cfg(target_os = "linux")]
#[test]
fn a_match_that_is_stopped_says_how_to_go_on_and_leaves_nothing_behind() {
    use std::io::BufRead;

    let folder = Folder::new();
    let script = "#!/bin/sh
trap '' INT TERM HUP
sleep 1000 & echo $! > child
echo $$ > parent
while read line; do case $line in
usi) echo usiok;; isready) echo readyok;; go*) while :; do :; done;; quit) ;;
esac; done\n";
    folder.write("engine.sh", script);
    for (round, signal) in ["INT", "TERM"].into_iter().enumerate() {
        let args = "match cmd:sh,arg=engine.sh tesuji:eval=material,hash=1 --nodes 10 --games 2";
        let mut child = folder
            .command(&format!("{args} --out {round} --concurrency 1"))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        let run = first.strip_prefix("the run is kept in ").unwrap().to_owned();
        std::thread::sleep(Duration::from_millis(1500));
        let pid = child.id().to_string();
        let kill = std::process::Command::new("kill").args(["-s", signal, &pid]).status().unwrap();
        assert!(kill.success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let last = lines.map_while(Result::ok).last();
        assert_eq!(last, Some(format!("stopped; go on with: tesuji match --resume {run}")));
        // The end of the engine was not taken for a crash in its game.
        assert_eq!(folder.read(&format!("{run}/journal.jsonl")), "");
        for name in ["parent", "child"] {
            let pid = folder.read(name).trim().to_owned();
            let state = || {
                let text = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
                text.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next())
            };
            let deadline = Instant::now() + Duration::from_secs(10);
            while state().is_some_and(|state| state != 'Z') {
                assert!(Instant::now() < deadline, "{name} is still there");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}
