//! Both sides in one process: our engine at the one end of two pipes, the readers and writers of an
//! interface at the other.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tesuji_search::spec::Evaluation;
use tesuji_shogi::{Game, Score};
use tesuji_usi::command::{Command, Go, MateTime, position_line};
use tesuji_usi::{BestMove, Checkmate, InfoLine, OptionKind, Response, UsiError, response};

struct Interface {
    engine: JoinHandle<Result<(), UsiError>>,
    input: PipeWriter,
    output: BufReader<PipeReader>,
}

impl Interface {
    fn new() -> Self {
        let (commands, input) = pipe().unwrap();
        let (output, answers) = pipe().unwrap();
        let engine = thread::spawn(move || {
            let explain = |evaluation: &Evaluation, game: &Game| {
                format!("{}: {} moves\n", evaluation.name(), game.moves().len())
            };
            tesuji_usi::run(BufReader::new(commands), answers, explain, false)
        });
        Self { engine, input, output: BufReader::new(output) }
    }

    fn say(&mut self, command: &Command) {
        writeln!(self.input, "{command}").unwrap();
    }

    fn set(&mut self, name: &str, value: &str) {
        self.say(&Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) });
    }

    fn read_line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "the engine has ended");
        line.trim_end().to_owned()
    }

    /// All responses up to the one that is wanted. Each is written as the engine wrote it.
    fn wait(&mut self, wanted: impl Fn(&Response) -> bool) -> Vec<Response> {
        let mut heard = Vec::new();
        loop {
            let line = self.read_line();
            let response = response::parse(&line).unwrap().unwrap_or_else(|| panic!("{line}"));
            assert_eq!(response.to_string(), line);
            heard.push(response);
            if heard.last().is_some_and(&wanted) {
                return heard;
            }
        }
    }

    /// Asks for a move: what was said before it, and the move.
    fn search(&mut self, go: Go) -> (Vec<InfoLine>, BestMove) {
        self.say(&Command::Go(go));
        let mut heard = self.wait(|response| matches!(response, Response::BestMove(_)));
        let Some(Response::BestMove(best)) = heard.pop() else { unreachable!() };
        let infos = heard.into_iter().map(|response| match response {
            Response::Info(info) => *info,
            other => panic!("{other}"),
        });
        (infos.collect(), best)
    }
}

#[test]
fn both_sides_understand_each_other() {
    let mut interface = Interface::new();
    interface.say(&Command::Usi);
    let introduction = interface.wait(|response| *response == Response::UsiOk);
    assert!(matches!(&introduction[0], Response::Name(name) if name.starts_with("Tesuji ")));
    let threads = introduction.iter().find_map(|response| match response {
        Response::Option(option) if option.name == "Threads" => Some(&option.kind),
        _ => None,
    });
    assert_eq!(threads, Some(&OptionKind::Spin { default: 1, min: 1, max: 256 }));

    interface.set("USI_Hash", "1");
    interface.set("EvalFile", "material");
    interface.set("MultiPV", "2");
    interface.say(&Command::IsReady);
    assert_eq!(interface.wait(|_| true), [Response::ReadyOk]);

    let game = Game::from_usi("startpos moves 7g7f 3c3d").unwrap();
    interface.say(&Command::Position(Box::new(game.clone())));
    let (infos, best) = interface.search(Go { depth: Some(3), ..Go::default() });
    let BestMove::Move { mv, .. } = best else { panic!("{best}") };
    assert!(game.position().is_legal(mv));
    let last = infos.iter().rfind(|info| info.multipv == Some(1)).unwrap();
    assert_eq!((last.depth, last.pv.as_ref().unwrap()[0]), (Some(3), mv));

    let mate = Game::from_usi("sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
    writeln!(interface.input, "{}", position_line(&mate)).unwrap();
    interface.set("MultiPV", "1");
    let (infos, best) = interface.search(Go { depth: Some(3), ..Go::default() });
    assert_eq!(infos.last().unwrap().score, Some(Score::MateIn(1)));
    assert_eq!(best.to_string(), "bestmove G*5b");
    interface.say(&Command::Go(Go { mate: Some(MateTime::Infinite), ..Go::default() }));
    let moves = vec!["G*5b".parse().unwrap()];
    assert_eq!(interface.wait(|_| true), [Response::Checkmate(Checkmate::Mate(moves))]);
}

#[test]
fn eval_is_explained_by_whoever_runs_the_engine() {
    let mut interface = Interface::new();
    interface.set("EvalFile", "material");
    interface.say(&Command::Position(Box::new(Game::from_usi("startpos moves 7g7f").unwrap())));
    interface.say(&Command::Eval);
    assert_eq!(interface.read_line(), "material: 1 moves");
    let score = "The evaluation material gives 0 in the view of white, who is to move.";
    assert_eq!(interface.read_line(), score);
    interface.say(&Command::Quit);
    assert!(interface.engine.join().unwrap().is_ok());
}

#[test]
fn a_line_over_the_limit_is_dropped_whole() {
    let mut interface = Interface::new();
    interface.set("EvalFile", "material");
    // Whatever stands behind the limit is no command of its own.
    let mut line = vec![b' '; 1 << 20];
    line.extend(b"\nquit\n");
    line.splice(0..0, *b"position startpos moves 7g7f quit quit quit");
    interface.input.write_all(&line[..line.len() - 5]).unwrap();
    let heard = interface.wait(|_| true);
    let dropped = "info string a line that is longer than any command was dropped";
    assert_eq!(heard[0].to_string(), dropped);
    interface.say(&Command::Eval);
    assert_eq!(interface.read_line(), "material: 0 moves");
    interface.read_line();
    // One of just the largest size is read.
    let mut line = b"position startpos moves 7g7f".to_vec();
    line.resize(1 << 20, b' ');
    line.push(b'\n');
    interface.input.write_all(&line).unwrap();
    interface.say(&Command::Eval);
    assert_eq!(interface.read_line(), "material: 1 moves");
}

#[test]
fn there_is_a_line_at_least_every_second() {
    /// A long problem: neither a mate nor its absence is found soon.
    const HARD: &str = "sfen 4k4/9/9/9/9/9/9/9/9 b 2B4N4Lr4g4s18p 1";
    let mut interface = Interface::new();
    interface.set("USI_Hash", "4");
    let mate = Go { mate: Some(MateTime::Infinite), ..Go::default() };
    for (position, go) in [(HARD, mate), ("startpos", Go { infinite: true, ..Go::default() })] {
        interface.say(&Command::Position(Box::new(Game::from_usi(position).unwrap())));
        interface.say(&Command::Go(go));
        let began = Instant::now();
        let mut last = began;
        while began.elapsed() < Duration::from_millis(3500) {
            let heard = interface.wait(|_| true);
            let [Response::Info(info)] = &heard[..] else { panic!("{heard:?}") };
            assert!(info.nodes.is_some_and(|nodes| nodes > 0) && info.time.is_some(), "{heard:?}");
            // A second, and something for a busy machine.
            assert!(last.elapsed() < Duration::from_millis(1500), "{:?}", last.elapsed());
            last = Instant::now();
        }
        interface.say(&Command::Stop);
        interface.wait(|heard| matches!(heard, Response::BestMove(_) | Response::Checkmate(_)));
    }
}

#[test]
fn the_end_of_the_input_ends_the_conversation() {
    let Interface { engine, input, .. } = Interface::new();
    drop(input);
    assert!(engine.join().unwrap().is_ok());
}
