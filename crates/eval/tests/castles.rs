//! Our castles and assaults beside larger lists, and the thesis's formations beside their source.

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use std::collections::{BTreeMap, BTreeSet};

use tesuji_eval::castles::{CountedCastle, CountedCastles};
use tesuji_eval::formations::{Assault, Castle, Formations, Shape};
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

fn text((kind, square): (PieceKind, Square)) -> (char, String) {
    (kind.letter(), square.to_string())
}

fn pieces(shape: &Shape) -> Pieces {
    shape.pieces.iter().copied().map(text).collect()
}

fn counted_pieces(castle: &CountedCastle) -> Pieces {
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
    let castles = Formations::shipped().castles();
    assert!(castles.len() >= 80, "{}", castles.len());
    let names: BTreeSet<&str> = castles.iter().map(|castle| &*castle.names.name).collect();
    let kanji: BTreeSet<&str> = castles.iter().map(|castle| &*castle.names.kanji).collect();
    let shapes: BTreeSet<Pieces> = castles.iter().map(|castle| pieces(castle.shape())).collect();
    assert_eq!([names.len(), kanji.len(), shapes.len()], [castles.len(); 3]);
    for castle in castles {
        let squares = castle.shape().pieces.iter().map(|(_, square)| square);
        assert!(squares.clone().all(|square| square.rank() >= 5), "{}", castle.names.name);
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
    for castle in Formations::shipped().castles() {
        let Castle { names, .. } = castle;
        let Some(listed) = listed.get(&*names.kanji) else { continue };
        found += 1;
        let mut ours = king_and_generals(&pieces(castle.shape()));
        let other = OTHER_SHAPES.iter().find(|(name, _)| names.kanji == *name);
        ours.extend(other.into_iter().flat_map(|(_, more)| squares(more)));
        if castle.counted {
            assert_eq!(&ours, listed, "{}", names.name);
        } else {
            // Newer castles may have a general more or less.
            let alike = ours.is_subset(listed) || ours.is_superset(listed);
            assert!(alike, "{}: {ours:?} and {listed:?}", names.name);
        }
    }
    assert!(found >= 75, "only {found} castles of ours are in the list");
}

#[test]
fn assaults_agree_with_the_larger_list() {
    let Some(text) = shared_data::read("assaults.tsv") else { return };
    let listed: BTreeMap<&str, Pieces> =
        lines(&text).map(|fields| (fields[3], squares(fields[7]))).collect();
    let attackers = |pieces: &Pieces| -> Pieces {
        pieces.iter().filter(|(letter, _)| "RS".contains(*letter)).cloned().collect()
    };
    let (mut found, mut same) = (0, 0);
    for Assault { names, shapes, .. } in Formations::shipped().assaults() {
        let Some(listed) = listed.get(&*names.kanji) else { continue };
        found += 1;
        let any = shapes.iter().any(|shape| attackers(&pieces(shape)) == attackers(listed));
        same += usize::from(any);
    }
    assert!(found >= 35 && 20 * same >= 17 * found, "{same} of {found}");
}

#[test]
fn formations_of_the_thesis_are_those_of_its_program() {
    let Some(text) = shared_data::read("castles_legacy43.tsv") else { return };
    let listed: Vec<Pieces> = lines(&text).map(|fields| squares(fields[1])).collect();
    let ours: Vec<Pieces> = CountedCastles::thesis().all().iter().map(counted_pieces).collect();
    assert_eq!(ours, listed);
}
