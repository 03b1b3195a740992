//! Conversations with the engine as graphical interfaces have them.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rand::Rng;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tesuji_shogi::{Game, Move};

use crate::common::Folder;

/// Nothing may take so long; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// The engine, and what was said on both sides.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    transcript: Vec<String>,
}

impl Engine {
    fn start() -> Self {
        let mut child = Folder::new()
            .command("usi")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, output, transcript: Vec::new() }
    }

    fn say(&mut self, line: &str) {
        self.transcript.push(format!("> {line}"));
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Waits for a line that starts so, and returns all lines up to it.
    fn wait_for(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.output.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("no {start} after {:#?}", self.transcript));
            self.transcript.push(line.clone());
            lines.push(line);
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return lines;
            }
        }
    }

    fn ask(&mut self, line: &str, answer: &str) -> Vec<String> {
        self.say(line);
        self.wait_for(answer)
    }

    /// Ends the conversation: the exit code.
    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            thread::sleep(Duration::from_millis(5));
        }
        self.child.kill().unwrap();
        panic!("the engine does not end after {:#?}", self.transcript);
    }
}

/// The line without what changes from machine to machine and with every change of the search.
fn masked(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        ["info", "depth", ..] => {
            let known = [
                "info", "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull",
                "time", "pv",
            ];
            let words: Vec<&str> = words.into_iter().filter(|word| known.contains(word)).collect();
            words.join(" ")
        }
        ["bestmove", mv, ..] if mv.parse::<Move>().is_ok() => "bestmove MOVE".to_owned(),
        ["id", "name", ..] => "id name".to_owned(),
        ["info", "string", "EvalFile:", ..] => {
            // Each system has its own words for a missing file.
            let (before, after) = line.split_once("phase: ").unwrap();
            format!("{before}phase: WHY;{}", after.split_once(';').unwrap().1)
        }
        _ => line.to_owned(),
    }
}

const CONVERSATION: &str = "\
> usi
id name
id author The Tesuji developers
option name USI_Hash type spin default 64 min 1 max 1048576
option name Threads type spin default 1 min 1 max 256
option name MultiPV type spin default 1 min 1 max 600
option name MinimumThinkingTime type spin default 0 min 0 max 100000
option name NetworkDelay type spin default 120 min 0 max 10000
option name NetworkDelay2 type spin default 120 min 0 max 10000
option name ResignValue type spin default 99999 min 0 max 99999
option name MaxMovesToDraw type spin default 0 min 0 max 30000
option name BookMoves type spin default 16 min 0 max 30000
option name BookMinCount type spin default 1 min 0 max 1000000
option name BookSeed type spin default 0 min 0 max 2147483648
option name USI_Ponder type check default false
option name EnteringKingRule type combo default CSARule27 var NoEnteringKing var CSARule24 var CSARule24H var CSARule27 var CSARule27H var TryRule
option name EvalFile type string default tables
option name CastleFile type string default shipped
option name BookFile type string default no_book
option name BookVeto type check default true
option name Search type combo default alphabeta var alphabeta var greedy
option name Preset type combo default default var default var full-width-2000
usiok
> setoption name USI_Hash value 8
> setoption name USI_Ponder value true
> setoption name EvalFile value material
> setoption name EvalFile value nowhere.toml
> setoption name Threads value many
> setoption name NetworkDelay value 20
> isready
info string EvalFile: nowhere.toml: neither a file that can be read nor one of published, evolved, coevolved, pupil, predictor, extended, tables, phase: WHY; material stays
info string Threads: expected a number from 1 to 256, found \"many\"
readyok
> usinewgame
> position startpos moves 7g7f 3c3d
> go btime 0 wtime 0 byoyomi 200
info depth seldepth score nodes nps hashfull time pv
bestmove MOVE
> go infinite
info depth seldepth score nodes nps hashfull time pv
> isready
info depth seldepth score nodes nps hashfull time pv
readyok
> stop
info depth seldepth score nodes nps hashfull time pv
bestmove MOVE
> position startpos moves 7g7f 3c3d 2g2f 8c8d
> go ponder btime 0 wtime 0 byoyomi 200
info depth seldepth score nodes nps hashfull time pv
> isready
info depth seldepth score nodes nps hashfull time pv
readyok
> ponderhit
info depth seldepth score nodes nps hashfull time pv
bestmove MOVE
> go depth 3 searchmoves 2f2e
info depth seldepth score nodes nps hashfull time pv
bestmove MOVE
> setoption name MultiPV value 2
> go depth 3
info depth seldepth multipv score nodes nps hashfull time pv
bestmove MOVE
> setoption name MultiPV value 1
> position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1
> go mate 60000
checkmate G*5b
> position sfen 4k4/9/9/9/9/9/9/9/9 b P 1
> go mate infinite
checkmate nomate
> hello
info string unknown command hello
> position sfen not/a/board b - 1
> go depth 1 nonsense
info string position: bad start position: SFEN board has 3 ranks, expected 9
info string go: not understood: nonsense
info depth seldepth score nodes nps hashfull time pv
bestmove MOVE
> position sfen 4k4/4G4/4P4/9/9/9/9/9/9 w - 1
> go btime 1000 wtime 1000
bestmove resign
> position sfen +R+R+B+B5/4K4/GGGGSSSS1/9/9/9/9/9/4k4 b - 1
> go btime 1000 wtime 1000
bestmove win
> gameover win
> quit
";

