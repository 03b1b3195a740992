use super::*;

/// A position from SFEN, and the name of a move there, checked in both directions.
fn name(sfen: &str, mv: &str) -> String {
    let position = Position::from_sfen(sfen).unwrap();
    let mv: Move = mv.parse().unwrap();
    assert!(position.is_legal(mv), "{mv} in {sfen}");
    let name = move_name(&position, mv, None);
    let read = Notation::parse(&name).unwrap_or_else(|| panic!("{name}"));
    assert_eq!(read.resolve(&position, None), Ok(mv), "{name}");
    name
}

/// Black's pieces of one kind on these squares and kings out of the way, Black to move.
fn with_pieces(piece: &str, squares: &[&str]) -> String {
    let mut board = vec![vec![String::from("1"); 9]; 9];
    let mut put = |square: &str, text: &str| {
        let square: Square = square.parse().unwrap();
        board[usize::from(square.rank()) - 1][9 - usize::from(square.file())] = text.into();
    };
    put("1i", "K");
    for square in squares {
        put(square, piece);
    }
    let ranks: Vec<String> = board.iter().map(|rank| rank.concat()).collect();
    format!("{} b - 1", ranks.join("/"))
}

fn names(piece: &str, moves: &[(&str, &str)]) {
    let squares: Vec<&str> = moves.iter().map(|(mv, _)| &mv[..2]).collect();
    let sfen = with_pieces(piece, &squares);
    for (mv, expected) in moves {
        assert_eq!(name(&sfen, mv), *expected, "{mv} in {sfen}");
    }
}

#[test]
fn plain_names() {
    assert_eq!(name(Position::STARTPOS, "7g7f"), "７六歩");
    assert_eq!(name(Position::STARTPOS, "2h5h"), "５八飛");
    assert_eq!(name(Position::STARTPOS, "5i5h"), "５八玉");
    assert_eq!(square_name("9a".parse().unwrap()), "９一");
    assert_eq!(piece_name(PieceKind::ProKnight), "成桂");
}

#[test]
fn the_same_square_is_called_so() {
    let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    let position = Position::from_sfen(sfen).unwrap();
    let capture: Move = "8h2b+".parse().unwrap();
    assert_eq!(move_text(&position, capture, None), "☗２二角成");
    let next = position.after(capture).unwrap();
    let back: Move = "3a2b".parse().unwrap();
    assert_eq!(move_text(&next, back, Some(capture.to())), "☖同銀");
    assert_eq!(move_text(&next, back, None), "☖２二銀");
}

// The next five tests follow the examples by which the Japan Shogi Association explains its rules.

#[test]
fn two_golds() {
    names("G", &[("9c8b", "８二金上"), ("7b8b", "８二金寄")]);
    names("G", &[("4c3b", "３二金上"), ("3a3b", "３二金引")]);
    names("G", &[("5f5e", "５五金上"), ("4e5e", "５五金寄")]);
    names("G", &[("8i7h", "７八金左"), ("7i7h", "７八金直")]);
    names("G", &[("4i3h", "３八金左"), ("3i3h", "３八金直")]);
    names("G", &[("9b8a", "８一金左"), ("7b8a", "８一金右")]);
}

#[test]
fn two_silvers() {
    // In the promotion zone the name also says that the silver stays a silver.
    names("S", &[("3b2c", "２三銀引不成"), ("2d2c", "２三銀上不成")]);
    names("S", &[("9g8h", "８八銀左"), ("7g8h", "８八銀右")]);
    names("S", &[("5h4g", "４七銀左"), ("4h4g", "４七銀直")]);
}

#[test]
fn three_and_more() {
    names("G", &[("6c5b", "５二金左"), ("5c5b", "５二金直"), ("4c5b", "５二金右")]);
    names(
        "+P",
        &[
            ("7i8h", "８八と右"),
            ("8i8h", "８八と直"),
            ("9i8h", "８八と左上"),
            ("9h8h", "８八と寄"),
            ("8g8h", "８八と引"),
        ],
    );
    names(
        "S",
        &[
            ("2i2h", "２八銀直"),
            ("1g2h", "２八銀右"),
            ("3i2h", "２八銀左上"),
            ("3g2h", "２八銀左引"),
        ],
    );
}

#[test]
fn two_dragons() {
    names("+R", &[("9a8b", "８二龍引"), ("8d8b", "８二龍上")]);
    names("+R", &[("2c4c", "４三龍寄"), ("5b4c", "４三龍引")]);
    names("+R", &[("5e3e", "３五龍左"), ("1e3e", "３五龍右")]);
    // The dragon on the file of its target is the right one: 直 is not said of dragons.
    names("+R", &[("9i8h", "８八龍左"), ("8i8h", "８八龍右")]);
    names("+R", &[("2h1g", "１七龍左"), ("1h1g", "１七龍右")]);
}

#[test]
fn two_horses() {
    names("+B", &[("9a8b", "８二馬左"), ("8a8b", "８二馬右")]);
    names("+B", &[("9e8e", "８五馬寄"), ("6c8e", "８五馬引")]);
    names("+B", &[("1a1b", "１二馬引"), ("3d1b", "１二馬上")]);
    names("+B", &[("9i7g", "７七馬左"), ("5i7g", "７七馬右")]);
    names("+B", &[("4g2i", "２九馬左"), ("1h2i", "２九馬右")]);
}

