//! `perft`, `show`, `completions`, help and mistakes.

mod common;

use std::io::Read;
use std::process::Stdio;

use common::{Folder, made_up_game, made_up_rows};
use serde_json::json;

#[test]
fn perft_counts() {
    let folder = Folder::new();
    let report = folder.run("perft startpos --depth 4 --json").json();
    assert_eq!((&report["nodes"], &report["depth"]), (&json!(719_731), &json!(4)));
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    assert_eq!(report["sfen"], json!(start));
    assert!(report["seconds"].as_f64().unwrap() > 0.0);
    assert!(report["nps"].as_u64().unwrap() > 1000);
    assert!(report.get("divide").is_none());
    assert_eq!(folder.run("perft startpos --depth 0 --json").json()["nodes"], json!(1));
    assert!(folder.run("perft startpos --depth 2").stdout.starts_with("900 nodes, "));
}

#[test]
fn perft_divides() {
    let folder = Folder::new();
    let report = folder.run("perft startpos moves 7g7f --depth 2 --divide --json").json();
    let divide = report["divide"].as_object().unwrap();
    assert_eq!(divide.len(), 30);
    assert_eq!(divide["3c3d"], json!(39));
    let sum: u64 = divide.values().map(|nodes| nodes.as_u64().unwrap()).sum();
    assert_eq!(report["nodes"], json!(sum));
}

#[test]
fn positions_are_taken_quoted_or_not() {
    let folder = Folder::new();
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    let mut quoted = folder.command("perft --depth 1 --json");
    let quoted = common::finish(quoted.arg(sfen)).json();
    let split = folder.run(&format!("perft {sfen} --depth 1 --json")).json();
    assert_eq!(quoted["nodes"], split["nodes"]);
    assert_eq!(quoted["sfen"], json!(sfen));
}

#[test]
fn show_draws_a_position() {
    let folder = Folder::new();
    let shown = folder.run("show startpos moves 7g7f 3c3d 8h2b+");
    assert_eq!((shown.code, &*shown.stderr), (Some(0), ""));
    assert!(shown.stdout.contains("White to play move 4"), "{shown:?}");
    assert!(shown.stdout.contains("legal moves"), "{shown:?}");
    let shown = folder.run("show startpos --kanji");
    assert!(shown.stdout.contains("|v香v桂v銀v金v玉v金v銀v桂v香|一"), "{shown:?}");
    let report = folder.run("show 4k4/4G4/4P4/9/9/9/9/9/4K4 w 2P 9 --json").json();
    assert_eq!(report["side"], json!("white"));
    assert_eq!(report["ply"], json!(9));
    assert_eq!(report["in_check"], json!(true));
    assert_eq!(report["legal_moves"], json!(0));
    assert_eq!(report["last_move"], json!(null));
    assert_eq!(report["hands"], json!({ "black": { "P": 2 }, "white": {} }));
}

#[test]
fn show_finds_a_game_and_a_ply() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..5));
    let game = made_up_game(3);
    let report = folder.run("show games.tsv --game 4 --json").json();
    assert_eq!((&report["game"], &report["line"]), (&json!(4), &json!(5)));
    let last = game.moves().fold(game.start, |position, mv| position.after_unchecked(mv));
    assert_eq!(report["sfen"], json!(last.to_sfen()));
    assert_eq!(report["moves"], json!(game.main.moves.len()));
    assert_eq!(report["last_move"], json!(game.moves().last().unwrap().to_string()));
    assert_eq!(report["reason"], json!("resignation"));
    assert_eq!(report["headers"]["black"], json!("先手3"));
    let report = folder.run("show games.tsv --game 4 --ply 0 --json").json();
    assert_eq!(report["sfen"], json!(game.start.to_sfen()));
    assert_eq!(report["last_move"], json!(null));
    let (before, _) = game.positions().nth(10).unwrap();
    let report = folder.run("show games.tsv --game 4 --ply 10 --json").json();
    assert_eq!(report["sfen"], json!(before.to_sfen()));
    let text = folder.run("show games.tsv --game 4").stdout;
    assert!(text.contains("black: 先手3") && text.contains("(resignation)"), "{text}");
    let piped = folder.run_with("show - --json", "startpos moves 7g7f\n").json();
    assert_eq!((&piped["moves"], &piped["file"]), (&json!(1), &json!("-")));
}

#[test]
fn show_says_what_matters() {
    let folder = Folder::new();
    let report = folder.run("show startpos moves 7g7f 3c3d --json").json();
    assert_eq!(report["last_move"], json!("3c3d"));
    assert!(folder.run("show startpos moves 7g7f").stdout.contains("move 2 after 7g7f"));
    let mated = folder.run("show 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").stdout;
    assert!(mated.contains("\ncheckmate\n"), "{mated}");
    let nothing = folder.run("show 4k4/9/9/9/9/9/9/9/9 b 18p 1").stdout;
    assert!(nothing.contains("\nno legal moves\n"), "{nothing}");
    folder.write("game.usi", "startpos moves 7g7f\n");
    assert!(folder.run("show game.usi").stdout.starts_with("1 moves, no result\n"));
}