#[test]
fn a_conversation_in_the_order_of_graphical_interfaces() {
    let mut engine = Engine::start();
    engine.ask("usi", "usiok");
    for option in [
        "USI_Hash value 8",
        "USI_Ponder value true",
        "EvalFile value material",
        "EvalFile value nowhere.toml",
        "Threads value many",
        "NetworkDelay value 20",
    ] {
        engine.say(&format!("setoption name {option}"));
    }
    engine.ask("isready", "readyok");
    engine.say("usinewgame");
    engine.say("position startpos moves 7g7f 3c3d");
    engine.ask("go btime 0 wtime 0 byoyomi 200", "bestmove");
    // Questions are answered in between; the answer to an endless search comes after `stop`.
    engine.ask("go infinite", "info");
    thread::sleep(Duration::from_millis(50));
    engine.ask("isready", "readyok");
    engine.ask("stop", "bestmove");
    engine.say("position startpos moves 7g7f 3c3d 2g2f 8c8d");
    engine.ask("go ponder btime 0 wtime 0 byoyomi 200", "info");
    thread::sleep(Duration::from_millis(300));
    engine.ask("isready", "readyok");
    engine.ask("ponderhit", "bestmove");
    let only = engine.ask("go depth 3 searchmoves 2f2e", "bestmove");
    assert!(only.last().unwrap().starts_with("bestmove 2f2e ponder "), "{only:?}");
    engine.say("setoption name MultiPV value 2");
    engine.ask("go depth 3", "bestmove");
    engine.say("setoption name MultiPV value 1");
    engine.say("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1");
    engine.ask("go mate 60000", "checkmate");
    engine.say("position sfen 4k4/9/9/9/9/9/9/9/9 b P 1");
    engine.ask("go mate infinite", "checkmate");
    engine.ask("hello", "info string");
    engine.say("position sfen not/a/board b - 1");
    engine.ask("go depth 1 nonsense", "bestmove");
    engine.say("position sfen 4k4/4G4/4P4/9/9/9/9/9/9 w - 1");
    engine.ask("go btime 1000 wtime 1000", "bestmove");
    engine.say("position sfen +R+R+B+B5/4K4/GGGGSSSS1/9/9/9/9/9/4k4 b - 1");
    engine.ask("go btime 1000 wtime 1000", "bestmove");
    engine.say("gameover win");
    engine.say("quit");
    let mut said: Vec<String> = engine.transcript.iter().map(|line| masked(line)).collect();
    assert_eq!(engine.end(), Some(0));
    said.dedup();
    let said = without_late_info(said);
    assert_eq!(said, without_late_info(CONVERSATION.lines()), "{}", said.join("\n"));
}

