//! Tests of the definitions, the maps and what is recognised.

use std::collections::HashSet;

use tesuji_shogi::{BoardChange, Color, Move, Piece, PieceKind, Position, Square, attacks};

use super::maps::distances;
use super::*;
use crate::progress::Progress;

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

#[test]
fn the_shipped_file_has_what_players_know() {
    let formations = Formations::shipped();
    assert!(formations.castles().len() >= 80, "{}", formations.castles().len());
    assert!(formations.assaults().len() >= 30, "{}", formations.assaults().len());
    assert_eq!(formations.castles().iter().filter(|castle| castle.counted).count(), 64);
    for id in ["mino", "high_mino", "silver_crown", "boat", "gold_yagura", "static_rook_anaguma"] {
        assert!(formations.castle(id).is_some(), "{id}");
    }
    for kanji in ["美濃囲い", "銀冠", "居飛車穴熊", "金矢倉"] {
        assert!(formations.castle(kanji).is_some(), "{kanji}");
    }
    for kanji in ["棒銀", "右四間飛車"] {
        assert!(formations.assault(kanji).is_some(), "{kanji}");
    }
    let ids: HashSet<&str> = formations.names().map(|names| &*names.id).collect();
    assert_eq!(ids.len(), formations.names().count());
}

#[test]
fn a_mino_grows_into_a_silver_crown() {
    let formations = Formations::shipped();
    let castles = formations.castles();
    let grows = |from: &str, into: &str| {
        let from = formations.castle(from).unwrap();
        from.grows_into.iter().any(|&index| castles[index].names.id == into)
    };
    assert!(grows("mino", "high_mino"));
    assert!(grows("high_mino", "silver_crown"));
}

/// The roads that a king climbs on a map: always to the neighbour with the highest value, all of
/// them if several have it.
fn roads(map: &maps::Values, from: Square, taken: &[Square]) -> HashSet<Vec<Square>> {
    let near = attacks::king(from).into_iter().filter(|next| !taken.contains(next));
    let higher: Vec<Square> = near.filter(|next| map[next.index()] > map[from.index()]).collect();
    let Some(best) = higher.iter().map(|next| map[next.index()]).max() else {
        return HashSet::from([vec![from]]);
    };
    let best = higher.into_iter().filter(|next| map[next.index()] == best);
    let onward = best.flat_map(|next| roads(map, next, taken));
    onward.map(|road| [vec![from], road].concat()).collect()
}

#[test]
fn the_king_climbs_into_the_mino_as_the_paper_says() {
    let atlas = Atlas::shipped();
    let index = atlas.formations().castles().iter().position(|c| c.names.id == "mino").unwrap();
    let map = atlas.castle(index).of_kind(PieceKind::King);
    let value = |name: &str| map[square(name).index()];
    assert_eq!(["5i", "4h", "3h", "3i", "2h", "4i"].map(value), [-5, 2, 8, 8, 14, -1]);
    let road = |text: &str| text.split(' ').map(square).collect::<Vec<_>>();
    let free = roads(&map, square("5i"), &[]);
    assert_eq!(free, HashSet::from([road("5i 4h 3h 2h"), road("5i 4h 3i 2h")]));
    let blocked = roads(&map, square("5i"), &[square("4h")]);
    assert!(blocked.contains(&road("5i 4i 3h 2h")), "{blocked:?}");
}

#[test]
fn a_built_king_map_is_near_the_printed_one() {
    let formations = Formations::shipped();
    let mut castle = formations.castle("mino").unwrap().clone();
    castle.maps.clear();
    let map = FormationMaps::of_castle(&castle).of_kind(PieceKind::King);
    let value = |name: &str| map[square(name).index()];
    assert_eq!(["2h", "3h", "3i", "2i", "4h", "5i"].map(value), [14, 8, 8, 8, 2, -4]);
    assert_eq!(["8h", "2e"].map(value), [-9, 0]);
}

