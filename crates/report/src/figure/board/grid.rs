//! The squares of a board and the lines between them.

use tesuji_shogi::{Color, Square};

use crate::svg::Anchor;
use crate::{Drawing, Lang};

/// The size of a square; boards are a little higher than wide.
pub(super) const CELL: (f64, f64) = (40.0, 43.0);
/// The upper end of the squares, below the numbers of the files.
pub(super) const TOP: f64 = 20.0;
/// The lower end.
pub(super) const BOTTOM: f64 = TOP + 9.0 * CELL.1;
/// What the squares and the letters of the ranks beside them take.
pub(super) const WIDTH: f64 = 9.0 * CELL.0 + 14.0;

/// Where squares are drawn.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    /// The left end of the squares.
    pub left: f64,
    pub seen_by: Color,
}

impl Grid {
    /// The upper left corner of a square.
    pub fn corner(self, square: Square) -> (f64, f64) {
        let seen = square.seen_by(self.seen_by);
        let column = f64::from(9 - seen.file());
        (self.left + column * CELL.0, TOP + f64::from(seen.rank() - 1) * CELL.1)
    }

    pub fn centre(self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        (x + CELL.0 / 2.0, y + CELL.1 / 2.0)
    }

    /// All squares together.
    pub fn draw_surface(self, d: &mut Drawing, class: &str) {
        d.rect((self.left, TOP), (9.0 * CELL.0, BOTTOM - TOP), class);
    }

    /// The lines between the squares, and the names of files and ranks.
    pub fn draw_lines(self, d: &mut Drawing, lang: Lang) {
        let left = self.left;
        let right = left + 9.0 * CELL.0;
        for i in 1..9 {
            let (x, y) = (left + f64::from(i) * CELL.0, TOP + f64::from(i) * CELL.1);
            d.line((x, TOP), (x, BOTTOM), "rule");
            d.line((left, y), (right, y), "rule");
        }
        for (column, row) in [(3.0, 3.0), (3.0, 6.0), (6.0, 3.0), (6.0, 6.0)] {
            d.circle((left + column * CELL.0, TOP + row * CELL.1), 2.4, "star");
        }
        for (i, number) in ["一", "二", "三", "四", "五", "六", "七", "八", "九"].iter().enumerate()
        {
            // Labels are those of the first file and the first rank, wherever they are seen.
            let (file, rank) = (i as u8 + 1, i as u8 + 1);
            let letter = char::from(b'a' + i as u8).to_string();
            if let (Some(by_file), Some(by_rank)) = (Square::new(file, 1), Square::new(1, rank)) {
                let (x, y) = (self.centre(by_file).0, self.centre(by_rank).1 + 4.5);
                d.text((x, TOP - 6.0), Anchor::Middle, "soft", &file.to_string());
                let name = if lang == Lang::Japanese { number } else { letter.as_str() };
                d.text((right + 9.0, y), Anchor::Middle, "soft", name);
            }
        }
    }
}
