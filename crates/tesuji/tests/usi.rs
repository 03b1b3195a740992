//! `tesuji usi` in conversation.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use common::Folder;

/// A GUI with an engine.
struct Gui {
    engine: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Gui {
    fn new(folder: &Folder) -> Self {
        let mut command = folder.command("usi");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut engine = command.spawn().unwrap();
        let input = engine.stdin.take().unwrap();
        let output = BufReader::new(engine.stdout.take().unwrap());
        Self { engine, input, output }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The lines up to one that begins like this, `info` lines without their numbers.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "{start}: {lines:?}");
            let line = line.trim_end().to_owned();
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    fn last(&mut self, start: &str) -> String {
        self.until(start).pop().unwrap()
    }

    fn quit(mut self) {
        self.say("quit");
        assert!(self.engine.wait().unwrap().success());
    }
}

#[test]
fn a_conversation_as_guis_have_it() {
    let folder = Folder::new();
    let mut gui = Gui::new(&folder);
    gui.say("usi");
    let told = gui.until("usiok");
    assert!(told[0].starts_with("id name Tesuji"), "{told:?}");
    for option in ["USI_Hash", "Threads", "MultiPV", "EnteringKingRule", "EvalFile", "null_move"] {
        let line = format!("option name {option} type ");
        assert!(told.iter().any(|told| told.starts_with(&line)), "{option}");
    }
    gui.say("setoption name USI_Hash value 16");
    gui.say("setoption name NetworkDelay value 0");
    gui.say("setoption name USI_Ponder value true");
    gui.say("isready");
    assert_eq!(gui.until("readyok"), ["readyok"]);
    gui.say("usinewgame");
    gui.say("position startpos moves 7g7f 3c3d");
    gui.say("go btime 0 wtime 0 byoyomi 100");
    let lines = gui.until("bestmove");
    let info = lines.iter().rev().nth(1).unwrap();
    for word in [" depth ", " seldepth ", " score cp ", " nodes ", " nps ", " hashfull ", " pv "] {
        assert!(info.contains(word), "{word}: {info}");
    }
    // Pondering answers only when it is told.
    gui.say("position startpos moves 7g7f 3c3d 2g2f 8c8d");
    gui.say("go ponder depth 3");
    gui.say("ponderhit");
    gui.last("bestmove");
    gui.say("go infinite");
    gui.say("stop");
    gui.last("bestmove");
    gui.say("go depth 2 searchmoves 1g1f 9g9f");
    let best = gui.last("bestmove");
    assert!(best.contains("1g1f") || best.contains("9g9f"), "{best}");
    gui.say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    gui.say("go mate infinite");
    assert_eq!(gui.last("checkmate"), "checkmate G*5b");
    gui.say("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1");
    gui.say("go mate 1000");
    assert_eq!(gui.last("checkmate"), "checkmate nomate");
    gui.say("setoption name MultiPV value 2");
    gui.say("position startpos");
    gui.say("go nodes 3000");
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")), "{lines:?}");
    gui.say("gameover win");
    gui.quit();
}

#[test]
fn mistakes_are_told_and_change_nothing() {
    let folder = Folder::new();
    let mut gui = Gui::new(&folder);
    for (line, expected) in [
        ("hello", "info string unknown command"),
        ("position startpos moves 7g7e", "info string position:"),
        ("setoption name Threads value x", "info string Threads:"),
        ("setoption name Nothing value 1", "info string no option"),
    ] {
        gui.say(line);
        let told = gui.last("info string");
        assert!(told.starts_with(expected), "{line}: {told}");
    }
    gui.say("setoption name USI_Hash value 1");
    gui.say("setoption name EvalFile value nowhere.toml");
    gui.say("isready");
    let told = gui.until("readyok");
    assert!(told[0].starts_with("info string EvalFile: nowhere.toml"), "{told:?}");
    gui.say("go depth 1");
    assert_ne!(gui.last("bestmove"), "bestmove resign");
    gui.quit();
}

#[test]
fn the_end_of_the_game_and_of_the_input() {
    let folder = Folder::new();
    let mut gui = Gui::new(&folder);
    gui.say("setoption name USI_Hash value 1");
    // White is mated.
    gui.say("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    gui.say("go depth 5");
    assert_eq!(gui.last("bestmove"), "bestmove resign");
    // Black's king has entered with all that it needs.
    gui.say("position sfen KRRBBGGGG/SSSS5/9/9/9/9/9/9/8k b 4N4L18P 1");
    gui.say("go btime 1000 wtime 1000");
    assert_eq!(gui.last("bestmove"), "bestmove win");
    gui.say("position startpos");
    gui.say("go infinite");
    drop(gui.input);
    assert!(gui.engine.wait().unwrap().success());
}

#[test]
fn nonsense_is_survived() {
    let folder = Folder::new();
    let mut gui = Gui::new(&folder);
    let mut number: u64 = 3;
    for _ in 0..300 {
        let mut line = Vec::new();
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        for _ in 0..number >> 58 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            line.push((number >> 40) as u8);
        }
        line.retain(|&byte| byte != b'\n');
        line.push(b'\n');
        gui.input.write_all(&line).unwrap();
    }
    gui.say("position");
    gui.say("position sfen");
    gui.say("go depth 1 mate");
    gui.say("stop");
    gui.say("setoption name USI_Hash value 1");
    gui.say("isready");
    gui.last("readyok");
    gui.quit();
}
