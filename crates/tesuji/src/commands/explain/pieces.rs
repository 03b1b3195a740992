//! What each piece adds to the score of piece tables.

use tesuji_eval::PieceTables;
use tesuji_eval::tables::UNITS;
use tesuji_shogi::{Color, Position, Square};

use super::table::{player_name, signed};

/// A board with what the piece on each square is worth, and the pieces in hand.
pub fn text(position: &Position, tables: &PieceTables) -> String {
    let [black, white] = Color::ALL.map(|owner| tables.of_king(position, owner));
    let mut text = String::from(
        "What each piece is worth by its square and those of the kings: + speaks for Black, - for White.\n\n",
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
