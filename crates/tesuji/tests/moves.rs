//! `tesuji moves`: what moves are for, and what a player misses.

mod common;

use common::{Folder, made_up_rows};
use serde_json::Value;

/// A knight that is dropped attacks a rook and a silver.
const FORK: &str = "4k4/9/4r1s2/9/9/9/9/9/K8 b N 1";
/// White's rook gives check.
const IN_CHECK: &str = "4k4/9/9/9/4r4/9/9/9/3GK4 b P 1";
const MATED: &str = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
const NO_KING: &str = "9/9/9/9/4r4/9/9/4P4/9 b G 1";

fn shown(folder: &Folder, subject: &str) -> Value {
    folder.run(&format!("moves {subject} --json")).json()
}

fn find<'a>(shown: &'a Value, mv: &str) -> &'a Value {
    let moves = shown["moves"].as_array().unwrap();
    moves.iter().find(|rated| rated["move"] == mv).unwrap_or_else(|| panic!("{mv}"))
}

fn words(rated: &Value) -> (&str, &str) {
    (rated["words"].as_str().unwrap(), rated["japanese_words"].as_str().unwrap())
}

#[test]
fn every_move_has_its_generators_and_merits_add_up() {
    let folder = Folder::new();
    let shown = shown(&folder, "startpos moves 7g7f 3c3d");
    let moves = shown["moves"].as_array().unwrap();
    assert_eq!(shown["position"]["legal_moves"], moves.len());
    let level = shown["level"].as_i64().unwrap();
    for (rank, rated) in (1..).zip(moves) {
        assert_eq!(rated["rank"], rank, "{rated}");
        let generators = rated["generators"].as_array().unwrap();
        let values = generators.iter().chain([&rated["costs"]]);
        let sum: i64 = values.map(|reason| reason["value"].as_i64().unwrap()).sum();
        assert_eq!(sum + level, rated["merit"].as_i64().unwrap(), "{rated}");
        for reason in generators {
            assert!(!reason["words"].as_str().unwrap().is_empty(), "{rated}");
            assert!(!reason["japanese"].as_str().unwrap().is_empty(), "{rated}");
            assert!(!reason["class"].as_str().unwrap().is_empty(), "{rated}");
        }
    }
    assert!(moves.is_sorted_by(|a, b| a["merit"].as_i64() >= b["merit"].as_i64()));
    let sum: f64 = moves.iter().map(|rated| rated["probability"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    let exchange = find(&shown, "8h2b+");
    let names: Vec<&Value> =
        exchange["generators"].as_array().unwrap().iter().map(|of| &of["name"]).collect();
    assert!(names.contains(&&"capture".into()) && names.contains(&&"promote".into()));
    let (english, japanese) = words(exchange);
    assert!(english.starts_with("takes the bishop on 2b, promotes the bishop"), "{english}");
    assert!(japanese.starts_with("２二角を取る、馬を作る"), "{japanese}");
    assert_eq!(exchange["japanese"], "☗２二角成");
    assert_eq!(exchange["generators"][0]["squares"], serde_json::json!(["2b"]));
    let waiting = find(&shown, "1i1h");
    assert!(waiting["cut"].as_bool().unwrap() && words(waiting).0.is_empty(), "{waiting}");
}

#[test]
fn two_pieces_at_once_are_one_phrase() {
    let folder = Folder::new();
    let shown = shown(&folder, FORK);
    let (english, japanese) = words(find(&shown, "N*4e"));
    assert!(english.contains("attacks the silver on 3c and the rook on 5c"), "{english}");
    assert!(japanese.contains("銀飛両取り（３三・５三）"), "{japanese}");
    let text = folder.run(&format!("moves {FORK} --move N*4e"));
    let board = text.stdout.lines().find(|line| line.ends_with(" c")).unwrap();
    assert_eq!(board.matches('[').count(), 2, "both are marked: {}", text.stdout);
    let merit = find(&shown, "N*4e")["merit"].to_string();
    assert!(text.stdout.contains(&format!("N*4e: merit {merit}, number ")), "{}", text.stdout);
    assert!(text.stdout.contains("attack-material"), "{}", text.stdout);
}

#[test]
fn answers_to_a_check_are_named_and_none_is_left_out() {
    let folder = Folder::new();
    let shown = shown(&folder, &format!("{IN_CHECK} --cut best:1"));
    assert!(shown["tense"].as_bool().unwrap());
    assert_eq!(shown["resting"], serde_json::json!(["improvement", "prevention"]));
    assert_eq!(shown["left_out"], 0);
    assert!(words(find(&shown, "5i4i")).0.contains("moves the king out of check"));
    let (english, japanese) = words(find(&shown, "P*5f"));
    assert!(english.contains("stands between the king and the check"), "{english}");
    assert!(japanese.contains("合駒で王手を防ぐ"), "{japanese}");
    let text = folder.run(&format!("moves {IN_CHECK}")).stdout;
    assert!(text.contains("A strong threat is on the board: improvement and prevention rest."));
    assert!(text.contains("No answer to a check is left out."), "{text}");
}

#[test]
fn positions_without_a_move_or_a_king_are_answered() {
    let folder = Folder::new();
    let mated = shown(&folder, MATED);
    assert_eq!(mated["moves"], serde_json::json!([]));
    assert!(folder.run(&format!("moves {MATED}")).stdout.contains("checkmate"));
    assert!(folder.run(&format!("moves {MATED} --lang ja")).stdout.contains("詰み"));
    let without = shown(&folder, NO_KING);
    assert!(!without["moves"].as_array().unwrap().is_empty());
    assert!(!without["position"]["in_check"].as_bool().unwrap());
}

#[test]
fn cuts_say_what_they_leave_out() {
    let folder = Folder::new();
    let best = shown(&folder, "startpos --cut best:3");
    assert_eq!((&best["kept"], &best["left_out"]), (&3.into(), &27.into()));
    let cut = best["moves"].as_array().unwrap().iter().map(|rated| rated["cut"].as_bool().unwrap());
    assert_eq!(cut.collect::<Vec<_>>()[..4], [false, false, false, true]);
    let text = folder.run("moves startpos --cut all --top 2").stdout;
    assert!(text.contains("leaves out 2 of 30 moves (which no generator produces): 1i1h 9i9h"));
    assert!(text.contains("28 more moves of less merit"), "{text}");
    let all = folder.run("moves startpos --cut all --merit hand --json").json();
    assert_eq!(all["left_out"], 2);
    assert!(all["moves"][0]["probability"].is_null(), "merits by hand are no odds");
}

#[test]
fn japanese_is_spoken() {
    let folder = Folder::new();
    let text = folder.run("moves startpos --lang ja").stdout;
    for expected in ["順位", "☗７六歩", "定跡の手", "合法手30"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn mistakes_are_told_on_one_line() {
    let folder = Folder::new();
    for (args, expected) in [
        ("moves startpos --cut some", "\"some\" is no cut: expected all, merit, best:N"),
        ("moves startpos --merit nothing", "nothing: neither a file that can be read nor one of"),
        ("moves startpos --move 7g7e", "\"7g7e\" is not a legal move in this position"),
        ("moves nowhere.kif", "nowhere.kif: no such file"),
        ("moves", "required"),
    ] {
        let failed = folder.run(args);
        assert!(failed.failure().contains(expected), "{args}: {}", failed.stderr);
    }
}

const GAMES: &str = "moves games games.tsv --nodes 60 --eval material --hash 1 --others 1";

#[test]
fn games_are_looked_at_and_runs_go_on() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..6));
    let names = folder.run(&format!("{GAMES} --json"));
    assert!(names.failure().contains("say whose moves are meant with --player"), "{names:?}");
    let stranger = folder.run(&format!("{GAMES} --player Zzyzx --json"));
    assert!(stranger.failure().contains("no games of \"Zzyzx\""), "{stranger:?}");
    folder.write("games.tsv", made_up_rows(0..6) + "not a game\n");
    let whole = folder.run(&format!("{GAMES} --player 後手 --json --threads 2"));
    assert!(whole.stderr.contains("games.tsv:"), "the bad game is named: {}", whole.stderr);
    let whole = whole.any_json();
    assert_eq!(whole["generators"].as_array().unwrap().len(), 21);
    let sums = ["player", "others"].map(|side| whole["all"][side]["chances"].as_u64().unwrap());
    assert!(sums[0] > 0 && sums[1] > 0, "{whole}");
    let run = whole["folder"].as_str().unwrap();
    assert!(folder.read(&format!("{run}/report.html")).contains("What 後手 misses"));
    // The last games are searched again.
    let journal = format!("{run}/journal.jsonl");
    let lines = folder.read(&journal);
    let kept: Vec<&str> = lines.lines().take(2).collect();
    folder.write(&journal, kept.join("\n") + "\n");
    let again = folder.run(&format!("moves games --resume {run} --json")).any_json();
    for key in ["all", "generators", "spellings"] {
        assert_eq!(again[key], whole[key], "{key}");
    }
    let text = folder.run(&format!("moves games --resume {run}")).stdout;
    assert!(text.contains("report.html") && text.contains("captures"), "{text}");
}
