//! Run folders that are created, killed, torn, locked and opened again.

use std::fs;

use serde_json::{Value, json};

use super::*;

fn manifest() -> Manifest {
    let mut manifest = Manifest::new("evolve", "3f9a2c", RunTime::from_unix(1_770_000_000));
    manifest.program = "tesuji 0.1.0".into();
    manifest.command_line = vec!["tesuji".into(), "evolve".into(), "--seed=1".into()];
    manifest.seed = Some(1);
    manifest.inputs = vec![Input { name: "games.tsv".into(), bytes: 12, sha256: "ab".repeat(32) }];
    manifest.settings = json!({"population": 100});
    manifest
}

fn values(run: &RunFolder) -> Vec<Value> {
    run.entries().unwrap().map(Result::unwrap).collect()
}

/// The file names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_run_is_created_and_opened_again() {
    let base = tempfile::tempdir().unwrap();
    let run = RunFolder::create(&base.path().join("runs"), manifest()).unwrap();
    assert!(run.path().ends_with("runs/20260202T024000Z-evolve-3f9a2c"));
    run.append(&json!({"generation": 1, "text": "a\nb"})).unwrap();
    run.append_all(&[json!(2), json!(3)]).unwrap();
    run.write_json("result.json", &json!({"best": 886})).unwrap();
    assert_eq!(run.write_report("<!doctype html>").unwrap(), run.report_path());
    let path = run.path().to_owned();
    drop(run);

    let run = RunFolder::open(&path).unwrap();
    assert_eq!(run.torn_bytes(), 0);
    assert_eq!(run.manifest().inputs, manifest().inputs);
    assert_eq!(run.manifest().started, "2026-02-02T02:40:00Z");
    run.append(&json!(4)).unwrap();
    let expected = [json!({"generation": 1, "text": "a\nb"}), json!(2), json!(3), json!(4)];
    assert_eq!(values(&run), expected);
    assert_eq!(run.read_json::<Value>("result.json").unwrap(), Some(json!({"best": 886})));
    assert_eq!(run.read("nothing.json").unwrap(), None);
    assert_eq!(
        names(&path),
        ["journal.jsonl", "manifest.json", "report.html", "result.json", "run.lock"]
    );
}

#[test]
fn a_manifest_is_literal_text() {
    let base = tempfile::tempdir().unwrap();
    let run = RunFolder::create(base.path(), manifest()).unwrap();
    let text = fs::read_to_string(run.file(MANIFEST)).unwrap();
    let hash = "ab".repeat(32);
    let expected = format!(
        r#"{{
  "format": 1,
  "command": "evolve",
  "id": "3f9a2c",
  "started": "2026-02-02T02:40:00Z",
  "program": "tesuji 0.1.0",
  "command_line": [
    "tesuji",
    "evolve",
    "--seed=1"
  ],
  "seed": 1,
  "inputs": [
    {{
      "name": "games.tsv",
      "bytes": 12,
      "sha256": "{hash}"
    }}
  ],
  "settings": {{
    "population": 100
  }}
}}
"#
    );
    assert_eq!(text, expected);
}

#[test]
fn a_journal_cut_anywhere_opens_with_its_whole_lines() {
    let base = tempfile::tempdir().unwrap();
    let path = base.path().join("run");
    let run = RunFolder::create_at(&path, manifest()).unwrap();
    let lines = [json!({"g": 1}), json!({"g": 2, "kanji": "歩"}), json!([1, 2, 3])];
    run.append_all(&lines).unwrap();
    drop(run);
    let journal = path.join(JOURNAL);
    let whole = fs::read(&journal).unwrap();
    for length in 0..=whole.len() {
        fs::write(&journal, &whole[..length]).unwrap();
        let run = RunFolder::open(&path).unwrap();
        let kept = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(values(&run), lines[..kept], "cut after {length} bytes");
        let kept_bytes = whole[..length].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        assert_eq!(run.torn_bytes(), (length - kept_bytes) as u64);
        run.append(&json!("next")).unwrap();
        assert_eq!(values(&run).len(), kept + 1);
    }
}

#[test]
fn a_last_line_that_is_not_json_is_cut_but_one_in_the_middle_is_an_error() {
    let base = tempfile::tempdir().unwrap();
    let path = base.path().join("run");
    drop(RunFolder::create_at(&path, manifest()).unwrap());
    let journal = path.join(JOURNAL);
    fs::write(&journal, "1\n\0\0\0\n").unwrap();
    let run = RunFolder::open(&path).unwrap();
    assert_eq!((values(&run), run.torn_bytes()), (vec![json!(1)], 4));
    drop(run);
    fs::write(&journal, "1\n{\"g\":\n3\n").unwrap();
    let run = RunFolder::open(&path).unwrap();
    let error = run.entries::<Value>().unwrap().find_map(Result::err).unwrap();
    assert!(error.to_string().contains("journal.jsonl, line 2: "), "{error}");
}

