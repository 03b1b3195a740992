//! The commands that search: `search`, `bench`, `test-suite` and `play`.

mod common;

use serde_json::json;
use tesuji_eval::{Calibration, Calibrations, Weights};
use tesuji_search::score::calibration_json;

use crate::common::Folder;

#[test]
fn bench_searches_the_same_nodes_every_time() {
    let folder = Folder::new();
    let run = || folder.run("bench --depth 3 --eval material --hash 1 --json").json();
    let (first, second) = (run(), run());
    assert_eq!(first["nodes"], second["nodes"]);
    let positions = first["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 24);
    let sum: u64 = positions.iter().map(|position| position["nodes"].as_u64().unwrap()).sum();
    assert_eq!(first["nodes"], sum);
    let other = folder.run("bench --depth 3 --eval material --set null_move=0 --hash 1 --json");
    assert_ne!(other.json()["nodes"], first["nodes"]);
}

#[test]
fn search_finds_a_mate_in_one() {
    let folder = Folder::new();
    let position = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
    for limit in ["--depth 3", "--nodes 1000", "--ms 2000"] {
        let found = folder.run(&format!("search {position} {limit} --hash 1 --json")).json();
        assert_eq!(found["move"], "G*5b", "{limit}");
        assert_eq!(found["score"], json!({ "mate": 1 }), "{limit}");
    }
    let text = folder.run(&format!("search {position} --depth 3 --hash 1")).stdout;
    assert!(
        text.lines().last().unwrap().starts_with("best move G*5b, mate 1, chance 100 %, "),
        "{text}"
    );
}

#[test]
fn a_score_is_a_chance_by_the_scale_of_the_evaluation() {
    let folder = Folder::new();
    let mut weights = Weights::named("evolved").unwrap();
    for (key, value) in [("scale", 300.0), ("scale_low", 290.0), ("scale_high", 310.0)] {
        weights.result.insert(key.to_owned(), value.into());
    }
    folder.write("noted.toml", weights.to_text());
    let up_a_rook = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    for eval in ["tables", "material", "evolved", "noted.toml"] {
        let args = format!("search {up_a_rook} --nodes 500 --hash 1 --eval {eval}");
        let found = folder.run(&format!("{args} --json")).json();
        let expected = match eval {
            "noted.toml" => Calibration::measured(300.0, 290.0, 310.0),
            shipped => Calibrations::shipped().of(shipped).unwrap(),
        };
        for (key, value) in calibration_json(&expected) {
            assert_eq!(found[key], value, "{eval} {key}");
        }
        let score = found["score"]["cp"].as_f64().unwrap();
        let logistic = 1.0 / (1.0 + (-(score - expected.even) / expected.scale).exp());
        let chance = expected.upset / 2.0 + (1.0 - expected.upset) * logistic;
        assert!((found["chance"].as_f64().unwrap() - chance).abs() < 1e-12, "{found}");
        assert!(chance > 0.5, "{found}");
        let text = folder.run(&args).stdout;
        let told = format!(", cp {score}, chance {:.0} %, ", 100.0 * chance);
        assert!(text.lines().last().unwrap().contains(&told), "{text}");
    }
}

#[test]
fn search_finds_several_lines_and_is_the_same_every_time() {
    let folder = Folder::new();
    let run = || {
        let args =
            "search startpos moves 7g7f --nodes 20000 --lines 3 --eval material --hash 4 --json";
        let found = folder.run(args).json();
        (found["nodes"].clone(), found["lines"].clone())
    };
    let (nodes, lines) = run();
    assert_eq!(run(), (nodes, lines.clone()));
    let moves: Vec<&str> =
        lines.as_array().unwrap().iter().map(|line| line["move"].as_str().unwrap()).collect();
    assert_eq!(moves.len(), 3);
    assert!(moves[0] != moves[1] && moves[1] != moves[2] && moves[0] != moves[2], "{moves:?}");
}

#[test]
fn search_says_what_is_wrong() {
    let folder = Folder::new();
    for (args, why) in [
        ("search startpos", "--ms"),
        ("search startpos --depth 0", "--depth"),
        ("search startpos --depth 1 --eval nothing", "nothing"),
        ("search startpos --depth 1 --set null_move=7", "from 0 to 1"),
        ("search startpos --depth 1 --set nonsense=7", "no such parameter"),
        ("search startpos --depth 1 --preset best", "best"),
        ("search startpos --depth 1 --hash 0", "--hash"),
        ("search 4k4/4G4/4P4/9/9/9/9/9/9 w - 1 --depth 1", "checkmate"),
        ("play --handicap queen", "two-piece"),
    ] {
        let ran = folder.run(args);
        assert!(ran.failure().contains(why), "{args}: {ran:?}");
    }
}

const PROBLEMS: &str = "\
#sfen\tanswer\tkind
4k4/9/4P4/9/9/9/9/9/9 b G 1\tG*5b\tmate
4k4/9/4P4/9/9/9/9/9/9 b 2G 1\tG*5b, G*4b\tmate
lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t9i9h\twrong
";

#[test]
fn a_test_suite_counts_what_is_solved() {
    let folder = Folder::new();
    folder.write("problems.tsv", PROBLEMS);
    for threads in [1, 2] {
        let args = format!(
            "test-suite problems.tsv --nodes 3000 --threads {threads} --eval material --hash 1"
        );
        let report = folder.run(&format!("{args} --json")).json();
        assert_eq!((&report["solved"], &report["of"]), (&json!(2), &json!(3)), "{report}");
        assert_eq!(report["kinds"]["mate"], json!({ "solved": 2, "of": 2 }));
        assert_eq!(report["kinds"]["wrong"], json!({ "solved": 0, "of": 1 }));
        let problems = report["problems"].as_array().unwrap();
        assert_eq!(problems[0]["move"], "G*5b");
        assert!(
            problems[0]["solved_after"].as_f64().unwrap()
                <= problems[0]["seconds"].as_f64().unwrap()
        );
        assert_eq!(problems[2]["solved"], false);
        assert_eq!(problems[2]["solved_after"], json!(null));
        let text = folder.run(&args).stdout;
        assert!(text.starts_with("solved 2 of 3, 66.7 %"), "{text}");
    }
}

#[test]
fn a_bad_test_suite_is_refused_with_its_line() {
    let folder = Folder::new();
    for (text, why) in [
        ("", ":1: expected a line"),
        ("#sfen\tkind\n", ":1: expected a line"),
        ("#sfen\tanswer\n", "no problems"),
        ("#sfen\tanswer\nnonsense\t7g7f\n", ":2: "),
        ("#sfen\tanswer\n\n4k4/9/4P4/9/9/9/9/9/9 b G 1\tG*5a\n", ":3: the answer G*5a"),
        ("#sfen\tanswer\n4k4/9/4P4/9/9/9/9/9/9 b G 1\t\n", ":2: the problem has no answer"),
    ] {
        folder.write("bad.tsv", text);
        let ran = folder.run("test-suite bad.tsv --nodes 10");
        assert!(ran.failure().contains(why), "{text}: {ran:?}");
    }
}

#[test]
fn a_game_in_the_terminal() {
    let folder = Folder::new();
    let entered = "7g7f\nhint\n7g7f\nnonsense\nundo\n２六歩\nresign\n2g2f\nnew\nhelp\nquit\n";
    let ran = folder.run_with("play --ms 20 --eval material --hash 1", entered);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let count = |text: &str| ran.stdout.matches(text).count();
    // Two replies, and a board for each of: the start, both replies, undo, resignation, new game.
    assert_eq!(count("Tesuji plays "), 2, "{}", ran.stdout);
    assert_eq!(count("White in hand"), 6, "{}", ran.stdout);
    assert_eq!(count("perhaps "), 1);
    assert_eq!(count("\"7g7f\" is not a legal move"), 1, "{}", ran.stdout);
    assert_eq!(count("is no move"), 1);
    assert_eq!(count("the game is over"), 1);
    assert_eq!(count("take back your last move"), 1);
}

#[test]
fn a_game_begins_with_a_greeting_and_can_be_saved() {
    let folder = Folder::new();
    let entered = "level 12\nlevel 1\n7g7f\nsave game.txt\nsave game.kif\nsave game.kif\nsave old.csa\n\
                   declare\nresign\nsave game.kif\nboard\n";
    folder.write("old.csa", "an old game");
    let ran = folder.run_with("play --level 2 --eval material --hash 1", entered);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let greeting = "Welcome to a game of shogi. You have Black, Tesuji has White (level 2 of 9).";
    assert!(ran.stdout.starts_with(greeting), "{}", ran.stdout);
    for expected in [
        "expected a level from 1 to 9\n",
        "Tesuji plays at level 1 of 9\n",
        "expected a name that ends in .kif",
        "old.csa: there is a file of this name\n",
        "you cannot declare: your king is not in the enemy camp, you have 0 of 10 pieces there, you \
         have 0 of 28 points; by the rules it would lose, so the game goes on\n",
    ] {
        assert_eq!(ran.stdout.matches(expected).count(), 1, "{expected}: {}", ran.stdout);
    }
    assert_eq!(ran.stdout.matches("saved as game.kif\n").count(), 3, "{}", ran.stdout);
    assert_eq!(folder.read("old.csa"), "an old game");
    let shown = folder.run("show game.kif");
    assert!(shown.stdout.contains("White to play") || shown.stdout.contains("Black to play"));
}

#[test]
fn the_board_is_turned_for_white() {
    let folder = Folder::new();
    let ran = folder.run_with("play --side white --level 1 --eval material --hash 1", "");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("\n  1   2   3   4   5   6   7   8   9\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("You have White, Tesuji has Black"), "{}", ran.stdout);
    let ran = folder.run("play --level 10");
    assert!(ran.failure().contains("expected a whole number from 1 to 9"), "{ran:?}");
}

#[test]
fn the_engine_begins_where_it_has_the_first_move() {
    let folder = Folder::new();
    for args in ["--side white", "--handicap two-piece", "--handicap 飛車落ち --kanji"] {
        let ran = folder.run_with(&format!("play --ms 10 --eval material --hash 1 {args}"), "");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.stdout.matches("Tesuji plays ").count(), 1, "{args}: {}", ran.stdout);
    }
}
