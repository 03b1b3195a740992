//! The tables as maps.

use tesuji_report::{Cell, Column, Table, number};
use tesuji_shogi::Square;

use super::super::maps::{Maps, PieceMap};
use crate::reproduce::document::{Document, Picture};

/// The gold beside that of KIRI, and other pieces.
pub fn maps(document: &mut Document, maps: Maps) {
    document.section("The tables on the board");
    document.text(
        "What an own piece is worth on each square beside a king, in hundredths of a pawn, in the \
         tables that come with the program, less the mean of all squares on which it can stand. Small \
         numbers are those of squares on which the piece was in fewer than a hundred positions of the \
         professional games to learn from: they are mostly guessed from what is near. What pairs of \
         pieces near a king are worth comes on top of this.",
    );
    document.text(
        "Figure 1 of \"A shogi program based on Monte-Carlo tree search\" (Sato, Takahashi and \
         Grimbergen) prints what a gold is worth with the own king on 8h in the tables of the program \
         KIRI, which were learned by comparison of moves too. Less its mean it stands beside ours, \
         KIRI first:",
    );
    document.table(both_golds(&maps));
    let [(all, squares), (often, common)] = maps.agreement();
    document.text(&format!(
        "The rank correlation of the two is {} over all {squares} squares, and {} over the {common} on \
         which a gold is often seen. The standard deviation is {} in KIRI's and {} in ours.",
        number::fixed(all, 2),
        number::fixed(often, 2),
        number::fixed(maps.kiri.spread(), 0),
        number::fixed(maps.gold.spread(), 0)
    ));
    let Maps { kiri, gold, own, enemy } = maps;
    let largest = kiri.largest().max(gold.largest());
    let of_kiri = Picture {
        name: "kiri-gold".into(),
        caption: "KIRI: gold, own king on 8h".into(),
        figure: Box::new(kiri.figure(largest)),
    };
    document.gallery(vec![of_kiri, picture(&gold, largest)]);
    document.text("Other pieces with the own king on 8h:");
    document.gallery(own.iter().map(|map| picture(map, map.largest())).collect());
    document.text("Own pieces with the enemy king on 2b:");
    document.gallery(enemy.iter().map(|map| picture(map, map.largest())).collect());
}

fn picture(map: &PieceMap, largest: f64) -> Picture {
    let figure = Box::new(map.figure(largest));
    Picture { name: map.file_name(), caption: map.caption(), figure }
}

/// Both golds, rank by rank.
fn both_golds(maps: &Maps) -> Table {
    let files = (1..=9).rev().map(|file: u8| Column::number(&file.to_string()));
    let mut table = Table::new(std::iter::once(Column::text("")).chain(files));
    for rank in 1..=9 {
        let name = char::from(b'a' + rank - 1).to_string();
        let cells = (1..=9).rev().filter_map(|file| Square::new(file, rank)).map(|square| {
            let values = (maps.kiri.get(square), maps.gold.get(square));
            let (Some(kiri), Some(ours)) = values else { return Cell::text("king") };
            Cell::from(format!("{} / {}", number::signed(kiri, 0), number::signed(ours, 0)))
        });
        table.row(std::iter::once(Cell::text(&name)).chain(cells));
    }
    table
}
