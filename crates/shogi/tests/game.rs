//! Games: how they end, why moves are refused, and their USI text.

mod common;

use common::Random;
use proptest::prelude::*;
use tesuji_shogi::{
    Color, EndReason, Game, GameResult, Handicap, IllegalMove, Illegality, Move, Position,
    PositionError, Rules, SfenError, UsiPositionError,
};

fn limit(max_moves: u16) -> Rules {
    Rules { max_moves: Some(max_moves), ..Rules::default() }
}

/// Black mates at once: a gold drop before the king.
const MATE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b Gp 1 moves G*5b";

#[test]
fn checkmate_loses() {
    let game = Game::from_usi(MATE).unwrap();
    let mate = GameResult::win(Color::Black, EndReason::Checkmate);
    assert_eq!(game.result(&Rules::default()), Some(mate));
}

#[test]
fn no_legal_move_loses_without_a_check() {
    // White has only the king, whose every step is guarded.
    let lost = GameResult::win(Color::Black, EndReason::NoLegalMove);
    let game = Game::from_usi("sfen 8k/6G2/8G/9/9/9/9/9/4K4 b - 1 moves 1c2c").unwrap();
    assert!(!game.position().in_check());
    assert_eq!(game.result(&Rules::default()), Some(lost));
}

#[test]
fn the_game_is_drawn_after_its_last_move() {
    let mut game = Game::from_usi("startpos moves 7g7f 3c3d").unwrap();
    assert_eq!(game.result(&limit(3)), None);
    game.play("2g2f".parse().unwrap()).unwrap();
    assert_eq!(game.result(&limit(3)), Some(GameResult::draw(EndReason::MoveLimit)));
    assert_eq!(game.result(&limit(4)), None);
    assert_eq!(game.result(&Rules::default()), None);
}

#[test]
fn moves_before_the_start_position_count_toward_the_limit() {
    let start = Position::from_sfen(&Position::STARTPOS.replace("b - 1", "b - 25")).unwrap();
    let mut game = Game::new(start);
    assert_eq!(game.result(&limit(25)), None);
    game.play("7g7f".parse().unwrap()).unwrap();
    assert_eq!(game.result(&limit(25)), Some(GameResult::draw(EndReason::MoveLimit)));
}

#[test]
fn mate_and_perpetual_check_come_before_the_limit() {
    let mate = GameResult::win(Color::Black, EndReason::Checkmate);
    assert_eq!(Game::from_usi(MATE).unwrap().result(&limit(1)), Some(mate));
    let chase = " 9b9a 1a1b 9a9b 1b1a".repeat(3);
    let game = Game::from_usi(&format!("8k/R8/9/9/9/9/9/9/K8 b - 1 moves{chase}")).unwrap();
    let lost = GameResult::win(Color::White, EndReason::PerpetualCheck);
    assert_eq!(game.result(&limit(12)), Some(lost));
    let shuffle = " 2h3h 8b7b 3h2h 7b8b".repeat(3);
    let game = Game::from_usi(&format!("startpos moves{shuffle}")).unwrap();
    assert_eq!(game.result(&limit(12)), Some(GameResult::draw(EndReason::Repetition)));
}

#[test]
fn players_and_clock_end_the_game() {
    let ended_by = |end: &dyn Fn(&mut Game)| {
        let mut game = Game::from_usi("startpos moves 7g7f").unwrap();
        end(&mut game);
        game.result(&Rules::default())
    };
    for color in Color::ALL {
        let lost = |reason| GameResult::win(!color, reason);
        let resigned = ended_by(&|game| game.resign(color));
        assert_eq!(resigned, Some(lost(EndReason::Resignation)));
        for reason in [EndReason::TimeUp, EndReason::IllegalMove] {
            assert_eq!(ended_by(&|game| game.end(lost(reason))), Some(lost(reason)));
        }
    }
}

#[test]
fn the_first_ending_stands_and_no_move_follows_it() {
    let mut game = Game::from_usi("startpos moves 7g7f").unwrap();
    let before = game.clone();
    game.resign(Color::White);
    game.end(GameResult::win(Color::White, EndReason::TimeUp));
    let resigned = GameResult::win(Color::Black, EndReason::Resignation);
    assert_eq!(game.result(&Rules::default()), Some(resigned));
    let mv: Move = "3c3d".parse().unwrap();
    assert_eq!(game.play(mv), Err(IllegalMove { mv, ply: 2, why: Illegality::GameOver }));
    assert_eq!(game.moves(), before.moves());
    // Taking the last move back reopens the game.
    assert_eq!(game.undo(), Some("7g7f".parse().unwrap()));
    assert_eq!(game, Game::new(Position::startpos()));
    assert_eq!(game.undo(), None);
    assert_eq!(game, Game::new(Position::startpos()));
}