#[test]
fn distances_are_moves_on_an_empty_board() {
    let moves =
        |kind, target: &str, from: &str| distances(kind, square(target))[square(from).index()];
    assert_eq!(moves(PieceKind::Gold, "5h", "6i"), Some(1));
    assert_eq!(moves(PieceKind::Silver, "3h", "3i"), Some(1));
    assert_eq!(moves(PieceKind::Silver, "3i", "3h"), Some(3));
    assert_eq!(moves(PieceKind::Rook, "6h", "2h"), Some(1));
    assert_eq!(moves(PieceKind::Rook, "7f", "2h"), Some(2));
    assert_eq!(moves(PieceKind::Pawn, "7f", "7g"), Some(1));
    assert_eq!(moves(PieceKind::Pawn, "7f", "7e"), None);
    assert_eq!(moves(PieceKind::Knight, "7g", "8i"), Some(1));
    assert_eq!(moves(PieceKind::Knight, "8i", "7g"), None);
}

#[test]
fn two_golds_are_never_drawn_to_one_square() {
    let formations = Formations::shipped();
    let maps = FormationMaps::of_castle(formations.castle("mino").unwrap());
    let value = |squares: &[&str]| {
        let pieces =
            squares.iter().map(|name| (square(name), Piece::new(Color::Black, PieceKind::Gold)));
        let king = (square("5a"), Piece::new(Color::White, PieceKind::King));
        let position =
            Position::from_parts(pieces.chain([king]), Default::default(), Color::Black, 1)
                .unwrap();
        maps.kind_value(&position, Color::Black, PieceKind::Gold)
            / maps::kind_weight(PieceKind::Gold)
    };
    // Both at home are worth more than one at home and the other beside it.
    assert_eq!(value(&["4i", "5h"]), 28);
    assert_eq!(value(&["4i", "4h"]), 22);
    assert_eq!(value(&["4i"]), 14);
    // A third one changes nothing.
    assert_eq!(value(&["4i", "5h", "5i"]), 28);
}

/// A castle standing alone on the board, for a player.
fn built(shape: &Shape, color: Color) -> Position {
    let pieces = shape.pieces.iter();
    let pieces = pieces.map(|&(kind, square)| (square.seen_by(color), Piece::new(color, kind)));
    Position::from_parts(pieces, Default::default(), color, 40).unwrap()
}

#[test]
fn every_castle_is_recognised_as_itself() {
    let formations = Formations::shipped();
    for castle in formations.castles() {
        for color in Color::ALL {
            let position = built(castle.shape(), color);
            let seen = Recognition::new(formations, &position);
            let found = seen.of(color).castle.as_ref();
            let name = found.map(|found| &*found.formation.names.id);
            // One that begins like the game does is no castle yet.
            assert_eq!(name, Some(&*castle.names.id), "{color:?}");
            assert!(found.is_some_and(Found::is_whole));
            assert!(seen.of(!color).castle.is_none());
        }
    }
}

/// Plays legal moves at random.
fn random_game(seed: u64, plies: usize, mut visit: impl FnMut(&Position, Move, &Position)) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut position = Position::startpos();
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = moves[(state >> 33) as usize % moves.len()];
        let after = position.after_unchecked(mv);
        visit(&position, mv, &after);
        position = after;
    }
}

#[test]
fn what_is_kept_from_move_to_move_is_what_the_pieces_say() {
    let atlas = Atlas::shipped();
    let wishes = Wishes { castles: 200, assaults: 150, positional: 100, alive: 2, middle_game: 50 };
    for seed in 0..40 {
        let mut guide: Option<(Guide, GuideState)> = None;
        random_game(seed, 120, |before, mv, after| {
            let (guide, state) = guide.get_or_insert_with(|| {
                let guide = Guide::new(&atlas, before, &wishes, [None; 2]);
                let state = guide.state(before);
                (guide, state)
            });
            *state = guide.after(state, &BoardChange::new(before, mv), after);
            assert_eq!(*state, guide.state(after), "{}", after.to_sfen());
        });
    }
}

