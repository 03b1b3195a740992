//! Merits: what every rating keeps to, on all boards, and the file.

use tesuji_eval::moves::Past;
use tesuji_eval::plausible::{
    Class, Cut, Development, Generator, Generators, Group, LEVELS, Lore, Merits, Rater, Rating,
    Scene, feature_set_id,
};
use tesuji_shogi::{Color, ExchangeValues, Move, Origin, Piece, PieceKind, Position, Square};

use crate::common::Random;
use crate::lore::Knowledge;
use crate::positions::for_each_random;

/// The ratings of all legal moves by some of the generators.
fn rate_all(position: &Position, lore: &Lore, merits: &Merits, asked: Generators) -> Vec<Rating> {
    let development = Development::new(lore, position, [None, None]);
    let scene = Scene::new(position, Past::default(), &development);
    let rater = Rater::new(&scene, merits, asked);
    rater.rate_all(&position.legal_moves())
}

/// The board turned round, with the players exchanged.
fn turned(position: &Position) -> Position {
    let pieces = position.pieces().map(|(square, piece)| {
        (square.seen_by(Color::White), Piece::new(!piece.color(), piece.kind()))
    });
    let hands = [position.hand(Color::White), position.hand(Color::Black)];
    Position::from_parts(pieces, hands, !position.side_to_move(), position.ply()).unwrap()
}

fn turned_move(mv: Move) -> Move {
    let to = mv.to().seen_by(Color::White);
    match mv.origin() {
        Origin::Hand(kind) => Move::drop(kind, to).unwrap(),
        Origin::Board(from) if mv.is_promotion() => Move::promotion(from.seen_by(Color::White), to),
        Origin::Board(from) => Move::normal(from.seen_by(Color::White), to),
    }
}

/// A board that should be rated alike, and what its squares and moves are there.
struct Twin {
    position: Position,
    square: fn(Square) -> Square,
    mv: fn(Move) -> Move,
}

/// Are all exchanges worth the same? Of two takers of one kind the one with the lower square goes
/// first, and what stands behind each may differ.
fn exchanges_alike(position: &Position, twin: &Twin) -> bool {
    let values = ExchangeValues::default();
    let gain = |position: &Position, square: Square| {
        let Some(piece) = position.piece_on(square) else { return 0 };
        position.capture_gain(square, !piece.color(), &values)
    };
    let exchange = |position: &Position, mv: Move| position.exchange(mv, &values);
    let moves = position.legal_moves();
    Square::all().all(|at| gain(position, at) == gain(&twin.position, (twin.square)(at)))
        && moves.iter().all(|&mv| exchange(position, mv) == exchange(&twin.position, (twin.mv)(mv)))
}

/// Compares the ratings of all moves on random boards and their twins.
fn assert_alike(
    merits: &Merits,
    twin: impl Fn(&Position) -> Twin,
    asked: impl Fn(&Position) -> Generators,
) {
    let lore = Lore::shipped();
    let (mut compared, mut left_out) = (0, 0);
    for_each_random(600, 7, |position, last| {
        let twin = twin(position);
        if !exchanges_alike(position, &twin) {
            left_out += 1;
            return;
        }
        compared += 1;
        let positions = [position, &twin.position];
        let plans = positions.map(|position| Development::new(&lore, position, [None, None]));
        let past = |last| Past { last, before: None };
        let scenes = [
            Scene::new(position, past(last), &plans[0]),
            Scene::new(&twin.position, past(last.map(twin.mv)), &plans[1]),
        ];
        let raters = scenes.each_ref().map(|scene| Rater::new(scene, merits, asked(position)));
        for &mv in position.legal_moves().iter() {
            let ratings = [raters[0].rate(mv), raters[1].rate((twin.mv)(mv))];
            assert_eq!(ratings[0], ratings[1], "{mv} in {}", position.to_sfen());
        }
    });
    assert!(compared > 10 * left_out, "{compared} compared, {left_out} left out");
}

/// The generators that ask nothing of maps and patterns.
fn without_development() -> Generators {
    let of_maps = [Generator::Develop, Generator::AvoidDevelopment];
    Generators::ALL.without(of_maps.into_iter().collect())
}

