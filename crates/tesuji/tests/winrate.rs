//! `tesuji winrate` by the real command.

mod common;

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use common::Folder;
use serde_json::Value;

/// The counts that the issue knows: all positions before each move of decided games, and those in
/// which one king is in more danger than the other.
#[test]
fn the_known_counts() {
    let Some(files) = collections() else { return };
    let folder = Folder::new();
    let count = |condition: &str| -> Value {
        let mut command = folder.command("winrate --eval material --json --games");
        command.args(&files).args(["--when", condition]);
        let json = common::finish(&mut command).json();
        assert_eq!(json["all"]["positions"], 696_779);
        assert_eq!(json["all"]["wins"], 365_126, "52.4 %");
        assert_eq!((&json["games"], &json["undecided"]), (&6036.into(), &79.into()));
        json
    };
    let more = count("progress(B)-progress(W) >= 0.25");
    let less = count("progress(B)-progress(W) <= -0.25");
    assert_eq!(
        (&more["when"]["positions"], &less["when"]["positions"]),
        (&89_763.into(), &100_664.into())
    );
    // Of decided games, in thousandths.
    let ratio = |json: &Value| {
        let number = |name: &str| json["when"][name].as_f64().unwrap();
        (number("wins") / number("positions") * 1000.0).round()
    };
    assert_eq!((ratio(&more), ratio(&less)), (356.0, 677.0));
    // Pieces alone do not know the danger of kings: the curves part, by far more than by chance.
    for json in [&more, &less] {
        let number = |name: &str| json[name].as_f64().unwrap();
        assert!(number("split") > 0.3 && number("noise") < 0.15, "{json}");
    }
    assert!(more["shift_cp"].as_f64() > Some(0.0) && less["shift_cp"].as_f64() < Some(0.0));
}

/// The three collections, or nothing where they are missing.
fn collections() -> Option<Vec<String>> {
    let names = ["pro_games.tsv", "amateur_games.tsv", "engine_games.tsv"];
    let files = names.map(shared_data::path).into_iter().collect::<Option<Vec<_>>>()?;
    Some(files.iter().map(|path| path.display().to_string()).collect())
}

/// The king terms are fitted, close the split on games that were not fitted, and can be played with.
#[test]
fn king_terms_mend_material() {
    let Some(files) = collections() else { return };
    let folder = Folder::new();
    let mut command = folder.command("winrate fit --terms king-safety --method mlm --json --games");
    let json = common::finish(command.args(&files)).json();
    let weight = |place: usize| json["weights"][place]["value"].as_f64().unwrap();
    assert!(weight(0) < 0.0 && weight(1) > 0.0, "{json}");
    assert!(json["weights"][0]["error"].as_f64().unwrap() < -weight(0) / 4.0, "{json}");
    let split = |name: &str| json["split"][name].as_f64().unwrap();
    assert!(split("after") <= split("before") / 2.0 && split("noise") < 0.12, "{json}");
    assert_eq!(json["weights_file"], "adjusted.toml");
    let danger = "4k4/9/4G4/9/9/9/9/9/4K4 b - 1";
    let searched = |eval: &str| {
        let mut command = folder.command("search --depth 2 --json --eval");
        common::finish(command.args([eval, danger])).json()
    };
    let (plain, mended) = (searched("material"), searched("adjusted.toml"));
    let score = |json: &Value| json["score"]["cp"].as_i64().unwrap_or(i64::MAX);
    assert!(score(&mended) > score(&plain), "{plain} {mended}");
    assert_eq!(mended["chance_scale"], plain["chance_scale"]);
    assert_eq!(mended["calibrated"], false, "the scale is that of the pieces alone");
    // Terms are for the evaluation that they were fitted to.
    let text = folder.read("adjusted.toml").replace("base = \"material\"", "base = \"tables\"");
    folder.write("other.toml", text);
    let ran = folder.run("winrate --games adjusted.toml --eval other.toml");
    assert!(ran.failure().contains("the terms are for tables as it was"), "{ran:?}");
}