#[test]
fn show_finds_a_position_of_a_file_of_positions() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows([3]));
    let (position, mv) = made_up_game(3).positions().nth(4).unwrap();
    for format in ["psv", "hcpe"] {
        folder.run(&format!("convert games.tsv -o all.{format} --json")).json();
        let report = folder.run(&format!("show all.{format} --game 5 --json")).json();
        let board = |sfen: &str| sfen.rsplit_once(' ').unwrap().0.to_owned();
        assert_eq!(board(report["sfen"].as_str().unwrap()), board(&position.to_sfen()));
        assert_eq!((&report["record"], &report["move"]), (&json!(5), &json!(mv.to_string())));
    }
    let sfens = ["4k4/9/4P4/9/9/9/9/9/9 b G 1", "4k4/9/9/9/9/9/9/9/4K4 w 2p 8"];
    let table = format!("#sfen\tanswer\tkind\n{}\tG*5b\tx\n{}\n", sfens[0], sfens[1]);
    folder.write("mates.tsv", table);
    let report = folder.run("show mates.tsv --json").json();
    assert_eq!((&report["sfen"], &report["move"]), (&json!(sfens[0]), &json!("G*5b")));
    assert_eq!(folder.run("show mates.tsv --game 2 --json").json()["sfen"], json!(sfens[1]));
    assert!(folder.run("show mates.tsv").stdout.starts_with("move G*5b\n"));
    for (args, part) in [
        ("show mates.tsv --game 3", "mates.tsv: no position 3, there are 2"),
        ("show mates.tsv --ply 1", "--ply is for games"),
        ("show all.psv --game 999", "no position 999"),
    ] {
        assert!(folder.run(args).failure().contains(part), "{args}");
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_a_failure() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows([3]));
    for args in ["--help", "show startpos", "convert games.tsv --to csa", "completions fish"] {
        let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
        let mut command = folder.command(args);
        let ran = common::finish(command.stdout(full));
        assert!(ran.failure().contains("No space left"), "{args}: {ran:?}");
    }
}

#[test]
fn mistakes_are_one_line() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..2));
    folder.write("bad.usi", "startpos moves 7g7f 7f7d\n");
    folder.write("what", "neither\nthis nor that\n");
    folder.write("empty.kif", "");
    for (args, part) in [
        ("perft", "required"),
        ("perft startpos", "--depth"),
        ("perft startpos --depth=-1", "--depth"),
        ("perft startpos --depth 99", "--depth"),
        ("perft nonsense --depth 1", "position"),
        ("perft startpos moves 7g7e --depth 1", "ply 1: illegal move \"7g7e\""),
        ("perft 9/9/9/9/9/9/9/9/9 x - 1 --depth 1", "expected b or w"),
        ("perft startpos --depth -1", "--depth"),
        ("show missing.kif", "missing.kif: no such file, and no position"),
        ("show .", ".: is a folder"),
        ("show startpos 7g7f", "\"startpos 7g7f\": expected moves"),
        ("show games.tsv --ply -1", "--ply"),
        ("show startpos --ply 3", "--ply"),
        ("show games.tsv --game 3", "no game 3, there are 2"),
        ("show games.tsv --game 0", "--game"),
        ("show games.tsv --ply 999", "games.tsv:2: the game has 30 moves"),
        ("show bad.usi", "bad.usi:1: ply 2: illegal move \"7f7d\""),
        ("show what", "what: neither the name nor the content tells the format"),
        ("show empty.kif", "empty.kif:1: "),
        ("completions tcl", "tcl"),
        ("dance", "dance"),
    ] {
        let ran = folder.run(args);
        assert!(ran.failure().contains(part), "{args}: {ran:?}");
        assert_eq!(ran.stdout, "", "{args}");
    }
}

#[test]
fn help_and_completions() {
    let folder = Folder::new();
    for args in ["--help", "perft --help", "show --help", "convert --help", "import --help"] {
        let ran = folder.run(args);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{args}");
        assert!(args == "--help" || ran.stdout.contains("Examples:"), "{args}");
    }
    let version = folder.run("--version").stdout;
    assert_eq!(version, format!("tesuji {}\n", env!("CARGO_PKG_VERSION")));
    for shell in ["bash", "zsh", "fish"] {
        assert!(folder.run(&format!("completions {shell}")).stdout.contains("perft"));
    }
}

/// Whoever reads the output may leave at any time.
#[test]
fn a_closed_pipe_is_no_failure() {
    let folder = Folder::new();
    let long = format!("{}{}", made_up_rows([1]), made_up_rows(0..2000));
    folder.write("games.tsv", long);
    for args in [
        "perft startpos --depth 3 --divide",
        "completions bash",
        "show startpos",
        "--help",
        "convert games.tsv --to usi -o -",
    ] {
        let mut command = folder.command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let code = child.wait().unwrap().code();
        assert_eq!((code, &*stderr), (Some(0), ""), "{args}");
    }
}

#[test]
fn mistyped_commands_get_a_suggestion() {
    let folder = Folder::new();
    for (args, expected) in [
        ("matsh", "unrecognized subcommand 'matsh'; did you mean match? (see --help)"),
        ("tournement", "did you mean tournament?"),
        ("analyze", "did you mean analyse?"),
        ("play --levle 3", "did you mean --level?"),
        ("play --side blak", "did you mean black?"),
    ] {
        let ran = folder.run(args);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.failure().contains(expected), "{args}: {ran:?}");
    }
}

#[test]
fn bounds_are_told_in_words() {
    let folder = Folder::new();
    for (args, expected) in [
        ("evolve --runs 0", "expected a whole number from 1 to 10,000"),
        ("evolve --runs 99999999999999999999", "expected a whole number from 1 to 10,000"),
        ("evolve --folds 1", "expected a whole number from 2 to 1,000, or 0 for none"),
        ("ablate --folds 1000000", "expected a whole number from 2 to 1,000"),
        ("evolve --population many", "expected a whole number from 1 to 1,000,000"),
        ("train --passes 0", "expected a whole number from 1 to 1,000,000"),
        ("match tesuji tesuji --rounds 0", "expected a whole number from 1 to 1,000,000,000,000"),
        ("search startpos --threads 1000", "expected a whole number from 1 to 256"),
    ] {
        let ran = folder.run(args);
        assert!(ran.failure().contains(expected), "{args}: {ran:?}");
    }
}
