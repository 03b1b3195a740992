//! `tesuji book`, and engines that open by a book.

mod common;
#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use std::collections::{BTreeMap, HashSet};

use common::{Folder, made_up_game, made_up_rows};
use serde_json::Value;
use tesuji_search::book::{Book, db};
use tesuji_shogi::Position;

fn book_of(folder: &Folder, name: &str) -> Book {
    let loaded = db::examine(&folder.path(name)).unwrap();
    assert_eq!(loaded.faults, []);
    loaded.book
}

fn placement(position: &Position) -> String {
    let mut text = String::new();
    position.write_placement(&mut text);
    text
}

/// How often each move was played in each position, one by one.
fn recount(games: u64, plies: usize, winners: bool) -> BTreeMap<String, BTreeMap<String, u32>> {
    let mut counts: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
    for game in (0..games).map(made_up_game) {
        let winner = game.result().winner();
        for (position, mv) in game.positions().take(plies) {
            if winners && winner != Some(position.side_to_move()) {
                continue;
            }
            let moves = counts.entry(placement(&position)).or_default();
            *moves.entry(mv.to_string()).or_default() += 1;
        }
    }
    counts
}

fn counts_of(book: &Book) -> BTreeMap<String, BTreeMap<String, u32>> {
    let moves = |entry: &tesuji_search::book::Entry<'_>| {
        entry.moves.iter().map(|known| (known.mv.unwrap().to_string(), known.count)).collect()
    };
    book.entries().map(|entry| (entry.placement.to_owned(), moves(&entry))).collect()
}

#[test]
fn a_book_counts_what_was_played() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..300));
    for (plies, flags, winners) in [(1000, "", false), (3, "", false), (12, " --winners", true)] {
        let build = format!("book build --games games.tsv --plies {plies} --min-count 1{flags}");
        let built = folder.run(&format!("{build} --output a.db --threads 1 --json")).json();
        let book = book_of(&folder, "a.db");
        assert_eq!(counts_of(&book), recount(300, plies, winners), "{plies}{flags}");
        let number = |key: &str| built[key].as_u64().unwrap() as usize;
        assert_eq!((number("positions"), number("moves")), (book.len(), book.move_count()));
        assert_eq!((number("games"), number("rejected")), (300, 0));
        assert!(built["seconds"].as_f64().unwrap() > 0.0);
        folder.run(&format!("{build} --output b.db --threads 4 --json")).json();
        assert_eq!(folder.read("a.db"), folder.read("b.db"), "{plies}{flags}");
    }
}

#[test]
fn rare_moves_are_left_out_and_replies_are_the_usual_ones() {
    let folder = Folder::new();
    let lines = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 3c3d\n\
                 startpos moves 7g7f 8c8d\nstartpos moves 5g5f\nnonsense\n";
    folder.write("games.usi", lines);
    let ran = folder.run("book build --games games.usi --min-count 2 --output a.db --json");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    let built = ran.any_json();
    assert_eq!((&built["games"], &built["rejected"]), (&4.into(), &1.into()));
    assert_eq!(
        folder.read("a.db"),
        "#YANEURAOU-DB2016 1.00\n\
         sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n\
         3c3d none 0 0 2\n\
         sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
         7g7f 3c3d 0 0 3\n"
    );
}

#[test]
fn a_position_is_shown_with_its_shares() {
    let folder = Folder::new();
    let lines = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 2g2f 3c3d 7g7f 8c8d\n\
                 startpos moves 7g7f 8c8d\nstartpos moves 7g7f 3c3d 2g2f 4c4d\n";
    folder.write("games.usi", lines);
    folder.run("book build --games games.usi --min-count 1 --output a.db --json").json();
    let shown = folder.run("book show startpos moves 7g7f 3c3d --book a.db --json").json();
    assert_eq!(shown["count"], 2);
    let first = &shown["moves"][0];
    assert_eq!((&first["move"], &first["count"]), (&"2g2f".into(), &2.into()));
    assert_eq!((&first["share"], &first["veto"]), (&1.0.into(), &false.into()));
    // One of the two games that went on from there came by another order of moves.
    assert_eq!(first["transposed"], 2);
    let shown = folder.run("book show startpos --book a.db --json").json();
    let shares: Vec<f64> =
        shown["moves"].as_array().unwrap().iter().map(|m| m["share"].as_f64().unwrap()).collect();
    assert_eq!(shares, [0.75, 0.25]);
    let ran = folder.run("book show startpos --book a.db");
    assert!(ran.stdout.contains("75.0") && ran.stdout.contains("７六歩"), "{}", ran.stdout);
    let ran = folder.run("book show startpos moves 9g9f --book a.db");
    assert!(ran.stdout.contains("does not have this position"), "{}", ran.stdout);
    assert!(folder.run("book show startpos --json").json()["count"].as_u64() > Some(0));
}

