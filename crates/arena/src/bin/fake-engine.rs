//! An engine that misbehaves on purpose, for the tests of the arena: the first argument says how.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use tesuji_shogi::Game;

fn main() -> ExitCode {
    let manner = std::env::args().nth(1).unwrap_or_default();
    if manner == "exit-at-start" {
        return ExitCode::from(3);
    }
    let mut game = None;
    let mut searches = 0;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match line.split_whitespace().next() {
            Some("usi") => {
                if manner == "mute" {
                    sleep(Duration::from_secs(60));
                }
                say("id name Fake\nusiok");
            }
            Some("isready") => say("readyok"),
            Some("position") => game = Game::from_usi(&line).ok(),
            Some("go") => {
                searches += 1;
                let Some(game) = &game else { continue };
                // Two good moves first, so that there is a game to lose.
                let manner = if searches <= 2 { "good" } else { &*manner };
                if !go(manner, game) {
                    return ExitCode::from(7);
                }
            }
            Some("quit") => break,
            _ => {}
        }
    }
    ExitCode::SUCCESS
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}

/// Answers `go` in a manner; false for an engine that breaks down.
fn go(manner: &str, game: &Game) -> bool {
    let moves = game.position().legal_moves();
    // The square of the last move makes games differ a little.
    let index = game.moves().len() * 7 % moves.len().max(1);
    let Some(mv) = moves.get(index) else {
        say("bestmove resign");
        return true;
    };
    match manner {
        "crash" => {
            eprintln!("assertion failed: something went wrong");
            return false;
        }
        "illegal" => say("info depth 1 score cp 10\nbestmove 5i5a"),
        "syntax" => say("bestmove e2e4e5"),
        "empty" => say("bestmove"),
        "declare" => say("bestmove win"),
        "silent" => {}
        "slow" => {
            sleep(Duration::from_millis(700));
            say(&format!("bestmove {mv}"));
        }
        "flood" => loop {
            if writeln!(io::stdout(), "info string {}", "x".repeat(500)).is_err() {
                return false;
            }
        },
        "endless-line" => loop {
            if io::stdout().write_all(&[b'x'; 4096]).is_err() {
                return false;
            }
        },
        "resign" => say("bestmove resign"),
        _ => say(&format!("info depth 3 score cp 25 nodes 40 pv {mv}\nbestmove {mv} ponder 3c3d")),
    }
    true
}
