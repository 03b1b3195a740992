//! Positions made for each generator: moves that it must produce, and near misses that it must not.

mod defence;
mod goal;
mod improvement;
mod prevention;
mod threat;

use std::collections::HashSet;

use tesuji_eval::moves::Past;
use tesuji_eval::plausible::{Development, Generator, Generators, Rater, Scene};
use tesuji_shogi::{Move, Position};

use crate::lore::Knowledge;

/// Does the move come, the position, the move, and why.
type Row = (bool, &'static str, &'static str, &'static str);

const COMES: bool = true;
const STAYS_AWAY: bool = false;

/// All rows of all generators.
fn rows() -> impl Iterator<Item = (Generator, &'static [Row])> {
    [goal::ROWS, threat::ROWS, defence::ROWS, improvement::ROWS, prevention::ROWS]
        .into_iter()
        .flatten()
        .copied()
}

/// Does the generator produce the move?
fn produces(generator: Generator, sfen: &str, mv: &str, knowledge: &Knowledge) -> bool {
    let position = Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
    let mv: Move = mv.parse().unwrap();
    assert!(position.is_legal(mv), "{mv} in {sfen} for {generator}");
    let development = Development::new(&knowledge.lore, &position, [None, None]);
    let scene = Scene::new(&position, Past::default(), &development);
    let rater = Rater::new(&scene, &knowledge.merits, Generators::ALL);
    rater.rate(mv).generators.contains(generator)
}

#[test]
fn each_generator_produces_what_it_must_and_nothing_beside_it() {
    let knowledge = Knowledge::new();
    let mut wrong = Vec::new();
    for (generator, rows) in rows() {
        for &(comes, sfen, mv, why) in rows {
            if produces(generator, sfen, mv, &knowledge) != comes {
                wrong.push(format!("{generator}: {mv} in {sfen} ({why}): expected {comes}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_generator_has_three_rows_of_either_kind() {
    let mut seen = HashSet::new();
    for (generator, rows) in rows() {
        assert!(seen.insert(generator), "{generator} is there twice");
        let places: HashSet<_> = rows.iter().map(|&(_, sfen, mv, _)| (sfen, mv)).collect();
        assert_eq!(places.len(), rows.len(), "{generator} has a row twice");
        for kind in [COMES, STAYS_AWAY] {
            let count = rows.iter().filter(|row| row.0 == kind).count();
            assert!(count >= 3, "{generator} has {count} rows of {kind}");
        }
    }
    assert_eq!(seen.len(), Generator::COUNT);
}