#[test]
fn the_score_of_a_guide_is_what_the_maps_say_one_by_one() {
    let atlas = Atlas::shipped();
    let wishes = Wishes { castles: 700, assaults: 400, positional: 150, alive: 1, middle_game: 50 };
    let mut seen = 0;
    for seed in 0..30 {
        random_game(seed, 60, |position, _, _| {
            let choices = atlas.formations().choose(position, 1, [None; 2]);
            let left = 16 - Progress::near_kings(position).sixteenths() as i32;
            let side = |color: Color| {
                let choice = &choices[color.index()];
                let stage = if choice.stage == Stage::Opening { 100 } else { wishes.middle_game };
                let of = |maps: &FormationMaps, weight: i32| {
                    weight * (maps.value(position, color) - maps.attainable())
                };
                let castles = choice
                    .castles
                    .iter()
                    .map(|&index| of(atlas.castle(index), wishes.castles * left * stage / 1600));
                let assaults = choice
                    .assaults
                    .iter()
                    .map(|&index| of(atlas.assault(index), wishes.assaults * left / 16));
                let own = position.pieces().filter(|(_, piece)| piece.color() == color);
                let squares = own.map(|(square, piece)| {
                    i32::from(atlas.positional(piece.kind())[square.seen_by(color).index()])
                });
                let positional = 4 * (wishes.positional * left / 16) * squares.sum::<i32>();
                castles.sum::<i32>() + assaults.sum::<i32>() + positional
            };
            let expected = (side(Color::Black) - side(Color::White)) / 400;
            let guide = Guide::new(&atlas, position, &wishes, [None; 2]);
            assert_eq!(guide.score(&guide.state(position)), expected, "{}", position.to_sfen());
            seen += usize::from(expected != 0);
        });
    }
    assert!(seen > 500, "{seen}");
}

#[test]
fn players_go_on_with_what_they_build() {
    let atlas = Atlas::shipped();
    let formations = atlas.formations();
    let (mut kept, mut left) = (0, 0);
    for seed in 0..20 {
        let mut before = [None; 2];
        random_game(seed, 60, |position, _, _| {
            let anew = formations.choose(position, 1, [None; 2]);
            let again = formations.choose(position, 1, before);
            for color in Color::ALL {
                let [anew, again] =
                    [&anew, &again].map(|choice| choice[color.index()].castles.first().copied());
                if let Some(old) = before[color.index()]
                    && anew != Some(old)
                {
                    *(if again == Some(old) { &mut kept } else { &mut left }) += 1;
                }
                before[color.index()] = again;
            }
        });
    }
    assert!(kept > left && left > 0, "{kept} kept, {left} left");
}

#[test]
fn maps_that_differ_have_other_identities() {
    let atlas = Atlas::shipped();
    let start = Position::startpos();
    let wishes = Wishes { castles: 700, assaults: 400, positional: 0, alive: 1, middle_game: 50 };
    let identity = |position: &Position, wishes: &Wishes, before: [Option<usize>; 2]| {
        let guide = Guide::new(&atlas, position, wishes, before);
        (guide.castles(), guide.identity())
    };
    let plain = identity(&start, &wishes, [None; 2]);
    assert_eq!(plain, identity(&start, &wishes, [None; 2]));
    for other in [Wishes { castles: 600, ..wishes }, Wishes { positional: 1, ..wishes }] {
        assert_ne!(plain.1, identity(&start, &other, [None; 2]).1);
    }
    let mut others = 0;
    random_game(1, 40, |position, _, _| {
        let plain = identity(position, &wishes, [None; 2]);
        for castle in 0..atlas.formations().castles().len() {
            let other = identity(position, &wishes, [Some(castle), None]);
            others += usize::from(other.0 != plain.0);
            // Other castles are other maps.
            assert!(other.0 == plain.0 || other.1 != plain.1, "{}", position.to_sfen());
        }
    });
    assert!(others > 20, "{others}");
}

