//! Moves as running text.

use tesuji_shogi::GameResult;

use crate::japanese::{move_name, triangle};
use crate::kakinoki::{Cursor, Format, Style};
use crate::{Ending, MoveRecord};

/// How many moves stand on a line.
const MOVES_PER_LINE: usize = 6;

/// Several moves on a line.
#[derive(Default)]
pub(super) struct Running {
    /// How many moves the open line has.
    on_line: usize,
}

impl Style for Running {
    const FORMAT: Format = Format::Ki2;
    const NAME: &'static str = "KI2";

    fn open(&self, out: &mut String) {
        out.push('\n');
    }

    fn write_move(&mut self, out: &mut String, cursor: &mut Cursor, record: &MoveRecord) {
        if self.on_line == MOVES_PER_LINE {
            self.break_line(out);
        }
        if self.on_line > 0 {
            out.push(' ');
        }
        out.push(triangle(cursor.position.side_to_move()));
        let name = move_name(&cursor.position, record.mv, cursor.previous_to);
        match name.strip_prefix('同') {
            // As wide as a move with a square: programs print it so.
            Some(piece) if piece.chars().count() == 1 => {
                out.push_str("同　");
                out.push_str(piece);
            }
            _ => out.push_str(&name),
        }
        self.on_line += 1;
    }

    fn write_ending_word(
        &mut self,
        _: &mut String,
        _: &mut Cursor,
        _: &Ending,
    ) -> Option<GameResult> {
        None
    }

    fn break_line(&mut self, out: &mut String) {
        if self.on_line > 0 {
            out.push('\n');
            self.on_line = 0;
        }
    }
}