#[test]
fn ratings_are_the_same_with_the_players_exchanged() {
    let twin = |position: &Position| Twin {
        position: turned(position),
        square: |square| square.seen_by(Color::White),
        mv: turned_move,
    };
    // What a player builds goes by where the rook is, and of two rooks by that on the lower square.
    let asked = |position: &Position| {
        let rooks = Color::ALL.map(|color| position.of(color, PieceKind::Rook).count());
        if rooks.contains(&2) { without_development() } else { Generators::ALL }
    };
    assert_alike(&Merits::shipped(), twin, asked);
}

/// Castles and patterns are not: the rook stands on the right.
#[test]
fn ratings_are_the_same_in_the_mirror() {
    let twin = |position: &Position| Twin {
        position: position.mirrored(),
        square: Square::mirrored,
        mv: Move::mirrored,
    };
    let mut values = Merits::shipped().values().to_vec();
    values[Group::Pattern.range()].fill(0);
    assert_alike(&Merits::new(values).unwrap(), twin, |_| without_development());
}

#[test]
fn every_board_is_rated() {
    let (lore, merits) = (Lore::shipped(), Merits::shipped());
    // What stands on the board, and how many legal moves there are.
    let boards = [
        ("no king", "9/9/9/4p4/9/4P4/9/9/9 b RG 1"),
        ("one king", "4k4/9/9/4p4/9/4P4/9/9/9 b RG 1"),
        ("only the own king", "9/9/9/4p4/9/4P4/9/9/4K4 b RG 1"),
        ("check", "4k4/9/9/9/9/9/4r4/9/4K4 b G 1"),
        ("two checks", "4k4/9/9/9/1b7/9/4r4/9/4K4 b G 1"),
        ("a full hand", "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1"),
    ];
    for (what, sfen) in boards {
        let position = Position::from_sfen(sfen).unwrap();
        let rated = rate_all(&position, &lore, &merits, Generators::ALL);
        assert!(!rated.is_empty(), "{what}");
        let produced = rated.iter().filter(|rating| rating.is_produced()).count();
        assert!(produced > 0, "{what}");
    }
    let mate = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
    assert_eq!(rate_all(&mate, &lore, &merits, Generators::ALL), []);
    // A move of a piece that is not there is for nothing.
    let development = Development::new(&lore, &mate, [None, None]);
    let scene = Scene::new(&mate, Past::default(), &development);
    let rater = Rater::new(&scene, &merits, Generators::ALL);
    assert_eq!(rater.rate("9i9h".parse().unwrap()), Rating::default());
    assert!(rater.reasons("9i9h".parse().unwrap()).is_empty());
}

#[test]
fn merits_are_sums_of_their_features() {
    let knowledge = Knowledge::new();
    let merits = &knowledge.merits;
    let mut random = Random::new(3);
    for_each_random(300, 8, |position, last| {
        let development = Development::new(&knowledge.lore, position, [None, None]);
        let scene = Scene::new(position, Past { last, before: None }, &development);
        let all = Rater::new(&scene, merits, Generators::ALL);
        let some: Generators = Generator::ALL.into_iter().filter(|_| random.one_in(2)).collect();
        let asked = Rater::new(&scene, merits, some);
        assert!(scene.level() < LEVELS);
        for &mv in position.legal_moves().iter() {
            let (rating, parts) = (all.rate(mv), all.parts(mv));
            let mut sum = 0;
            all.for_each_feature(mv, |feature| sum += i32::from(merits.values()[feature]));
            assert_eq!(rating.merit, sum);
            assert_eq!(all.reasons(mv).iter().map(|reason| reason.value).sum::<i32>(), sum);
            assert_eq!(parts.rating(Generators::ALL), rating);
            assert_eq!(parts.rating(some), asked.rate(mv));
            assert_eq!(asked.rate(mv).generators, rating.generators.and(some));
        }
    });
}

#[test]
fn a_higher_level_raises_all_moves_of_a_position() {
    let lore = Lore::shipped();
    let position = Position::startpos();
    let [plain, raised] = [Merits::shipped(), Merits::shipped().raised(|level| 10 + level as i32)]
        .map(|merits| rate_all(&position, &lore, &merits, Generators::ALL));
    // Nothing is in hand and nothing threatens: the first level.
    for (plain, raised) in plain.iter().zip(&raised) {
        assert_eq!(raised.merit, plain.merit + 10);
        assert_eq!(raised.generators, plain.generators);
    }
}

