//! `tesuji reproduce` by the real command, with sizes that mean nothing.

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

/// Everything that a run leaves for readers, in a folder of its own.
fn written(folder: &Folder, name: &str) -> Vec<String> {
    let pictures = names_in(&folder.path(&format!("{name}/page")));
    assert!(pictures.iter().any(|picture| picture == "curve.svg"), "{pictures:?}");
    let files = ["page.md", "run/report.html", "run/result.json"].map(String::from).into_iter();
    let files = files.chain(pictures.iter().map(|picture| format!("page/{picture}")));
    files.map(|file| folder.read(&format!("{name}/{file}"))).collect()
}

/// How many steps a run has done.
fn steps(folder: &Folder, name: &str) -> usize {
    let count = |step: &str| fs::read_dir(folder.path(&format!("{name}/run/{step}")));
    let steps = ["shipped", "learned", "experts", "ablation"];
    steps.map(|step| count(step).map_or(0, Iterator::count)).iter().sum()
}

/// Begins a command, and kills it once it has come so far.
fn killed_when(folder: &Folder, args: &str, is_so_far: impl Fn() -> bool) {
    let mut command = folder.command(args);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !is_so_far() {
        assert_eq!(child.try_wait().unwrap(), None);
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_run_that_is_killed_goes_on_to_the_same_bytes() {
    let folder = folder();
    let command = |name: &str, threads: usize| {
        format!("{QUICK} --threads {threads} --out {name}/run --page {name}/page.md")
    };
    for name in ["whole", "killed"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    let ran = folder.run(&command("whole", 1));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let numbers: Value = serde_json::from_str(&ran.stdout).unwrap();
    for step in ["paper", "extended", "tables", "static", "move"] {
        assert_eq!(numbers["learned"][step].as_array().map(Vec::len), Some(2), "{step}");
    }
    let page = folder.read("whole/page.md");
    for part in ["The models that come", "What each step wins", "More games", "| move "] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(page.contains("(page/gold-own-king-8h.svg)"), "{page}");

    let args = command("killed", 2);
    for done in [1, 9, 20] {
        killed_when(&folder, &args, || steps(&folder, "killed") >= done);
    }
    assert!(!folder.path("killed/page.md").exists());
    let ran = folder.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(serde_json::from_str::<Value>(&ran.stdout).unwrap(), numbers);
    for (one, other) in written(&folder, "whole").iter().zip(written(&folder, "killed")) {
        assert!(*one == other, "{one}\n\n{other}");
    }

    let ran = folder.run(&format!("{args} --games 5"));
    assert!(ran.failure().contains("made with other settings"), "{ran:?}");
}

/// The paper on win ratios on few games: every table and picture is there, and what is done is not
/// done again.
#[test]
fn win_ratios_are_repeated() {
    let folder = folder();
    let games = folder.read("data/pro_games.tsv");
    let (head, rows) = games.split_once('\n').unwrap();
    // Scores that rise from move to move, whoever wins.
    let scored = |row: &str| {
        let plies = row.split("startpos moves ").nth(1).map_or(0, |moves| moves.split(' ').count());
        let scores: Vec<String> = (0..plies).map(|ply| (5 * ply).to_string()).collect();
        format!("{row}\t{}\n", scores.join(" "))
    };
    let rows: String = rows.lines().map(scored).collect();
    folder.write("data/floodgate2016.tsv.zst", format!("{head}\tscores\n{rows}"));
    let command = "reproduce winrate --quick --data data --json --out run --page page.md";
    let ran = folder.run(command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let numbers: Value = serde_json::from_str(&ran.stdout).unwrap();
    let lengths = ["counts", "fits", "panels", "hands", "others", "matches", "scans"]
        .map(|part| numbers[part].as_array().map_or(0, Vec::len));
    assert_eq!(lengths, [6, 6, 16, 9, 3, 14, 9]);
    let page = folder.read("page.md");
    for part in ["table 1", "table 2", "figures 2 to 9", "table 3", "figures 14 to 16", "29–11"] {
        assert!(page.contains(part), "{part}");
    }
    let pictures = names_in(&folder.path("page"));
    assert_eq!(pictures.len(), 16 + 9 + 3, "{pictures:?}");
    let again = folder.run(command);
    assert_eq!((again.code, &again.stdout), (Some(0), &ran.stdout));
}

#[test]
fn what_cannot_be_done_is_said_before_the_work() {
    let folder = folder();
    for (args, expected) in [
        ("reproduce tables --data nowhere", "docs/results/tables.md: there is no such folder"),
        ("reproduce tables --data nowhere --page -", "cain_train.tsv: no such file"),
        ("reproduce tables --data data --page - --games 0", "--games is 0"),
        ("reproduce tables --data data --page - --ablation-games 0", "--ablation-games"),
    ] {
        let ran = folder.run(args);
        assert!(ran.failure().contains(expected), "{args}: {ran:?}");
    }
    assert_eq!(folder.names(), ["data"]);
}

const PROBLEMS: &str = "#id\tsfen\tanswer\tkind
1\t4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r 1\tG*5b\tmate
2\t4k4/9/4P4/9/9/9/9/9/4K4 b G 1\tG*5b\tmate
3\t8k/9/7+PP/9/9/9/9/9/4K4 b G 1\tG*2b\tmate
4\tlnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t7g7f,2g2f\topening
";

/// What the stages leave that has no time in it.
fn left_by_stages(folder: &Folder, name: &str) -> Vec<String> {
    let files = [
        "imitation/weights-02.toml",
        "coevolution/weights.toml",
        "coevolution/journal.jsonl",
        "tuning/journal.jsonl",
    ];
    let mut left: Vec<String> =
        files.map(|file| folder.read(&format!("{name}/run/{file}")).replace(name, "")).into();
    let page = folder.read(&format!("{name}/page.md"));
    let lasting = page.lines().take_while(|line| *line != "## How long it took");
    left.extend(lasting.filter(|line| !line.contains("processors")).map(str::to_owned));
    left
}

#[test]
fn stages_that_are_killed_go_on_to_the_same_end() {
    let folder = folder();
    folder.write("data/tactical.tsv", PROBLEMS);
    let command = |name: &str, threads: usize| {
        format!(
            "reproduce stages --quick --data data --threads {threads} --out {name}/run \
             --page {name}/page.md --json"
        )
    };
    for name in ["whole", "killed"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    let numbers = folder.run(&command("whole", 1)).any_json();
    assert_eq!(numbers["imitation"]["correct"].as_array().unwrap().len(), 3);
    assert_eq!(numbers["coevolution"]["match"]["games"], 4);
    assert_eq!(numbers["matches"].as_array().unwrap().len(), 2);
    assert_eq!(numbers["tuning"]["parameters"].as_object().unwrap().len(), 91);
    let page = folder.read("whole/page.md");
    for part in ["1. Imitation", "2. Co-evolution", "3. The search", "What all of it wins"] {
        assert!(page.contains(part), "{part}\n{page}");
    }

    let args = command("killed", 2);
    for reached in ["imitation/manifest.json", "coevolution/state.json", "against-ours"] {
        let reached = folder.path(&format!("killed/run/{reached}"));
        killed_when(&folder, &args, || reached.exists());
    }
    let ran = folder.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(left_by_stages(&folder, "whole"), left_by_stages(&folder, "killed"));
}

/// A program that plays by the rules and speaks USI: this one, behind a pipe.
fn opponent() -> String {
    format!("cmd:{},arg=usi,nodes=50,name=other", env!("CARGO_BIN_EXE_tesuji"))
}

/// What a run on castles leaves for readers.
fn left_by_castles(folder: &Folder, name: &str) -> Vec<String> {
    let pictures = names_in(&folder.path(&format!("{name}/page")));
    assert_eq!(pictures.len(), 8 + 3 * 3 + 1, "{pictures:?}");
    let files = ["page.md", "run/result.json", "run/professionals.db"].map(String::from);
    let journals = ["leaving-1-professionals", "leaving-2-standard", "match-all-no-10"];
    let journals = journals.map(|step| format!("run/{step}/journal.jsonl"));
    let pictures = pictures.iter().map(|picture| format!("page/{picture}"));
    let files = files.into_iter().chain(journals).chain(pictures);
    files.map(|file| folder.read(&format!("{name}/{file}"))).collect()
}

/// The paper on castle maps on few games: every table is there, a program that is not is named, and
/// a run that was killed goes on to the same end.
#[test]
fn castles_are_repeated() {
    let folder = folder();
    let other = opponent();
    let command = |name: &str, threads: usize| {
        format!(
            "reproduce castles --quick --nodes 20 --data data --threads {threads} --out {name}/run \
             --page {name}/page.md --json --opponent {other} --opponent {other},option.USI_Hash=8 \
             --opponent tesuji:eval=material,nodes=50 --opponent cmd:no-such-engine"
        )
    };
    for name in ["whole", "killed"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    let ran = folder.run(&command("whole", 1));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("no-such-engine: no such program"), "{ran:?}");
    let numbers: Value = serde_json::from_str(&ran.stdout).unwrap();
    let table = numbers["table"].as_array().unwrap();
    assert_eq!(table.len(), 15);
    for cell in table {
        assert_eq!((&cell["games"], &cell["lines"]), (&2.into(), &1.into()), "{cell}");
        assert_eq!(cell["followed"].as_f64(), cell["book_moves"].as_f64(), "{cell}");
        assert_eq!(cell["faults"], 0, "{cell}");
    }
    // Three opponents that are there, with two books each.
    let leaving = numbers["leaving"].as_array().unwrap();
    assert_eq!(leaving.len(), 6);
    assert!(leaving.iter().all(|met| met["moves"].as_array().unwrap().len() == 2), "{leaving:?}");
    assert_eq!(numbers["absent"].as_array().unwrap().len(), 1);
    assert_eq!(numbers["masters"]["all"]["games"], 80);
    let kept_apart = folder.run("castles games data/pro_games.tsv --held-out --json").any_json();
    assert_eq!(kept_apart["games"], numbers["masters"]["held_out"]["games"]);
    assert!(kept_apart["games"].as_u64().is_some_and(|games| (1..20).contains(&games)));
    let page = folder.read("whole/page.md");
    for part in [
        "| 38–12 (76 %) | 30–20 (60 %) |",
        "the second, with 99.97 %, is 67–33",
        "Left out: `no-such-engine: no such program here`.",
        "| the paper's   | four programs ",
        "| kept apart |",
        "on 81 of 81 squares",
        "(page/mino-king.svg)",
        "tesuji castles map mino king",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    let here = folder.path("whole").display().to_string();
    assert!(!page.contains(&here), "a path of this machine\n{page}");

    let args = command("killed", 2);
    for reached in ["books.json", "leaving-2-standard", "match-all-no-20", "match-all-cas-40"] {
        let reached = folder.path(&format!("killed/run/{reached}"));
        killed_when(&folder, &args, || reached.exists());
    }
    assert!(!folder.path("killed/page.md").exists());
    let ran = folder.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(serde_json::from_str::<Value>(&ran.stdout).unwrap(), numbers);
    for (one, other) in
        left_by_castles(&folder, "whole").iter().zip(left_by_castles(&folder, "killed"))
    {
        assert!(*one == other, "{one}\n\n{other}");
    }
    let ran = folder.run(&format!("{args} --games 4"));
    assert!(ran.failure().contains("made with other settings"), "{ran:?}");
}

/// What a run on plausible moves leaves that has no time in it.
fn left_by_plausible(folder: &Folder, name: &str) -> Vec<String> {
    let steps = ["legal-as-many", "accuracy-hand", "accuracy-move", "missed", "problems-nodes-all"];
    let files = steps.map(|step| format!("run/{step}.json")).into_iter();
    let pictures = names_in(&folder.path(&format!("{name}/page")));
    let files = files
        .chain(["run/match-nodes-merit-full-width/journal.jsonl".to_owned()])
        .chain(pictures.iter().map(|picture| format!("page/{picture}")));
    let mut left: Vec<String> = files.map(|file| folder.read(&format!("{name}/{file}"))).collect();
    let page = folder.read(&format!("{name}/page.md"));
    left.extend(page.lines().take_while(|line| *line != "## By time").map(str::to_owned));
    left
}

/// The paper on plausible moves on few games: every table and picture is there, its numbers are
/// those of the command alone, and a run that was killed goes on to the same end.
#[test]
fn plausible_moves_are_repeated() {
    let folder = folder();
    folder.write("data/tactical.tsv", PROBLEMS);
    let command = |name: &str, threads: usize| {
        format!(
            "reproduce plausible --quick --data data --threads {threads} --out {name}/run \
             --page {name}/page.md --json"
        )
    };
    for name in ["whole", "killed"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    let numbers = folder.run(&command("whole", 1)).any_json();
    let lengths = ["legal", "answers", "problems", "matches"]
        .map(|part| numbers[part].as_array().map_or(0, Vec::len));
    assert_eq!(lengths, [2, 36, 22, 8]);
    let answers = numbers["answers"].as_array().unwrap();
    for answer in answers {
        let generators = answer["by_generator"].as_object().unwrap().len();
        assert_eq!(generators, if answer["merit"] == "move" { 0 } else { 21 }, "{answer}");
    }
    for (merit, cut) in [("fitted", "merit"), ("hand", "best:20"), ("move", "mass:0.98")] {
        let alone = folder.run(&format!(
            "plausible accuracy --games data/pro_games.tsv --part test --merit {merit} --cut {cut} \
             --json"
        ));
        let alone = alone.any_json();
        let is_same = |answer: &&Value| {
            (&answer["set"], &answer["hierarchy"]) == (&"held-out".into(), &true.into())
                && ["merit", "cut"].iter().all(|&key| answer[key] == alone[key])
        };
        let answer = answers.iter().find(is_same).unwrap();
        for key in ["games", "positions", "missed", "accuracy", "saved"] {
            assert_eq!(answer[key], alone[key], "{merit} {cut} {key}");
        }
    }
    for problems in numbers["problems"].as_array().unwrap() {
        assert_eq!(problems["each"].as_array().map(Vec::len), Some(4), "{problems}");
    }
    for played in numbers["matches"].as_array().unwrap() {
        // The paper's own have more.
        let games = if played["paper"].is_null() { 2 } else { 4 };
        assert_eq!((&played["games"], &played["faults"]), (&games.into(), &0.into()), "{played}");
    }
    let page = folder.read("whole/page.md");
    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "| the paper | 100 | 12,097 | 115 |",
        "99.33 % and 98.81 % kept",
        "| merit | the paper's | yes | 144 | 98.9 % | 46.5 % |",
        "| the paper | 17.3 % | 49.6 % | 66.9 % |",
        "| mass:0.98 |",
        "| avoid-development |",
        "| total | 298 | **54** | **55** | **64** |",
        "| best 20 – merit | |",
        "| merit – full width | 20–0 (100 %) |",
        "| reduction – modern |",
        "(page/ranks-cumulative.svg)",
        "## By time",
    ] {
        assert!(words.contains(part), "{part}\n{page}");
    }
    let here = folder.path("whole").display().to_string();
    assert!(!page.contains(&here), "a path of this machine\n{page}");

    let args = command("killed", 2);
    let matched = "match-nodes-all-full-width/journal.jsonl";
    for reached in ["accuracy-hand.json", "problems-nodes-merit.json", matched] {
        let reached = folder.path(&format!("killed/run/{reached}"));
        killed_when(&folder, &args, || reached.exists());
    }
    assert!(!folder.path("killed/page.md").exists());
    // What there is can be read before the end.
    let so_far = folder.read("killed/run/plausible.md");
    assert!(so_far.contains("(plausible/fewer.svg)") && so_far.contains("## Problems (table 2)"));
    let ran = folder.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let (one, other) = (left_by_plausible(&folder, "whole"), left_by_plausible(&folder, "killed"));
    assert!(one.len() > 100 && one.len() == other.len());
    for (one, other) in one.iter().zip(&other) {
        assert!(one == other, "{one}\n\n{other}");
    }
    let ran = folder.run("reproduce plausible --data data --out killed/run --page -");
    assert!(ran.failure().contains("made with other settings"), "{ran:?}");
}
