//! A run that is killed while it writes.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tesuji_run::{Manifest, RunError, RunFolder, RunTime};

/// Tells the child process, which is this test again, where to write.
const FOLDER: &str = "TESUJI_RUN_TEST_FOLDER";

/// What the child does until it is killed: lines of very different length, and a result beside.
fn write_for_ever(folder: &Path) {
    let run = RunFolder::open(folder).unwrap();
    let begun = run.entries::<(u64, String)>().unwrap().count() as u64;
    for step in begun.. {
        let long = "x".repeat((step as usize * 7_919) % 60_000);
        run.append(&(step, long)).unwrap();
        run.write_json("state.json", &step).unwrap();
    }
}

#[test]
fn a_killed_run_loses_at_most_the_step_under_way() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return write_for_ever(Path::new(&folder));
    }
    let base = tempfile::tempdir().unwrap();
    let folder = base.path().join("run");
    let manifest = Manifest::new("test", "kill", RunTime::from_unix(0));
    drop(RunFolder::create_at(&folder, manifest).unwrap());
    let mut before = 0;
    for round in 0..8 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg("a_killed_run_loses_at_most_the_step_under_way")
            .env(FOLDER, &folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        wait_for_progress(&folder, before);
        assert!(matches!(RunFolder::open(&folder), Err(RunError::Locked(_))), "it is at work");
        std::thread::sleep(Duration::from_micros(1_700 * round));
        child.kill().unwrap();
        child.wait().unwrap();

        let run = RunFolder::open(&folder).unwrap();
        let steps: Vec<(u64, String)> = run.entries().unwrap().map(Result::unwrap).collect();
        assert!(steps.iter().map(|step| step.0).eq(0..steps.len() as u64), "no gap, none twice");
        // The state is that of the last line, or of the one before if the kill fell between.
        let state: u64 = run.read_json("state.json").unwrap().unwrap();
        let last = steps.len() as u64 - 1;
        assert!(state == last || state + 1 == last, "state {state}, last line {last}");
        before = steps.len();
        let hidden = std::fs::read_dir(&folder).unwrap().filter_map(Result::ok);
        let hidden = hidden.filter(|entry| entry.file_name().to_string_lossy().starts_with('.'));
        assert_eq!(hidden.count(), 0, "nothing half written is left");
    }
}

/// Waits until the child has written a few lines more.
fn wait_for_progress(folder: &Path, lines: usize) {
    let begun = Instant::now();
    let written = || {
        let journal = std::fs::read(folder.join("journal.jsonl")).unwrap_or_default();
        journal.iter().filter(|&&byte| byte == b'\n').count()
    };
    while written() < lines + 3 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the child writes nothing");
        std::thread::sleep(Duration::from_millis(1));
    }
}
