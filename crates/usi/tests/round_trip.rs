//! What one side writes the other reads as the same thing, and no line makes either side panic.

use std::time::Duration;

use proptest::prelude::*;
use tesuji_shogi::{Game, Handicap, Move, Score};
use tesuji_usi::command::{self, Command, GameOver, Go, MateTime, Times};
use tesuji_usi::{
    BestMove, Checkmate, InfoLine, OptionDeclaration, OptionKind, Response, ScoreBound, response,
};

/// A move of the notation, possible or not.
fn any_move() -> impl Strategy<Value = Move> {
    prop_oneof!["[1-9][a-i][1-9][a-i][+]?", "[PLNSGBR][*][1-9][a-i]"]
        .prop_filter_map("not a move", |text| text.parse().ok())
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    prop::collection::vec(any_move(), 0..6)
}

/// One to three words, none of which is a keyword.
fn words() -> impl Strategy<Value = String> {
    "[A-Z_][A-Za-z0-9_/.-]{0,8}( [A-Z0-9][A-Za-z0-9]{0,5}){0,2}"
}

/// A remark: anything on one line.
fn remark() -> impl Strategy<Value = String> {
    "\\PC{0,40}".prop_map(|text| text.trim().to_owned())
}

/// Times have milliseconds and no more.
fn time() -> impl Strategy<Value = Duration> {
    (0..1u64 << 40).prop_map(Duration::from_millis)
}

/// A game that was played by chance.
fn game() -> impl Strategy<Value = Game> {
    let start = prop::sample::select(&[Handicap::Even, Handicap::Lance, Handicap::TwoPiece][..]);
    (start, prop::collection::vec(any::<prop::sample::Index>(), 0..30)).prop_map(
        |(handicap, choices)| {
            let mut game = Game::new(handicap.position());
            for choice in choices {
                let legal = game.position().legal_moves();
                if !legal.is_empty() {
                    game.play(legal[choice.index(legal.len())]).unwrap();
                }
            }
            game
        },
    )
}

fn times() -> impl Strategy<Value = Times> {
    // Zeros are not written everywhere, so they must be common.
    let some = || prop_oneof![Just(Duration::ZERO), time()];
    ([some(), some()], [some(), some()], some()).prop_map(|(left, increment, byoyomi)| Times {
        left,
        increment,
        byoyomi,
    })
}

fn go() -> impl Strategy<Value = Go> {
    let mate = prop_oneof![Just(MateTime::Infinite), time().prop_map(MateTime::Limited)];
    (
        any::<[bool; 2]>(),
        prop::option::of(times()),
        any::<Option<u32>>(),
        any::<Option<u64>>(),
        prop::option::of(time()),
        prop::option::of(mate),
        moves(),
    )
        .prop_map(|([ponder, infinite], times, depth, nodes, move_time, mate, moves)| Go {
            ponder,
            infinite,
            times,
            depth,
            nodes,
            move_time,
            mate,
            moves,
            no_moves: Vec::new(),
            strange: Vec::new(),
        })
}

fn any_command() -> impl Strategy<Value = Command> {
    let over = prop::sample::select(&[GameOver::Win, GameOver::Lose, GameOver::Draw][..]);
    prop_oneof![
        prop::sample::select(vec![
            Command::Usi,
            Command::IsReady,
            Command::NewGame,
            Command::Stop,
            Command::PonderHit,
            Command::Quit,
            Command::Eval,
            Command::Show,
        ]),
        prop::option::of(over).prop_map(Command::GameOver),
        (words(), prop::option::of(prop_oneof![Just(String::new()), words()]))
            .prop_map(|(name, value)| Command::SetOption { name, value }),
        game().prop_map(|game| Command::Position(Box::new(game))),
        go().prop_map(Command::Go),
    ]
}

fn score() -> impl Strategy<Value = Score> {
    let plies = || 0..=i32::MAX as u32;
    prop_oneof![
        any::<i32>().prop_map(Score::Centipawns),
        plies().prop_map(Score::MateIn),
        plies().prop_map(Score::MatedIn),
        Just(Score::MateIn(0)),
        Just(Score::MatedIn(0)),
    ]
}