#[test]
fn left_and_right_are_the_movers() {
    let sfen = "1g1g5/9/9/9/9/9/9/9/K8 w - 1";
    assert_eq!(name(sfen, "8a7b"), "７二金右");
    assert_eq!(name(sfen, "6a7b"), "７二金左");
}

#[test]
fn promotion_is_said_where_there_is_a_choice() {
    assert_eq!(name("9/9/9/4S4/9/9/9/9/K8 b - 1", "5d5c"), "５三銀不成");
    assert_eq!(name("9/9/9/4S4/9/9/9/9/K8 b - 1", "5d5c+"), "５三銀成");
    assert_eq!(name("9/9/4S4/9/9/9/9/9/K8 b - 1", "5c6d"), "６四銀不成");
    assert_eq!(name("9/9/9/4G4/9/9/9/9/K8 b - 1", "5d5c"), "５三金");
    assert_eq!(name("9/9/9/4+S4/9/9/9/9/K8 b - 1", "5d5c"), "５三成銀");
    assert_eq!(name("9/4P4/9/9/9/9/9/9/K8 b - 1", "5b5a+"), "５一歩成");
}

#[test]
fn a_drop_is_called_one_where_a_move_has_the_same_name() {
    assert_eq!(name("9/9/9/9/9/9/9/4G4/K8 b G 1", "G*5g"), "５七金打");
    assert_eq!(name("9/9/9/9/9/9/9/4G4/K8 b G 1", "G*5e"), "５五金");
    assert_eq!(name("9/9/9/9/9/9/9/4G4/K8 b G 1", "5h5g"), "５七金");
    // A promoted silver is another piece.
    assert_eq!(name("9/9/9/9/9/9/9/4+S4/K8 b S 1", "S*5g"), "５七銀");
}

#[test]
fn a_pinned_piece_still_makes_a_word_necessary() {
    // The gold on 5h is pinned by the rook on 5a; a move of it to 6g is not legal.
    let sfen = "4r4/9/9/9/9/9/9/3GG4/4K4 b - 1";
    assert_eq!(name(sfen, "6h6g"), "６七金直");
    let position = Position::from_sfen(sfen).unwrap();
    let read = |text: &str| Notation::parse(text).unwrap().resolve(&position, None);
    assert_eq!(read("６七金"), Ok("6h6g".parse().unwrap()));
    assert_eq!(read("６七金右"), Err(Misfit::Illegal));
}

#[test]
fn reading_is_generous() {
    let position = Position::from_sfen(Position::STARTPOS).unwrap();
    let read = |text: &str| Notation::parse(text).map(|read| read.resolve(&position, None));
    let pawn = Some(Ok("7g7f".parse().unwrap()));
    for text in [
        "７六歩",
        "76歩",
        "７６歩",
        "７六歩(77)",
        "７六歩（７７）",
        "▲７六歩",
        "☗ 76歩(77)",
        "７六歩直",
    ] {
        assert_eq!(read(text), pawn, "{text}");
    }
    let gold = Some(Ok("4i5h".parse().unwrap()));
    for text in ["５八金右", "５八金右上", "58金右", "５八金(49)"] {
        assert_eq!(read(text), gold, "{text}");
    }
    assert_eq!(read("５八金"), Some(Err(Misfit::Ambiguous)));
    assert_eq!(read("５八金寄"), Some(Err(Misfit::Illegal)));
    assert_eq!(read("５八王"), Some(Ok("5i5h".parse().unwrap())));
    assert_eq!(read("△３四歩"), Some(Err(Misfit::Illegal)));
    assert_eq!(read("７六銀(77)"), Some(Err(Misfit::Illegal)));
    assert_eq!(read("７六歩打"), Some(Err(Misfit::Illegal)));
    assert_eq!(read("７六歩成(77)"), Some(Err(Misfit::Illegal)));
    assert_eq!(read("同歩"), Some(Err(Misfit::Unreadable)));
}

#[test]
fn what_is_not_a_move() {
    for text in [
        "",
        "▲",
        "７",
        "０六歩",
        "７六",
        "７六象",
        "７六歩歩",
        "７六歩成成",
        "７六歩(7)",
        "７六歩(777)",
        "７六歩(07)",
        "７六成金",
        "同",
        "７六歩不",
    ] {
        assert_eq!(Notation::parse(text), None, "{text}");
    }
}

#[test]
fn numbers() {
    for value in 1..=18 {
        assert_eq!(number(&number_name(value)), Some(value));
    }
    assert_eq!(number_name(18), "十八");
    assert_eq!(
        (number("18"), number("１２"), number("二十"), number("十")),
        (Some(18), Some(12), Some(20), Some(10))
    );
    assert_eq!((number(""), number("百"), number("十八九")), (None, None, None));
}

#[test]
fn every_legal_move_of_random_games_has_a_name_of_its_own() {
    use rand::{Rng, SeedableRng};
    let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(20_240_802);
    let mut checked = 0;
    for _ in 0..60 {
        let mut position = Position::startpos();
        for _ in 0..220 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mut names = std::collections::HashSet::new();
            for &mv in moves.iter() {
                let name = move_name(&position, mv, None);
                let read = Notation::parse(&name).unwrap_or_else(|| panic!("{name}"));
                assert_eq!(read.resolve(&position, None), Ok(mv), "{name} in {position:?}");
                assert!(names.insert(name), "{mv} in {position:?}");
                checked += 1;
            }
            position.play_unchecked(moves[random.random_range(0..moves.len())]);
        }
    }
    assert!(checked > 500_000, "{checked}");
}
