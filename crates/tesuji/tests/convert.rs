//! `convert`.

mod common;

use std::path::PathBuf;

use common::{Folder, made_up_game, made_up_rows, names_in};
use serde_json::json;
use tesuji_records::stream::{Games, Input};
use tesuji_records::{GameRecord, Sample, hcpe, psv};

fn games_of(path: PathBuf) -> Vec<GameRecord> {
    Games::new(vec![Input::File(path)], None).map(|game| game.unwrap().value).collect()
}

/// What all formats of single games can hold of a game.
fn core_of(game: &GameRecord) -> impl PartialEq + std::fmt::Debug + use<> {
    let header = |key| game.header(key).map(String::from);
    (
        game.start,
        game.moves().collect::<Vec<_>>(),
        game.result(),
        [header("black"), header("white")],
    )
}

#[test]
fn a_game_goes_through_all_formats_and_comes_back() {
    let folder = Folder::new();
    folder.write("0.tsv", made_up_rows([7]));
    let chain = ["kif", "csa", "ki2", "jkf", "kif", "tsv"];
    let mut from = "0.tsv".to_string();
    for (step, to) in (1..).zip(chain) {
        let name = format!("{step}.{to}");
        let report = folder.run(&format!("convert {from} --to {to} -o {name} --json")).json();
        assert_eq!((&report["games"], &report["outputs"]), (&json!(1), &json!([name])));
        let [game] = &games_of(folder.path(&name))[..] else { panic!("{name}") };
        assert_eq!(core_of(game), core_of(&made_up_game(7)), "{name}");
        from = name;
    }
    // CSA puts the players first.
    let [first, last] = ["1.kif", "5.kif"].map(|name| {
        let bytes = std::fs::read(folder.path(name)).unwrap();
        let mut lines: Vec<Vec<u8>> = bytes.split(|&byte| byte == b'\n').map(Vec::from).collect();
        lines.sort();
        lines
    });
    assert_eq!(first, last);
}

#[test]
fn shift_jis_is_written_and_read() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows([7]));
    for to in ["kif", "ki2", "csa"] {
        folder
            .run(&format!("convert games.tsv --to {to} -o sjis.{to} --encoding shift-jis --json"))
            .json();
        folder
            .run(&format!("convert games.tsv --to {to} -o utf8.{to} --encoding utf-8 --json"))
            .json();
        let [sjis, utf8] = ["sjis", "utf8"].map(|name| folder.path(&format!("{name}.{to}")));
        assert!(std::str::from_utf8(&std::fs::read(&sjis).unwrap()).is_err(), "{to}");
        assert_eq!(games_of(sjis), games_of(utf8), "{to}");
    }
    folder.write("emoji.tsv", made_up_rows([7]).replace("後手", "🐢"));
    let ran = folder.run("convert emoji.tsv --to kif -o out.kif --encoding shift-jis --json");
    assert_eq!(ran.failure(), "1 game or position is bad, nothing was written");
    assert_eq!(ran.any_json()["errors"][0]["line"], json!(2));
    assert!(!folder.path("out.kif").exists());
}

#[test]
fn many_games_stay_together_where_the_format_allows() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..5));
    for to in ["csa", "usi", "tsv"] {
        let report = folder.run(&format!("convert games.tsv --to {to} -o out.{to} --json")).json();
        assert_eq!(report["games"], json!(5));
        let moves = |game: &GameRecord| game.moves().collect::<Vec<_>>();
        let back: Vec<_> = games_of(folder.path(&format!("out.{to}"))).iter().map(moves).collect();
        let sent: Vec<_> = (0..5).map(|n| moves(&made_up_game(n))).collect();
        assert_eq!(back, sent, "{to}");
    }
    assert_eq!(folder.read("out.tsv"), folder.read("games.tsv"));
}

#[test]
fn many_games_become_a_folder_where_it_does_not() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..3));
    folder.write("one.tsv", made_up_rows([1]));
    for (output, to) in [("many", "jkf"), ("slash/", "jkf"), ("kifs", "kif")] {
        let report = folder.run(&format!("convert games.tsv --to {to} -o {output} --json")).json();
        assert_eq!((&report["games"], &report["outputs"]), (&json!(3), &json!([output])));
        let names = [1, 2, 3].map(|n| format!("00000{n}.{to}"));
        assert_eq!(names_in(&folder.path(output)), names);
        let last = games_of(folder.path(output).join(&names[2]));
        assert_eq!(core_of(&last[0]), core_of(&made_up_game(2)));
    }
    folder.run("convert one.tsv --to jkf -o single/ --json").json();
    assert_eq!(names_in(&folder.path("single")), ["000001.jkf"]);
    folder.run("convert many --to tsv -o back.tsv --json").json();
    assert_eq!(folder.read("back.tsv").lines().count(), 4);
    let ran = folder.run("convert games.tsv --to jkf -o many");
    assert!(ran.failure().contains("the folder is not empty"), "{ran:?}");
    let ran = folder.run("convert games.tsv --to jkf -o one.tsv");
    assert!(ran.failure().contains("need a folder, and a file is there"), "{ran:?}");
    assert_eq!(folder.read("one.tsv"), made_up_rows([1]));
}

