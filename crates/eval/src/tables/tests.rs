use super::*;

/// Parameters of which most are zero, as in trained tables.
fn sample() -> PieceTables {
    let mut number: u32 = 7;
    let parameters = (0..parts::parameter_count())
        .map(|_| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if number >> 30 == 0 { (number >> 16) as i16 % 400 } else { 0 }
        })
        .collect();
    let values = PieceValues { board: [100; PieceKind::COUNT], hand: [110; 7] };
    let mut tables = PieceTables::new(parameters, values).unwrap();
    tables.run.insert("seed".into(), 1.into());
    tables.result.insert("accuracy".into(), 0.25.into());
    tables
}

const POSITIONS: [&str; 4] = [
    Position::STARTPOS,
    "ln1g3nl/1ks1g1r2/1pppppb1p/p5pp1/9/P1PPP1P1P/1P1S1P3/1BKG1S3/LN1G3RL b NPs 35",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "8k/9/8P/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1",
];

/// The position with the players exchanged.
fn turned(position: &Position) -> Position {
    let pieces = position.pieces().map(|(square, piece)| {
        (square.seen_by(Color::White), Piece::new(!piece.color(), piece.kind()))
    });
    let hands = [position.hand(Color::White), position.hand(Color::Black)];
    Position::from_parts(pieces, hands, !position.side_to_move(), position.ply()).unwrap()
}

#[test]
fn files_survive_the_round_trip() {
    let tables = sample();
    let bytes = tables.to_bytes();
    assert!(PieceTables::is_file(&bytes));
    assert_eq!(PieceTables::parse(&bytes).unwrap(), tables);
    assert_eq!(PieceTables::parse(&bytes).unwrap().to_bytes(), bytes);
}

#[test]
fn the_tables_come_along() {
    for name in PieceTables::NAMES {
        let tables = PieceTables::named(name).unwrap();
        assert_eq!(PieceTables::parse(&tables.to_bytes()).unwrap(), tables);
    }
    assert!(PieceTables::named("nothing").is_none());
}

#[test]
fn the_score_is_the_sum_of_the_parameters() {
    let tables = sample();
    let mut uses = vec![Vec::new(); ALL_CELLS];
    parts::for_each_use(|cell, parameter| uses[cell].push(parameter));
    for text in POSITIONS {
        let position = Position::from_sfen(text).unwrap();
        let mut expected = tables.tempo();
        let side = position.side_to_move();
        for (owner, sign) in [(side, 1), (!side, -1)] {
            for_each_cell(&position, owner, |cell| {
                let parts = uses[cell].iter().map(|&i| i32::from(tables.parameters()[i]));
                expected += sign * parts.sum::<i32>();
            });
        }
        assert_eq!(tables.score(&position), expected, "{text}");
    }
}

#[test]
fn exchanging_the_players_changes_nothing_for_the_side_to_move() {
    let tables = sample();
    for text in POSITIONS {
        let position = Position::from_sfen(text).unwrap();
        assert_eq!(tables.score(&position), tables.score(&turned(&position)), "{text}");
        if let Some(passed) = position.after_pass() {
            let without = |position: &Position| tables.score(position) - tables.tempo();
            assert_eq!(without(&position), -without(&passed), "{text}");
        }
    }
}

#[test]
fn wrong_files_are_refused() {
    let bytes = sample().to_bytes();
    let replaced = |from: &str, to: &str| {
        let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
        [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
    };
    let cut = bytes[..bytes.len() - 1].to_vec();
    let values = bytes.windows(8).position(|window| window == b"[values]").unwrap();
    let body = bytes.windows(5).position(|window| window == b"\n---\n").unwrap();
    let without_values = [&bytes[..values], &bytes[body..]].concat();
    let cases = [
        (b"nonsense".to_vec(), "no line ---"),
        (b"a\n---\n".to_vec(), "not a file of piece tables"),
        (b"\xff\n---\n".to_vec(), "the header is not text"),
        (replaced("tesuji-tables", "other"), "expected format"),
        (replaced("version = 1", "version = 2"), "expected format"),
        (replaced("king-piece-", "king-piece-0"), "for the feature set king-piece-0"),
        (replaced("units = 8", "units = 16"), "units of 1/16"),
        (cut, "damaged"),
        (without_values, "not a file of piece tables: missing field `values`"),
    ];
    for (bytes, expected) in cases {
        let error = PieceTables::parse(&bytes).unwrap_err().to_string();
        assert!(error.contains(expected), "expected {expected:?}, found {error:?}");
    }
    let few = PieceTables::new(vec![0; 3], *sample().values()).unwrap_err();
    assert!(few.to_string().contains("3 numbers"), "{few}");
    let large = vec![i16::MAX; parts::parameter_count()];
    let large = PieceTables::new(large, *sample().values()).unwrap_err();
    assert_eq!(large, TablesError::Range);
}
