//! Numbers on the squares of a board, as a heat map.

use tesuji_shogi::{Bitboard, Color, Piece, Position, Square};

use super::BoardFigure;
use super::grid::{self, BOTTOM, CELL, Grid};
use crate::figure::{Figure, Shape, extent};
use crate::svg::Anchor;
use crate::{Drawing, Lang, number};

const LEFT: f64 = 4.0;
const WIDTH: f64 = LEFT + grid::WIDTH + 4.0;
/// How much of the colour the largest number has.
const DARKEST: f64 = 0.9;
/// From this share of the colour on, text changes its own.
const DARK: f64 = 0.58;

/// A board with a number on each square, shaded by its size: one colour above zero, another below.
#[derive(Clone, PartialEq, Debug)]
pub struct SquareMap {
    values: Vec<(Square, f64)>,
    pieces: Vec<(Square, Piece)>,
    faint: Bitboard,
    largest: Option<f64>,
}

impl SquareMap {
    /// A map of these numbers, seen by Black. Squares without one stay empty.
    pub fn new(values: impl IntoIterator<Item = (Square, f64)>) -> Self {
        let values = values.into_iter().filter(|(_, value)| value.is_finite()).collect();
        Self { values, pieces: Vec::new(), faint: Bitboard::EMPTY, largest: None }
    }

    /// Shows a piece.
    #[must_use]
    pub fn piece(mut self, square: Square, piece: Piece) -> Self {
        self.pieces.push((square, piece));
        self
    }

    /// Writes the numbers of these squares small: they mean less than others.
    #[must_use]
    pub const fn faint(mut self, squares: Bitboard) -> Self {
        self.faint = squares;
        self
    }

    /// The number that has the full colour, so that several maps can be compared; else it is the
    /// largest of this one, above or below zero.
    #[must_use]
    pub const fn largest(mut self, value: f64) -> Self {
        self.largest = Some(value);
        self
    }

    /// How much of the colour a number has, from -1 to 1.
    fn degree(&self, value: f64) -> f64 {
        let own = extent(self.values.iter().map(|(_, value)| value.abs())).map(|ends| ends.1);
        let largest = self.largest.or(own).unwrap_or(0.0);
        if largest > 0.0 { (value / largest).clamp(-1.0, 1.0) * DARKEST } else { 0.0 }
    }

    fn draw_value(&self, d: &mut Drawing, grid: Grid, square: Square, value: f64) {
        let degree = self.degree(value);
        let (x, y) = grid.centre(square);
        let text = number::fixed(value, 0);
        d.tooltip(&format!("{square}: {text}"), |d| {
            d.shade(grid.corner(square), CELL, degree);
            let weak = if self.faint.contains(square) { "tiny soft" } else { "" };
            let dark = if degree.abs() > DARK { " on-heat" } else { "" };
            d.text((x, y + 4.5), Anchor::Middle, format!("{weak}{dark}").trim(), &text);
        });
    }
}

impl Figure for SquareMap {
    /// Draws it at its own width, whatever the place is.
    fn draw(&self, _width: f64, lang: Lang) -> Drawing {
        let grid = Grid { left: LEFT, seen_by: Color::Black };
        let mut d = Drawing::new(WIDTH, BOTTOM + 4.0);
        grid.draw_surface(&mut d, "map");
        for &(square, value) in &self.values {
            self.draw_value(&mut d, grid, square, value);
        }
        grid.draw_lines(&mut d, lang);
        let board = BoardFigure::new(&Position::startpos());
        d.japanese(|d| {
            for &(square, piece) in &self.pieces {
                board.draw_piece(d, piece, grid.centre(square), 1.0);
            }
        });
        d
    }

    fn shape(&self) -> Shape {
        Shape::Fixed
    }
}
