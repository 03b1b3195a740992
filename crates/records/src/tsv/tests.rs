use proptest::prelude::*;
use tesuji_shogi::Move;

use super::*;

fn columns(line: &str) -> Columns {
    Columns::read(line).unwrap()
}

fn own() -> Columns {
    columns(HEADER_LINE)
}

fn header<'a>(key: &str, value: &'a str) -> (String, &'a str) {
    (key.into(), value)
}

fn headers(game: &GameRecord) -> Vec<(String, &str)> {
    game.headers.iter().map(|header| (header.key.clone(), &*header.value)).collect()
}

fn unexpected(result: Result<GameRecord, ParseErrorKind>) -> String {
    match result {
        Err(ParseErrorKind::Unexpected { found, .. }) => found,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_row_becomes_a_game() {
    let row = "2021-03-04\tOpen\tKimura\tOno\tw\tperpetual-check\tstartpos moves 7g7f 3c3d 8h2b+";
    let game = own().read_game(row).unwrap();
    assert_eq!(
        headers(&game),
        [
            header(Header::STARTED, "2021-03-04"),
            header(Header::EVENT, "Open"),
            header(Header::BLACK, "Kimura"),
            header(Header::WHITE, "Ono"),
        ]
    );
    assert_eq!(game.start, Position::startpos());
    let moves: Vec<String> = game.moves().map(|mv| mv.to_string()).collect();
    assert_eq!(moves, ["7g7f", "3c3d", "8h2b+"]);
    assert_eq!(game.result(), GameResult::win(Color::White, EndReason::PerpetualCheck));
    assert!(game.comments.is_empty());
}

#[test]
fn columns_come_in_any_order_and_with_explanations() {
    let columns = columns("#game (USI text)\tgrade\tresult b/w/d\tblack");
    let game = columns.read_game("startpos\t3 dan\td\tOno").unwrap();
    assert_eq!(headers(&game), [header("grade", "3 dan"), header(Header::BLACK, "Ono")]);
    assert_eq!(game.result(), GameResult::draw(EndReason::Unknown));
    // Columns at the end may be missing in a row, as an editor may drop empty ones.
    let game = columns.read_game("startpos").unwrap();
    assert_eq!(headers(&game), []);
    assert_eq!(game.main.ending, None);
}

#[test]
fn a_start_other_than_that_of_the_even_game() {
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 17";
    let game = columns("#game").read_game(&format!("sfen {sfen} moves G*5b")).unwrap();
    assert_eq!(game.start.to_sfen(), sfen);
    assert_eq!(write_game(&game), format!("\t\t\t\t?\t\tsfen {sfen} moves G*5b\n"));
}

#[test]
fn lines_without_a_game_column_are_comments() {
    for line in ["#", "# games of 2021", "#date\tresult", "game", ""] {
        assert_eq!(Columns::read(line), None, "{line}");
    }
}

#[test]
fn bad_rows_say_what_is_bad() {
    let row = |result: &str, reason: &str, game: &str| {
        own().read_game(&format!("\t\t\t\t{result}\t{reason}\t{game}"))
    };
    assert_eq!(unexpected(row("x", "", "startpos")), "x");
    assert_eq!(unexpected(row("b", "bored", "startpos")), "bored");
    assert_eq!(unexpected(row("b", "", "startpos\tmore")), "more");
    assert_eq!(
        own().read_game("\t\t\t\tb"),
        Err(ParseErrorKind::Truncated { expected: "a game column" })
    );
    assert_eq!(
        row("b", "", "startpos moves 7g7f 7g7f"),
        Err(ParseErrorKind::IllegalMove { ply: 2, text: "7g7f".into() })
    );
    assert_eq!(
        row("b", "", "startpos moves 7g7f 3c3d 8h2b+ zz"),
        Err(ParseErrorKind::BadMove { ply: 4, text: "zz".into() })
    );
    assert!(matches!(row("b", "", "sfen 9/9 b - 1"), Err(ParseErrorKind::BadPosition(_))));
    assert!(row("b", "", "").is_err());
}

#[test]
fn text_cannot_break_a_row() {
    let mut game = GameRecord::new(Position::startpos());
    game.add_header(Header::STARTED, "##2021");
    game.add_header(Header::EVENT, "a\tb\nc\r\nd");
    game.add_header("opening", "has no column");
    assert_eq!(write_game(&game), "2021\ta b c  d\t\t\t?\t\tstartpos\n");
}

#[test]
fn every_result_comes_back() {
    let outcomes =
        [Outcome::Win(Color::Black), Outcome::Win(Color::White), Outcome::Draw, Outcome::Unknown];
    let mut endings: Vec<Option<Ending>> = vec![None];
    for outcome in outcomes {
        for reason in EndReason::ALL {
            endings.push(Some(Ending::new(GameResult { outcome, reason })));
        }
    }
    for ending in endings {
        let mut game = GameRecord::new(Position::startpos());
        game.main.ending = ending;
        assert_eq!(own().read_game(write_game(&game).trim_end_matches('\n')).unwrap(), game);
    }
}

/// A game of random legal moves.
fn random_game(choices: &[u16]) -> GameRecord {
    let mut game = GameRecord::new(Position::startpos());
    let mut position = game.start;
    for &choice in choices {
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        game.main.moves.push(mv.into());
        position.play_unchecked(mv);
    }
    game
}

proptest! {
    #[test]
    fn games_come_back(
        choices in prop::collection::vec(any::<u16>(), 0..120),
        black in "[^\\p{C}\\p{Z}]{0,12}",
        event in "[ -~]{0,12}",
    ) {
        let mut game = random_game(&choices);
        game.add_header(Header::EVENT, &event);
        game.add_header(Header::BLACK, &black);
        let row = write_game(&game);
        let read = own().read_game(row.strip_suffix('\n').unwrap()).unwrap();
        prop_assert_eq!(read, game);
    }

    #[test]
    fn no_text_panics(row in "\\PC{0,80}", names in "#game\t\\PC{0,40}") {
        let _ = columns(&names).read_game(&row);
        let _ = own().read_game(&row);
    }

    #[test]
    fn a_wrong_move_is_named(choices in prop::collection::vec(any::<u16>(), 5..60), at in any::<prop::sample::Index>()) {
        let game = random_game(&choices);
        let mut moves: Vec<String> = game.moves().map(|mv: Move| mv.to_string()).collect();
        let at = at.index(moves.len());
        // A king never reaches the square it is on.
        moves[at] = "5e5e".into();
        let row = format!("startpos moves {}", moves.join(" "));
        let error = columns("#game").read_game(&row).unwrap_err();
        prop_assert_eq!(error, ParseErrorKind::IllegalMove { ply: at + 1, text: "5e5e".into() });
    }
}