#[test]
fn merged_books_add_up() {
    let folder = Folder::new();
    for (name, numbers) in [("a", 0..40), ("b", 40..100), ("all", 0..100)] {
        folder.write("games.tsv", made_up_rows(numbers));
        folder
            .run(&format!("book build --games games.tsv --min-count 1 --output {name}.db --json"))
            .json();
    }
    let merged = folder.run("book merge a.db b.db --output c.db --json").json();
    assert_eq!(merged["positions"].as_u64(), Some(book_of(&folder, "c.db").len() as u64));
    let (all, merged) = (book_of(&folder, "all.db"), book_of(&folder, "c.db"));
    assert_eq!(counts_of(&merged), counts_of(&all));
    folder.run("book merge c.db --output d.db --json").json();
    assert_eq!(folder.read("c.db"), folder.read("d.db"));
}

const SPOILT: &str = "#YANEURAOU-DB2016 1.00\n\
    sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
    7g7f 3c3d 0 0 3\n7g7e none 0 0 3\n2g2f 8c\n";

#[test]
fn faults_are_named_and_the_rest_is_used() {
    let folder = Folder::new();
    folder.write("spoilt.db", SPOILT);
    let ran = folder.run("book check spoilt.db");
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.stderr,
        "tesuji: spoilt.db:4: expected a legal move, found \"7g7e\"\n\
         tesuji: spoilt.db:5: expected a move, its reply, score, depth and count, found \
         \"2g2f 8c\"\n"
    );
    assert_eq!(ran.stdout, "spoilt.db: 1 position, 1 move, 2 faults\n");
    let checked = folder.run("book check spoilt.db --json");
    assert_eq!(checked.code, Some(1));
    assert_eq!(checked.any_json()["errors"][1]["line"], 5);
    let ran = folder.run("book show startpos --book spoilt.db --json");
    assert_eq!(ran.stderr.lines().count(), 2);
    assert_eq!(ran.any_json()["moves"][0]["move"], "7g7f");
    folder.run("book merge spoilt.db --output good.db --json");
    assert_eq!(folder.run("book check good.db --json").json()["faults"], 0);
}

#[test]
fn mistakes_are_one_line_and_leave_no_file() {
    let folder = Folder::new();
    folder.write("nonsense.db", "nonsense\n");
    folder.write("empty.usi", "");
    for (args, expected) in [
        ("book build --games none.tsv --output a.db", "none.tsv"),
        ("book build --games empty.usi --output a.db", "no games to make a book of"),
        ("book merge none.db --output a.db", "none.db"),
        ("book merge nonsense.db --output a.db", "nonsense.db: no opening book: line 1: expected"),
        ("book show startpos --book no_book", "no_book: no opening book"),
        ("book show nonsense --book nonsense.db", "nonsense"),
        ("book check none.db", "none.db"),
        ("book build --games empty.usi --plies 0 --output a.db", "expected a whole number"),
        ("match tesuji:book=none.db tesuji:eval=material --nodes 10", "none.db: No such file"),
    ] {
        let ran = folder.run(args);
        assert!(ran.failure().contains(expected), "{args}: {ran:?}");
    }
    assert_eq!(folder.names(), ["empty.usi", "nonsense.db"]);
}

/// The first moves of each game of a journal, and the scores.
fn played(folder: &Folder, result: &Value, plies: usize) -> Vec<(Vec<String>, Vec<Value>)> {
    let journal = format!("{}/journal.jsonl", result["folder"].as_str().unwrap());
    let lines = folder.read(&journal);
    let game = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let moves = line["position"].as_str().unwrap().split(' ').skip(2).take(plies);
        let scores = line["scores"].as_array().unwrap().clone();
        (moves.map(str::to_owned).collect(), scores)
    };
    lines.lines().map(game).collect()
}

#[test]
fn the_games_of_a_pair_share_the_line_of_the_book() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..60));
    folder.run("book build --games games.tsv --min-count 1 --output b.db --json").json();
    // Nobody doubts these moves: they are made up.
    let engine = "tesuji:eval=material,hash=1,book=b.db,book_moves=6,book_veto=0";
    let run = |more: &str| {
        let args = format!("match {engine} {engine} --nodes 60 --maxmoves 30 --games 12 --json");
        let result = folder.run(&format!("{args} {more}")).games_json();
        played(&folder, &result, usize::MAX)
    };
    let games = run("--threads 1");
    let book = book_of(&folder, "b.db");
    for pair in games.chunks(2) {
        assert_eq!(pair[0].0[..6], pair[1].0[..6]);
        // Nobody thought about the first six, and somebody about the seventh.
        assert!(pair[0].1[..6].iter().all(Value::is_null), "{:?}", pair[0].1);
        assert!(pair[0].1[6].is_number());
    }
    let mut position = Position::startpos();
    for mv in &games[0].0[..6] {
        let mv = mv.parse().unwrap();
        assert!(book.get(&position).unwrap().moves.iter().any(|known| known.mv == Some(mv)));
        position = position.after(mv).unwrap();
    }
    let lines: HashSet<&[String]> = games.iter().map(|(moves, _)| &moves[..6]).collect();
    assert!(lines.len() > 3, "{lines:?}");
    assert_eq!(run("--threads 2"), games);
    assert_ne!(run("--seed 5"), games);
}

