//! Running the real command, and games to run it on.

// Each test program uses its own part of this.
#![allow(dead_code)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use tesuji_records::{Ending, GameRecord, Header, tsv};
use tesuji_shogi::{EndReason, GameResult, Position};

/// A folder to work in.
pub struct Folder(TempDir);

/// What a run of the command left behind.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of everything in the folder.
    pub fn names(&self) -> Vec<String> {
        names_in(self.0.path())
    }

    /// The command with these arguments, split at spaces, in this folder.
    pub fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.args(args.split_whitespace()).current_dir(self.0.path());
        command
    }

    pub fn run(&self, args: &str) -> Ran {
        finish(self.command(args).stdin(Stdio::null()))
    }

    pub fn run_with(&self, args: &str, stdin: &str) -> Ran {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that refuses its arguments does not wait for what it would read.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        ran(child.wait_with_output().unwrap())
    }
}

pub fn finish(command: &mut Command) -> Ran {
    ran(command.output().unwrap())
}

fn ran(output: std::process::Output) -> Ran {
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Ran {
    /// The one JSON object that a good run printed, and nothing else.
    pub fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{self:?}");
        assert_eq!(self.stderr, "", "{self:?}");
        self.any_json()
    }

    /// The same of games: beside it the run says where it is, and writes a line for each game.
    pub fn games_json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{self:?}");
        let told =
            |line: &str| line.starts_with("the run is kept in ") || line.starts_with("game ");
        assert!(self.stderr.lines().all(told), "{self:?}");
        self.any_json()
    }

    /// The one JSON object of a run, whatever its exit code.
    pub fn any_json(&self) -> Value {
        assert_eq!(self.stdout.lines().count(), 1, "{self:?}");
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// The one line with which the command failed.
    pub fn failure(&self) -> &str {
        assert!(matches!(self.code, Some(1 | 2)), "{self:?}");
        // A run of games that was resumed has said where it is.
        let mut lines = self.stderr.lines().skip_while(|line| line.starts_with("the run is kept "));
        let (line, more) = (lines.next().unwrap_or_default(), lines.next());
        assert_eq!(more, None, "{self:?}");
        line.strip_prefix("tesuji: ").unwrap_or_else(|| panic!("{self:?}")).trim_end()
    }
}

pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A game of legal moves that the number decides.
pub fn made_up_game(number: u64) -> GameRecord {
    let mut game = GameRecord::new(Position::startpos());
    let mut position = game.start;
    let mut state = number;
    for _ in 0..30 + number % 40 {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[(state >> 33) as usize % moves.len()];
        game.main.moves.push(mv.into());
        position.play_unchecked(mv);
    }
    game.add_header(Header::STARTED, "2024/05/06");
    game.add_header(Header::BLACK, &format!("先手{number}"));
    game.add_header(Header::WHITE, "後手");
    let winner = !position.side_to_move();
    game.main.ending = Some(Ending::new(GameResult::win(winner, EndReason::Resignation)));
    game
}

/// A collection of made-up games.
pub fn made_up_rows(numbers: impl IntoIterator<Item = u64>) -> String {
    let rows: String = numbers.into_iter().map(|n| tsv::write_game(&made_up_game(n))).collect();
    format!("{}\n{rows}", tsv::HEADER_LINE)
}
