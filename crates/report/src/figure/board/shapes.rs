//! Grid and pieces drawn once for many boards of a page, which name them.

use tesuji_shogi::{Color, Piece, PieceKind, Position};

use super::BoardFigure;
use crate::{Drawing, Lang};

/// The name of the lines and labels of a board.
pub(super) const LINES: &str = "board-lines";

/// The name of a piece: `b-P`, `w--R` for a dragon of White.
pub(super) fn name(piece: Piece) -> String {
    let side = if piece.color() == Color::Black { 'b' } else { 'w' };
    let promoted = if piece.kind().is_promoted() { "-" } else { "" };
    format!("{side}-{promoted}{}", piece.kind().letter())
}

/// The shapes that shared boards name, as an element that takes no room.
pub(crate) fn shared_shapes(lang: Lang) -> String {
    let board = BoardFigure::new(&Position::startpos());
    let mut d = Drawing::new(0.0, 0.0);
    d.named(LINES, |d| board.draw_lines(d, lang));
    for color in Color::ALL {
        for kind in PieceKind::ALL {
            let piece = Piece::new(color, kind);
            d.named(&name(piece), |d| board.draw_piece(d, piece, (0.0, 0.0), 1.0));
        }
    }
    d.to_definitions()
}
