//! Processes that fork, spin or do not listen leave nothing behind, and nobody waits for them.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::ErrorKind;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use tesuji_usi::process::{Process, ProcessEvent};

fn script(text: &str) -> Process {
    Process::start(Command::new("sh").args(["-c", text])).unwrap()
}

/// The next line, which is a number.
fn number(process: &Process) -> u32 {
    match process.hear(Instant::now() + Duration::from_secs(20)) {
        Ok(ProcessEvent::Line(line, _)) => line.parse().unwrap(),
        _ => panic!("no number"),
    }
}

/// Is there such a process? One that has ended and whose parent does not care is none.
fn lives(pid: u32) -> bool {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = text.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| state != 'Z' && state != 'X')
}

fn ends_soon(pid: u32) {
    let deadline = Instant::now() + Duration::from_secs(5);
    while lives(pid) {
        assert!(Instant::now() < deadline, "{pid} is still there");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn children_end_with_their_process() {
    // It goes when it is told to, but its child does not; nor does that child's.
    let forks = "sh -c 'sleep 1000 & echo $!; wait' & echo $!; read line";
    let process = script(forks);
    let (first, second) = (number(&process), number(&process));
    assert!(lives(first) && lives(second));
    drop(process);
    ends_soon(first);
    ends_soon(second);
}

#[test]
fn a_process_that_spins_is_ended() {
    let mut process = script("echo $$; while :; do :; done");
    let own = number(&process);
    process.kill();
    ends_soon(own);
}

#[test]
fn a_process_that_does_not_listen_holds_nobody() {
    let mut process = script("echo $$; exec sleep 1000");
    let own = number(&process);
    let started = Instant::now();
    // More than a pipe holds.
    let error = process.say(&"x".repeat(1 << 20)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert!(process.say("and more").is_err());
    drop(process);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    ends_soon(own);
}
