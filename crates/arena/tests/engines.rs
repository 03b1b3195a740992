//! Engines behind a pipe, most of which misbehave: each fault is that engine's loss, and the next game
//! begins with a new engine.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tesuji_arena::player::{Chance, OwnEngine, UsiCommand, UsiEngine};
use tesuji_arena::{FaultKind, Fixture, GameLine, Played, Player, Seats, Terms, TimeControl};
use tesuji_search::{AlphaBeta, Material};
use tesuji_shogi::{Color, EndReason, Game, GameResult, Position, Rules};

fn fake(manner: &str) -> UsiEngine {
    UsiEngine::new(UsiCommand {
        program: env!("CARGO_BIN_EXE_fake-engine").to_owned(),
        arguments: vec![manner.to_owned()],
        options: vec![("USI_Hash".to_owned(), "16".to_owned())],
        at_drops: false,
    })
}

fn own() -> OwnEngine {
    OwnEngine::new(Box::new(AlphaBeta::new(Material::default(), 1)))
}

fn terms() -> Terms {
    Terms {
        rules: Rules { max_moves: Some(40), ..Rules::default() },
        resign: None,
        draw: None,
        margin: Duration::from_millis(100),
        patience: Duration::from_secs(2),
    }
}

/// White has a limit of nodes; what Black has is up to the test.
fn play(black: &mut dyn Player, white: &mut dyn Player, control: TimeControl) -> Played {
    let opening = Game::new(Position::startpos());
    let stop = AtomicBool::new(false);
    let mut seats = Seats::Two([black, white]);
    tesuji_arena::game::play(
        &opening,
        &mut seats,
        [control, NODES],
        &terms(),
        Chance::of_game(0, 1, 2),
        &stop,
    )
    .unwrap()
}

/// Black misbehaves in two games, one after the other.
fn blamed(manner: &str, control: TimeControl, kind: FaultKind, reason: EndReason) -> Played {
    let (mut black, mut white) = (fake(manner), own());
    let started = Instant::now();
    let mut last = None;
    for _ in 0..2 {
        let played = play(&mut black, &mut white, control);
        assert_eq!(played.result, GameResult::win(Color::White, reason), "{manner}");
        let (color, fault) = played.fault.as_ref().unwrap();
        assert_eq!((*color, fault.kind), (Color::Black, kind), "{manner}: {fault:?}");
        // Two good moves of each side came before, in the second game too: the engine is a new one.
        if kind != FaultKind::Start {
            assert_eq!(played.game.moves().len(), 4, "{manner}");
        }
        if !matches!(kind, FaultKind::Start | FaultKind::Flood) {
            assert!(fault.lines.iter().any(|line| line.starts_with("> go")), "{fault:?}");
        }
        last = Some(played);
    }
    assert!(started.elapsed() < Duration::from_secs(40), "{manner}");
    last.unwrap()
}

const NODES: TimeControl = TimeControl {
    base: 0,
    increment: 0,
    byoyomi: 0,
    move_time: None,
    nodes: Some(100),
    depth: None,
};
const MOVE_TIME: TimeControl = TimeControl { move_time: Some(100), nodes: None, ..NODES };

#[test]
fn a_good_engine_plays_a_game_and_its_thoughts_are_kept() {
    let (mut black, mut white) = (fake("good"), own());
    assert_eq!(black.introduce().unwrap().as_deref(), Some("Fake"));
    let played = play(&mut black, &mut white, NODES);
    assert_eq!(played.fault, None);
    assert_eq!(played.thoughts.len(), played.game.moves().len());
    assert_eq!(played.thoughts[0].score, Some(25));
    assert_eq!((played.thoughts[0].depth, played.thoughts[0].nodes), (Some(3), Some(40)));
    assert!(played.thoughts[1].nodes.is_some_and(|nodes| nodes >= 30));
}

#[test]
fn a_crash_loses() {
    let played = blamed("crash", NODES, FaultKind::Crash, EndReason::Forfeit);
    let (_, fault) = played.fault.unwrap();
    assert!(fault.detail.contains('7'), "{fault:?}");
    assert!(fault.lines.iter().any(|line| line.contains("! assertion failed")), "{fault:?}");
}

#[test]
fn wrong_moves_lose() {
    let played = blamed("illegal", NODES, FaultKind::IllegalMove, EndReason::IllegalMove);
    let (_, fault) = played.fault.unwrap();
    assert!(fault.lines.iter().any(|line| line == "< bestmove 5i5a"), "{fault:?}");
    blamed("syntax", NODES, FaultKind::BadAnswer, EndReason::IllegalMove);
    blamed("empty", NODES, FaultKind::BadAnswer, EndReason::IllegalMove);
    blamed("declare", NODES, FaultKind::FalseDeclaration, EndReason::IllegalMove);
}

#[test]
fn late_answers_lose() {
    blamed("slow", MOVE_TIME, FaultKind::Overtime, EndReason::TimeUp);
    let byoyomi = TimeControl { byoyomi: 150, nodes: None, ..NODES };
    blamed("slow", byoyomi, FaultKind::Overtime, EndReason::TimeUp);
}

#[test]
fn silence_loses_with_and_without_a_clock() {
    blamed("silent", MOVE_TIME, FaultKind::Silence, EndReason::TimeUp);
    blamed("silent", NODES, FaultKind::Silence, EndReason::TimeUp);
}

#[test]
fn floods_lose() {
    let hour = TimeControl { base: 3_600_000, nodes: None, ..NODES };
    blamed("flood", hour, FaultKind::Flood, EndReason::Forfeit);
    blamed("endless-line", hour, FaultKind::Flood, EndReason::Forfeit);
}

#[test]
fn an_engine_that_does_not_start_loses() {
    blamed("exit-at-start", NODES, FaultKind::Start, EndReason::Forfeit);
    let nowhere = UsiCommand { program: "no/such/engine".to_owned(), ..UsiCommand::default() };
    let fault = UsiEngine::new(nowhere).introduce().unwrap_err();
    assert_eq!(fault.kind, FaultKind::Start);
    assert!(fault.detail.starts_with("no/such/engine: "), "{fault}");
}

#[test]
fn a_resignation_is_no_fault() {
    let played = play(&mut fake("resign"), &mut own(), NODES);
    assert_eq!(played.fault, None);
    assert_eq!(played.result, GameResult::win(Color::White, EndReason::Resignation));
}

#[test]
fn a_line_of_the_journal_gives_the_game_back() {
    let played = play(&mut fake("illegal"), &mut own(), MOVE_TIME);
    let fixture = Fixture { number: 4, opening: 2, black: 0, white: 1 };
    let line = GameLine::new(&fixture, &played, true);
    let text = serde_json::to_string(&line).unwrap();
    let read: GameLine = serde_json::from_str(&text).unwrap();
    assert_eq!(read, line);
    assert_eq!(read.at_fault(), Some((1, FaultKind::IllegalMove)));
    assert_eq!(
        (read.half_points(1), read.half_points(2), read.half_points(3)),
        (Some(0), Some(2), None)
    );
    let names = ["fake".to_owned(), "own".to_owned()];
    let record = read.record(&names, "a match").unwrap();
    assert_eq!(record.moves().collect::<Vec<_>>(), played.game.moves());
    assert_eq!(record.result(), played.result);
    assert_eq!(record.main.moves[0].comments, ["* 25 #40"]);
    assert!(record.main.moves[0].time.is_some());
    assert!(tesuji_records::csa::write(&record).unwrap().contains("'** 25 #40\n"));
}