#[test]
fn a_line_longer_than_a_block_is_found_whole() {
    let base = tempfile::tempdir().unwrap();
    let path = base.path().join("run");
    let run = RunFolder::create_at(&path, manifest()).unwrap();
    let long = json!("x".repeat(200_000));
    run.append_all(&[json!(1), long.clone()]).unwrap();
    drop(run);
    assert_eq!(values(&RunFolder::open(&path).unwrap()), [json!(1), long]);
    let journal = path.join(JOURNAL);
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..150_000]).unwrap();
    assert_eq!(values(&RunFolder::open(&path).unwrap()), [json!(1)]);
}

#[test]
fn two_do_not_work_in_one_folder() {
    let base = tempfile::tempdir().unwrap();
    let path = base.path().join("run");
    let run = RunFolder::create_at(&path, manifest()).unwrap();
    assert!(matches!(RunFolder::open(&path), Err(RunError::Locked(_))));
    assert!(matches!(RunFolder::create_at(&path, manifest()), Err(RunError::Exists(_))));
    assert!(Manifest::read(&path).is_ok(), "looking is allowed");
    drop(run);
    assert!(RunFolder::open(&path).is_ok());
}

#[test]
fn lines_of_several_threads_do_not_mix() {
    let base = tempfile::tempdir().unwrap();
    let run = RunFolder::create(base.path(), manifest()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let run = &run;
            scope.spawn(move || {
                for step in 0..25 {
                    run.append(&json!([thread, step])).unwrap();
                }
            });
        }
    });
    let found = values(&run);
    assert_eq!(found.len(), 100);
    for thread in 0..4 {
        let steps = found.iter().filter(|value| value[0] == thread).map(|value| &value[1]);
        assert!(steps.eq((0..25).map(|step| json!(step)).collect::<Vec<_>>().iter()));
    }
}

#[test]
fn what_was_left_half_written_is_removed() {
    let base = tempfile::tempdir().unwrap();
    let path = base.path().join("run");
    drop(RunFolder::create_at(&path, manifest()).unwrap());
    fs::write(path.join(".result.json.x1y2.partial"), "{").unwrap();
    fs::write(path.join("notes.partial"), "the user's own").unwrap();
    drop(RunFolder::open(&path).unwrap());
    assert_eq!(names(&path), ["journal.jsonl", "manifest.json", "notes.partial", "run.lock"]);
}

#[test]
fn bad_folders_and_names_are_refused_in_one_line() {
    let base = tempfile::tempdir().unwrap();
    let error = RunFolder::open(base.path()).unwrap_err().to_string();
    assert!(error.ends_with("not a run folder, it has no manifest.json"), "{error}");
    assert!(names(base.path()).is_empty(), "nothing is left behind");
    for command in ["", "a/b", "..", "evolve all"] {
        let manifest = Manifest::new(command, "id", RunTime::from_unix(0));
        assert!(RunFolder::create(base.path(), manifest).is_err(), "{command:?}");
    }
    let run = RunFolder::create(base.path(), manifest()).unwrap();
    for name in ["", "../x", "a/b", ".hidden", "manifest.json", "journal.jsonl", "run.lock", "a b"]
    {
        assert!(matches!(run.write(name, b""), Err(RunError::Name { .. })), "{name:?}");
    }
    let path = run.path().to_owned();
    drop(run);
    fs::write(path.join(MANIFEST), "{\"format\": 99}").unwrap();
    let error = RunFolder::open(&path).unwrap_err().to_string();
    assert!(error.ends_with("manifest.json: format 99, expected 1"), "{error}");
}

#[test]
fn other_data_is_noticed() {
    let manifest = manifest();
    let mut now = manifest.inputs.clone();
    now[0].name = "moved/games.tsv".into();
    assert_eq!(manifest.changed_input(&now), None);
    now[0].sha256 = "cd".repeat(32);
    assert!(manifest.changed_input(&now).unwrap().starts_with("moved/games.tsv: its content"));
    assert!(manifest.changed_input(&[]).unwrap().contains("1 inputs, not 0"));
}

#[test]
fn moments_are_dates() {
    let dates = [
        (0, "1970-01-01T00:00:00Z"),
        (951_782_399, "2000-02-28T23:59:59Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
        (951_868_800, "2000-03-01T00:00:00Z"),
        (1_709_164_800, "2024-02-29T00:00:00Z"),
        (1_735_689_599, "2024-12-31T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"),
        (253_402_300_799, "9999-12-31T23:59:59Z"),
        (u64::MAX, "9999-12-31T23:59:59Z"),
    ];
    for (seconds, text) in dates {
        assert_eq!(RunTime::from_unix(seconds).to_string(), text);
    }
}

#[test]
fn a_folder_that_was_only_begun_is_made_again() {
    let base = tempfile::tempdir().unwrap();
    let path = base.path().join("step");
    fs::create_dir(&path).unwrap();
    for left in ["run.lock", "journal.jsonl", ".manifest.json.x.partial"] {
        fs::write(path.join(left), "").unwrap();
        assert!(!RunFolder::is_at(&path));
    }
    drop(RunFolder::create_at(&path, manifest()).unwrap());
    assert!(RunFolder::is_at(&path));
    assert!(!path.join(".manifest.json.x.partial").exists());
    let other = base.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("journal.jsonl"), "{}\n").unwrap();
    assert!(matches!(RunFolder::create_at(&other, manifest()), Err(RunError::Exists(_))));
}
