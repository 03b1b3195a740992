//! `tesuji mate` by the real command.

mod common;

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use common::Folder;

const THREE: &str = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1";
const NONE: &str = "9/9/9/9/4k4/9/9/9/9 b G 1";
/// Far more than a few nodes.
const HARD: &str = "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1";

#[test]
fn one_position() {
    let folder = Folder::new();
    let report = folder.run(&format!("mate {THREE} --shortest --json")).json();
    assert_eq!(report["status"], "solved");
    assert_eq!(report["length"], 3);
    assert_eq!(report["shortest"], true);
    assert_eq!(report["line"].as_str().unwrap().split(' ').count(), 3);
    assert_eq!(folder.run(&format!("mate {NONE} --json")).json()["status"], "nomate");
    let limited = folder.run(&format!("mate {HARD} --nodes 100 --json")).json();
    assert_eq!((&limited["status"], &limited["nodes"]), (&"unsolved".into(), &100.into()));
    let text = folder.run(&format!("mate {THREE} --shortest")).stdout;
    assert!(text.contains("mate in 3 moves, none is shorter\n"), "{text}");
}

#[test]
fn a_file_of_problems_with_bad_lines() {
    let folder = Folder::new();
    let rows = format!("#id\tsfen\n1\t{THREE}\n2\tnonsense\n\n3\t{NONE}\n4\t{HARD}\n");
    folder.write("problems.tsv", rows);
    let ran = folder.run("mate --file problems.tsv --nodes 1000 --shortest --threads 2 --json");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    assert!(ran.stderr.starts_with("tesuji: problems.tsv:3: "), "{ran:?}");
    let report = ran.any_json();
    for (name, count) in [
        ("solved", 1),
        ("wrong", 0),
        ("unsolved", 1),
        ("nomate", 1),
        ("of", 3),
        ("bad_lines", 1),
        ("within_50ms", 1),
        ("shortest_proved", 1),
    ] {
        assert_eq!(report[name], count, "{name}");
    }
    let lines = report["problems"].as_array().unwrap().iter().map(|p| p["line_number"].as_u64());
    assert_eq!(lines.collect::<Vec<_>>(), [Some(2), Some(5), Some(6)]);
}

#[test]
fn plain_lines_on_standard_input() {
    let ran = Folder::new().run_with("mate --file -", &format!("{THREE}\n{NONE}\n"));
    assert!(ran.stdout.starts_with("1 of 2 solved, "), "{ran:?}");
}

#[test]
fn mistakes_get_one_line() {
    let folder = Folder::new();
    folder.write("empty.tsv", "#sfen\n");
    let no_problem = folder.run("mate --file empty.tsv");
    assert!(no_problem.failure().starts_with("empty.tsv: no problem"), "{no_problem:?}");
    for args in [
        "mate".to_owned(),
        "mate nonsense".to_owned(),
        "mate --file missing.tsv".to_owned(),
        "mate --file .".to_owned(),
        format!("mate {THREE} --ms 0"),
        format!("mate {THREE} --file empty.tsv"),
    ] {
        folder.run(&args).failure();
    }
}

/// No game leads to two pawns of one player in a file, but composed problems have them.
#[test]
fn two_pawns_in_a_file_are_let_stand_in_a_problem() {
    let report = Folder::new().run("mate 4k4/9/4P4/9/4P4/9/9/9/9 b G 1 --json").json();
    assert_eq!(report["line"], "G*5b");
}

/// The laboratory's problems, if they are here. A tenth of them, since the test is not built for
/// speed.
#[test]
fn the_collection_is_solved() {
    let Some(problems) = shared_data::read("tsume.tsv") else { return };
    let tenth: String = problems.lines().step_by(10).map(|line| format!("{line}\n")).collect();
    let folder = Folder::new();
    folder.write("tenth.tsv", tenth);
    let report = folder.run("mate --file tenth.tsv --nodes 100000 --ms 60000 --json").any_json();
    let (solved, of) = (report["solved"].as_f64().unwrap(), report["of"].as_f64().unwrap());
    assert!(of > 760.0 && solved >= 0.998 * of, "{solved} of {of}");
    assert_eq!((&report["wrong"], &report["bad_lines"]), (&0.into(), &0.into()));
}

/// A table that the system refuses is a line, not an abort.
#[cfg(target_os = "linux")]
#[test]
fn a_table_without_memory_is_refused() {
    let script = "ulimit -v 800000; exec \"$0\" mate startpos --hash 1000";
    let mut command = std::process::Command::new("sh");
    let ran = common::finish(command.args(["-c", script, env!("CARGO_BIN_EXE_tesuji")]));
    assert!(ran.failure().contains("1000 MiB"), "{ran:?}");
}