/// A table of games with results.
fn table(results: &[&str]) -> String {
    let rows = results
        .iter()
        .map(|result| format!("{result}\tstartpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e\n"));
    format!("#result\tgame\n{}", rows.collect::<String>())
}

#[test]
fn draws_are_half_and_threads_change_nothing() {
    let folder = Folder::new();
    folder.write("games.tsv", table(&["b", "b", "w", "d", "?"]));
    let args = "winrate --games games.tsv --min-count 1 --json --when ply>3";
    let ran = folder.run(args);
    let json = ran.json();
    assert_eq!(
        (&json["games"], &json["drawn"], &json["undecided"]),
        (&3.into(), &1.into(), &1.into())
    );
    let all = &json["all"];
    assert_eq!(
        (&all["positions"], &all["wins"], &all["drawn"]),
        (&15.into(), &10.into(), &5.into())
    );
    assert_eq!(all["ratio"], 0.625, "two wins and a half of four games");
    assert_eq!((&json["when"]["positions"], &json["without"]["positions"]), (&6.into(), &9.into()));
    let bins = json["bins"].as_array().unwrap();
    let sum = |of: &str| -> u64 {
        let of = bins.iter().filter(|bin| bin["of"] == of);
        of.map(|bin| bin["positions"].as_u64().unwrap()).sum()
    };
    assert_eq!((sum("all"), sum("when")), (15, 6));
    assert!(bins.iter().all(|bin| bin["low"].as_f64() < bin["high"].as_f64()));
    for threads in ["1", "3"] {
        assert_eq!(folder.run(&format!("{args} --threads {threads}")).stdout, ran.stdout);
    }
    let played_out = folder.run(&format!("{args} --quiet --eval material")).json();
    let still = folder.run(&format!("{args} --eval material")).json();
    assert_ne!(played_out["when"]["mean"], still["when"]["mean"], "a bishop can be taken back");
    let text = folder.run("winrate --games games.tsv --when ply>3");
    assert!(text.stdout.contains("no bin has 100 positions"), "{text:?}");
}

#[test]
fn bad_input() {
    let folder = Folder::new();
    folder.write("games.tsv", table(&["b"]));
    folder.write("open.tsv", table(&["?"]));
    for (args, expected) in [
        ("winrate --games games.tsv --eval nobody", "nobody"),
        ("winrate --games none.tsv", "none.tsv"),
        ("winrate --games open.tsv", "no position of a game with a result"),
        ("winrate --games games.tsv --bin 0", "from 1 to"),
        ("winrate", "--games"),
    ] {
        let ran = folder.run(args);
        assert!(ran.failure().contains(expected), "{args}: {ran:?}");
    }
    // A mark under the word needs a line of its own.
    let marked = folder.run("winrate --games games.tsv --when progres(B)>0");
    let expected =
        "name \"progres\" is not known, did you mean progress?\n  progres(B)>0\n  ^^^^^^^\n";
    assert_eq!((marked.code, &*marked.stderr), (Some(1), &*format!("tesuji: {expected}")));
}

/// Scores of an engine are kept, a stopped run goes on, and the page is written.
#[test]
fn an_engine_is_examined() {
    let folder = Folder::new();
    folder.write("games.tsv", table(&["b", "w", "b", "w", "b", "w"]));
    let doctor = "winrate doctor --features none --min-games 2 --min-count 1 --json";
    let engine = "--engine tesuji:eval=material,depth=1 --per-game 3 --runs scores";
    let ran = folder.run(&format!("{doctor} --games games.tsv {engine} --report one.html"));
    let json = ran.games_json();
    assert_eq!((&json["games"], &json["positions"]), (&6.into(), &18.into()));
    let page = folder.read("one.html");
    assert!(page.contains("What tesuji:eval=material") && page.contains("How this was found"));
    // The same scores again, from the folder.
    let runs = common::names_in(&folder.path("scores"));
    let again = folder.run(&format!("winrate --json --min-count 1 --resume scores/{}", runs[0]));
    assert_eq!(again.games_json()["all"]["positions"], 18);
    let dead = "winrate --games games.tsv --engine cmd:/bin/false,depth=1 --runs dead";
    assert!(folder.run(dead).failure().contains("false"));
}
