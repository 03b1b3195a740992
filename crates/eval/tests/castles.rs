//! Our castles beside a larger list of castles, and the thesis's formations beside their source.

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use std::collections::{BTreeMap, BTreeSet};

use tesuji_eval::castles::{Castle, Castles};
use tesuji_shogi::{PieceKind, Square};

type Pieces = BTreeSet<(char, String)>;

/// Squares written kind by kind, such as `K8h G7h,6g S7g`.
fn squares(text: &str) -> Pieces {
    text.split(' ')
        .flat_map(|kind| {
            let (letter, squares) = kind.split_at(1);
            let letter = letter.chars().next().unwrap();
            squares.split(',').map(move |square| (letter, square.to_owned()))
        })
        .collect()
}

fn pieces(castle: &Castle) -> Pieces {
    let text = |(kind, square): (PieceKind, Square)| (kind.letter(), square.to_string());
    castle.pieces.iter().copied().chain([(PieceKind::King, castle.king)]).map(text).collect()
}

fn king_and_generals(pieces: &Pieces) -> Pieces {
    pieces.iter().filter(|(letter, _)| "KGS".contains(*letter)).cloned().collect()
}

fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

#[test]
fn castles_have_names_of_their_own_and_possible_shapes() {
    let castles = Castles::common().all();
    assert!(castles.len() >= 45, "{}", castles.len());
    let names: BTreeSet<&str> = castles.iter().map(|castle| &*castle.name).collect();
    let japanese: BTreeSet<_> = castles.iter().map(|castle| &castle.japanese).collect();
    let shapes: BTreeSet<Pieces> = castles.iter().map(pieces).collect();
    assert_eq!([names.len(), japanese.len(), shapes.len()], [castles.len(); 3]);
    for castle in castles {
        assert!(castle.japanese.is_some(), "{}", castle.name);
        assert!(castle.pieces.iter().all(|(_, square)| square.rank() >= 5), "{}", castle.name);
    }
}

/// Castles where the list has one general more than belongs to the castle.
const OTHER_SHAPES: [(&str, &str); 1] = [
    // The silver on 4h is the right one, which soon goes to attack.
    ("舟囲い", "S4h"),
];

#[test]
fn kings_and_generals_agree_with_the_larger_list() {
    let Some(text) = shared_data::read("castles.tsv") else { return };
    let listed: BTreeMap<&str, Pieces> = lines(&text)
        .map(|fields| {
            (fields[3].split(" (").next().unwrap(), king_and_generals(&squares(fields[7])))
        })
        .collect();
    let mut found = 0;
    for castle in Castles::common().all() {
        let Some(listed) = castle.japanese.as_deref().and_then(|name| listed.get(name)) else {
            continue;
        };
        found += 1;
        let mut ours = king_and_generals(&pieces(castle));
        let other = OTHER_SHAPES.iter().find(|(name, _)| castle.japanese.as_deref() == Some(name));
        ours.extend(other.into_iter().flat_map(|(_, more)| squares(more)));
        assert_eq!(&ours, listed, "{}", castle.name);
    }
    assert!(found >= 45, "only {found} castles of ours are in the list");
}

#[test]
fn formations_of_the_thesis_are_those_of_its_program() {
    let Some(text) = shared_data::read("castles_legacy43.tsv") else { return };
    let listed: Vec<Pieces> = lines(&text).map(|fields| squares(fields[1])).collect();
    let ours: Vec<Pieces> = Castles::thesis().all().iter().map(pieces).collect();
    assert_eq!(ours, listed);
}