#[test]
fn improvement_and_prevention_rest_while_a_strong_threat_is_on_the_board() {
    let lore = Lore::shipped();
    let scenes = [
        (false, Position::STARTPOS, "nothing happens"),
        (true, "4k4/9/9/9/9/9/4r4/9/4K4 b G 1", "check"),
        (true, "4k4/9/9/7r1/9/9/7G1/9/4K4 b - 1", "a gold could be won"),
        (false, "4k4/9/9/7r1/9/9/7P1/9/4K4 b - 1", "a pawn could be won, and the rook promote"),
        (true, "4k4/9/7g1/9/9/9/9/7R1/4K4 b - 1", "we could win a gold"),
        (true, "3gkg3/9/3+P1+P3/4N4/9/9/9/9/4K4 b - 1", "six attacks beside their king"),
        (false, "3gkg3/9/3+P1+P3/9/9/9/9/9/4K4 b - 1", "four are not enough"),
    ];
    let rests = Generators::of(Class::Improvement);
    let rests = Generators::ALL.without(rests).without(Generators::of(Class::Prevention));
    for (tense, sfen, what) in scenes {
        let position = Position::from_sfen(sfen).unwrap();
        let development = Development::new(&lore, &position, [None, None]);
        let scene = Scene::new(&position, Past::default(), &development);
        assert_eq!(scene.is_tense(), tense, "{what}");
        assert_eq!(scene.asked(false), Generators::ALL, "{what}");
        assert_eq!(scene.asked(true), if tense { rests } else { Generators::ALL }, "{what}");
        assert_eq!(scene.level() >= LEVELS / 2, tense, "{what}");
    }
}

#[test]
fn cuts_keep_some_moves_and_more_when_they_are_wider() {
    let (lore, merits) = (Lore::shipped(), Merits::shipped());
    for_each_random(300, 9, |position, _| {
        let rated = rate_all(position, &lore, &merits, Generators::ALL);
        let keep = |cut: Cut| cut.keep(&rated, position.in_check());
        let count = |kept: &[bool]| kept.iter().filter(|kept| **kept).count();
        if position.in_check() {
            assert!(keep(Cut::Best(1)).iter().all(|kept| *kept), "answers to a check stay");
            return;
        }
        let wider = [Cut::Best(5), Cut::Best(30), Cut::All];
        let mass = [Cut::Mass(0.5), Cut::Mass(0.99), Cut::All];
        for cuts in [&wider[..], &mass, &[Cut::Merit, Cut::All]] {
            let kept: Vec<Vec<bool>> = cuts.iter().map(|&cut| keep(cut)).collect();
            assert!(rated.is_empty() || kept.iter().all(|kept| count(kept) > 0));
            for pair in kept.windows(2) {
                assert!(pair[0].iter().zip(&pair[1]).all(|(narrow, wide)| !narrow || *wide));
            }
        }
        assert!(count(&keep(Cut::Best(5))) <= 5);
    });
}

#[test]
fn a_file_of_other_generators_is_refused() {
    let merits = Merits::new(Merits::hand().values().to_vec()).unwrap();
    let bytes = merits.to_bytes();
    assert_eq!(Merits::parse(&bytes).unwrap(), merits);
    assert!(Merits::is_file(&bytes) && !Merits::is_file(b"format = \"tesuji-moves\"\n"));
    let id = feature_set_id();
    let begin = bytes.windows(id.len()).position(|window| window == id.as_bytes()).unwrap();
    let mut other = bytes.clone();
    other[begin..begin + id.len()].copy_from_slice(b"merit-00000000");
    let error = Merits::parse(&other).unwrap_err().to_string();
    assert!(error.contains("merit-00000000") && error.contains(&id), "{error}");
    let mut damaged = bytes;
    *damaged.last_mut().unwrap() ^= 1;
    assert!(Merits::parse(&damaged).is_err());
    assert!(Merits::new(vec![0; Merits::VALUES - 1]).is_err());
}