#[test]
fn an_interruption_has_no_winner() {
    let mut game = Game::new(Position::startpos());
    let stopped = GameResult { reason: EndReason::Interrupted, ..GameResult::UNKNOWN };
    game.end(stopped);
    assert_eq!(game.result(&Rules::default()), Some(stopped));
    assert_eq!(stopped.winner(), None);
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut game = Game::from_usi("startpos moves 7g7f").unwrap();
    let before = game.clone();
    let mv: Move = "7c7e".parse().unwrap();
    let error = game.play(mv).unwrap_err();
    assert_eq!(error, IllegalMove { mv, ply: 2, why: Illegality::OutOfReach });
    assert_eq!(error.to_string(), "illegal move 7c7e at move 2: the piece cannot get there");
    assert_eq!(game, before);
}

#[test]
fn every_reason_for_refusing_a_move() {
    use Illegality::*;
    let crowded = "4k4/9/9/9/4r4/9/4P4/3G1L2N/4K4 b RPg 1";
    let checked = "4k4/9/9/9/4r4/9/9/3G5/4K4 b RP 1";
    for (sfen, mv, expected) in [
        (crowded, "9i9h", Some(NoPiece)),
        (crowded, "5e5d", Some(OpponentsPiece)),
        (crowded, "G*1a", Some(NotInHand)),
        (crowded, "S*1a", Some(NotInHand)),
        (crowded, "5i6h", Some(TargetOccupied)),
        (crowded, "R*5e", Some(TargetOccupied)),
        (crowded, "R*5g", Some(TargetOccupied)),
        (crowded, "5g5e", Some(OutOfReach)),
        (crowded, "4h5h", Some(OutOfReach)),
        (crowded, "1h2f+", Some(CannotPromote)),
        (crowded, "6h6g+", Some(CannotPromote)),
        (crowded, "4h4a", Some(DeadEnd)),
        (crowded, "4h4a+", None),
        (crowded, "4h4b", None),
        (crowded, "P*1a", Some(DeadEnd)),
        (crowded, "P*5f", Some(TwoPawns)),
        (crowded, "P*1b", None),
        (crowded, "5g5f", None),
        (checked, "5i5h", Some(KingInCheck)),
        (checked, "6h6g", Some(KingInCheck)),
        (checked, "6h5h", None),
        (checked, "R*1a", Some(KingInCheck)),
        (checked, "P*5f", None),
        (checked, "5i4i", None),
        ("4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1", "5h4h", Some(KingInCheck)),
        ("4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1", "5h5g", None),
        ("7nk/9/7GG/9/9/9/9/9/4K4 b P 1", "P*1b", Some(PawnDropMate)),
        ("8k/9/7GG/9/9/9/9/9/4K4 b P 1", "P*1b", None),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(position.why_illegal(mv.parse().unwrap()), expected, "{mv} in {sfen}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_reason_is_given_exactly_for_moves_that_are_not_legal(seed: u64, plies in 0..200_usize) {
        let mut random = Random::new(seed);
        let position = if random.chance(50) {
            random.played_position(plies)
        } else {
            random.sparse_position(8)
        };
        let legal = position.legal_moves();
        for mv in Move::all() {
            let why = position.why_illegal(mv);
            prop_assert_eq!(why.is_none(), legal.contains(&mv), "{} in {:?}", mv, position);
            prop_assert_ne!(why, Some(Illegality::GameOver));
        }
    }

    #[test]
    fn games_survive_their_text(seed: u64, plies in 0..120_usize) {
        let mut random = Random::new(seed);
        let start =
            if random.chance(50) { random.sparse_position(6) } else { Position::startpos() };
        let mut game = Game::new(start);
        for _ in 0..plies {
            let Some(mv) = random.choose(&game.position().legal_moves()) else { break };
            game.play(mv).unwrap();
        }
        let text = game.to_usi_position();
        prop_assert_eq!(&Game::from_usi(&text).unwrap(), &game);
        prop_assert_eq!(&text.parse::<Game>().unwrap(), &game);
        prop_assert_eq!(&Game::from_usi(&format!("position {text}\n")).unwrap(), &game);
    }

    #[test]
    fn nonsense_is_refused_without_a_panic(text in "(position |startpos |sfen |moves |[ -~]|７|\\PC){0,30}") {
        if let Ok(game) = Game::from_usi(&text) {
            prop_assert_eq!(Game::from_usi(&game.to_usi_position()), Ok(game));
        }
    }
}

#[test]
fn all_ways_to_write_a_position() {
    let start = Game::new(Position::startpos());
    for text in [
        "startpos",
        "position startpos",
        "position startpos moves",
        "  position   startpos\tmoves \r\n",
        Position::STARTPOS,
        &format!("sfen {}", Position::STARTPOS),
        &format!("position sfen {} moves", Position::STARTPOS),
        // Without the move number.
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -",
    ] {
        assert_eq!(Game::from_usi(text), Ok(start.clone()), "{text}");
    }
    assert_eq!(start.to_usi_position(), "startpos");
    let handicap = Handicap::TwoPiece.position();
    let text = format!("{} moves 5a6b 7g7f", handicap.to_sfen());
    let game = Game::from_usi(&text).unwrap();
    assert_eq!((game.start(), game.moves().len()), (&handicap, 2));
    assert_eq!(game.to_usi_position(), format!("sfen {text}"));
}

#[test]
fn the_start_is_not_startpos_if_its_number_differs() {
    let text = Position::STARTPOS.replace("b - 1", "b - 7");
    let game = Game::from_usi(&text).unwrap();
    assert_eq!(game.to_usi_position(), format!("sfen {text}"));
}

#[test]
fn errors_of_the_text_name_the_place() {
    use UsiPositionError::*;
    let illegal =
        |mv: &str, ply, why| tesuji_shogi::IllegalMove { mv: mv.parse().unwrap(), ply, why };
    let twelfth = format!("{} moves 7g7f 7g7f", Position::STARTPOS.replace("b - 1", "b - 12"));
    for (text, expected, message) in [
        ("", Empty, "no position: expected startpos or sfen"),
        ("position", Empty, "no position: expected startpos or sfen"),
        (
            "start moves 7g7f",
            BadStart(SfenError::FieldCount { found: 1 }),
            "bad start position: SFEN has 1 fields, expected board, side, hands and move number",
        ),
        (
            "sfen moves 7g7f",
            BadStart(SfenError::FieldCount { found: 0 }),
            "bad start position: SFEN has 0 fields, expected board, side, hands and move number",
        ),
        (
            "sfen kk7/9/9/9/9/9/9/9/9 b - 1",
            BadStart(SfenError::Impossible(PositionError::TwoKings { color: Color::White })),
            "bad start position: impossible position: white has more than one king",
        ),
        (
            "startpos 7g7f",
            ExpectedMoves { found: "7g7f".into() },
            "expected \"moves\" after the start position, found \"7g7f\"",
        ),
        (
            "startpos moves 7g7f moves 3c3d",
            BadMove { number: 2, found: "moves".into() },
            "move 2 of the list, \"moves\", is not a move such as 7g7f or P*5e",
        ),
        (
            "startpos moves 7g7f 3c3d 8h2b+ resign",
            BadMove { number: 4, found: "resign".into() },
            "move 4 of the list, \"resign\", is not a move such as 7g7f or P*5e",
        ),
        (
            "startpos moves 7g7f 3c3d 8h2b+ 3a2a",
            IllegalMove { number: 4, error: illegal("3a2a", 4, Illegality::TargetOccupied) },
            "move 4 of the list: illegal move 3a2a at move 4: the target is occupied",
        ),
        (
            &twelfth,
            IllegalMove { number: 2, error: illegal("7g7f", 13, Illegality::NoPiece) },
            "move 2 of the list: illegal move 7g7f at move 13: no piece stands there",
        ),
    ] {
        let error = Game::from_usi(text).unwrap_err();
        assert_eq!((&error, error.to_string().as_str()), (&expected, message), "{text}");
    }
}

/// A test that is skipped says so where everybody sees it, not only with `--nocapture`.
#[test]
fn a_skipped_test_says_so() {
    let name = "games_of_the_data_survive_their_text";
    let tests = std::env::current_exe().unwrap();
    let mut command = std::process::Command::new(tests);
    let output = command.args(["--exact", name]).env("TESUJI_DATA", "nowhere").output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    let expected = format!("skipped: {name}: pro_games.tsv is not there; set TESUJI_DATA");
    assert!(said.contains(&expected), "{said}");
}

/// Every game of the shared data replays, and its text comes back word for word.
#[test]
fn games_of_the_data_survive_their_text() {
    for (file, expected) in
        [("pro_games.tsv", 3_722), ("engine_games.tsv", 1_708), ("amateur_games.tsv", 723)]
    {
        let Some(text) = common::shared_data::read(file) else { return };
        let mut games = 0;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let usi = line.rsplit('\t').next().unwrap();
            let game = Game::from_usi(usi).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert_eq!(game.to_usi_position(), usi);
            games += 1;
        }
        assert_eq!(games, expected, "{file}");
    }
}