/// Leaves out `info` lines behind `isready`, `stop` and `ponderhit`: whether a search reports anything
/// more just then is a matter of chance.
fn without_late_info(lines: impl IntoIterator<Item = impl Into<String>>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for line in lines.into_iter().map(Into::into) {
        let late = kept
            .last()
            .is_some_and(|last| ["> isready", "> stop", "> ponderhit"].contains(&last.as_str()));
        if !(late && line.starts_with("info depth")) {
            kept.push(line);
        }
    }
    kept
}

#[test]
fn every_line_of_a_search_is_legal() {
    let mut engine = Engine::start();
    engine.say("setoption name USI_Hash value 8");
    engine.say("setoption name Threads value 2");
    let start = "startpos moves 7g7f 3c3d 2g2f";
    engine.say(&format!("position {start}"));
    let lines = engine.ask("go nodes 30000", "bestmove");
    let lines: Vec<&str> =
        lines.iter().filter_map(|line| line.split_once(" pv ")).map(|(_, pv)| pv).collect();
    assert!(!lines.is_empty());
    for line in lines {
        Game::from_usi(&format!("{start} {line}")).unwrap();
    }
    engine.say("quit");
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn the_end_of_input_ends_a_search() {
    for go in ["go infinite", "go ponder btime 1000 wtime 1000", "go mate infinite", "go depth 120"]
    {
        let mut engine = Engine::start();
        engine.say("setoption name USI_Hash value 1");
        // A long problem: neither a mate nor its absence is found at once.
        engine.say(
            "position sfen ln5nl/1r1sgk1b1/p1ppppppp/9/1p7/9/PPPPPPPPP/1B1GK2R1/LNS2GSNL b GS 1",
        );
        engine.say(go);
        thread::sleep(Duration::from_millis(100));
        assert_eq!(engine.end(), Some(0), "{go}");
    }
}

#[test]
fn stop_is_answered_soon() {
    let mut engine = Engine::start();
    engine.say("setoption name USI_Hash value 8");
    for _ in 0..5 {
        engine.ask("go infinite", "info");
        let asked = Instant::now();
        engine.ask("stop", "bestmove");
        // By hand it is about a millisecond; a busy machine must not fail the test.
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    }
    engine.say("quit");
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn under_its_other_name_it_needs_no_argument() {
    let folder = Folder::new();
    let link = folder.path(&format!("tesuji-usi{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(env!("CARGO_BIN_EXE_tesuji"), &link).unwrap();
    let mut child =
        Command::new(link).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"usi\nquit\n").unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.ends_with("usiok\n"), "{said}");
}

#[test]
fn parameters_are_listed_on_demand() {
    let said = |arguments: &[&str]| {
        let folder = Folder::new();
        let mut command = folder.command("usi");
        let mut child =
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"usi\nquit\n").unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let (short, long) = (said(&[]), said(&["--parameters"]));
    assert!(short.lines().count() < 25 && long.lines().count() > 50, "{short}\n{long}");
    assert!(long.contains("option name null_move type check default true\n"), "{long}");
    assert!(long.contains("option name aspiration type spin "), "{long}");
}

/// An engine whose address space is small.
#[cfg(target_os = "linux")]
#[test]
fn a_table_that_the_system_refuses_is_no_end() {
    let mut command = Command::new("sh");
    let script = "ulimit -v 800000; exec \"$0\" usi";
    let mut child = command
        .args(["-c", script, env!("CARGO_BIN_EXE_tesuji")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = b"setoption name USI_Hash value 1000\nisready\ngo depth 1\ngo mate 100\n\
        setoption name Threads value 256\ngo depth 2\nquit\n";
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.starts_with("info string USI_Hash: "), "{said}");
    let count = |start: &str| said.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!([count("readyok"), count("bestmove "), count("checkmate ")], [1, 2, 1], "{said}");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_evaluation() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut engine = Engine::start();
    engine.say(&format!("setoption name EvalFile value {}", pipe.display()));
    let lines = engine.ask("isready", "readyok");
    assert!(lines[0].contains("it is not a regular file; tables stays"), "{lines:?}");
    engine.say("quit");
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn the_evaluation_is_explained() {
    let mut engine = Engine::start();
    engine.say("position startpos moves 7g7f");
    let lines = engine.ask("eval", "The evaluation ");
    assert!(lines.iter().any(|line| line.starts_with("To be on the move")), "{lines:?}");
    engine.say("setoption name EvalFile value phase");
    let lines = engine.ask("eval", "The evaluation ");
    assert_eq!(lines[0], "The opening counts 15 sixteenths, the endgame 1.");
    assert!(lines.iter().any(|line| line.starts_with("To be on the move")), "{lines:?}");
    engine.say("setoption name EvalFile value evolved");
    let lines = engine.ask("eval", "The evaluation ");
    assert!(lines.iter().any(|line| line.contains("PAWN")), "{lines:?}");
    engine.say("setoption name EvalFile value material");
    let lines = engine.ask("eval", "The evaluation ");
    assert_eq!(lines, ["The evaluation material gives 0 in the view of white, who is to move."]);
    engine.say("quit");
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn a_game_that_must_end_is_drawn() {
    let mut engine = Engine::start();
    for (limit, drawn) in [("0", false), ("1", true)] {
        engine.say("setoption name EvalFile value material");
        engine.say(&format!("setoption name MaxMovesToDraw value {limit}"));
        engine.say("usinewgame");
        engine.say("position sfen 4k4/9/9/9/9/9/9/9/4K4 b RB 1");
        let lines = engine.ask("go depth 3", "bestmove");
        let last = &lines[lines.len() - 2];
        assert_eq!(last.contains(" score cp 0 "), drawn, "{last}");
    }
    engine.say("quit");
    assert_eq!(engine.end(), Some(0));
}

const WORDS: [&str; 36] = [
    "usi",
    "isready",
    "usinewgame",
    "position",
    "startpos",
    "sfen",
    "moves",
    "7g7f",
    "3c3d",
    "P*5e",
    "go",
    "depth",
    "nodes",
    "movetime",
    "btime",
    "wtime",
    "byoyomi",
    "ponder",
    "infinite",
    "mate",
    "searchmoves",
    "stop",
    "ponderhit",
    "gameover",
    "eval",
    "d",
    "setoption",
    "name",
    "value",
    "MultiPV",
    "Threads",
    "EvalFile",
    "2",
    "-1",
    "99999999999999999999",
    "+R+R+B+B5/9/9/9/9/9/9/9/k8",
];

#[test]
fn nonsense_never_ends_it() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    for _ in 0..3 {
        let mut engine = Engine::start();
        let mut bytes = b"setoption name USI_Hash value 1\n".to_vec();
        for _ in 0..400 {
            let count = random.random_range(0..8);
            if random.random_range(0..3) == 0 {
                bytes.extend((0..count * 8).map(|_| random.random::<u8>()));
            } else {
                let line: Vec<&str> =
                    (0..count).map(|_| WORDS[random.random_range(0..WORDS.len())]).collect();
                bytes.extend(line.join(" ").bytes());
            }
            bytes.push(b'\n');
        }
        bytes.extend(b"\nquit\n");
        engine.input.as_mut().unwrap().write_all(&bytes).unwrap();
        assert_eq!(engine.end(), Some(0), "{}", String::from_utf8_lossy(&bytes));
    }
}