#[test]
fn standard_input_to_standard_output() {
    let folder = Folder::new();
    let ran = folder.run_with("convert - --to usi -o -", &made_up_rows([1, 2]));
    assert_eq!((ran.code, &*ran.stderr, ran.stdout.lines().count()), (Some(0), "", 2));
    let back = folder.run_with("convert - --to tsv -o -", &ran.stdout).stdout;
    assert_eq!(back.lines().count(), 3);
    let ran = folder.run_with("convert - --to kif -o -", &made_up_rows([1, 2]));
    assert!(ran.failure().contains("kif holds one game"), "{ran:?}");
    let ran = folder.run_with("convert - --to usi -o - --json", "startpos\n");
    assert!(ran.failure().contains("--json"), "{ran:?}");
}

#[test]
fn the_extension_tells_the_format_and_standard_output_is_the_default() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..3));
    let ran = folder.run("convert games.tsv -o out.csa");
    assert_eq!((ran.code, &*ran.stdout), (Some(0), "out.csa: 3 games\n"));
    let ran = folder.run("convert games.tsv --to csa");
    assert_eq!(ran.stdout, folder.read("out.csa"));
    let ran = folder.run("convert games.tsv -o out.psv");
    assert!(ran.stdout.starts_with("out.psv: 3 games, "), "{ran:?}");
    for args in ["convert games.tsv", "convert games.tsv -o out", "convert games.tsv -o out/"] {
        assert!(folder.run(args).failure().contains("--to"), "{args}");
    }
    let ran = folder.run("convert games.tsv -o missing/out.csa");
    assert_eq!(ran.failure(), "missing/out.csa: there is no folder missing");
}

#[test]
fn games_become_positions() {
    let folder = Folder::new();
    let games = [0, 1, 2].map(made_up_game);
    folder.write("games.tsv", made_up_rows(0..3));
    let report = folder.run("convert games.tsv --to psv -o games.psv --json").json();
    let positions: usize = games.iter().map(|game| game.main.moves.len()).sum();
    assert_eq!((&report["games"], &report["positions"]), (&json!(3), &json!(positions)));
    let bytes = std::fs::read(folder.path("games.psv")).unwrap();
    let samples: Vec<Sample> = psv::reader(&bytes[..]).map(Result::unwrap).collect();
    let sent: Vec<Sample> = games
        .iter()
        .flat_map(|game| game.samples(0))
        .map(|sample| Sample { score: Some(0), ..sample })
        .collect();
    assert_eq!(samples, sent);
    let report = folder.run("convert games.psv --to hcpe -o games.hcpe --json").json();
    assert_eq!((&report["games"], &report["positions"]), (&json!(0), &json!(positions)));
    let bytes = std::fs::read(folder.path("games.hcpe")).unwrap();
    let samples: Vec<Sample> = hcpe::reader(&bytes[..]).map(Result::unwrap).collect();
    assert_eq!(samples.len(), sent.len());
    assert!(samples.iter().zip(&sent).all(|(a, b)| {
        a.position.same_position(&b.position)
            && (a.mv, a.score, a.outcome) == (b.mv, b.score, b.outcome)
    }));
    folder.run("convert games.hcpe --to psv -o back.psv --json").json();
    assert_eq!(std::fs::metadata(folder.path("back.psv")).unwrap().len(), 40 * positions as u64);
    let ran = folder.run("convert games.psv --to kif -o out");
    assert!(ran.failure().contains("games.psv: psv holds single positions"), "{ran:?}");
    assert!(!folder.path("out").exists());
}

#[test]
fn bad_games_and_positions_are_named() {
    let folder = Folder::new();
    folder
        .write("games.usi", "startpos moves 7g7f\nstartpos moves 7g7f 7f7d\nstartpos moves 2g2f\n");
    let report = folder.run("convert games.usi --to csa -o out.csa --json").json();
    assert_eq!((&report["games"], &report["rejected"]), (&json!(2), &json!(1)));
    assert_eq!(report["errors"][0]["line"], json!(2));
    assert_eq!(report["errors"][0]["ply"], json!(2));
    let ran = folder.run("convert games.usi --to csa -o strict.csa --strict");
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.stderr.lines().count(), 2);
    assert!(!folder.path("strict.csa").exists());
    // Positions need a result, which USI does not have.
    let ran = folder.run("convert games.usi --to psv -o out.psv --json");
    assert_eq!(ran.failure(), "3 games or positions are bad, nothing was written");
    assert!(!folder.path("out.psv").exists());
    folder.write("games.tsv", made_up_rows([1]));
    folder.run("convert games.tsv --to psv -o good.psv --json").json();
    let mut bytes = std::fs::read(folder.path("good.psv")).unwrap();
    bytes[40..72].fill(0xff);
    bytes.truncate(400 - 7);
    folder.write("bad.psv", &bytes);
    let report = folder.run("convert bad.psv --to psv -o out.psv --json").json();
    assert_eq!((&report["positions"], &report["rejected"]), (&json!(8), &json!(2)));
    assert_eq!([0, 1].map(|i| report["errors"][i]["line"].clone()), [json!(2), json!(10)]);
}

