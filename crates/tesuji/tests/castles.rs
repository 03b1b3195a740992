//! `tesuji castles` and `tesuji plan`.

mod common;

use common::{Folder, made_up_rows};
use serde_json::Value;
use tesuji_eval::formations::Formations;

/// A mino against a boat with another gold.
const MINO: &str = "ln1g3nl/1ks1gr3/1ppppsbpp/p4pp2/7P1/P1P1P4/1P1PSPP1P/1BKG1S1R1/LN1G3NL b - 29";

#[test]
fn castles_are_shown_with_all_their_names() {
    let folder = Folder::new();
    let shown = folder.run(&format!("castles show {MINO} --json")).json();
    let (black, white) = (&shown["black"], &shown["white"]);
    assert_eq!(white["castle"]["family"], "mino", "{white}");
    assert_eq!(black["castle"]["id"], "boat_deluxe", "{black}");
    assert_eq!(black["castle"]["kanji"], "舟囲いDX");
    assert!(white["strategy"]["kanji"].as_str().is_some_and(|name| name.ends_with("四間飛車")));
    assert!(white["complete"].as_f64().is_some_and(|share| share > 0.6 && share <= 1.0));
    assert!(black["missing"].is_array() && black["stage"].is_string());
    let candidates = black["candidates"].as_array().unwrap();
    assert!(!candidates.is_empty());
    for candidate in candidates {
        for key in ["castle", "complete", "missing"] {
            assert!(!candidate[key].is_null(), "{key} of {candidate}");
        }
    }
    let english = folder.run(&format!("castles show {MINO}"));
    assert!(english.stdout.contains("Black: boat deluxe"), "{}", english.stdout);
    let japanese = folder.run(&format!("castles show {MINO} --lang ja"));
    assert!(japanese.stdout.contains("先手：舟囲いDX"), "{}", japanese.stdout);
}

#[test]
fn the_start_has_no_castle() {
    let folder = Folder::new();
    let shown = folder.run("castles show startpos --json").json();
    for side in ["black", "white"] {
        assert!(shown[side]["castle"].is_null());
        assert!(shown[side]["strategy"].is_null());
        assert_eq!(shown[side]["stage"], "opening");
    }
}

#[test]
fn many_positions_are_shown_line_by_line() {
    let folder = Folder::new();
    folder.write("some.sfen", format!("# two\n{MINO}\n\nsfen {MINO}\nstartpos\n"));
    let shown = folder.run("castles show --positions some.sfen --json").stdout;
    let lines: Vec<Value> = shown.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["black"], lines[1]["black"]);
    let piped = folder.run_with("castles show --positions - --json", MINO);
    assert_eq!(serde_json::from_str::<Value>(&piped.stdout).unwrap()["white"], lines[0]["white"]);
    folder.write("bad.sfen", format!("{MINO}\nnonsense\n"));
    let failed = folder.run("castles show --positions bad.sfen --json");
    assert!(failed.stderr.contains("bad.sfen, line 2"), "{}", failed.stderr);
    folder.write("empty.sfen", "\n");
    let failed = folder.run("castles show --positions empty.sfen");
    assert!(failed.failure().contains("no position"), "{}", failed.stderr);
}

#[test]
fn maps_are_shown_as_the_paper_prints_them() {
    let folder = Folder::new();
    let map = folder.run("castles map mino king --json").json();
    assert_eq!(map["map"][7], serde_json::json!([0, 0, 0, -8, -6, 2, 8, 14, 6]));
    assert_eq!(map["squares"], serde_json::json!(["2h"]));
    assert!(folder.run("castles map 美濃囲い gold").stdout.contains("mino, gold: 4i 5h"));
    let failed = folder.run("castles map minno king");
    assert!(failed.failure().contains("did you mean mino"), "{}", failed.stderr);
    let failed = folder.run("castles map mino tokin");
    assert!(failed.failure().contains("no piece with a map"), "{}", failed.stderr);
}

const OWN: &str = r#"
[[castle]]
id = "corner"
name = "corner"
romaji = "sumi"
kanji = "隅"
side = "right"
rook = "any"
against = "any"
squares = "K1i L1h G2h S3h"
"#;