const CASTLE: &str = r#"
[[castle]]
id = "mino"
name = "mino"
romaji = "mino-gakoi"
kanji = "美濃囲い"
side = "right"
rook = "ranging"
against = "static"
squares = "K2h G4i G5h S3h P1f P2g"
"#;

#[test]
fn a_broken_definition_gets_its_line_and_what_is_wrong() {
    assert!(Formations::parse(CASTLE).is_ok());
    for (old, new, expected) in [
        ("K2h ", "", "line 2: mino: it has no king"),
        ("G4i", "K4i", "mino: it has two kings"),
        ("S3h", "S2h", "mino: two pieces on 2h"),
        ("S3h", "G3h", "mino: 3 of a kind (gold): a player has 2"),
        ("P1f", "P2f", "mino: two pawns on file 2"),
        ("P1f", "+P1f", "+P1f: a kind without a map"),
        ("P1f", "X1f", "found \"X1f\""),
        ("P1f", "P1j", "found \"P1j\""),
        ("P1f", "P1a", "a pawn on 1a could never move"),
        ("side = \"right\"", "side = \"left\"", "its king on 2h is on the right side"),
        ("side = \"right\"", "side = \"up\"", "expected left, centre, right, found \"up\""),
        ("rook = \"ranging\"", "rook = \"both\"", "expected static, ranging, any"),
        ("kanji = \"美濃囲い\"", "kanji = \"\"", "mino: its kanji is empty"),
        ("id = \"mino\"", "id = \"Mino\"", "expected an id of a-z, 0-9 and _"),
        ("against", "agianst", "line 9: unknown field `agianst`"),
        ("[[castle]]", "[[castle]]\ngrows_into = [\"nothing\"]", "there is no castle \"nothing\""),
        ("[[castle]]", "[[castle]]\nassaults = [\"nothing\"]", "there is no assault \"nothing\""),
        ("[[castle]]", "[[castle]]\nmaps.tokin = \"\"", "\"tokin\": a kind without a map"),
        ("[[castle]]", "[[castle]]\nmaps.king = \"1 2\"", "expected 81 numbers, found 2"),
    ] {
        let text = CASTLE.replacen(old, new, 1);
        let error = Formations::parse(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{new:?} gave {error:?}");
        assert!(error.starts_with("line "), "{error}");
    }
    let error = Formations::parse(&CASTLE.repeat(2)).unwrap_err().to_string();
    assert!(error.contains("mino: already defined in line 2"), "{error}");
    assert!(Formations::parse("").unwrap_err().to_string().contains("no castle is defined"));
}

#[test]
fn roads_change_maps() {
    let atlas = Atlas::new(Formations::shipped().clone());
    let index = atlas.formations().castles().iter().position(|c| c.names.id == "boat").unwrap();
    let places = atlas.castle(index).places();
    let king = places.iter().position(|place| place.place.0 == PieceKind::King).unwrap();
    let mut roads = Roads::default();
    for _ in 0..100 {
        roads.note(&["5i", "6h", "7h"].map(square));
    }
    let all = [(("boat".to_owned(), king), roads)].into();
    let learned = LearnedMaps::new(&atlas, &all);
    assert_eq!(learned.len(), 1);
    let text = learned.to_text("a note");
    assert_eq!(LearnedMaps::parse(&text).unwrap(), learned);
    let map = atlas.clone().with(&learned).castle(index).of_kind(PieceKind::King);
    let before = atlas.castle(index).of_kind(PieceKind::King);
    let value = |name: &str| map[square(name).index()];
    assert_eq!(["7h", "6h"].map(value), [14, 8]);
    // Nobody came by 6i, from where it is as near.
    assert_eq!(before[square("6i").index()], 8);
    assert!(value("6i") < 8, "{}", value("6i"));
    for (text, expected) in [
        ("boat\tK7h", "line 1: expected id, place and 81 numbers"),
        ("# a\nboat\tK7h\t1 2", "line 2: expected 81 numbers, found 2"),
    ] {
        assert!(LearnedMaps::parse(text).unwrap_err().to_string().contains(expected));
    }
}
