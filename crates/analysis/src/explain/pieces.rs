//! What each piece adds to the score of piece tables.

use tesuji_eval::progress::Progress;
use tesuji_eval::tables::zone::ZonePieces;
use tesuji_eval::tables::{KingTable, UNITS};
use tesuji_eval::{PhaseTables, PieceTables};
use tesuji_shogi::{Bitboard, Color, Piece, PieceKind, Position, Square};

use super::table::{player_name, signed};

/// What one king's owner sees. Two pieces that make a pair share what it is worth.
struct View<'a> {
    table: KingTable<'a>,
    items: ZonePieces,
}

impl<'a> View<'a> {
    fn new(position: &Position, tables: &'a PieceTables, owner: Color) -> Self {
        let table = tables.of_king(position, owner);
        Self { table, items: table.zone().pieces(position, Bitboard::EMPTY, None) }
    }

    fn piece(&self, piece: Piece, square: Square) -> i32 {
        self.table.piece(piece, square) + self.share(self.table.zone().placed(piece, square))
    }

    fn hand(&self, color: Color, kind: PieceKind, count: u8) -> i32 {
        self.table.hand(color, kind, count) + self.share(self.table.zone().held(color, kind, count))
    }

    fn share(&self, item: Option<usize>) -> i32 {
        item.map_or(0, |item| self.table.pairs(item, self.items.numbers()) / 2)
    }
}

/// The same text for tables of the opening and of the endgame, each with its share in the position.
pub fn phase_text(position: &Position, tables: &PhaseTables) -> String {
    let progress = Progress::near_kings(position);
    let endgame = progress.sixteenths();
    format!(
        "The opening counts {} sixteenths, the endgame {endgame}.\n{}",
        16 - endgame,
        text(position, &tables.at(progress))
    )
}

/// A board with what the piece on each square is worth, and the pieces in hand.
pub fn text(position: &Position, tables: &PieceTables) -> String {
    let [black, white] = Color::ALL.map(|owner| View::new(position, tables, owner));
    let mut text = String::from(
        "What each piece is worth by its square, those of the kings and what is near them: + speaks \
         for Black, - for White.\n\n",
    );
    text.extend((1..=9).rev().map(|file| format!("{file:>7}")));
    text.push('\n');
    for (rank, letter) in (1..=9).zip('a'..) {
        for file in (1..=9).rev() {
            let square = Square::new(file, rank);
            let piece = square.and_then(|square| Some((square, position.piece_on(square)?)));
            text += &piece.map_or_else(
                || format!("{:>7}", "."),
                |(square, piece)| {
                    let worth = black.piece(piece, square) - white.piece(piece, square);
                    format!("{:>7}", signed(worth / UNITS))
                },
            );
        }
        text += &format!(" {letter}\n");
    }
    for color in Color::ALL {
        let held = position.hand(color).iter().map(|(kind, count)| {
            let worth = black.hand(color, kind, count) - white.hand(color, kind, count);
            format!("{count} {} {}", kind.letter(), signed(worth / UNITS))
        });
        let held: Vec<String> = held.collect();
        if !held.is_empty() {
            text += &format!("{} holds {}.\n", player_name(color), held.join(", "));
        }
    }
    let tempo = signed(tables.tempo() / UNITS);
    text + &format!("To be on the move is worth {tempo} to whoever is.\n")
}