#[test]
fn mistakes_are_one_line() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows(0..2));
    folder.write("empty.usi", "");
    std::fs::create_dir(folder.path("hollow")).unwrap();
    for (args, part) in [
        ("convert games.tsv -o out", "--to"),
        ("convert games.tsv --to pgn -o out.pgn", "pgn"),
        ("convert games.tsv --to kif", "kif holds one game"),
        ("convert missing.kif --to csa -o out.csa", "missing.kif: "),
        ("convert empty.usi --to csa -o out.csa", "nothing to convert"),
        ("convert hollow --to csa -o out.csa", "no files of games"),
        ("convert games.tsv --to csa -o hollow", "csa goes into one file"),
        ("convert games.tsv --to csa -o missing/out.csa", "missing/out.csa: "),
        ("convert games.tsv --to jkf -o out --encoding shift-jis", "Shift_JIS, not jkf"),
        ("convert games.tsv --to kif -o out --encoding latin-1", "latin-1"),
    ] {
        let ran = folder.run(args);
        assert!(ran.failure().contains(part), "{args}: {ran:?}");
        assert_eq!(ran.stdout, "", "{args}");
    }
    assert_eq!(folder.names(), ["empty.usi", "games.tsv", "hollow"]);
}

#[test]
fn kif_is_encoded_as_its_name_says() {
    let folder = Folder::new();
    folder.write("one.tsv", made_up_rows([7]));
    folder.write("two.tsv", made_up_rows([7, 8]));
    let utf8 = |name: &str| std::str::from_utf8(&std::fs::read(folder.path(name)).unwrap()).is_ok();
    for (name, expected) in
        [("a.kif", false), ("a.kifu", true), ("a.ki2", false), ("a.ki2u", true), ("a.csa", true)]
    {
        let report = folder.run(&format!("convert one.tsv -o {name} --json")).json();
        assert_eq!(report["notes"], json!([]), "{name}");
        assert_eq!(utf8(name), expected, "{name}");
        assert_eq!(games_of(folder.path(name))[0].outcome(), made_up_game(7).outcome(), "{name}");
    }
    folder.run("convert two.tsv --to kif -o sjis/ --json").json();
    assert_eq!(names_in(&folder.path("sjis")), ["000001.kif", "000002.kif"]);
    assert!(!utf8("sjis/000001.kif"));
    folder.run("convert two.tsv --to kif -o utf8/ --encoding utf-8 --json").json();
    assert_eq!(names_in(&folder.path("utf8")), ["000001.kifu", "000002.kifu"]);
    assert!(utf8("utf8/000002.kifu"));
    // A terminal, and whoever reads a pipe, expects UTF-8.
    assert!(folder.run("convert one.tsv --to kif").stdout.contains("手数----"));
}

#[test]
fn characters_that_shift_jis_lacks_are_written_all_the_same() {
    let folder = Folder::new();
    folder.write("games.tsv", made_up_rows([7, 8]).replacen("後手", "🐢", 1));
    let ran = folder.run("convert games.tsv --to kif -o games/");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let expected = "tesuji: written in UTF-8: 1 game with characters that Shift_JIS lacks\n";
    assert_eq!(ran.stderr, expected);
    assert_eq!(names_in(&folder.path("games")), ["000001.kifu", "000002.kif"]);
    let text = folder.read("games/000001.kifu");
    assert!(text.starts_with("#KIF version=2.0 encoding=UTF-8\n") && text.contains('🐢'), "{text}");
}

#[test]
fn a_folder_that_nobody_named_is_announced() {
    let folder = Folder::new();
    folder.write("a.tsv", made_up_rows(0..3));
    let ran = folder.run("convert a.tsv -o b.kif");
    let expected = "tesuji: b.kif: a folder of 3 files, since kif holds one game a file\n";
    assert_eq!((ran.code, &*ran.stderr), (Some(0), expected));
    assert_eq!(ran.stdout, "b.kif: 3 games\n");
    let report = folder.run("convert a.tsv -o c.kif --json").json();
    assert!(report["notes"][0].as_str().unwrap().contains("c.kif: a folder of 3 files"));
    assert_eq!(folder.run("convert a.tsv --to kif -o d/").stderr, "");
}

#[test]
fn variations_that_a_format_cannot_hold_are_announced() {
    let folder = Folder::new();
    folder.write(
        "a.kif",
        "1 ７六歩(77)\n2 ３四歩(33)\n3 投了\nまで2手で後手の勝ち\n\n変化：3手\n3 ２六歩(27)\n\n\
         変化：2手\n2 ８四歩(83)\n",
    );
    for to in ["csa", "usi", "tsv", "psv"] {
        let ran = folder.run(&format!("convert a.kif -o b.{to}"));
        let expected =
            format!("tesuji: {to} holds no variations: left out 2 variations of 1 game\n");
        assert_eq!((ran.code, &*ran.stderr), (Some(0), &*expected));
    }
    for to in ["kif", "ki2", "jkf"] {
        assert_eq!(folder.run(&format!("convert a.kif -o b.{to}")).stderr, "");
    }
}
