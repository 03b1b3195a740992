//! The table of moves.

use tesuji_shogi::{GameResult, Move, Origin, Position, Square};

use crate::japanese::{piece_name, square_name};
use crate::kakinoki::{Cursor, Format, Style, read_word, result_word, time_columns};
use crate::{Ending, MoveRecord};

/// The half-width columns that a move takes, so that the times stand below one another.
const MOVE_WIDTH: usize = 13;

/// One numbered line for each move.
pub(super) struct Table;

impl Style for Table {
    const FORMAT: Format = Format::Kif;
    const NAME: &'static str = "KIF";

    fn open(&self, out: &mut String) {
        out.push_str("手数----指手---------消費時間--\n");
    }

    fn write_move(&mut self, out: &mut String, cursor: &mut Cursor, record: &MoveRecord) {
        let text = move_text(&cursor.position, record.mv, cursor.previous_to);
        let columns = record.time.map(|time| time_columns(time, cursor.spend(time)));
        push_row(out, cursor, &text, columns);
    }

    fn write_ending_word(
        &mut self,
        out: &mut String,
        cursor: &mut Cursor,
        ending: &Ending,
    ) -> Option<GameResult> {
        let word = result_word(ending.result, &cursor.position)?;
        let columns = ending.time.map(|time| time_columns(time, cursor.spend(time)));
        push_row(out, cursor, word, columns);
        read_word(word, &cursor.position)
    }

    fn break_line(&mut self, _: &mut String) {}
}

/// A row; a plus at its end says that variations follow below.
fn push_row(out: &mut String, cursor: &Cursor, text: &str, time: Option<String>) {
    let width: usize = text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    let padding = " ".repeat(MOVE_WIDTH.saturating_sub(width).max(1));
    let plus = if cursor.more_follow { "+" } else { "" };
    let row = format!("{:>4} {text}{padding}{}{plus}", cursor.ply, time.unwrap_or_default());
    out.push_str(row.trim_end());
    out.push('\n');
}

/// `７六歩(77)`, `同　角成(88)`, `５五銀打`. That a piece does not promote is not said: what has
/// no 成 has not promoted.
fn move_text(position: &Position, mv: Move, previous_to: Option<Square>) -> String {
    let target = if previous_to == Some(mv.to()) { "同　".into() } else { square_name(mv.to()) };
    match mv.origin() {
        Origin::Hand(kind) => format!("{target}{}打", piece_name(kind)),
        Origin::Board(from) => {
            let kind = position.piece_on(from).map_or("", |piece| piece_name(piece.kind()));
            let promotion = if mv.is_promotion() { "成" } else { "" };
            format!("{target}{kind}{promotion}({}{})", from.file(), from.rank())
        }
    }
}