fn info() -> impl Strategy<Value = InfoLine> {
    let bound =
        prop::sample::select(&[ScoreBound::Exact, ScoreBound::Lower, ScoreBound::Upper][..]);
    (
        any::<(Option<u32>, Option<usize>, Option<usize>)>(),
        (prop::option::of(score()), bound),
        any::<(Option<u64>, Option<u64>, Option<u32>)>(),
        prop::option::of(time()),
        prop::option::of(prop::collection::vec(any_move(), 1..6)),
        prop::option::of(remark()),
    )
        .prop_map(|(plies, (score, bound), (nodes, nps, hashfull), time, pv, string)| {
            let (depth, seldepth, multipv) = plies;
            InfoLine {
                depth,
                seldepth,
                multipv,
                score,
                bound,
                nodes,
                nps,
                hashfull,
                time,
                pv,
                string,
            }
        })
}

fn option() -> impl Strategy<Value = OptionDeclaration> {
    let text = || prop_oneof![Just(String::new()), words()];
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        (words(), prop::collection::vec(words(), 0..5))
            .prop_map(|(default, vars)| OptionKind::Combo { default, vars }),
        Just(OptionKind::Button),
        text().prop_map(|default| OptionKind::String { default }),
        text().prop_map(|default| OptionKind::Filename { default }),
    ];
    (words(), kind).prop_map(|(name, kind)| OptionDeclaration { name, kind })
}

fn any_response() -> impl Strategy<Value = Response> {
    let best_move = prop_oneof![
        (any_move(), prop::option::of(any_move()))
            .prop_map(|(mv, ponder)| BestMove::Move { mv, ponder }),
        Just(BestMove::Resign),
        Just(BestMove::Win),
    ];
    let checkmate = prop_oneof![
        prop::collection::vec(any_move(), 1..9).prop_map(Checkmate::Mate),
        Just(Checkmate::NoMate),
        Just(Checkmate::Timeout),
        Just(Checkmate::NotImplemented),
    ];
    prop_oneof![
        remark().prop_map(Response::Name),
        remark().prop_map(Response::Author),
        Just(Response::UsiOk),
        Just(Response::ReadyOk),
        option().prop_map(Response::Option),
        info().prop_map(|info| Response::Info(Box::new(info))),
        best_move.prop_map(Response::BestMove),
        checkmate.prop_map(Response::Checkmate),
    ]
}

/// Words of the protocol, in any order, and other things between them.
fn nonsense() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "usi",
        "isready",
        "setoption",
        "name",
        "value",
        "position",
        "startpos",
        "sfen",
        "moves",
        "7g7f",
        "P*5e",
        "P@5e",
        "go",
        "ponder",
        "btime",
        "byoyomi",
        "binc",
        "mate",
        "infinite",
        "searchmoves",
        "gameover",
        "id",
        "option",
        "type",
        "spin",
        "combo",
        "check",
        "string",
        "default",
        "min",
        "max",
        "var",
        "<empty>",
        "info",
        "depth",
        "multipv",
        "score",
        "cp",
        "-",
        "+",
        "lowerbound",
        "time",
        "pv",
        "bestmove",
        "resign",
        "checkmate",
        "nomate",
        "-1",
        "99999999999999999999",
        "長い",
        "\u{feff}",
        "\u{0}",
        "",
    ];
    let word = prop_oneof![
        8 => prop::sample::select(WORDS).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn commands(command in any_command()) {
        let line = command.to_string();
        prop_assert_eq!(command::parse(&line), Ok(Some(command)), "{}", line);
    }

    #[test]
    fn responses(response in any_response()) {
        let line = response.to_string();
        prop_assert_eq!(response::parse(&line), Ok(Some(response)), "{}", line);
    }

    /// What is read is written so that it is read the same again.
    #[test]
    fn no_line_makes_a_reader_panic(line in nonsense()) {
        if let Ok(Some(Command::Go(go))) = command::parse(&line) {
            // What could not be read is told, and not written again.
            let go = Go { strange: Vec::new(), no_moves: Vec::new(), ..go };
            prop_assert_eq!(command::parse(&go.to_string()), Ok(Some(Command::Go(go))));
        } else if let Ok(Some(command)) = command::parse(&line) {
            prop_assert_eq!(command::parse(&command.to_string()), Ok(Some(command)));
        }
        if let Ok(Some(response)) = response::parse(&line) {
            prop_assert_eq!(response::parse(&response.to_string()), Ok(Some(response)));
        }
    }
}
