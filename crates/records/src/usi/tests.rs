use tesuji_shogi::{Color, Handicap, Position};

use super::*;

fn moves(texts: &[&str]) -> Vec<Move> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

#[test]
fn reads_a_game_from_the_even_start() {
    let record = read("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e\n").unwrap();
    assert_eq!(record.start, Position::startpos());
    assert_eq!(
        record.moves().collect::<Vec<_>>(),
        moves(&["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"])
    );
    assert!(record.headers.is_empty() && record.comments.is_empty());
    assert_eq!(record.main.ending, None);
    let last = &record.main.moves[4];
    assert_eq!((last.time, last.comments.len(), last.variations.len()), (None, 0, 0));
}

#[test]
fn reads_every_way_to_write_the_start() {
    let sfen = "4k4/9/4P4/9/9/9/9/9/9 b G 7";
    let expected = Position::from_sfen(sfen).unwrap();
    for text in [
        format!("sfen {sfen} moves G*5b"),
        format!("position sfen {sfen} moves G*5b"),
        format!("{sfen} moves G*5b"),
        format!("  position\tsfen  {sfen}  moves  G*5b \r\n"),
    ] {
        let record = read(&text).unwrap();
        assert_eq!(record.start, expected, "{text}");
        assert_eq!(record.start.ply(), 7);
        assert_eq!(record.moves().collect::<Vec<_>>(), moves(&["G*5b"]), "{text}");
    }
    for text in [sfen.to_string(), format!("sfen {sfen}"), format!("{sfen} moves")] {
        assert_eq!(parse_game(&text), Ok((expected, vec![])), "{text}");
    }
    for text in ["startpos", "position startpos", "startpos moves", "\u{feff}\n\nstartpos\n\n"] {
        let record = read(text).unwrap();
        assert_eq!((record.start, record.moves().len()), (Position::startpos(), 0), "{text}");
    }
    // The move number may be left out.
    let (start, _) = parse_game("sfen 4k4/9/9/9/9/9/9/9/4K4 w - moves 5a5b").unwrap();
    assert_eq!((start.ply(), start.side_to_move()), (1, Color::White));
}

#[test]
fn writes_the_shortest_line() {
    let even = read("position startpos moves 7g7f 3c3d").unwrap();
    assert_eq!(write(&even).unwrap(), "startpos moves 7g7f 3c3d\n");
    assert_eq!(write(&GameRecord::new(Position::startpos())).unwrap(), "startpos\n");
    let mut handicap = GameRecord::new(Handicap::TwoPiece.position());
    assert_eq!(
        write(&handicap).unwrap(),
        "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1\n"
    );
    handicap.main.moves.push(moves(&["3a3b"])[0].into());
    assert!(write(&handicap).unwrap().ends_with(" w - 1 moves 3a3b\n"));
    // The same board with another move number is not `startpos`.
    let late = Position::from_sfen(&Position::STARTPOS.replace("- 1", "- 9")).unwrap();
    assert!(write(&GameRecord::new(late)).unwrap().starts_with("sfen lnsg"));
}

#[test]
fn errors_name_the_line_and_the_ply() {
    use ParseErrorKind::{BadMove, IllegalMove, Truncated, Unexpected};
    let error = |text: &str| read(text).unwrap_err();
    let empty = Truncated { expected: "startpos or an SFEN" };
    assert_eq!(error(""), empty.clone().at(1));
    assert_eq!(error("\n\nposition"), empty.at(3));
    assert_eq!(
        error("\nstartpos moves 7g7f 3c3d 8h2b+ 3a2b B*9g"),
        IllegalMove { ply: 5, text: "B*9g".into() }.at(2)
    );
    assert_eq!(
        error("startpos moves 7g7f 3c3d 8h2x"),
        BadMove { ply: 3, text: "8h2x".into() }.at(1)
    );
    assert_eq!(error("startpos moves 7g7f win"), BadMove { ply: 2, text: "win".into() }.at(1));
    assert_eq!(
        error("startpos moves 7g7f resign 3c3d"),
        BadMove { ply: 2, text: "resign".into() }.at(1)
    );
    assert_eq!(
        error("startpos 7g7f"),
        Unexpected { expected: "moves", found: "7g7f".into() }.at(1)
    );
    assert_eq!(
        error("startpos\nstartpos moves 2g2f\n"),
        Unexpected {
            expected: "the end of the text after one game",
            found: "startpos moves 2g2f".into()
        }
        .at(2)
    );
    for text in [
        "startposmoves 7g7f",
        "sfen",
        "sfen moves 7g7f",
        "sfen 9/9/9 b - 1",
        "sfen 4k4/9/9/9/9/9/9/9/4K4 x - 1",
        "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 movesx 5i5h",
        "nonsense",
        "\u{fffd}\u{fffd}",
    ] {
        assert!(matches!(error(text).kind, ParseErrorKind::BadPosition(_)), "{text}");
    }
}