/// Players stop when a game is over, so the rules must see no end before the last move: of all the
/// games of the data, one went on after a fourfold repetition.
#[test]
fn games_of_the_data_end_when_the_rules_say_so() {
    for (file, repetitions, perpetual_checks, checkmates, played_on) in [
        ("pro_games.tsv", 43, 0, 13, 1),
        ("engine_games.tsv", 61, 4, 982, 0),
        ("amateur_games.tsv", 0, 0, 146, 0),
    ] {
        let Some(text) = common::shared_data::read(file) else { return };
        let mut ends = Vec::new();
        let mut continued = 0;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let record = Game::from_usi(line.rsplit('\t').next().unwrap()).unwrap();
            let mut game = Game::new(*record.start());
            let mut moves = record.moves().iter();
            while game.result(&Rules::default()).is_none()
                && let Some(mv) = moves.next()
            {
                game.play(*mv).unwrap();
            }
            continued += usize::from(moves.len() > 0);
            ends.extend(game.result(&Rules::default()).map(|end| end.reason));
        }
        let count = |reason| ends.iter().filter(|&&end| end == reason).count();
        let found = (
            count(EndReason::Repetition),
            count(EndReason::PerpetualCheck),
            count(EndReason::Checkmate),
            continued,
        );
        assert_eq!(found, (repetitions, perpetual_checks, checkmates, played_on), "{file}");
    }
}
