//! Maps of castles and assaults as pictures.

use tesuji_eval::formations::maps::Values;
use tesuji_eval::formations::{Atlas, FormationMaps, Names};
use tesuji_report::SquareMap;
use tesuji_shogi::{PieceKind, Square};

use crate::reproduce::document::Picture;

/// Figure 3 of the paper: the map of the king in the mino. Ranks a to i, from file 9 to file 1; its
/// empty ranks are printed with a zero too many.
const PAPER_MINO_KING: [[i8; 9]; 4] = [
    [0, 0, 0, -9, -8, -1, -1, -1, -1],
    [0, 0, 0, -9, -7, 0, 4, 8, 5],
    [0, 0, 0, -8, -6, 2, 8, 14, 6],
    [0, 0, 0, -7, -5, -1, 8, 8, 6],
];

/// Formations that are shown beside the mino, with the kinds whose maps tell most.
const OTHERS: [(&str, [PieceKind; 3]); 3] = [
    ("silver_crown", [PieceKind::King, PieceKind::Gold, PieceKind::Silver]),
    ("static_rook_anaguma", [PieceKind::King, PieceKind::Gold, PieceKind::Silver]),
    ("climbing_silver", [PieceKind::Rook, PieceKind::Silver, PieceKind::Pawn]),
];

/// The maps of a formation.
pub struct Gallery {
    pub title: String,
    pub pictures: Vec<Picture>,
}

/// The mino with all its kinds, then the others.
pub fn galleries(atlas: &Atlas) -> Vec<Gallery> {
    let mut all = PieceKind::ALL.into_iter().filter(|kind| !kind.is_promoted()).collect::<Vec<_>>();
    all.reverse();
    // The king first: it is the one that the paper prints.
    all.sort_by_key(|kind| *kind != PieceKind::King);
    let mut galleries: Vec<Gallery> = gallery(atlas, "mino", &all).into_iter().collect();
    galleries.extend(OTHERS.iter().filter_map(|(id, kinds)| gallery(atlas, id, kinds)));
    galleries
}

fn gallery(atlas: &Atlas, id: &str, kinds: &[PieceKind]) -> Option<Gallery> {
    let (names, maps) = find(atlas, id)?;
    let picture = |&kind: &PieceKind| {
        let values = maps.of_kind(kind);
        let places = maps.places().iter().filter(|place| place.place.0 == kind);
        let places: Vec<String> = places.map(|place| place.place.1.to_string()).collect();
        let places = if places.is_empty() { "no place".into() } else { places.join(", ") };
        Picture {
            name: format!("{id}-{}", kind.english()).replace('_', "-"),
            caption: format!("{}, {}: {places}", names.name, kind.english()),
            figure: Box::new(figure(&values)),
        }
    };
    let title = format!("{} ({}, {})", names.name, names.romaji, names.kanji);
    Some(Gallery { title, pictures: kinds.iter().map(picture).collect() })
}

/// The numbers on their squares; zeros, which say nothing of a square, are small.
fn figure(values: &Values) -> SquareMap {
    let numbers = Square::all().map(|square| (square, f64::from(values[square.index()])));
    SquareMap::new(numbers)
        .faint(Square::all().filter(|square| values[square.index()] == 0).collect())
        .largest(14.0)
}

/// The castle or assault with this id.
fn find<'a>(atlas: &'a Atlas, id: &str) -> Option<(&'a Names, &'a FormationMaps)> {
    let formations = atlas.formations();
    let castle = formations.castles().iter().position(|one| one.names.id == id);
    if let Some(index) = castle {
        return Some((&formations.castles()[index].names, atlas.castle(index)));
    }
    let index = formations.assaults().iter().position(|one| one.names.id == id)?;
    Some((&formations.assaults()[index].names, atlas.assault(index)))
}

/// On how many of the 81 squares our map of the king in the mino is the one that the paper prints.
pub fn squares_as_printed(atlas: &Atlas) -> usize {
    let Some((_, maps)) = find(atlas, "mino") else { return 0 };
    let values = maps.of_kind(PieceKind::King);
    let printed = |square: Square| {
        let (rank, column) = (usize::from(square.rank()), usize::from(9 - square.file()));
        rank.checked_sub(6).map_or(0, |row| PAPER_MINO_KING[row][column])
    };
    Square::all().filter(|&square| values[square.index()] == printed(square)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mino_is_that_of_the_paper_and_all_formations_are_there() {
        let atlas = Atlas::shipped();
        assert_eq!(squares_as_printed(&atlas), 81);
        let galleries = galleries(&atlas);
        let counts: Vec<usize> = galleries.iter().map(|one| one.pictures.len()).collect();
        assert_eq!(counts, [8, 3, 3, 3]);
        assert_eq!(galleries[0].pictures[0].name, "mino-king");
        assert_eq!(galleries[0].pictures[0].caption, "mino, king: 2h");
    }
}