#[test]
fn a_players_own_file_takes_the_place_of_ours() {
    let folder = Folder::new();
    folder.write("own.toml", OWN);
    let checked = folder.run("castles check own.toml --json").json();
    assert_eq!((&checked["castles"], &checked["assaults"]), (&1.into(), &0.into()));
    let plan = folder.run("plan startpos --castles own.toml --json").json();
    assert_eq!(plan["castle"]["id"], "corner");
    assert_eq!(plan["finished"], true, "{plan}");
    let moves = plan["moves"].as_array().unwrap().len();
    assert_eq!(plan["values"].as_array().unwrap().len(), moves + 1);
    folder.write("bad.toml", OWN.replace("S3h", "S1h"));
    for command in ["castles check bad.toml", "plan startpos --castles bad.toml"] {
        let failed = folder.run(command);
        assert!(
            failed.failure().contains("bad.toml, line 2: corner: two pieces on 1h"),
            "{command}"
        );
    }
    let failed = folder.run("castles check nothing.toml");
    assert!(failed.failure().contains("nothing.toml"), "{}", failed.stderr);
}

#[test]
fn a_plan_is_legal_and_builds_its_castle() {
    let folder = Folder::new();
    let plan = folder.run("plan startpos --castle mino --json").json();
    assert_eq!((&plan["castle"]["id"], &plan["finished"]), (&"mino".into(), &true.into()));
    let words = folder.run("plan startpos --castle 美濃囲い --lang ja").stdout;
    assert!(words.contains("美濃囲い："), "{words}");
    let check = "4k4/9/9/9/9/9/4r4/9/4K4 b - 1";
    assert!(folder.run(&format!("plan {check}")).failure().contains("in check"));
    assert!(folder.run("plan startpos --castle nothing").failure().contains("is no castle"));
}

#[test]
fn games_are_counted_and_one_is_told() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..60));
    let one = folder.run("castles games games.tsv --ply 20 --threads 1 --json").any_json();
    let two = folder.run("castles games games.tsv --ply 20 --threads 2 --json").any_json();
    assert_eq!(one, two);
    assert_eq!(one["games"], 60);
    let sides = |list: &str| -> u64 {
        one[list].as_array().unwrap().iter().map(|item| item["sides"].as_u64().unwrap()).sum()
    };
    assert_eq!(sides("castles"), one["named"].as_u64().unwrap());
    assert_eq!(sides("strategies"), one["sides"].as_u64().unwrap());
    // Every rule is listed, whether it held or not, and nobody did two things at once.
    let swaps = one["swaps"].as_array().unwrap();
    assert_eq!(swaps.len(), Formations::shipped().swaps().len());
    for swap in swaps {
        let of = |what: &str| swap[what]["sides"].as_u64().unwrap();
        assert_eq!(of("went") + of("kept") + of("other"), swap["sides"].as_u64().unwrap());
        assert!(swap["positions"].as_u64() >= swap["sides"].as_u64());
    }
    let text =
        |flags: &str| folder.run(&format!("castles games games.tsv --ply 20 {flags}")).stdout;
    let [short, all] = [text("--top 1"), text("--all")];
    let openings = |text: &str| text.lines().filter(|line| line.contains(" – ")).count();
    let castles = one["castles"].as_array().unwrap();
    let known = |castle: &Value| castle["openings"].as_array().unwrap().len();
    // The heading has the dash, too.
    assert_eq!(openings(&all), 1 + castles.iter().map(known).sum::<usize>(), "{all}");
    assert!(openings(&short) <= 1 + 3 && short.len() < all.len(), "{short}");
    let game = folder.run("castles games games.tsv --game 3 --json").json();
    assert!(game["black"]["castles"].is_array() && game["white"]["castles"].is_array());
    assert!(folder.run("castles games games.tsv --game 61").failure().contains("no game 61"));
}

#[test]
fn engines_take_castles_of_a_file_and_doubt_their_book() {
    let folder = Folder::new();
    folder.write("own.toml", OWN);
    let talk = "usi\nsetoption name CastleFile value own.toml\nsetoption name castle_maps value true\n\
                isready\nposition startpos\ngo nodes 2000\nquit\n";
    let said = folder.run_with("usi", talk).stdout;
    assert!(said.contains("option name CastleFile type string default shipped"), "{said}");
    assert!(said.contains("bestmove "), "{said}");
    folder.write("bad.toml", OWN.replace("S3h", "S1h"));
    let talk = "usi\nsetoption name CastleFile value bad.toml\nisready\nquit\n";
    let said = folder.run_with("usi", talk).stdout;
    assert!(said.contains("bad.toml, line 2: corner: two pieces on 1h"), "{said}");
    let played = folder.run(
        "match tesuji:eval=material,castle_maps=1,assault_maps=1,castles=own.toml \
         tesuji:eval=material,castle_plan=1,castle_moves=1,castle_maps=1 --games 2 --nodes 200 --json",
    );
    assert_eq!(played.any_json()["faults"], 0);
}