#[test]
fn self_play_opens_by_the_book_that_is_named() {
    let folder = Folder::new();
    folder.write("line.usi", "startpos moves 9g9f 9c9d 1g1f 1c1d");
    folder.run("book build --games line.usi --min-count 1 --output b.db --json").json();
    let flags = "--random-plies 0 --nodes 60 --maxmoves 12 --games 2 --json";
    let run = |engine: &str| {
        let result = folder.run(&format!("selfplay --engine {engine} {flags}")).games_json();
        played(&folder, &result, 4)
    };
    for (moves, _) in run("tesuji:eval=material,hash=1,book=b.db") {
        assert_eq!(moves, ["9g9f", "9c9d", "1g1f", "1c1d"]);
    }
    for (moves, _) in run("tesuji:eval=material,hash=1,book=b.db,book_moves=1") {
        assert!(moves[0] == "9g9f" && moves[1..] != ["9c9d", "1g1f", "1c1d"], "{moves:?}");
    }
}

fn usi(folder: &Folder, commands: &str) -> String {
    folder.run_with("usi", &format!("{commands}\nquit\n")).stdout
}

#[test]
fn the_engine_answers_by_its_book() {
    let folder = Folder::new();
    folder.write("line.usi", "startpos moves 9g9f 9c9d 1g1f 1c1d");
    folder.run("book build --games line.usi --min-count 1 --output b.db --json").json();
    folder.write("spoilt.db", SPOILT);
    let book = "setoption name BookFile value b.db\n";
    let said = usi(&folder, &format!("{book}isready\nposition startpos\ngo nodes 100"));
    assert!(said.contains("info string book: 9g9f, played 1 of 1 times"), "{said}");
    assert!(said.contains("bestmove 9g9f ponder 9c9d"), "{said}");
    // Not beyond the moves of the book, not without a book, and not for analysis.
    let few = "setoption name BookMoves value 1\n";
    for commands in [
        &*format!("{book}{few}position startpos moves 9g9f\ngo nodes 100"),
        &format!("{book}setoption name BookFile value no_book\ngo nodes 100"),
        &format!("{book}setoption name BookFile value <empty>\ngo nodes 100"),
        &format!("{book}go infinite"),
        "go nodes 100",
    ] {
        let said = usi(&folder, commands);
        assert!(said.contains("bestmove ") && !said.contains("book"), "{commands}: {said}");
    }
    let said = usi(&folder, &format!("{book}setoption name BookFile value none.db\ngo nodes 100"));
    assert!(said.contains("info string BookFile: none.db"), "{said}");
    assert!(said.contains("plays without a book") && !said.contains("book: 9g9f"), "{said}");
    let said = usi(&folder, "setoption name BookFile value spoilt.db\ngo nodes 100");
    assert!(said.contains("info string BookFile: spoilt.db, line 4: expected a legal"), "{said}");
    assert!(said.contains("bestmove 7g7f ponder 3c3d"), "{said}");
}

#[test]
fn a_seed_makes_the_engine_repeat_itself() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..60));
    folder.run("book build --games games.tsv --min-count 1 --output b.db --json").json();
    let best = |seed: u64| {
        let options =
            format!("setoption name BookFile value b.db\nsetoption name BookSeed value {seed}");
        let said = usi(&folder, &format!("{options}\nusinewgame\nposition startpos\ngo nodes 10"));
        said.lines().rfind(|line| line.starts_with("bestmove")).unwrap().to_owned()
    };
    assert_eq!(best(7), best(7));
    let drawn: HashSet<String> = (1..8).map(best).collect();
    assert!(drawn.len() > 1, "{drawn:?}");
}

/// The sample of the other program's format comes through with every position, move and count.
#[test]
fn a_book_of_another_program_is_kept() {
    let Some(path) = shared_data::path("book_standard.db") else { return };
    // Moves are counted from 1 here; the number has no part in the position.
    let text = std::fs::read_to_string(&path).unwrap().replace(" b - 0\r", " b - 1\r");
    let folder = Folder::new();
    let source = path.display().to_string();
    let merged = folder.run(&format!("book merge {source} --output copy.db --json")).json();
    assert_eq!((&merged["positions"], &merged["moves"]), (&3614.into(), &4216.into()));
    assert_eq!(folder.run(&format!("book check {source} --json")).json()["faults"], 0);
    // Equal counts and scores leave the order of moves to the writer; the rest is the same bytes.
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
        lines.sort();
        lines
    };
    let copy = folder.read("copy.db");
    assert_eq!(sorted(&copy), sorted(&text));
    let positions = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("sfen")).map(|l| l.trim().to_owned()).collect()
    };
    assert_eq!(positions(&copy), positions(&text));
    let book = book_of(&folder, "copy.db");
    let moves = book.entries().flat_map(|entry| entry.moves);
    let counts: u64 = moves.map(|known| u64::from(known.count)).sum();
    let expected = text.lines().filter(|line| !line.starts_with(['s', '#']));
    let expected: u64 = expected
        .filter_map(|line| line.split_whitespace().nth(4).and_then(|n| n.parse::<u64>().ok()))
        .sum();
    assert_eq!(counts, expected);
}
