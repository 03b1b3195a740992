use tesuji_shogi::{Game, Move, Position};

use super::*;
use crate::{AlphaBeta, Limits, Material, Searcher, Stop};
use std::sync::Arc;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// A book with these moves, `7g7f 3`, in positions after moves from the start.
fn book(positions: &[(&str, &[&str])]) -> Book {
    let mut draft = Draft::default();
    for (line, moves) in positions {
        let game = Game::from_usi(&format!("startpos moves {line}")).unwrap();
        let mut placement = String::new();
        game.position().write_placement(&mut placement);
        let moves = moves.iter().map(|word| {
            let (mv_text, count) = word.split_once(' ').unwrap();
            BookMove::played(mv(mv_text), count.parse().unwrap())
        });
        draft.add(&placement, game.position().ply(), moves);
    }
    draft.finish()
}

fn written(book: &Book) -> String {
    let mut text = Vec::new();
    db::write(book, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn faults(loaded: &Loaded) -> Vec<(usize, &str)> {
    loaded.faults.iter().map(|fault| (fault.line, &*fault.problem)).collect()
}

#[test]
fn a_position_is_found_by_whatever_moves_it_came_about() {
    let book = book(&[("7g7f 3c3d 2g2f", &["8c8d 2"]), ("2g2f 3c3d 7g7f", &["4c4d 1", "8c8d 3"])]);
    assert_eq!((book.len(), book.move_count()), (1, 2));
    let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 77";
    let found = book.get(&Position::from_sfen(sfen).unwrap()).unwrap();
    assert_eq!(found.moves, [BookMove::played(mv("8c8d"), 5), BookMove::played(mv("4c4d"), 1)]);
    assert_eq!((found.ply, total(found.moves)), (4, 6));
    assert_eq!(book.get(&Position::startpos()), None);
    assert_eq!(Book::default().get(&Position::startpos()), None);
}

#[test]
fn the_file_is_sorted_and_comes_back() {
    let text = format!(
        "{}\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n\
         3c3d 2g2f -12 32 471\n8c8d none 5 0 7\nsfen {START} 1\n7g7f 3c3d 10 24 2\n\
         2g2f 8c8d 30 24 2\n",
        db::HEADER
    );
    // Positions by their bytes, moves by count and then by score.
    let sorted = format!(
        "{}\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n\
         3c3d 2g2f -12 32 471\n8c8d none 5 0 7\nsfen {START} 1\n2g2f 8c8d 30 24 2\n\
         7g7f 3c3d 10 24 2\n",
        db::HEADER
    );
    for line_end in ["\n", "\r\n"] {
        let loaded = db::read(text.replace('\n', line_end).as_bytes());
        assert_eq!(faults(&loaded), []);
        assert_eq!(written(&loaded.book), sorted);
        assert_eq!(db::read(sorted.as_bytes()).book, loaded.book);
    }
}

#[test]
fn what_is_wrong_is_named_and_the_rest_stays() {
    let text = format!(
        "#OTHER-DB 3.00\nsfen {START} 1\n7g7e 3c3d 0 1 1\n7g7f 3c3d 0 1 4\n2g2f 3c3d 0\n\
         5g5f 7g7f 0 1 3\n9g9f none x 1 3\n1g1f none 0 1 -3\n\
         sfen lnsgkgsnl/9/9 b - 1\n7g7f 3c3d 0 1 1\nsfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n\
         sfen 4k4/9/9/9/9/9/9/9/4K4 w - 1\n5a5a none 0 1 1\n"
    );
    let loaded = db::read(text.as_bytes());
    let expected = "expected a move, its reply, score, depth and count";
    assert_eq!(
        faults(&loaded),
        [
            (1, "expected the header #YANEURAOU-DB2016 1.00, found \"#OTHER-DB 3.00\""),
            (3, "expected a legal move, found \"7g7e\""),
            (5, &format!("{expected}, found \"2g2f 3c3d 0\"")),
            (6, "expected a legal reply to 5g5f, or none, found \"7g7f\""),
            (7, "score: expected a whole number, found \"x\""),
            (8, "count: expected a whole number, found \"-3\""),
            (9, "position: SFEN board has 3 ranks, expected 9"),
            (11, "a position without moves"),
            (13, "expected a legal move, found \"5a5a\""),
        ]
    );
    assert_eq!(loaded.fault_count, 9);
    let found = loaded.book.get(&Position::startpos()).unwrap();
    assert_eq!(loaded.book.len(), 1);
    let moves: Vec<(Move, u32)> =
        found.moves.iter().map(|known| (known.mv.unwrap(), known.count)).collect();
    assert_eq!(moves, [(mv("7g7f"), 4), (mv("5g5f"), 3)]);
    assert_eq!(found.moves[1].reply, None);
}

#[test]
fn what_is_no_book_is_one_or_two_faults() {
    for bytes in [&b""[..], b"\xff\xfe\x00\x01", b"7g7f\n7g7f\n7g7f\n", &[b'\n'; 3000]] {
        let loaded = db::read(bytes);
        assert!(loaded.book.is_empty() && (1..=2).contains(&loaded.fault_count), "{loaded:?}");
    }
    let lines = format!("{}\n{}", db::HEADER, "sfen x\n".repeat(5000));
    let loaded = db::read(lines.as_bytes());
    assert_eq!((loaded.faults.len(), loaded.fault_count), (1000, 5000));
}

#[test]
fn files_that_are_no_books_are_refused_in_a_line() {
    let folder = std::env::temp_dir();
    let missing = folder.join("no/such/book.db");
    for path in [&missing, &folder] {
        let why = db::load(path).unwrap_err().to_string();
        assert!(why.starts_with(&path.display().to_string()) && why.lines().count() == 1, "{why}");
    }
    assert!(load(NO_BOOK).unwrap().is_none() && load("").unwrap().is_none());
    assert_eq!(file("a.db"), Some("a.db"));
    assert!([NO_BOOK, STANDARD, ""].iter().all(|name| file(name).is_none()));
}

#[test]
fn the_book_that_comes_with_the_program_is_good() {
    let loaded = load(STANDARD).unwrap().unwrap();
    assert_eq!(faults(&loaded), []);
    assert!(loaded.book.get(&Position::startpos()).is_some());
    assert_eq!(written(&loaded.book), written(&shipped()));
}

#[test]
fn moves_are_drawn_by_their_counts() {
    let book = book(&[("", &["7g7f 60", "2g2f 30", "5g5f 9", "9g9f 1"])]);
    let moves = book.get(&Position::startpos()).unwrap().moves;
    let share = |least: u32| {
        let mut counts = [0; 4];
        for number in 0..10_000_u64 {
            let random = number * (u64::MAX / 10_000) + (u64::MAX / 20_000);
            let drawn = draw(moves, least, random).unwrap();
            counts[moves.iter().position(|known| known.mv == drawn.mv).unwrap()] += 1;
        }
        counts
    };
    assert_eq!(share(1), [6000, 3000, 900, 100]);
    assert_eq!(share(10), [6667, 3333, 0, 0]);
    assert_eq!(draw(moves, 61, 0), None);
    assert_eq!(draw(moves, 1, u64::MAX).unwrap().mv, Some(mv("9g9f")));
    assert_eq!(draw(&[BookMove::played(mv("7g7f"), 0)], 0, 5), None);
}

/// Doubts one move.
#[derive(Debug)]
struct Doubt(Move);

impl Veto for Doubt {
    fn doubts(&self, _: &Position, mv: Move) -> bool {
        mv == self.0
    }
}

#[test]
fn an_engine_opens_by_its_book_and_then_searches() {
    let opening = OpeningBook {
        moves: 2,
        ..OpeningBook::new(Arc::new(book(&[
            ("", &["9g9f 1"]),
            ("9g9f", &["9c9d 1"]),
            ("9g9f 9c9d", &["1g1f 1"]),
        ])))
    };
    let search = |opening: &OpeningBook, line: &str, limits: &Limits| {
        let inner = Box::new(AlphaBeta::new(Material::default(), 1));
        let game = Game::from_usi(&format!("startpos moves {line}")).unwrap();
        let mut told = 0;
        let mut engine = BookSearcher::new(inner, opening.clone());
        let result = engine.search(&game, limits, Stop::never(), &mut |_| told += 1);
        assert!(told > 0);
        result
    };
    let limits = Limits::nodes(200);
    for (line, expected) in [("", "9g9f"), ("9g9f", "9c9d")] {
        let result = search(&opening, line, &limits);
        assert_eq!((result.best, result.nodes, result.from_book), (Some(mv(expected)), 0, true));
    }
    // Beyond the moves of the book, outside it, with other moves wanted, and where there is doubt.
    assert!(!search(&opening, "9g9f 9c9d", &limits).from_book);
    assert!(!search(&opening, "7g7f", &limits).from_book);
    let other = Limits { moves: vec![mv("7g7f")], ..limits.clone() };
    assert_eq!(search(&opening, "", &other).best, Some(mv("7g7f")));
    let veto: Option<Arc<dyn Veto>> = Some(Arc::new(Doubt(mv("9g9f"))));
    let doubting = OpeningBook { veto, ..opening };
    assert!(search(&doubting, "", &limits).nodes > 0);
    assert!(search(&doubting, "9g9f", &limits).from_book);
}

#[test]
fn a_repeated_position_is_searched() {
    let back = "4i4h 4a4b 4h4i 4b4a";
    let opening = OpeningBook::new(Arc::new(book(&[("", &["4i4h 1"])])));
    let answer = |line: &str| {
        let game = Game::from_usi(&format!("startpos moves {line}")).unwrap();
        opening.answer(&game, &Limits::default(), 0).is_some()
    };
    assert!(answer("") && !answer(back));
}

#[test]
fn the_seed_and_the_position_decide() {
    let opening = OpeningBook::new(Arc::new(book(&[("", &["7g7f 1", "2g2f 1"])])));
    let game = Game::new(Position::startpos());
    let drawn = |seed| opening.answer(&game, &Limits::default(), seed).unwrap().mv;
    let first = (0..1000).filter(|&seed| drawn(seed) == mv("7g7f")).count();
    assert!((440..560).contains(&first), "{first}");
    assert!((0..1000).all(|seed| drawn(seed) == drawn(seed)));
}

/// Books of all sorts, from random numbers.
fn random_book(seed: u64) -> Book {
    let mut state = seed;
    let mut random = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut draft = Draft::default();
    for _ in 0..random(8) {
        let mut position = Position::startpos();
        for _ in 0..random(120) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let count = random(9) as u32 * random(1 << 20) as u32;
            let mv = moves[random(moves.len() as u64) as usize];
            let next = position.after_unchecked(mv);
            let replies = next.legal_moves();
            let reply = (random(2) == 0).then(|| replies.first().copied()).flatten();
            let (score, depth) = (random(4000) as i32 - 2000, random(40) as u32);
            let mut placement = String::new();
            position.write_placement(&mut placement);
            let known = BookMove { mv: Some(mv), reply, score, depth, count };
            draft.add(&placement, position.ply(), [known]);
            position = next;
        }
    }
    draft.finish()
}

#[test]
fn every_book_is_its_file() {
    for seed in 0..60 {
        let book = random_book(seed);
        let loaded = db::read(written(&book).as_bytes());
        assert_eq!(faults(&loaded), []);
        assert_eq!(loaded.book, book);
        let mut before = "";
        for entry in book.entries() {
            assert!(before < entry.placement);
            before = entry.placement;
            let sfen = format!("{} 999", entry.placement);
            assert_eq!(book.get(&Position::from_sfen(&sfen).unwrap()), Some(entry));
        }
    }
}

#[test]
fn merged_books_have_everything() {
    let [one, two] = [random_book(1), random_book(2)];
    let both = Book::merged([&one, &two]);
    for entry in one.entries().chain(two.entries()) {
        let sfen = format!("{} 1", entry.placement);
        let position = Position::from_sfen(&sfen).unwrap();
        let found = both.get(&position).unwrap();
        let sum: u64 =
            [&one, &two].into_iter().filter_map(|b| b.get(&position)).map(|e| total(e.moves)).sum();
        assert_eq!(total(found.moves), sum);
    }
    assert_eq!(Book::merged([&one]), one);
    assert_eq!(Book::merged([&two, &one]).len(), both.len());
}

#[test]
fn no_bytes_are_too_strange() {
    let good = written(&random_book(3)).into_bytes();
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..100 {
        let mut bytes = good.clone();
        for _ in 0..1 + random(40) {
            let place = random(bytes.len());
            match random(3) {
                0 => bytes[place] = random(256) as u8,
                1 => drop(bytes.drain(place..(place + random(30)).min(bytes.len()))),
                _ => bytes.insert(place, b" \n/+9*-kS"[random(9)]),
            }
        }
        let loaded = db::read(&bytes);
        let again = db::read(written(&loaded.book).as_bytes());
        assert_eq!((again.fault_count, &again.book), (0, &loaded.book));
    }
}

#[test]
fn a_position_without_a_known_move_is_kept_and_searched() {
    let text = format!("{}\nsfen {START} 1\nnone none 1 1 1\n", db::HEADER);
    let loaded = db::read(text.as_bytes());
    assert_eq!(faults(&loaded), []);
    assert_eq!(written(&loaded.book), text);
    let found = loaded.book.get(&Position::startpos()).unwrap();
    assert_eq!((total(found.moves), draw(found.moves, 0, 0)), (0, None));
    let wrong = text.replace("none none", "none 7g7f");
    assert_eq!(db::read(wrong.as_bytes()).fault_count, 1);
}

#[test]
fn moves_that_take_a_castle_apart_are_doubted() {
    let veto = castle_veto(None);
    // A whole mino of Black: nothing of it goes back, all else may move.
    let mino = "lnsgk1snl/1r4gb1/ppppppppp/9/9/5P2P/PPPPP1PP1/1B2G1SK1/LNS1RG1NL b - 17";
    let position = Position::from_sfen(mino).unwrap();
    for (text, expected) in [
        ("4i3i", true),
        ("5h6h", true),
        ("2h1g", true),
        ("5h4g", false), // a high mino
        ("7g7f", false),
        ("7i6h", false),
    ] {
        assert_eq!(veto.doubts(&position, mv(text)), expected, "{text}");
    }
    // The opponent's moves are seen from the other side.
    let turned = "ln1gr1snl/1ks1g2b1/1pp1ppppp/p2p5/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 18";
    let position = Position::from_sfen(turned).unwrap();
    for (text, expected) in [("6a7a", true), ("5b4b", true), ("5b6c", false), ("3c3d", false)] {
        assert_eq!(veto.doubts(&position, mv(text)), expected, "{text}");
    }
}
